// SPDX-License-Identifier: MIT
// Boxes that pelt wrote into the extras of a primitive, and whether they still fit.
#include "gltf_read.h"
#include "pelt/bounds.h"
#include "pelt/prepare.h"

#include <float.h>

static const char broken_message[] = "are not as docs/bounds.md describes them";

typedef struct bounds_reader
{
    pelti_gltf* g;
    const pelti_primitive* primitive;
    const pelti_json* json; // extras.pelt_bounds
    pelt_mesh_bounds* out;
} bounds_reader;

static pelt_result drop(const bounds_reader* r, const char* why)
{
    pelt_result result = pelti_gltf_repair_add(
        r->g, "mesh \"%.60s\": its boxes %s; they were left out", r->primitive->mesh->name, why);
    if (result == PELT_OK)
    {
        pelti_repairs_classify(&r->g->repairs, PELT_REPAIR_BOUNDS_DROPPED, 0);
    }
    return result;
}

// Six numbers: least x, y and z, then largest.
static bool read_box(pelt_bounds* out, const pelti_json* json)
{
    float numbers[6];
    if (!pelti_json_is(json, PELTI_JSON_ARRAY) || pelti_json_size(json) != 6)
    {
        return false;
    }
    for (size_t i = 0; i < 6; ++i)
    {
        const pelti_json* number = pelti_json_at(json, i);
        if (!pelti_json_is(number, PELTI_JSON_NUMBER) ||
            !(fabs(number->as.number) <= (double)FLT_MAX))
        {
            return false;
        }
        numbers[i] = (float)number->as.number;
    }
    *out =
        (pelt_bounds){{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}};
    return out->min.x <= out->max.x && out->min.y <= out->max.y && out->min.z <= out->max.z;
}

static pelt_result read_clips(bool* is_ok, bounds_reader* r)
{
    const pelti_json* json = pelti_json_get(r->json, "clips");
    size_t count = pelti_json_is(json, PELTI_JSON_ARRAY) ? pelti_json_size(json) : 0;
    void* memory = NULL;
    PELT_TRY(pelti_gltf_alloc(&memory, r->g, count, sizeof(pelt_clip_box)));
    pelt_clip_box* clips = memory;
    for (size_t i = 0; i < count && *is_ok; ++i)
    {
        const pelti_json* clip = pelti_json_at(json, i);
        const char* name = pelti_json_string(pelti_json_get(clip, "name"));
        clips[i].clip = pelt_arena_string(r->g->arena, name != NULL ? name : "");
        if (clips[i].clip == NULL)
        {
            return pelt_error_memory(r->g->error);
        }
        *is_ok = name != NULL && read_box(&clips[i].box, pelti_json_get(clip, "box"));
    }
    r->out->clips = clips;
    r->out->clip_count = (uint32_t)count;
    return PELT_OK;
}

static pelt_result read_joints(bool* is_ok, bounds_reader* r)
{
    const pelti_json* json = pelti_json_get(r->json, "joints");
    size_t count = pelti_json_is(json, PELTI_JSON_ARRAY) ? pelti_json_size(json) : 0;
    void* memory = NULL;
    *is_ok = count == r->primitive->mesh->weights.joint_count;
    if (!*is_ok)
    {
        return PELT_OK;
    }
    PELT_TRY(pelti_gltf_alloc(&memory, r->g, count, sizeof(pelt_bounds)));
    pelt_bounds* joints = memory;
    for (size_t i = 0; i < count && *is_ok; ++i)
    {
        const pelti_json* joint = pelti_json_at(json, i);
        joints[i] = pelt_bounds_empty();
        *is_ok = pelti_json_is(joint, PELTI_JSON_NULL) || read_box(&joints[i], joint);
    }
    r->out->joints = joints;
    r->out->joint_count = (uint32_t)count;
    return PELT_OK;
}

static pelt_result check_digest(bool* out, bounds_reader* r)
{
    uint64_t digest;
    const char* given = pelti_gltf_digest(r->primitive, "pelt_bounds");
    pelt_result result = pelt_cor_digest(&digest, r->primitive->mesh);
    *out = result == PELT_OK && given != NULL && pelti_gltf_is_digest(given, digest);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(r->g->error);
}

pelt_result pelti_gltf_read_bounds(pelti_gltf* g, const pelti_primitive* primitive)
{
    bounds_reader r = {.g = g, .primitive = primitive};
    r.json = pelti_json_get(pelti_json_get(primitive->json, "extras"), "pelt_bounds");
    if (r.json == NULL || primitive->mesh->weights.first == NULL)
    {
        return PELT_OK;
    }
    const char* name = pelti_json_string(pelti_json_get(r.json, "method"));
    void* memory = NULL;
    PELT_TRY(pelti_gltf_alloc(&memory, g, 1, sizeof *r.out));
    r.out = memory;
    r.out->method = name != NULL ? pelt_method_find(name) : PELT_METHOD_COUNT;
    bool is_ok = r.out->method < PELT_METHOD_COUNT &&
                 read_box(&r.out->box, pelti_json_get(r.json, "box")),
         is_fitting = false;
    if (is_ok)
    {
        PELT_TRY(read_clips(&is_ok, &r));
    }
    if (is_ok)
    {
        PELT_TRY(read_joints(&is_ok, &r));
    }
    PELT_TRY(check_digest(&is_fitting, &r));
    if (!is_fitting || !is_ok)
    {
        return drop(&r, is_fitting ? broken_message
                                   : "belong to other positions, triangles or weights than it has "
                                     "now");
    }
    primitive->mesh->bounds = r.out;
    return PELT_OK;
}
