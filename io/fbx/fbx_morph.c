// SPDX-License-Identifier: MIT
// Morph targets: channels of blend shape deformers.
#include "fbx_read.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Channels

static pelt_result add_channel(pelti_fbx_blend_shapes* out, pelti_fbx* f, uint32_t channel,
                               uint32_t* between)
{
    const pelti_fbx_object* object = &f->objects[channel];
    pelti_fbx_reals full;
    PELT_TRY(pelti_fbx_read_reals(&full, &f->file, object->node, "FullWeights"));
    uint32_t link = object->first_child, count = 0, last = PELT_NONE;
    for (uint32_t shape = pelti_fbx_next_child(f, &link, PELTI_FBX_GEOMETRY); shape != PELT_NONE;
         shape = pelti_fbx_next_child(f, &link, PELTI_FBX_GEOMETRY))
    {
        last = shape;
        count++;
    }
    if (count == 0)
    {
        return PELT_OK;
    }
    *between += count - 1;
    double whole = count <= full.count ? full.at[count - 1] : 100.0;
    out->channels[out->count] = channel;
    out->shapes[out->count] = last;
    out->full[out->count++] = isfinite(whole) && fabs(whole) > 1e-6 ? whole : 100.0;
    return pelti_fbx_charge(&f->file, count);
}

// Visit every channel of every blend shape of the geometry. With out NULL they are only counted.
static pelt_result visit_channels(pelti_fbx_blend_shapes* out, pelti_fbx* f, uint32_t geometry,
                                  uint32_t* count, uint32_t* between)
{
    uint32_t link = f->objects[geometry].first_child;
    for (uint32_t blend = pelti_fbx_next_child(f, &link, PELTI_FBX_DEFORMER); blend != PELT_NONE;
         blend = pelti_fbx_next_child(f, &link, PELTI_FBX_DEFORMER))
    {
        uint32_t inner = f->objects[blend].first_child;
        for (uint32_t channel = pelti_fbx_next_child(f, &inner, PELTI_FBX_DEFORMER);
             channel != PELT_NONE; channel = pelti_fbx_next_child(f, &inner, PELTI_FBX_DEFORMER))
        {
            if (pelti_fbx_is_subtype(&f->objects[channel], "BlendShapeChannel"))
            {
                *count += 1;
                if (out != NULL)
                {
                    PELT_TRY(add_channel(out, f, channel, between));
                }
            }
        }
    }
    return PELT_OK;
}

