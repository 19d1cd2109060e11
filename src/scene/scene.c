// SPDX-License-Identifier: MIT
// Scenes: lookup, bounds, destruction. The promises of a scene are checked in scene_validate.c.
#include "../base/exact.h"

#include "../../include/pelt/bake.h"
#include "../../include/pelt/prepare.h"
#include "scene_private.h"

#include <float.h>
#include <string.h>

void pelt_scene_destroy(pelt_scene* scene)
{
    if (scene != NULL)
    {
        pelt_arena_destroy(scene->arena);
    }
}

uint32_t pelt_scene_find_node(const pelt_scene* scene, const char* name)
{
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        if (strcmp(scene->nodes[node].name, name) == 0)
        {
            return node;
        }
    }
    return PELT_NONE;
}

uint32_t pelt_scene_find_clip(const pelt_scene* scene, const char* name)
{
    for (uint32_t clip = 0; clip < scene->clip_count; ++clip)
    {
        if (strcmp(scene->clips[clip].name, name) == 0)
        {
            return clip;
        }
    }
    return PELT_NONE;
}

uint32_t pelt_scene_find_image(const pelt_scene* scene, const char* name)
{
    for (uint32_t image = 0; image < scene->image_count; ++image)
    {
        if (strcmp(scene->images[image].name, name) == 0)
        {
            return image;
        }
    }
    return PELT_NONE;
}

uint32_t pelt_skin_find_joint(const pelt_skin* skin, uint32_t node)
{
    for (uint32_t i = 0; i < skin->joint_count; ++i)
    {
        if (skin->joints[i] == node)
        {
            return i;
        }
    }
    return PELT_NONE;
}

static bool is_moving(const pelt_clip* clip)
{
    for (uint32_t i = 0; i < clip->track_count; ++i)
    {
        if (pelti_track_is_moving(&clip->tracks[i]))
        {
            return true;
        }
    }
    return false;
}

uint32_t pelt_scene_default_clip(const pelt_scene* scene)
{
    uint32_t first_with_tracks = PELT_NONE;
    for (uint32_t clip = 0; clip < scene->clip_count; ++clip)
    {
        if (is_moving(&scene->clips[clip]))
        {
            return clip;
        }
        if (first_with_tracks == PELT_NONE && scene->clips[clip].track_count > 0)
        {
            first_with_tracks = clip;
        }
    }
    return first_with_tracks != PELT_NONE ? first_with_tracks
           : scene->clip_count > 0        ? 0
                                          : PELT_NONE;
}

const char* pelt_carrier_name(pelt_carrier carrier)
{
    static const char* const names[] = {"attributes", "texcoord"};
    return (uint32_t)carrier < PELT_CARRIER_COUNT ? names[carrier] : NULL;
}

static bool has_far_uvs(const pelt_mesh* mesh)
{
    bool is_found = false;
    for (uint32_t set = 2; set < PELT_MAX_UV_SETS; ++set)
    {
        is_found = is_found || pelt_mesh_uvs(mesh, set) != NULL;
    }
    return is_found;
}

pelt_result pelt_scene_set_carrier(pelt_scene* inout, uint32_t* kept_count, pelt_carrier carrier,
                                   pelt_arena* arena)
{
    PELT_ASSERT(inout != NULL && carrier < PELT_CARRIER_COUNT && arena != NULL);
    uint32_t kept = 0;
    pelt_mesh* meshes = pelt_arena_alloc(arena, inout->mesh_count, sizeof *meshes);
    if (meshes == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < inout->mesh_count; ++i)
    {
        meshes[i] = inout->meshes[i];
        bool has_data = meshes[i].cors != NULL || meshes[i].mix_factors != NULL;
        bool is_kept = has_data && carrier == PELT_CARRIER_TEXCOORD && has_far_uvs(&meshes[i]);
        meshes[i].carrier = is_kept ? PELT_CARRIER_ATTRIBUTES : carrier;
        kept += is_kept ? 1 : 0;
    }
    inout->meshes = meshes;
    if (kept_count != NULL)
    {
        *kept_count = kept;
    }
    return PELT_OK;
}

