// SPDX-License-Identifier: MIT
// What a build without other libraries says to files that it cannot read.
#include "gltf_fixture.h"

static pelt_result load_text(const char* name, const char* text, pelt_error* error)
{
    pelt_scene* scene = NULL;
    pelt_source source = {.path = name, .bytes = (const void*)text, .size = strlen(text)};
    pelt_result result = pelt_load_memory(&scene, &source, NULL, error);
    pelt_scene_destroy(scene);
    return result;
}

static int other_formats_are_refused_with_a_sentence(void)
{
    static const char* const texts[] = {"Kaydara FBX Binary  ", "; FBX 7.4.0 project file\n",
                                        "<COLLADA>", "HIERARCHY\nROOT hips\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
    {
        pelt_error error;
        ENSURE(load_text("folder/a.any", texts[i], &error) == PELT_ERROR_UNSUPPORTED);
        ENSURE(strstr(error.message, "folder/a.any: this build of pelt reads glTF") != NULL);
    }
    return 0;
}

static int compressed_buffers_are_refused_with_a_sentence(void)
{
    fixture f;
    pelt_error error;
    pelt_scene* scene = NULL;
    fixture_start(&f);
    fixture_pack_views(&f, 40, 40, "TRIANGLES");
    pelti_blob file = fixture_glb(&f);
    const pelt_source source = {.path = "a.glb", .bytes = file.data, .size = file.size};
    ENSURE(pelti_read_gltf(&scene, &source, NULL, &error) == PELT_ERROR_UNSUPPORTED);
    free(file.data);
    pelt_scene_destroy(scene);
    ENSURE(strstr(error.message, "/bufferViews/1") != NULL);
    ENSURE(strstr(error.message, "has no meshoptimizer") != NULL);
    return 0;
}

void test_reader_only(void);

void test_reader_only(void)
{
    RUN(other_formats_are_refused_with_a_sentence);
    RUN(compressed_buffers_are_refused_with_a_sentence);
}