pelt_result pelti_fbx_find_blend_shapes(pelti_fbx_blend_shapes* out, pelti_fbx* f,
                                        uint32_t geometry, const char* name)
{
    uint32_t count = 0, seen = 0, between = 0;
    *out = (pelti_fbx_blend_shapes){0};
    visit_channels(NULL, f, geometry, &count, &between);
    out->channels = pelti_fbx_alloc(&f->file, count, sizeof *out->channels);
    out->shapes = pelti_fbx_alloc(&f->file, count, sizeof *out->shapes);
    out->full = pelti_fbx_alloc(&f->file, count, sizeof *out->full);
    if (out->channels == NULL || out->shapes == NULL || out->full == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    PELT_TRY(visit_channels(out, f, geometry, &seen, &between));
    return between > 0
               ? pelti_fbx_repair(f, "mesh %s: left out %u %s", name, between,
                                  pelti_plural(between, "in-between shape", "in-between shapes"))
               : PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Targets

// Displacements by point; NULL: the shape has none.
static pelt_result read_offsets(const pelt_vec3** out, pelti_fbx* f, const pelti_fbx_node* node,
                                const char* name, const pelt_mat3* map, uint32_t point_count)
{
    pelti_fbx_integers points;
    pelti_fbx_reals numbers;
    *out = NULL;
    PELT_TRY(pelti_fbx_read_integers(&points, &f->file, node, "Indexes"));
    PELT_TRY(pelti_fbx_read_reals(&numbers, &f->file, node, name));
    PELT_TRY(pelti_fbx_charge(&f->file, point_count));
    pelt_vec3* offsets = pelti_fbx_alloc(&f->file, point_count, sizeof *offsets);
    bool is_moving = false;
    for (uint32_t i = 0; i < points.count && i < numbers.count / 3 && offsets != NULL; ++i)
    {
        const double* v = numbers.at + 3 * (size_t)i;
        pelt_vec3 d = pelt_mat3_vector(map, pelt_vec3_make((float)v[0], (float)v[1], (float)v[2]));
        bool is_good = points.at[i] >= 0 && points.at[i] < point_count && isfinite(d.x) &&
                       isfinite(d.y) && isfinite(d.z);
        if (is_good)
        {
            offsets[points.at[i]] = d;
            is_moving = is_moving || d.x != 0.0f || d.y != 0.0f || d.z != 0.0f;
        }
    }
    *out = is_moving ? offsets : NULL;
    return offsets != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

static const pelt_vec3* spread(const pelti_fbx* f, const pelt_vec3* offsets, const uint32_t* points,
                               uint32_t vertex_count)
{
    pelt_vec3* out = pelt_arena_alloc(f->arena, vertex_count, sizeof *out);
    for (uint32_t v = 0; v < vertex_count && out != NULL; ++v)
    {
        out[v] = offsets[points[v]];
    }
    return out;
}

static pelt_result write_morph(pelti_fbx* f, pelt_morph* out, const pelt_mesh* mesh,
                               const pelti_fbx_object* channel, const pelti_fbx_node* shape,
                               const uint32_t* points, uint32_t point_count,
                               const pelt_mat34* geometric)
{
    pelt_mat3 linear = pelt_mat34_linear(geometric), zero = {0};
    pelt_mat3 meters = pelt_mat3_mad(&zero, (float)f->unit, &linear);
    const pelt_vec3 *positions, *normals;
    PELT_TRY(read_offsets(&positions, f, shape, "Vertices", &meters, point_count));
    PELT_TRY(read_offsets(&normals, f, shape, "Normals", &linear, point_count));
    bool has_normals = normals != NULL && mesh->normals != NULL;
    out->name = pelt_arena_string(f->arena, channel->name);
    out->positions = positions != NULL ? spread(f, positions, points, mesh->vertex_count) : NULL;
    out->normals = has_normals ? spread(f, normals, points, mesh->vertex_count) : NULL;
    bool is_good = out->name != NULL && (positions == NULL || out->positions != NULL) &&
                   (!has_normals || out->normals != NULL);
    return is_good ? PELT_OK : pelt_error_memory(f->error);
}

pelt_result pelti_fbx_write_morphs(pelti_fbx* f, pelt_mesh* out,
                                   const pelti_fbx_blend_shapes* shapes, const uint32_t* points,
                                   uint32_t point_count, const pelt_mat34* geometric)
{
    pelt_morph* morphs = pelt_arena_alloc(f->arena, shapes->count, sizeof *morphs);
    float* weights = pelt_arena_alloc(f->arena, shapes->count, sizeof *weights);
    if (morphs == NULL || weights == NULL)
    {
        return pelt_error_memory(f->error);
    }
    PELT_TRY(pelti_fbx_charge(&f->file, (uint64_t)shapes->count * out->vertex_count));
    for (uint32_t i = 0; i < shapes->count; ++i)
    {
        const pelti_fbx_object* channel = &f->objects[shapes->channels[i]];
        double percent = pelti_fbx_property_real(channel, "DeformPercent", 0.0);
        weights[i] = (float)(percent / shapes->full[i]);
        PELT_TRY(write_morph(f, &morphs[i], out, channel, f->objects[shapes->shapes[i]].node,
                             points, point_count, geometric));
    }
    out->morph_count = shapes->count;
    out->morphs = morphs;
    out->morph_weights = weights;
    return PELT_OK;
}
