// SPDX-License-Identifier: MIT
// Joints, mesh of a given size, charts and weights of a character.
#include "rig_character.h"

#include <stdio.h>
#include <string.h>

typedef struct assembly
{
    const rig_character* character;
    uint32_t influences; ///< at most, of a vertex
    implicit_shape shape;
    implicit_mesh mesh;
    uint32_t* charts; ///< of each triangle
    uint32_t* slots;  ///< first output vertex of each mesh vertex; charts follow in ascending order
    uint32_t* masks;  ///< charts that touch each mesh vertex, as bits
    uint32_t vertex_count; ///< with the copies along seams
    pelt_arena* arena;
} assembly;

static void add_joint(rig_builder* rig, tree_joint* tree, const rig_character_joint* row,
                      uint32_t parent, const char* suffix, float smooth)
{
    char name[64];
    bool is_right = strcmp(suffix, "_r") == 0;
    float sign = is_right ? -1.0f : 1.0f;
    const float meters = 0.001f;
    pelt_vec3 position = pelt_vec3_scale(
        pelt_vec3_make(sign * row->position.x, row->position.y, row->position.z), meters);
    snprintf(name, sizeof name, "%s%s", row->name, suffix);
    uint32_t joint = rig_joint(rig, name, parent, position);
    tree[joint] = (tree_joint){.parent = parent,
                               .position = position,
                               .radius = meters * row->radius,
                               .axis = {sign * row->axis.x, row->axis.y, row->axis.z},
                               .shift = meters * row->shift,
                               .width = smooth * meters * row->width,
                               .rival = row->rival,
                               .reach = row->reach};
}

// The middle first, then all left joints, then all right ones: parents come before children in
// every case.
static void add_joints(rig_builder* rig, tree_joint* tree, rig_character_map* map,
                       const rig_character* character, float smooth)
{
    static const char* const suffixes[3] = {"", "_l", "_r"};
    for (uint32_t pass = 0; pass < 3; ++pass)
    {
        uint32_t* joints = pass == 2 ? map->right : map->left;
        for (uint32_t row = 0; row < character->joint_row_count; ++row)
        {
            const rig_character_joint* joint = &character->joints[row];
            if (joint->is_pair != (pass > 0))
            {
                continue;
            }
            uint32_t parent = joint->parent == PELT_NONE ? PELT_NONE : joints[joint->parent];
            joints[row] = rig_joint_count(rig);
            add_joint(rig, tree, joint, parent, suffixes[pass], smooth);
            map->right[row] = pass == 0 ? joints[row] : map->right[row];
        }
    }
}

static void find_charts(assembly* a)
{
    implicit_mesh* mesh = &a->mesh;
    memset(a->masks, 0, mesh->vertex_count * sizeof *a->masks);
    for (uint32_t i = 0; i < mesh->index_count; i += 3)
    {
        const uint32_t* t = mesh->indices + i;
        pelt_vec3 center = pelt_vec3_add(
            pelt_vec3_add(mesh->positions[t[0]], mesh->positions[t[1]]), mesh->positions[t[2]]);
        uint32_t chart = a->character->chart_at(pelt_vec3_scale(center, 1.0f / 3.0f));
        a->charts[i / 3] = chart;
        for (int j = 0; j < 3; ++j)
        {
            a->masks[t[j]] |= 1u << chart;
        }
    }
}

static uint32_t count_bits(uint32_t bits)
{
    uint32_t count = 0;
    for (; bits; bits &= bits - 1)
    {
        ++count;
    }
    return count;
}

// Cut the mesh into charts and number the vertices that result.
static pelt_result cut_seams(assembly* a)
{
    pelt_release(a->charts);
    pelt_release(a->slots);
    pelt_release(a->masks);
    a->charts = pelt_allocate(a->mesh.index_count / 3, sizeof *a->charts);
    a->slots = pelt_allocate(a->mesh.vertex_count, sizeof *a->slots);
    a->masks = pelt_allocate(a->mesh.vertex_count, sizeof *a->masks);
    if (!a->charts || !a->slots || !a->masks)
    {
        return PELT_ERROR_MEMORY;
    }
    find_charts(a);
    a->vertex_count = 0;
    for (uint32_t v = 0; v < a->mesh.vertex_count; ++v)
    {
        a->slots[v] = a->vertex_count;
        a->vertex_count += count_bits(a->masks[v]);
    }
    return PELT_OK;
}

// @param half_count  vertices of a half to collapse to; 0: keep all
static pelt_result make_mesh(assembly* a, float spacing, uint32_t half_count)
{
    implicit_grid_desc desc = {
        .bounds = a->character->bounds, .spacing = spacing, .warp = a->character->warp};
    implicit_mesh_destroy(&a->mesh);
    pelt_result result = implicit_mesh_create(&a->mesh, &a->shape, &desc);
    if (result == PELT_OK && half_count > 0)
    {
        result = implicit_mesh_simplify(&a->mesh, &a->shape, half_count);
    }
    if (result == PELT_OK)
    {
        result = implicit_mesh_mirror(&a->mesh);
    }
    return result == PELT_OK ? cut_seams(a) : result;
}

// Vertices before the cut into charts that give the requested count after it: the positive root of
// n + density * sqrt(n) = vertex_count.
static float count_before_cut(const rig_character* character, uint32_t vertex_count)
{
    float density = character->seam_density;
    float root = 0.5f * (sqrtf(density * density + 4.0f * (float)vertex_count) - density);
    return root * root;
}

