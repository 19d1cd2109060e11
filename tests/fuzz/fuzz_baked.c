// SPDX-License-Identifier: MIT
// Any bytes as the files of a bake: refused with a sentence, or a bake that can be played, rotated
// back into clips and measured.
#include "bake_stages.h"
#include "baked_pack.h"
#include "pelt/io.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// So that the compiler cannot do without the results.
static volatile float seen;

static bool open_part(const void** bytes, size_t* size, const char* name, void* user)
{
    const baked_part* parts = user;
    const char* dot = strrchr(name, '.');
    const baked_part* part = &parts[dot != NULL && strcmp(dot, ".glb") == 0 ? 2 : 1];
    // A copy of exactly this size, so that the first byte too far is seen.
    void* copy = malloc(part->size > 0 ? part->size : 1);
    memcpy(copy, part->bytes, part->size);
    *bytes = copy;
    *size = part->size;
    return true;
}

static void close_part(const void* bytes, size_t size, void* user)
{
    (void)size;
    (void)user;
    free((void*)bytes);
}

static void play(const pelt_baked* baked)
{
    if (baked->encoding == PELT_ENCODING_VERTEX || baked->joint_count > 4096)
    {
        return;
    }
    pelt_mat34* motions = calloc(baked->joint_count + 1, sizeof *motions);
    for (uint32_t clip = 0; clip < baked->clip_count && clip < 8; ++clip)
    {
        float duration = baked->clips[clip].duration;
        const pelt_playback playback = {.base = {clip, 0.37f * duration, PELT_WRAP_LOOP},
                                        .next = {0, 2.5f * duration, PELT_WRAP_CLAMP},
                                        .fade = 0.25f};
        pelt_unbake(motions, baked, &playback);
        seen = motions[0].m[0][0];
    }
    free(motions);
}

// On the mesh that lies next to it, at the keys of the bake and at a rate.
static void unbake(const pelt_baked* baked, const baked_part* mesh)
{
    const pelt_source source = {.path = "fuzz.glb", .bytes = mesh->bytes, .size = mesh->size};
    pelt_scene* scene = NULL;
    if (pelt_load_memory(&scene, &source, NULL, NULL) == PELT_OK)
    {
        stages_unbake(baked, scene, baked->joint_count % 2 == 0 ? 0.0f : 30.0f);
        pelt_scene_destroy(scene);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    baked_part parts[BAKED_PART_COUNT];
    if (!baked_pack_open(parts, data, size))
    {
        return 0;
    }
    uint8_t* json = malloc(parts[0].size > 0 ? parts[0].size : 1);
    memcpy(json, parts[0].bytes, parts[0].size);
    const pelt_files files = {.open = open_part, .close = close_part, .user = parts};
    const pelt_source source = {
        .path = "fuzz.json", .bytes = json, .size = parts[0].size, .files = &files};
    pelt_baked* baked = NULL;
    pelt_error error = {{0}};
    pelt_result result = pelt_load_baked_memory(&baked, &source, NULL, &error);
    if (result == PELT_OK ? pelt_baked_validate(baked, &error) != PELT_OK
                          : baked != NULL || error.message[0] == '\0')
    {
        abort();
    }
    if (result == PELT_OK)
    {
        play(baked);
        unbake(baked, &parts[2]);
        pelt_baked_destroy(baked);
    }
    free(json);
    return 0;
}
