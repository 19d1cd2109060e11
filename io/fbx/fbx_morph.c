// SPDX-License-Identifier: MIT
// Morph targets: channels of blend shape deformers.
#include "fbx_read.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Channels

static uint32_t count_shapes(const pelti_fbx* f, uint32_t channel)
{
    uint32_t link = f->objects[channel].first_child, count = 0;
    while (pelti_fbx_next_child(f, &link, PELTI_FBX_GEOMETRY) != PELT_NONE)
    {
        count++;
    }
    return count;
}

// Sort the shapes of a channel by their percentage, which is where each has full effect.
static void sort_shapes(pelti_fbx_blend_shapes* inout, uint32_t first, uint32_t count)
{
    for (uint32_t i = first + 1; i < first + count; ++i)
    {
        uint32_t shape = inout->shapes[i], k = i;
        double full = inout->full[i];
        for (; k > first && inout->full[k - 1] > full; --k)
        {
            inout->shapes[k] = inout->shapes[k - 1];
            inout->full[k] = inout->full[k - 1];
        }
        inout->shapes[k] = shape;
        inout->full[k] = full;
    }
}

// Shapes in between need distinct percentages above 0: without these only the last is kept.
static bool is_ladder(const pelti_fbx_blend_shapes* in, uint32_t first, uint32_t count)
{
    bool is_good = in->full[first] > 1e-6;
    for (uint32_t i = first + 1; i < first + count; ++i)
    {
        is_good = is_good && in->full[i] > in->full[i - 1] + 1e-6;
    }
    return is_good;
}

enum
{
    MOST_SHAPES = 256, // of one channel; Maya has room for a handful
};

// @param left_out  counts shapes that cannot be reached
static pelt_result add_channel(pelti_fbx_blend_shapes* out, pelti_fbx* f, uint32_t channel,
                               uint32_t* left_out)
{
    const pelti_fbx_object* object = &f->objects[channel];
    pelti_fbx_reals full;
    PELT_TRY(pelti_fbx_read_reals(&full, &f->file, object->node, "FullWeights"));
    uint32_t link = object->first_child, first = out->count, count = 0, shape;
    while ((shape = pelti_fbx_next_child(f, &link, PELTI_FBX_GEOMETRY)) != PELT_NONE)
    {
        uint32_t index = first + count;
        double whole = count < full.count ? full.at[count] : 100.0;
        out->channels[index] = channel;
        out->shapes[index] = shape;
        out->full[index] = isfinite(whole) && fabs(whole) > 1e-6 ? whole : 100.0;
        count++;
    }
    PELT_TRY(pelti_fbx_charge(&f->file, count));
    uint32_t last = count > 0 ? first + count - 1 : first, last_shape = out->shapes[last];
    double last_full = out->full[last];
    if (count > 1 && count <= MOST_SHAPES)
    {
        sort_shapes(out, first, count);
    }
    if (count > 1 && (count > MOST_SHAPES || !is_ladder(out, first, count)))
    {
        *left_out += count - 1;
        out->shapes[first] = last_shape;
        out->full[first] = last_full;
        count = 1;
    }
    for (uint32_t i = first; i < first + count; ++i)
    {
        out->before[i] = i > first ? out->full[i - 1] : 0.0;
        out->after[i] = i + 1 < first + count ? out->full[i + 1] : (double)INFINITY;
    }
    out->count += count;
    return PELT_OK;
}

// A piecewise linear function of the percentage: 0 at the shapes before and after, 1 at the shape.
// It goes on as a line below the first shape and above the last, as in Maya.
double pelti_fbx_shape_weight(const pelti_fbx_blend_shapes* shapes, uint32_t index, double percent)
{
    double full = shapes->full[index], before = shapes->before[index], after = shapes->after[index];
    bool is_first = before == 0.0, is_last = !isfinite(after);
    bool is_below_last =
        index + 1 < shapes->count && !is_last && !isfinite(shapes->after[index + 1]);
    if (is_last || percent <= full)
    {
        double weight = (percent - before) / (full - before);
        return is_first ? weight : fmax(weight, 0.0);
    }
    double weight = (after - percent) / (after - full);
    return is_below_last ? weight : fmax(weight, 0.0);
}

