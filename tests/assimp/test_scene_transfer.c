// SPDX-License-Identifier: MIT
// Scenes as bytes: all of a scene arrives, and damaged bytes are refused.
#include "assimp/scene_transfer.h"

#include "fbx_fixture.h"
#include "rigs.h"
#include "subprocess.h"

#include "pelt/io.h"

#include <stdlib.h>
#include <string.h>

typedef struct parcel
{
    void* bytes; // free()
    size_t size;
} parcel;

static parcel pack(pelt_scene* scene)
{
    parcel out = {.size = pelti_scene_size(scene)};
    FILE* stream = tmpfile();
    out.bytes = aligned_alloc(16, out.size + 16 - out.size % 16);
    pelti_scene_write(stream, scene);
    rewind(stream);
    bool is_whole = fread(out.bytes, 1, out.size, stream) == out.size && fgetc(stream) == EOF;
    fclose(stream);
    if (!is_whole)
    {
        free(out.bytes);
        out.bytes = NULL;
    }
    return out;
}

// What a glTF does not carry, as one list.
static void list_words(char* out, size_t size, const pelt_scene* scene)
{
    size_t used = 0;
    for (uint32_t i = 0; i < scene->repair_count && used < size; ++i)
    {
        used += (size_t)snprintf(out + used, size - used, "%s\n", scene->repairs[i].message);
    }
    for (uint32_t i = 0; i < scene->clip_count && used < size; ++i)
    {
        used += (size_t)snprintf(out + used, size - used, "%s %a\n", scene->clips[i].name,
                                 (double)scene->clips[i].duration);
    }
    for (uint32_t i = 0; i < scene->image_count && used < size; ++i)
    {
        used += (size_t)snprintf(out + used, size - used, "%s %zu\n", scene->images[i].name,
                                 scene->images[i].size);
    }
}

static pelti_blob as_glb(const pelt_scene* scene)
{
    pelti_blob out = {0};
    char path[64];
    snprintf(path, sizeof path, "%s/parcel.glb", subprocess_folder());
    if (pelt_save_scene(path, PELT_FORMAT_GLB, scene, NULL) == PELT_OK)
    {
        pelti_blob_read(&out, path, NULL);
    }
    remove(path);
    subprocess_remove_folder();
    return out;
}

static int check_arrival(pelt_scene* scene)
{
    parcel p = pack(scene);
    ENSURE(p.bytes != NULL);
    pelt_scene* copy = pelti_scene_read(p.bytes, p.size);
    pelt_error error = {{0}};
    ENSURE(copy != NULL && pelt_scene_validate(copy, &error) == PELT_OK);
    char words[2][2000] = {"", ""};
    list_words(words[0], sizeof words[0], scene);
    list_words(words[1], sizeof words[1], copy);
    ENSURE(strcmp(words[0], words[1]) == 0);
    pelti_blob a = as_glb(scene), b = as_glb(copy);
    ENSURE(a.size > 0 && a.size == b.size && memcmp(a.data, b.data, a.size) == 0);
    pelti_blob_release(&a);
    pelti_blob_release(&b);
    free(p.bytes);
    return 0;
}

static int scenes_arrive_whole(void)
{
    pelt_scene* scene;
    pelt_error error;
    ENSURE(pelt_rig_build(&scene, "rig:arm?vertices=600", NULL) == PELT_OK);
    ENSURE(check_arrival(scene) == 0);
    pelt_scene_destroy(scene);
    scene = fbx_read(fbx_everything(), &error);
    ENSURE(scene != NULL && scene->image_count > 0 && check_arrival(scene) == 0);
    pelt_scene_destroy(scene);
    pelt_scene nothing = {0};
    return check_arrival(&nothing);
}

static int bytes_that_are_cut_off_are_no_scene(void)
{
    pelt_error error;
    pelt_scene* scene = fbx_read(fbx_everything(), &error);
    ENSURE(scene != NULL);
    parcel p = pack(scene);
    pelt_scene_destroy(scene);
    for (size_t size = 0; size < p.size; size += 1 + size % 7)
    {
        // A copy of its own size, so that a sanitizer sees a step past its end.
        void* copy = aligned_alloc(16, size + 16 - size % 16);
        memcpy(copy, p.bytes, size);
        ENSURE(pelti_scene_read(copy, size) == NULL);
        free(copy);
    }
    free(p.bytes);
    return 0;
}

static int counts_that_lie_lead_nowhere(void)
{
    pelt_error error;
    pelt_scene* scene = fbx_read(fbx_everything(), &error);
    ENSURE(scene != NULL);
    parcel p = pack(scene);
    pelt_scene_destroy(scene);
    void* copy = aligned_alloc(16, p.size + 16 - p.size % 16);
    test_random random = {3};
    for (int round = 0; round < 4000; ++round)
    {
        memcpy(copy, p.bytes, p.size);
        // Structs come first: most of the damage goes there.
        float reach = round % 2 == 0 ? 4096.0f : (float)p.size;
        size_t at = (size_t)test_uniform(&random, 0.0f, reach) / 4 * 4;
        uint32_t lie = round % 3 == 0 ? UINT32_MAX : (uint32_t)test_uniform(&random, 0.0f, 3e5f);
        memcpy((char*)copy + (at < p.size - 4 ? at : 0), &lie, 4);
        pelt_scene* read = pelti_scene_read(copy, p.size);
        if (read != NULL)
        {
            pelt_scene_validate(read, &error);
        }
    }
    free(copy);
    free(p.bytes);
    return 0;
}

void test_scene_transfer(void)
{
    RUN(scenes_arrive_whole);
    RUN(bytes_that_are_cut_off_are_no_scene);
    RUN(counts_that_lie_lead_nowhere);
}
