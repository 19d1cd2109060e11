// SPDX-License-Identifier: MIT
#include "proportions.h"

#include <string.h>

bool proportions_differ(const pelt_rest_difference* in)
{
    return in->shortest < 0.95f || in->longest > 1.05f;
}

// ---------------------------------------------------------------------------------------------

static bool keep_rotations(pelt_clip* inout, pelt_arena* arena)
{
    pelt_track* kept = pelt_arena_alloc(arena, inout->track_count, sizeof *kept);
    uint32_t count = 0;
    for (uint32_t t = 0; kept != NULL && t < inout->track_count; ++t)
    {
        pelt_path path = inout->tracks[t].path;
        if (path == PELT_PATH_ROTATION || path == PELT_PATH_MORPH)
        {
            kept[count++] = inout->tracks[t];
        }
    }
    inout->tracks = kept;
    inout->track_count = count;
    return kept != NULL;
}

pelt_result proportions_keep_rotations(pelt_scene* inout, uint32_t first_clip, uint32_t count)
{
    pelt_clip* clips = pelt_arena_alloc(inout->arena, inout->clip_count, sizeof *clips);
    if (clips == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memcpy(clips, inout->clips, inout->clip_count * sizeof *clips);
    for (uint32_t i = 0; i < count; ++i)
    {
        if (!keep_rotations(&clips[first_clip + i], inout->arena))
        {
            return PELT_ERROR_MEMORY;
        }
    }
    inout->clips = clips;
    return PELT_OK;
}
