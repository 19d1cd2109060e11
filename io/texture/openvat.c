// SPDX-License-Identifier: MIT
// The layout is that of OpenVAT 1.1 (github.com/sharpen3d/openvat) with packed normals. Its add-on
// says how columns, frames and UVs lie (core.py, create_uv_map; utils.py, make_remap_data); the
// shaders of its importers, how they are read: openvat_instanced.gdshader of
// github.com/antzGames/OpenVAT-for-Godot and MeshStandardMaterialOpenVAT.js of
// github.com/meverett/openvat-threejs-viewer agree. Frames of clips count from 1, ends included
// (open_vat_multi_mesh_instance_3d.gd, import_json). Values are in the axes of Blender, Z up.
#include "openvat.h"

#include "../gltf_write/gltf_write.h"
#include "../text_parse.h"

#include <math.h>
#include <string.h>

enum
{
    SIDE_MAX = 16384,
    WIDTH_MAX = 4096,
    STEPS = 65535, // of a channel
};

// Whole frames per second: importers read no others.
static uint32_t rate_of(const pelt_baked_clip* clip)
{
    float rate = 0.0f;
    for (uint32_t i = 0; i < clip->run_count && rate == 0.0f; ++i)
    {
        rate = clip->runs[i].rate;
    }
    return rate >= 1.0f ? (uint32_t)fminf(roundf(rate), 1000.0f) : 1;
}

// From one frame to the last, which ends the clip.
static uint32_t count_steps(const pelt_baked_clip* clip)
{
    double steps = fmin(round((double)clip->duration * rate_of(clip)), SIDE_MAX);
    return clip->duration > 0.0f && steps < 1.0 ? 1 : (uint32_t)steps;
}

pelt_result pelti_openvat_plan(pelti_openvat* out, const pelt_baked* baked, pelt_error* error)
{
    uint64_t frames = 0, width = baked->vertex_count < WIDTH_MAX ? baked->vertex_count : WIDTH_MAX;
    for (uint32_t i = 0; i < baked->clip_count; ++i)
    {
        frames += count_steps(&baked->clips[i]) + 1;
    }
    uint64_t rows = width > 0 ? (baked->vertex_count + width - 1) / width : 0;
    uint64_t height = 2 * rows * frames;
    if (height == 0 || height > SIDE_MAX)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "%llu frames of %u vertices are too many for a texture of OpenVAT: "
                              "bake fewer clips at a time",
                              (unsigned long long)frames, baked->vertex_count);
    }
    *out = (pelti_openvat){(uint32_t)width, (uint32_t)height, (uint32_t)frames};
    return PELT_OK;
}

// Texel of a slot in a frame, in the half of the texture for positions.
static size_t texel_of(const pelti_openvat* plan, uint32_t slot, uint32_t frame)
{
    size_t row = (size_t)(slot / plan->width) * plan->frame_count + frame;
    return row * plan->width + slot % plan->width;
}

pelt_vec2 pelti_openvat_uv(const pelti_openvat* plan, uint32_t slot)
{
    size_t texel = texel_of(plan, slot, 0);
    return (pelt_vec2){((float)(texel % plan->width) + 0.5f) / (float)plan->width,
                       ((float)(texel / plan->width) + 0.5f) / (float)plan->height};
}

// ---------------------------------------------------------------------------------------------
// Texture

static pelt_vec3 blender_axes(pelt_vec3 v)
{
    return pelt_vec3_make(v.x, -v.z, v.y);
}

typedef struct frame_set
{
    const pelti_openvat* plan;
    const pelt_baked* baked;
    const pelt_scene* scene;
    pelt_vec3* offsets;   // one for each texel of the upper half
    pelt_vec3* normals;   // the same
    pelt_surface surface; // room for the largest mesh
    pelt_bounds range;    // of the offsets that there are
} frame_set;

static void sample_frame(frame_set* s, uint32_t frame, const pelt_playback* playback)
{
    for (uint32_t i = 0; i < s->scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &s->scene->meshes[s->scene->instances[i].mesh];
        const uint32_t* ids = s->baked->instances[i].vertex_ids;
        pelt_unbake_vertices(&s->surface, s->baked, i, mesh, playback);
        for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        {
            size_t texel = texel_of(s->plan, ids[v], frame);
            pelt_vec3 offset = pelt_vec3_sub(s->surface.positions[v], mesh->positions[v]);
            s->offsets[texel] = blender_axes(offset);
            s->normals[texel] = blender_axes(s->surface.normals[v]);
            pelt_bounds_add(&s->range, &s->offsets[texel], 1);
        }
    }
}

static void sample_clips(frame_set* s)
{
    uint32_t frame = 0;
    for (uint32_t clip = 0; clip < s->baked->clip_count; ++clip)
    {
        uint32_t steps = count_steps(&s->baked->clips[clip]);
        for (uint32_t i = 0; i <= steps; ++i)
        {
            float part = steps > 0 ? (float)i / (float)steps : 0.0f;
            const pelt_playback playback = {
                .base = {clip, part * s->baked->clips[clip].duration, PELT_WRAP_CLAMP}};
            sample_frame(s, frame++, &playback);
        }
    }
}