// Visit every channel of every blend shape of the geometry. With out NULL its shapes are only
// counted.
static pelt_result visit_channels(pelti_fbx_blend_shapes* out, pelti_fbx* f, uint32_t geometry,
                                  uint32_t* count, uint32_t* left_out)
{
    uint32_t link = f->objects[geometry].first_child;
    for (uint32_t blend = pelti_fbx_next_child(f, &link, PELTI_FBX_DEFORMER); blend != PELT_NONE;
         blend = pelti_fbx_next_child(f, &link, PELTI_FBX_DEFORMER))
    {
        uint32_t inner = f->objects[blend].first_child;
        for (uint32_t channel = pelti_fbx_next_child(f, &inner, PELTI_FBX_DEFORMER);
             channel != PELT_NONE; channel = pelti_fbx_next_child(f, &inner, PELTI_FBX_DEFORMER))
        {
            if (!pelti_fbx_is_subtype(&f->objects[channel], "BlendShapeChannel"))
            {
                continue;
            }
            if (out != NULL)
            {
                PELT_TRY(add_channel(out, f, channel, left_out));
            }
            else
            {
                uint32_t shapes = count_shapes(f, channel);
                PELT_TRY(pelti_fbx_charge(&f->file, 1 + shapes));
                *count += shapes;
            }
        }
    }
    return PELT_OK;
}

pelt_result pelti_fbx_find_blend_shapes(pelti_fbx_blend_shapes* out, pelti_fbx* f,
                                        uint32_t geometry, const char* name)
{
    uint32_t count = 0, left_out = 0;
    *out = (pelti_fbx_blend_shapes){0};
    PELT_TRY(visit_channels(NULL, f, geometry, &count, &left_out));
    out->channels = pelti_fbx_alloc(&f->file, (size_t)count + 1, sizeof *out->channels);
    out->shapes = pelti_fbx_alloc(&f->file, (size_t)count + 1, sizeof *out->shapes);
    out->full = pelti_fbx_alloc(&f->file, (size_t)count + 1, sizeof *out->full);
    out->before = pelti_fbx_alloc(&f->file, (size_t)count + 1, sizeof *out->before);
    out->after = pelti_fbx_alloc(&f->file, (size_t)count + 1, sizeof *out->after);
    if (out->channels == NULL || out->shapes == NULL || out->full == NULL || out->before == NULL ||
        out->after == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    PELT_TRY(visit_channels(out, f, geometry, &count, &left_out));
    return left_out > 0
               ? pelti_fbx_repair(f, "mesh %s: left out %u %s", name, left_out,
                                  pelti_plural(left_out,
                                               "in-between shape with the percentage of another",
                                               "in-between shapes with the percentage of others"))
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
                               const pelti_fbx_blend_shapes* shapes, uint32_t index,
                               const uint32_t* points, uint32_t point_count,
                               const pelt_mat34* geometric)
{
    const pelti_fbx_object* channel = &f->objects[shapes->channels[index]];
    const pelti_fbx_node* shape = f->objects[shapes->shapes[index]].node;
    pelt_mat3 linear = pelt_mat34_linear(geometric), zero = {0};
    pelt_mat3 meters = pelt_mat3_mad(&zero, (float)f->unit, &linear);
    const pelt_vec3 *positions, *normals;
    PELT_TRY(read_offsets(&positions, f, shape, "Vertices", &meters, point_count));
    PELT_TRY(read_offsets(&normals, f, shape, "Normals", &linear, point_count));
    bool has_normals = normals != NULL && mesh->normals != NULL;
    bool is_last = !isfinite(shapes->after[index]);
    out->name = is_last
                    ? pelt_arena_string(f->arena, channel->name)
                    : pelt_arena_format(f->arena, "%s (%g %%)", channel->name, shapes->full[index]);
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
        weights[i] = (float)pelti_fbx_shape_weight(shapes, i, percent);
        PELT_TRY(write_morph(f, &morphs[i], out, shapes, i, points, point_count, geometric));
    }
    out->morph_count = shapes->count;
    out->morphs = morphs;
    out->morph_weights = weights;
    return PELT_OK;
}