// The first guess is close, and each next one closer.
static pelt_result make_mesh_of(assembly* a, uint32_t vertex_count)
{
    float least = (float)a->character->grid_vertices_min;
    float count = count_before_cut(a->character, vertex_count);
    pelt_result result = PELT_OK;
    for (int i = 0; i < 5; ++i)
    {
        float spacing = sqrtf(a->character->grid_area / fmaxf(count, least));
        // A half has its border to itself, which grows like the square root.
        float half = 0.5f * (count + 2.5f * sqrtf(count));
        result = make_mesh(a, spacing, count < least ? (uint32_t)half : 0);
        float ratio = (float)a->vertex_count / (float)vertex_count;
        if (result != PELT_OK || fabsf(ratio - 1.0f) < 0.05f)
        {
            break;
        }
        count /= ratio;
    }
    return result;
}

static uint32_t output_vertex(const assembly* a, uint32_t vertex, uint32_t chart)
{
    return a->slots[vertex] + count_bits(a->masks[vertex] & ((1u << chart) - 1u));
}

// A chart's square in the atlas, with a margin so that texels do not mix.
static pelt_vec2 atlas_uv(const rig_character* character, uint32_t chart, pelt_vec3 p)
{
    const float margin = 0.02f;
    uint32_t columns = character->chart_columns;
    uint32_t rows = (character->chart_count + columns - 1) / columns;
    pelt_vec2 uv = character->chart_uv(chart, p);
    uv.x = margin + (1.0f - 2.0f * margin) * fminf(fmaxf(uv.x, 0.0f), 1.0f);
    uv.y = margin + (1.0f - 2.0f * margin) * fminf(fmaxf(uv.y, 0.0f), 1.0f);
    uv.x = ((float)(chart % columns) + uv.x) / (float)columns;
    uv.y = ((float)(chart / columns) + uv.y) / (float)rows;
    return uv;
}

float rig_chart_half_circle(float ahead, float aside)
{
    return 0.5f + atan2f(aside, fmaxf(ahead, 0.2f * fabsf(aside))) / PELT_PI;
}

static void fill_vertex(rig_mesh* out, const assembly* a, const tree_joint* tree,
                        uint32_t joint_count, uint32_t vertex)
{
    pelt_vec3 p = a->mesh.positions[vertex];
    uint32_t joints[TREE_INFLUENCES_MAX];
    float weights[TREE_INFLUENCES_MAX];
    tree_weights_at(joints, weights, a->influences, tree, joint_count, p);
    uint32_t slot = a->slots[vertex];
    for (uint32_t chart = 0; chart < a->character->chart_count; ++chart)
    {
        if (!(a->masks[vertex] >> chart & 1))
        {
            continue;
        }
        out->positions[slot] = p;
        out->normals[slot] = a->mesh.normals[vertex];
        out->uvs[slot] = atlas_uv(a->character, chart, p);
        size_t first = (size_t)slot * a->influences;
        memcpy(out->joints + first, joints, a->influences * sizeof *joints);
        memcpy(out->weights + first, weights, a->influences * sizeof *weights);
        ++slot;
    }
}

static pelt_result add_mesh(rig_builder* rig, assembly* a, const tree_joint* tree,
                            uint32_t vertex_count)
{
    PELT_TRY(
        implicit_shape_create(&a->shape, a->character->cones, a->character->cone_count, a->arena));
    PELT_TRY(make_mesh_of(a, vertex_count));
    rig_mesh* out = rig_mesh_add(rig, "body", a->vertex_count, a->mesh.index_count, a->influences,
                                 a->character->color);
    if (!out)
    {
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t v = 0; v < a->mesh.vertex_count; ++v)
    {
        fill_vertex(out, a, tree, rig_joint_count(rig), v);
    }
    for (uint32_t i = 0; i < a->mesh.index_count; ++i)
    {
        out->indices[i] = output_vertex(a, a->mesh.indices[i], a->charts[i / 3]);
    }
    return PELT_OK;
}

static pelt_result add_character(rig_builder* rig, const rig_character* character,
                                 const rig_params* params)
{
    assembly a = {.character = character,
                  .influences = (uint32_t)params->values[RIG_CHARACTER_INFLUENCES],
                  .arena = pelt_arena_create()};
    if (!rig || !a.arena)
    {
        pelt_arena_destroy(a.arena);
        return PELT_ERROR_MEMORY;
    }
    tree_joint tree[TREE_JOINTS_MAX];
    rig_character_map map;
    // As the tables have them, passages let four joints meet.
    float smooth = a.influences > 4 ? 1.0f + 0.75f * (float)(a.influences - 4) : 1.0f;
    add_joints(rig, tree, &map, character, smooth);
    tree_prepare(tree, rig_joint_count(rig));
    pelt_result result = add_mesh(rig, &a, tree, (uint32_t)params->values[RIG_CHARACTER_VERTICES]);
    implicit_mesh_destroy(&a.mesh);
    pelt_release(a.charts);
    pelt_release(a.slots);
    pelt_release(a.masks);
    pelt_arena_destroy(a.arena);
    if (result == PELT_OK)
    {
        character->add_clips(rig, &map);
    }
    return result;
}

pelt_result rig_character_build(pelt_scene** out, const rig_character* character,
                                const rig_params* params, pelt_error* error)
{
    PELT_ASSERT(character->chart_count <= 32);
    PELT_ASSERT(2 * character->joint_row_count <= TREE_JOINTS_MAX);

    rig_builder* rig = rig_begin(character->name);
    pelt_result result = add_character(rig, character, params);
    // The builder is to be used up in any case.
    pelt_result finished = rig_finish(rig, out, error);
    if (result == PELT_OK || finished != PELT_OK)
    {
        return finished;
    }
    pelt_scene_destroy(*out);
    *out = NULL;
    return pelt_error_memory(error);
}
