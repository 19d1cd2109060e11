// SPDX-License-Identifier: MIT
// The animation texture thesis (2021), section 4.11.1: rates of regions of a clip.
#include "textures2021_regions.h"

#include "pelt/bake.h"
#include "pelt/prepare.h"

#include <math.h>

enum
{
    REGION_MAX = 8,
    CLIP_BYTES = 16, // of a clip in the header, which a region of a clip does not need
};

// Bytes of the smallest texture within 0.2 mm per meter of height, everywhere.
// @param clips  of the scene, instead of its own
static pelt_result count_bytes(double* out, const pelt_scene* scene, const pelt_clip* clips,
                               uint32_t clip_count, pelt_error* error)
{
    pelt_scene own = *scene;
    pelt_baked* baked;
    const pelt_bake_options options = {.has_budget = true,
                                       .finds_encoding = true,
                                       .max_error = 2e-4,
                                       .is_relative = true,
                                       .timing = PELT_BAKE_AUTO};
    own.clips = clips;
    own.clip_count = clip_count;
    PELT_TRY(pelt_bake(&baked, &own, &options, error));
    *out = (double)pelt_baked_bytes(baked) - CLIP_BYTES * (clip_count - 1.0);
    pelt_baked_destroy(baked);
    return PELT_OK;
}

// The time of the key of a clip that is nearest to a time: a cut there needs no new key.
static float nearest_key(const pelt_clip* clip, float time)
{
    float best = time, distance = clip->duration;
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        const pelt_track* track = &clip->tracks[i];
        for (uint32_t k = 0; k < track->key_count; ++k)
        {
            float own = fabsf(track->times[k] - time);
            best = own < distance ? track->times[k] : best;
            distance = fminf(distance, own);
        }
    }
    return best;
}

static pelt_result measure_cut(double* out, const pelt_scene* scene, const pelt_clip* clip,
                               uint32_t count, pelt_error* error)
{
    pelt_clip parts[REGION_MAX];
    float start = 0.0f;
    pelt_arena* arena = pelt_arena_create();
    pelt_result result = arena != NULL ? PELT_OK : pelt_error_memory(error);
    for (uint32_t i = 0; result == PELT_OK && i < count; ++i)
    {
        float end = i + 1 < count
                        ? nearest_key(clip, clip->duration * (float)(i + 1) / (float)count)
                        : clip->duration;
        const pelt_edit_clip_options cut = {.is_trimmed = true, .start = start, .end = end};
        parts[i] = *clip;
        result = pelt_scene_edit_clip(&parts[i], scene, &cut, arena, error);
        start = end;
    }
    result = result == PELT_OK ? count_bytes(out, scene, parts, count, error) : result;
    pelt_arena_destroy(arena);
    return result;
}

static pelt_result measure_clip(reproduction* inout, const char* rig, const pelt_scene* scene,
                                const pelt_clip* clip, pelt_error* error)
{
    static const uint32_t counts[] = {2, 4};
    double whole;
    PELT_TRY(count_bytes(&whole, scene, clip, 1, error));
    reproduce_unjudged(inout, reproduce_label(inout, "%s, %s, one rate: bytes", rig, clip->name),
                       "", "", whole);
    for (uint32_t i = 0; i < COUNT_OF(counts); ++i)
    {
        double bytes;
        PELT_TRY(measure_cut(&bytes, scene, clip, counts[i], error));
        reproduce_unjudged(inout,
                           reproduce_label(inout, "%s, %s, %u regions: bytes to one rate", rig,
                                           clip->name, counts[i]),
                           "", "fewer texels", bytes / whole);
    }
    return PELT_OK;
}

pelt_result textures2021_measure_regions(reproduction* inout, pelt_error* error)
{
    static const char* const cases[][2] = {{"rig:human?vertices=2000", "walk"},
                                           {"rig:human?vertices=2000", "wave"},
                                           {"rig:human?vertices=2000", "extreme"},
                                           {"rig:raptor?vertices=2000", "roar"},
                                           {"rig:box", "test"}};
    for (uint32_t i = 0; i < (inout->is_quick ? 2u : COUNT_OF(cases)); ++i)
    {
        pelt_scene* scene;
        PELT_TRY(bench_scene_load(&scene, cases[i][0], error));
        uint32_t clip = pelt_scene_find_clip(scene, cases[i][1]);
        PELT_ASSERT(clip != PELT_NONE);
        pelt_result result = measure_clip(inout, cases[i][0], scene, &scene->clips[clip], error);
        pelt_scene_destroy(scene);
        PELT_TRY(result);
    }
    return PELT_OK;
}
