// SPDX-License-Identifier: MIT
// Decoding the positions and normals of a bake of vertices.
#include "../base/exact.h"

#include "baked_decode.h"

static pelt_vec3 decode_normal(const uint32_t* key, size_t bit, uint32_t width)
{
    return pelti_octahedral_value(pelti_bits_read(key, bit, width),
                                  pelti_bits_read(key, bit + width, width), width);
}

// A vertex at a moment: how far it is from rest, and its normal.
typedef struct vertex_motion
{
    pelt_vec3 offset, normal;
} vertex_motion;

static vertex_motion decode_vertex(const pelt_baked* baked, const pelti_key_time* at, uint32_t id)
{
    const uint32_t* table = baked->words + at->run->table;
    uint32_t width = table[0] & 255, normal_width = table[0] >> 8 & 255;
    const uint32_t* words = table + 1 + (table[0] & PELTI_VERTEX_SHARED ? 0 : 3 * (size_t)id);
    const uint32_t* keys = baked->words + at->run->first_word;
    const uint32_t* both[2] = {keys + (size_t)at->key * at->run->key_words,
                               keys + (size_t)at->next * at->run->key_words};
    size_t bit = (size_t)id * (3 * width + 2 * normal_width);
    float axes[2][3];
    vertex_motion motion = {0};
    for (int axis = 0; axis < 3; ++axis, bit += width)
    {
        pelti_component component = pelti_component_read(words[axis], baked->unit);
        for (int i = 0; i < 2; ++i)
        {
            axes[i][axis] = pelti_component_value(&component, pelti_bits_read(both[i], bit, width));
        }
    }
    motion.offset = pelt_vec3_lerp(pelt_vec3_make(axes[0][0], axes[0][1], axes[0][2]),
                                   pelt_vec3_make(axes[1][0], axes[1][1], axes[1][2]), at->u);
    if (normal_width > 0)
    {
        motion.normal =
            pelt_vec3_normalize(pelt_vec3_lerp(decode_normal(both[0], bit, normal_width),
                                               decode_normal(both[1], bit, normal_width), at->u));
    }
    return motion;
}

void pelt_unbake_vertices(const pelt_surface* out, const pelt_baked* baked, uint32_t instance,
                          const pelt_mesh* mesh, const pelt_playback* playback)
{
    PELT_ASSERT(baked->encoding == PELT_ENCODING_VERTEX && instance < baked->instance_count);
    PELT_ASSERT(playback->base.clip < baked->clip_count);
    const uint32_t* ids = baked->instances[instance].vertex_ids;
    const pelt_moment *base = &playback->base, *next = &playback->next;
    bool is_fading = playback->fade != 0.0f;
    PELT_ASSERT(!is_fading || next->clip < baked->clip_count);
    pelti_key_time from = pelti_clip_at(&baked->clips[base->clip], base->time, base->wrap),
                   to = from;
    if (is_fading)
    {
        to = pelti_clip_at(&baked->clips[next->clip], next->time, next->wrap);
    }
    // Without normals in the texture a mesh keeps those at rest.
    bool has_normals = (baked->words[from.run->table] >> 8 & 255) != 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        vertex_motion motion = decode_vertex(baked, &from, ids[v]);
        if (is_fading)
        {
            vertex_motion other = decode_vertex(baked, &to, ids[v]);
            motion.offset = pelt_vec3_lerp(motion.offset, other.offset, playback->fade);
            motion.normal =
                pelt_vec3_normalize(pelt_vec3_lerp(motion.normal, other.normal, playback->fade));
        }
        if (out->positions != NULL)
        {
            pelt_vec3* place = (pelt_vec3*)pelt_vec3_at(out->positions, out->position_stride, v);
            *place = pelt_vec3_add(mesh->positions[v], motion.offset);
        }
        if (out->normals != NULL && (has_normals || mesh->normals != NULL))
        {
            *(pelt_vec3*)pelt_vec3_at(out->normals, out->normal_stride, v) =
                has_normals ? motion.normal : mesh->normals[v];
        }
    }
}