pelt_bounds pelt_bounds_empty(void)
{
    return (pelt_bounds){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

void pelt_bounds_add(pelt_bounds* bounds, const pelt_vec3* points, uint32_t count)
{
    // fminf() and fmaxf(), without calls to a library: NaN changes nothing.
    pelt_vec3 low = bounds->min, high = bounds->max;
    for (uint32_t i = 0; i < count; ++i)
    {
        pelt_vec3 p = points[i];
        low.x = p.x < low.x ? p.x : low.x;
        low.y = p.y < low.y ? p.y : low.y;
        low.z = p.z < low.z ? p.z : low.z;
        high.x = p.x > high.x ? p.x : high.x;
        high.y = p.y > high.y ? p.y : high.y;
        high.z = p.z > high.z ? p.z : high.z;
    }
    *bounds = (pelt_bounds){low, high};
}

float pelt_bounds_diagonal(const pelt_bounds* bounds)
{
    return bounds->min.x <= bounds->max.x ? pelt_vec3_distance(bounds->min, bounds->max) : 0.0f;
}

const char* pelt_texture_slot_name(pelt_texture_slot slot)
{
    static const char* const names[PELT_SLOT_COUNT] = {"base color", "metallic-roughness", "normal",
                                                       "occlusion", "emissive"};
    PELT_ASSERT(slot < PELT_SLOT_COUNT);
    return names[slot];
}

const pelt_vec2* pelt_mesh_uvs(const pelt_mesh* mesh, uint32_t uv_set)
{
    PELT_ASSERT(mesh != NULL);
    return uv_set == 0 ? mesh->uvs : uv_set < PELT_MAX_UV_SETS ? mesh->more_uvs[uv_set - 1] : NULL;
}

// ---------------------------------------------------------------------------------------------
// Digests

// Finalizer of SplitMix64 (Steele, Lea and Flood 2014, with Stafford's constants).
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t add_word(uint64_t hash, uint32_t word)
{
    return mix((hash ^ word) + 0x9e3779b97f4a7c15u);
}

static uint64_t add_float(uint64_t hash, float value)
{
    uint32_t word;
    value = value == 0.0f ? 0.0f : value; // -0 is 0
    memcpy(&word, &value, sizeof word);
    return add_word(hash, word);
}

static uint64_t add_point(uint64_t hash, pelt_vec3 p)
{
    return add_float(add_float(add_float(hash, p.x), p.y), p.z);
}

// Weights as readers will store them: divided by their sum if that is off by more than rounding.
static double divisor_of(const pelt_influence* influences, uint32_t count)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; ++i)
    {
        sum += (double)influences[i].weight;
    }
    return fabs(sum - 1.0) <= count * (double)FLT_EPSILON ? 1.0 : sum;
}

static uint64_t hash_vertex(const pelt_mesh* mesh, uint32_t vertex)
{
    const uint32_t* first = mesh->weights.first;
    uint32_t count = first != NULL ? first[vertex + 1] - first[vertex] : 0;
    const pelt_influence* own = count > 0 ? mesh->weights.influences + first[vertex] : NULL;
    double divisor = divisor_of(own, count);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        float weight = (float)((double)own[i].weight / divisor);
        sum += add_float(add_word(0, own[i].joint), weight);
    }
    uint64_t hash = add_point(0, mesh->positions[vertex]);
    return add_word(add_word(hash, (uint32_t)sum), (uint32_t)(sum >> 32));
}

// Normals as readers will store them: of unit length, and (0, 1, 0) without a direction.
static pelt_vec3 unit_normal(pelt_vec3 n)
{
    double square =
        (double)n.x * (double)n.x + (double)n.y * (double)n.y + (double)n.z * (double)n.z;
    return fabs(square - 1.0) < 1e-6          ? n
           : isfinite(square) && square > 0.0 ? pelt_vec3_normalize(n)
                                              : pelt_vec3_make(0.0f, 1.0f, 0.0f);
}

// Sums do not depend on the order of triangles or of their corners. Triangles without three
// different corners have no area and do not count.
static uint64_t sum_triangles(const pelt_mesh* mesh, const uint64_t* hashes)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3)
    {
        uint64_t a = hashes[mesh->indices[i]], b = hashes[mesh->indices[i + 1]],
                 c = hashes[mesh->indices[i + 2]];
        sum += a != b && b != c && c != a ? mix(a + b + c) : 0;
    }
    return sum;
}

static pelt_result digest(uint64_t* out, const pelt_mesh* mesh, const pelt_vec3* normals,
                          const pelt_vec3* cors)
{
    uint64_t* hashes = pelt_allocate(mesh->vertex_count, sizeof *hashes);
    *out = 0;
    if (hashes == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        hashes[v] = hash_vertex(mesh, v);
        hashes[v] = normals != NULL ? add_point(hashes[v], unit_normal(normals[v])) : hashes[v];
        hashes[v] = cors != NULL ? add_point(hashes[v], cors[v]) : hashes[v];
    }
    *out = sum_triangles(mesh, hashes);
    pelt_release(hashes);
    return PELT_OK;
}

pelt_result pelt_cor_digest(uint64_t* out, const pelt_mesh* mesh)
{
    PELT_ASSERT(out != NULL && mesh != NULL);
    return digest(out, mesh, NULL, NULL);
}

pelt_result pelt_normal_digest(uint64_t* out, const pelt_mesh* mesh, const pelt_vec3* cors)
{
    PELT_ASSERT(out != NULL && mesh != NULL);
    return digest(out, mesh, mesh->normals, cors);
}

uint64_t pelt_baked_digest(const pelt_vec3* positions, uint32_t count)
{
    uint64_t hash = add_word(0, count);
    for (uint32_t vertex = 0; vertex < count; ++vertex)
    {
        hash = add_point(hash, positions[vertex]);
    }
    return hash;
}
