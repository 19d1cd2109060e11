// SPDX-License-Identifier: MIT
// Files of bakes that do not belong together, or have changed: refused with a sentence.
#define _XOPEN_SOURCE 700
#include "baked_files.h"
#include "baked_fixture.h"
#include "rigs.h"

#include "subprocess.h"
#include "texture/texture_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const pelt_texel texels[] = {PELT_TEXEL_RGBA32UI, PELT_TEXEL_RGBA16UI, PELT_TEXEL_RGBA8UI};

typedef struct memory_files
{
    pelti_blob json, texture, mesh;
} memory_files;

static bool open_file(const void** bytes, size_t* size, const char* name, void* user)
{
    const memory_files* files = user;
    const char* dot = strrchr(name, '.');
    const pelti_blob* blob =
        dot != NULL && strcmp(dot, ".glb") == 0 ? &files->mesh : &files->texture;
    *bytes = blob->data;
    *size = blob->size;
    return blob->data != NULL && strncmp(name, "hero.", 5) == 0;
}

static pelt_result load_memory(pelt_baked** out, const memory_files* files, pelt_error* error)
{
    // A copy of exactly this size, so that a sanitizer sees the first byte too far.
    uint8_t* copy = malloc(files->json.size + 1);
    if (copy == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memcpy(copy, files->json.data, files->json.size);
    const pelt_files callbacks = {.open = open_file, .user = (void*)files};
    const pelt_source source = {
        .path = "hero.json", .bytes = copy, .size = files->json.size, .files = &callbacks};
    pelt_result result = pelt_load_baked_memory(out, &source, NULL, error);
    free(copy);
    return result;
}

static bool make_files(memory_files* out, const pelt_baked* baked, pelt_texture_format format,
                       const pelt_scene* scene)
{
    char name[32];
    const pelt_save_baked_options options = {.format = format, .scene = scene};
    *out = (memory_files){0};
    snprintf(name, sizeof name, "hero.%s", pelt_texture_format_name(format));
    bool is_ok = pelt_save_baked(subprocess_path("hero.json"), baked, &options, NULL) == PELT_OK &&
                 pelti_blob_read(&out->json, subprocess_path("hero.json"), NULL) == PELT_OK &&
                 pelti_blob_read(&out->texture, subprocess_path(name), NULL) == PELT_OK;
    is_ok = is_ok && (scene == NULL ||
                      pelti_blob_read(&out->mesh, subprocess_path("hero.glb"), NULL) == PELT_OK);
    baked_files_remove();
    return is_ok;
}

static void release_files(memory_files* files)
{
    pelti_blob_release(&files->json);
    pelti_blob_release(&files->texture);
    pelti_blob_release(&files->mesh);
}

// Refused with a sentence that names one of the files, or the same bake.
static bool is_same_or_refused(const memory_files* files, const pelt_baked* baked)
{
    pelt_baked* again = NULL;
    pelt_error error = {{0}};
    pelt_result result = load_memory(&again, files, &error);
    bool is_good = result == PELT_OK
                       ? baked_is_same(baked, again)
                       : again == NULL && strncmp(error.message, "hero.", 5) == 0 &&
                             strlen(error.message) > 20 && result != PELT_ERROR_MEMORY;
    if (!is_good)
    {
        printf("  %d %s\n", result, error.message);
    }
    pelt_baked_destroy(again);
    return is_good;
}

static int any_changed_bit_of_a_texture_is_noticed(void)
{
    for (uint32_t i = 0; i < 3 * PELT_TEXTURE_FORMAT_COUNT; ++i)
    {
        memory_files files;
        pelt_baked* baked = baked_fixture(texels[i % 3], 2, NULL);
        ENSURE(baked != NULL && make_files(&files, baked, (pelt_texture_format)(i / 3), NULL));
        for (size_t bit = 0; bit < 8 * files.texture.size; bit += bit < 2400 ? 1 : 7)
        {
            files.texture.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
            bool is_good = is_same_or_refused(&files, baked);
            files.texture.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
            ENSURE(is_good);
        }
        release_files(&files);
        pelt_baked_destroy(baked);
    }
    return 0;
}

static int check_changed_characters(const pelt_baked* baked)
{
    static const char others[] = "\0\"{}[],:019-ex\\\xFF";
    memory_files files;
    ENSURE(make_files(&files, baked, PELT_TEXTURE_RAW, NULL));
    for (size_t i = 0; i < files.json.size; ++i)
    {
        uint8_t before = files.json.data[i];
        for (size_t k = 0; k < sizeof others - 1; ++k)
        {
            pelt_baked* again = NULL;
            pelt_error error = {{0}};
            files.json.data[i] = (uint8_t)others[k];
            pelt_result result = load_memory(&again, &files, &error);
            // Names, boxes and root motion are stored nowhere else, so any will do.
            ENSURE(result == PELT_OK ? pelt_baked_validate(again, NULL) == PELT_OK
                                     : strncmp(error.message, "hero.", 5) == 0);
            pelt_baked_destroy(again);
        }
        files.json.data[i] = before;
    }
    for (size_t size = 0; size < files.json.size; ++size)
    {
        memory_files cut = files;
        cut.json.size = size;
        pelt_baked* again = NULL;
        ENSURE(load_memory(&again, &cut, NULL) == PELT_ERROR_DATA && again == NULL);
    }
    release_files(&files);
    return 0;
}

static int a_changed_character_of_the_json_never_crashes(void)
{
    pelt_baked* baked = baked_fixture(PELT_TEXEL_RGBA16UI, 2, NULL);
    ENSURE(baked != NULL && check_changed_characters(baked) == 0);
    pelt_baked_destroy(baked);
    return 0;
}

static pelt_baked* bake_thesis(void)
{
    const uint32_t first = 0;
    const pelt_bake_options options = {.encoding = PELT_ENCODING_DQ,
                                       .layout = PELT_BAKE_LAYOUT_THESIS,
                                       .timing = PELT_BAKE_RATE,
                                       .rate = 1.0f,
                                       .clip_count = 1,
                                       .clips = &first};
    pelt_scene* scene = baked_files_box();
    pelt_baked* baked = NULL;
    bool is_baked = scene != NULL && pelt_bake(&baked, scene, &options, NULL) == PELT_OK;
    pelt_scene_destroy(scene);
    return is_baked ? baked : NULL;
}

static int a_changed_character_of_the_thesis_layout_never_crashes(void)
{
    pelt_baked* baked = bake_thesis();
    ENSURE(baked != NULL && check_changed_characters(baked) == 0);
    pelt_baked_destroy(baked);
    return 0;
}

static int a_changed_mesh_is_the_same_or_refused(void)
{
    memory_files files;
    pelt_scene* scene = baked_files_box();
    pelt_baked* baked = scene != NULL ? baked_fixture_vertices(PELT_TEXEL_RGBA32UI, scene) : NULL;
    ENSURE(baked != NULL && make_files(&files, baked, PELT_TEXTURE_KTX2, scene));
    for (size_t i = 0; i < files.mesh.size && i < 6000; ++i)
    {
        pelt_baked* again = NULL;
        pelt_error error = {{0}};
        files.mesh.data[i] ^= (uint8_t)(1 << i % 8);
        pelt_result result = load_memory(&again, &files, &error);
        files.mesh.data[i] ^= (uint8_t)(1 << i % 8);
        ENSURE(result == PELT_OK ? pelt_baked_validate(again, NULL) == PELT_OK
                                 : strncmp(error.message, "hero.", 5) == 0);
        pelt_baked_destroy(again);
    }
    release_files(&files);
    pelt_baked_destroy(baked);
    pelt_scene_destroy(scene);
    return 0;
}

// At 120 keys per second four keys share a box, which holds the box of each. Sixfold boxes and
// seven numbers of root motion, three digits each, are 30 bytes for a key; the limit is half of
// what lists of floats take.
static int a_clip_of_many_keys_takes_few_bytes_of_json(void)
{
    const pelt_bake_options options = {.timing = PELT_BAKE_RATE, .rate = 120.0f};
    pelt_scene* scene = NULL;
    pelt_baked *baked = NULL, *again = NULL;
    memory_files files;
    ENSURE(pelt_rig_build(&scene, "rig:human?vertices=2000", NULL) == PELT_OK);
    ENSURE(pelt_bake(&baked, scene, &options, NULL) == PELT_OK);
    ENSURE(make_files(&files, baked, PELT_TEXTURE_KTX2, NULL));
    uint32_t keys = 0;
    for (uint32_t i = 0; i < baked->clip_count; ++i)
    {
        keys += baked->clips[i].key_count;
    }
    ENSURE(keys > 1000 && strstr((char*)files.json.data, "\"span\":4") != NULL);
    ENSURE(files.json.size < 30 * (size_t)keys + 150 * (size_t)baked->joint_count);
    ENSURE(load_memory(&again, &files, NULL) == PELT_OK);
    for (uint32_t i = 0; i < baked->clip_count; ++i)
    {
        for (uint32_t k = 0; k < baked->clips[i].key_count; ++k)
        {
            pelt_bounds own = baked->clips[i].key_bounds[k], box = again->clips[i].key_bounds[k];
            pelt_bounds both = box;
            pelt_bounds_add(&both, &own.min, 1);
            pelt_bounds_add(&both, &own.max, 1);
            ENSURE(memcmp(&both, &box, sizeof box) == 0);
            ENSURE(k % 4 == 0 || memcmp(&box, &again->clips[i].key_bounds[k - 1], sizeof box) == 0);
        }
    }
    release_files(&files);
    pelt_baked_destroy(again);
    pelt_baked_destroy(baked);
    pelt_scene_destroy(scene);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Files that do not belong together

static bool replace(memory_files* files, const char* old, const char* new)
{
    char* found = strstr((char*)files->json.data, old);
    size_t head = found != NULL ? (size_t)(found - (char*)files->json.data) : 0;
    char* text = malloc(files->json.size + strlen(new) + 1);
    if (found == NULL || text == NULL)
    {
        printf("  there is no %s\n", old);
        free(text);
        return false;
    }
    sprintf(text, "%.*s%s%s", (int)head, (char*)files->json.data, new, found + strlen(old));
    pelti_blob_release(&files->json);
    files->json.size = strlen(text);
    files->json.data = pelt_allocate(files->json.size + 1, 1);
    bool is_ok = files->json.data != NULL;
    if (is_ok)
    {
        strcpy((char*)files->json.data, text);
    }
    free(text);
    return is_ok;
}

typedef struct json_change
{
    const char *old, *new, *sentence;
} json_change;

static int check_changes(const pelt_baked* baked, const json_change* changes, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        memory_files files;
        pelt_baked* again = NULL;
        pelt_error error = {{0}};
        ENSURE(make_files(&files, baked, PELT_TEXTURE_KTX2, NULL));
        ENSURE(replace(&files, changes[i].old, changes[i].new));
        pelt_result result = load_memory(&again, &files, &error);
        if (result == PELT_OK || again != NULL ||
            strstr(error.message, changes[i].sentence) == NULL)
        {
            printf("  %s: %s\n", changes[i].new, error.message);
            return 1;
        }
        release_files(&files);
    }
    return 0;
}

static int what_the_texture_says_otherwise_is_refused(void)
{
    static const json_change changes[] = {
        {"\"rate\":30,", "\"rate\":24,", "/clips/0/runs/0/rate: this is 24, and word"},
        {"\"start\":0.7", "\"start\":0.8", "/clips/1/runs/1/start: this is 0.8"},
        {"\"keys\":2", "\"keys\":1", "/clips/1/key_bounds: there are 3 elements for 2 keys"},
        {"\"first_word\":", "\"first_word\":1", "/clips/0/runs/0/first_word"},
        {"\"key_words\":3", "\"key_words\":4", "/clips/0/runs/0/key_words: this is 4"},
        {"\"held\":true", "\"held\":false", "/clips/1/runs/1/held"},
        {"\"duration\":1.25", "\"duration\":1.5", "/clips/1/duration"},
        {"\"wraps\":true", "\"wraps\":false", "/clips/0/loops: this is 2, and word"},
        {"\"parent\":0", "\"parent\":1", "/joints/1: its parents form a circle"},
        {"\"parent\":0", "\"parent\":2", "/joints/1: there is no joint 2"},
        {"\"parent\":0,", "", "/joints/1/parent: this is 4294967295"},
        {"\"pivot\":[0,", "\"pivot\":[0.5,", "/joints/0/pivot: this is 0.5"},
        {"\"unit\":0.5", "\"unit\":0.25",
         "/unit: this is 0.25, and word 7 of the texture says 0.5"},
        {"\"encoding\":\"qt\"", "\"encoding\":\"vertex\"", "/vertices: this is missing"},
        {"\"encoding\":\"qt\"", "\"encoding\":\"best\"", "/encoding: \"best\" is not known"},
        {"\"layout\":\"modern\"", "\"layout\":\"thesis\"", "in the thesis layout"},
        {"\"layout\":\"modern\"", "\"layout\":\"old\"", "/layout: \"old\" is not known"},
        {"\"version\":2", "\"version\":3", "has version 3; pelt reads versions 1 to 2"},
        {"\"step\":0.001", "\"step\":0", "/clips/0/key_bounds/step: this must be a number above 0"},
        {"\"values\":[", "\"values\":[0,", "19 elements for 3 keys, 6 for each"},
        {"\"values\":[", "\"values\":[9999", "the minimum of box 0 is above its maximum"},
        {"pelt-bake", "glTF", "is not the JSON file of a bake: its format is \"glTF\""},
        {"+Y up", "+Z up", "/axes: \"+Z up, right-handed\" is not known"},
        {"\"width\":8", "\"width\":9", "is 8 and must be 9"},
        {"\"width\":8", "\"width\":0", "/texture: there is no texture of 0 x"},
        {"\"texel\":\"rgba32ui\"", "\"texel\":\"rgba8ui\"", "the format at byte 12 is 107"},
        {"\"file\":\"hero.", "\"file\":\"../hero.", "not a file below the folder"},
        {"\"file\":\"hero.", "\"file\":\"other.", "no such file was given"},
        {"\"name\":\"hips\"", "\"name\":\"hips\",\"kind\":\"bone\"",
         "/joints/0/kind: \"bone\" is not known"},
        {"\"digest\":\"", "\"digest\":\"0", "must be 16 hexadecimal digits"},
        {"\"name\":\"walk\",", "", "/clips/0/name: this is missing"},
        {"\"name\":\"walk\"", "\"name\":7", "/clips/0/name: this must be a string"},
        {"\"rotation\":{\"step\":1e-5,\"values\":[", "\"rotation\":{\"step\":1e-5,\"values\":[1,",
         "/clips/0/root_motion/rotation/values: there"},
        {"\"rotation\":{\"step\":1e-5", "\"rotation\":{\"step\":-1", "rotation/step: this must be"},
        {"\"position\":{", "\"position\":[1e39,0,0],\"\":{", "this must be a finite number"},
        {"\"position\":{\"step\":1e-5,\"values\":[0", "\"position\":{\"step\":1e38,\"values\":[9",
         "the sum is beyond the range of numbers"},
        {"\"key_bounds\":{", "\"key_bounds\":{\"span\":0,",
         "/key_bounds/span: this must be above 0"},
        {"\"key_bounds\":{", "\"key_bounds\":{\"span\":2,", "there are 18 elements for 2 keys"},
        {"\"key_bounds\":[[", "\"key_bounds\":[[null,", "an array of 6 finite numbers"},
    };
    pelt_baked* baked = baked_fixture(PELT_TEXEL_RGBA32UI, 2, NULL);
    ENSURE(baked != NULL);
    ENSURE(check_changes(baked, changes, sizeof changes / sizeof changes[0]) == 0);
    pelt_baked_destroy(baked);
    return 0;
}

static int what_a_texture_of_the_thesis_says_otherwise_is_refused(void)
{
    static const char size[] = "is not one of", metadata[] = "does not agree with its description";
    static const json_change changes[] = {
        {"\"layout\":\"thesis\"", "\"layout\":\"modern\"", "does not begin as one of version 1"},
        {"\"layout\":\"thesis\",", "", "does not begin as one of version 1"},
        {"\"encoding\":\"dq\"", "\"encoding\":\"matrix\"", size},
        {"\"encoding\":\"dq\"", "\"encoding\":\"qt\"", size},
        {"\"duration\":", "\"duration\":1", metadata},
        {"\"rate\":", "\"rate\":1", metadata},
        {"\"start\":0,", "\"start\":0.5,", metadata},
        {"\"key_words\":1", "\"key_words\":2", metadata},
        {"\"first_word\":1", "\"first_word\":0", metadata},
        {"\"table\":0", "\"table\":1", metadata},
        {"\"held\":false", "\"held\":true", metadata},
        {"\"unit\":", "\"unit\":1", metadata},
        {"\"stretch_unit\":1,", "\"stretch_unit\":2,", metadata},
        {"\"pivot\":[", "\"pivot\":[-1", "joint 0 is not valid"},
        {"\"pivot\":", "\"parent\":1,\"pivot\":", "joint 0 is not valid"},
    };
    pelt_baked* baked = bake_thesis();
    ENSURE(baked != NULL);
    ENSURE(check_changes(baked, changes, sizeof changes / sizeof changes[0]) == 0);
    pelt_baked_destroy(baked);
    return 0;
}

static int files_of_two_bakes_do_not_mix(void)
{
    memory_files a, b;
    pelt_baked* again = NULL;
    pelt_error error = {{0}};
    pelt_baked* baked = baked_fixture(PELT_TEXEL_RGBA32UI, 2, NULL);
    ENSURE(baked != NULL && make_files(&a, baked, PELT_TEXTURE_PNG, NULL));
    ((uint32_t*)baked->words)[95] ^= 1;
    ENSURE(make_files(&b, baked, PELT_TEXTURE_PNG, NULL));
    const memory_files mixed = {.json = a.json, .texture = b.texture};
    ENSURE(load_memory(&again, &mixed, &error) == PELT_ERROR_DATA);
    ENSURE(strstr(error.message, "hero.png: the words of this texture are not those that hero.json "
                                 "was written with") != NULL);
    release_files(&a);
    release_files(&b);
    pelt_baked_destroy(baked);
    return 0;
}

static int a_link_out_of_the_folder_is_refused(void)
{
    pelt_baked *baked = baked_fixture(PELT_TEXEL_RGBA32UI, 2, NULL), *again = NULL;
    pelt_error error = {{0}};
    ENSURE(baked != NULL);
    ENSURE(pelt_save_baked(subprocess_path("hero.json"), baked, NULL, NULL) == PELT_OK);
    ENSURE(remove(subprocess_path("hero.ktx2")) == 0);
    ENSURE(symlink("/etc/hostname", subprocess_path("hero.ktx2")) == 0);
    ENSURE(pelt_load_baked(&again, subprocess_path("hero.json"), NULL, &error) == PELT_ERROR_DATA);
    ENSURE(strstr(error.message, "is a link to a file") != NULL);
    ENSURE(remove(subprocess_path("hero.ktx2")) == 0);
    ENSURE(pelt_load_baked(&again, subprocess_path("hero.json"), NULL, &error) == PELT_ERROR_READ);
    baked_files_remove();
    pelt_baked_destroy(baked);
    return 0;
}

// ---------------------------------------------------------------------------------------------

// The words of a texture that is said to be huge are never asked for.
static int a_texture_beyond_the_limits_is_refused(void)
{
    memory_files files;
    pelt_baked *baked = baked_fixture(PELT_TEXEL_RGBA32UI, 2, NULL), *again = NULL;
    pelt_error error = {{0}};
    ENSURE(baked != NULL && make_files(&files, baked, PELT_TEXTURE_PNG, NULL));
    ENSURE(replace(&files, "\"width\":8", "\"width\":8192"));
    ENSURE(replace(&files, "\"texel\":\"rgba32ui\",\"width\":8192,\"height\":3",
                   "\"texel\":\"rgba32ui\",\"width\":8192,\"height\":8192"));
    ENSURE(load_memory(&again, &files, &error) == PELT_ERROR_DATA && again == NULL);
    ENSURE(strstr(error.message, "memory") != NULL);
    release_files(&files);
    pelt_baked_destroy(baked);
    return 0;
}

static bool cancel_late(float part, void* user)
{
    *(float*)user = part;
    return part < 0.5f;
}

static int reading_can_be_canceled(void)
{
    memory_files files;
    float part = 0.0f;
    pelt_baked *baked = baked_fixture(PELT_TEXEL_RGBA32UI, 2, NULL), *again = NULL;
    pelt_error error = {{0}};
    ENSURE(baked != NULL && make_files(&files, baked, PELT_TEXTURE_EXR, NULL));
    const pelt_files callbacks = {.open = open_file, .user = &files};
    const pelt_source source = {.path = "hero.json",
                                .bytes = files.json.data,
                                .size = files.json.size,
                                .files = &callbacks};
    const pelt_load_options options = {.progress = cancel_late, .user = &part};
    ENSURE(pelt_load_baked_memory(&again, &source, &options, &error) == PELT_ERROR_CANCELED);
    ENSURE(again == NULL && part >= 0.5f && strstr(error.message, "hero.json") != NULL);
    release_files(&files);
    pelt_baked_destroy(baked);
    return 0;
}

void test_baked_broken(void)
{
    RUN(any_changed_bit_of_a_texture_is_noticed);
    RUN(a_changed_character_of_the_json_never_crashes);
    RUN(a_changed_character_of_the_thesis_layout_never_crashes);
    RUN(a_changed_mesh_is_the_same_or_refused);
    RUN(a_clip_of_many_keys_takes_few_bytes_of_json);
    RUN(what_the_texture_says_otherwise_is_refused);
    RUN(what_a_texture_of_the_thesis_says_otherwise_is_refused);
    RUN(files_of_two_bakes_do_not_mix);
    RUN(a_link_out_of_the_folder_is_refused);
    RUN(a_texture_beyond_the_limits_is_refused);
    RUN(reading_can_be_canceled);
    subprocess_remove_folder();
}