static uint32_t quantize(float value, float low, float high)
{
    float part = high > low ? (value - low) / (high - low) : 0.0f;
    return (uint32_t)lroundf(fminf(fmaxf(part, 0.0f), 1.0f) * (float)STEPS);
}

static void put_texel(uint32_t* out, pelt_vec3 value, pelt_vec3 low, pelt_vec3 high)
{
    out[0] = quantize(value.x, low.x, high.x) | quantize(value.y, low.y, high.y) << 16;
    out[1] = quantize(value.z, low.z, high.z) | (uint32_t)STEPS << 16;
}

static pelt_result make_png(pelti_blob* out, const frame_set* s, pelt_arena* arena)
{
    pelti_texture texture = {PELT_TEXEL_RGBA16UI, s->plan->width, s->plan->height, NULL};
    size_t half = (size_t)texture.width * texture.height / 2;
    const pelt_vec3 low = {-1.0f, -1.0f, -1.0f}, high = {1.0f, 1.0f, 1.0f};
    texture.words = pelt_arena_alloc(arena, 4 * half, sizeof *texture.words);
    for (size_t i = 0; texture.words != NULL && i < half; ++i)
    {
        put_texel(texture.words + 2 * i, s->offsets[i], s->range.min, s->range.max);
        put_texel(texture.words + 2 * (half + i), s->normals[i], low, high);
    }
    return texture.words != NULL ? pelti_png_write(out, &texture) : PELT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// remap_info.json

static json_t* make_clip(pelti_gltf_document* document, const pelt_baked_clip* clip, uint32_t first)
{
    json_t* out = json_object();
    pelti_gltf_set(document, out, "startFrame", json_integer(first + 1));
    pelti_gltf_set(document, out, "endFrame", json_integer(first + count_steps(clip) + 1));
    pelti_gltf_set(document, out, "framerate", json_integer(rate_of(clip)));
    pelti_gltf_set(document, out, "looping", json_boolean(clip->loops));
    return out;
}

// By its name, or by its number if that is not text, or that of another clip.
static void set_clip(pelti_gltf_document* document, json_t* animations, uint32_t index,
                     const pelt_baked_clip* clip, json_t* value)
{
    char number[32];
    const char* name = clip->name != NULL ? clip->name : "";
    bool is_good = pelti_utf8_is_valid(name, strlen(name)) && name[0] != '\0' &&
                   json_object_get(animations, name) == NULL;
    snprintf(number, sizeof number, "clip_%u", index);
    pelti_gltf_set(document, animations, is_good ? name : number, value);
}

static pelt_result make_json(pelti_blob* out, const frame_set* s)
{
    pelti_gltf_document document = {.root = json_object()};
    json_t *remap = json_object(), *animations = json_object();
    pelti_gltf_set(&document, remap, "Min", pelti_gltf_floats(&document, &s->range.min.x, 3));
    pelti_gltf_set(&document, remap, "Max", pelti_gltf_floats(&document, &s->range.max.x, 3));
    pelti_gltf_set(&document, remap, "Frames", json_integer(s->plan->frame_count));
    pelti_gltf_set(&document, document.root, "os-remap", remap);
    for (uint32_t i = 0, first = 0; i < s->baked->clip_count; ++i)
    {
        const pelt_baked_clip* clip = &s->baked->clips[i];
        set_clip(&document, animations, i, clip, make_clip(&document, clip, first));
        first += count_steps(clip) + 1;
    }
    pelti_gltf_set(&document, document.root, "animations", animations);
    char* text = document.is_out_of_memory
                     ? NULL
                     : pelti_gltf_text(document.root, JSON_INDENT(4) | JSON_REAL_PRECISION(9));
    pelti_gltf_destroy(&document);
    *out = (pelti_blob){(uint8_t*)text, text != NULL ? strlen(text) : 0};
    return text != NULL ? PELT_OK : PELT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------

static bool make_room(frame_set* s, pelt_arena* arena)
{
    size_t half = (size_t)s->plan->width * s->plan->height / 2;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < s->scene->mesh_count; ++i)
    {
        uint32_t count = s->scene->meshes[i].vertex_count;
        largest = count > largest ? count : largest;
    }
    s->offsets = pelt_arena_alloc(arena, half, sizeof *s->offsets);
    s->normals = pelt_arena_alloc(arena, half, sizeof *s->normals);
    s->surface.positions = pelt_arena_alloc(arena, largest, sizeof *s->surface.positions);
    s->surface.normals = pelt_arena_alloc(arena, largest, sizeof *s->surface.normals);
    return s->offsets != NULL && s->normals != NULL && s->surface.positions != NULL &&
           s->surface.normals != NULL;
}

pelt_result pelti_openvat_make(pelti_blob* png, pelti_blob* json, const pelti_openvat* plan,
                               const pelt_baked* baked, const pelt_scene* scene, pelt_error* error)
{
    frame_set s = {.plan = plan, .baked = baked, .scene = scene, .range = pelt_bounds_empty()};
    pelt_arena* arena = pelt_arena_create();
    pelt_result result = arena != NULL && make_room(&s, arena) ? PELT_OK : PELT_ERROR_MEMORY;
    if (result == PELT_OK)
    {
        sample_clips(&s);
        result = make_png(png, &s, arena);
    }
    result = result == PELT_OK ? make_json(json, &s) : result;
    pelt_arena_destroy(arena);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}
