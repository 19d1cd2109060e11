// SPDX-License-Identifier: MIT
// All skinned instances of a scene as one mesh at rest.
#include "../base/exact.h"

#include "body.h"

#include <string.h>

static bool is_part(const pelt_scene* scene, const pelt_instance* instance)
{
    return instance->skin != PELT_NONE && scene->meshes[instance->mesh].weights.vertex_count > 0;
}

// ---------------------------------------------------------------------------------------------
// From bind space to where the stored pose has the skin

typedef struct placement
{
    pelt_mat34 map;     // a similarity
    pelt_mat3 rotation; // of normals
} placement;

// What joints do to a skin on the whole in the stored pose.
typedef struct mean_motion
{
    double weight;
    double matrix[3][4];
    double scale_weight, scale; // of those that scale alike in all directions
    pelti_double3 center;       // of the vertices, in bind space
} mean_motion;

static void add_motion(mean_motion* inout, const pelt_mat34* matrix)
{
    pelt_mat3 linear = pelt_mat34_linear(matrix);
    double scale = cbrt((double)pelt_mat3_determinant(&linear)), squares = 0.0;
    inout->weight += 1.0;
    for (int i = 0; i < 12; ++i)
    {
        double entry = (double)matrix->m[i / 4][i % 4];
        inout->matrix[i / 4][i % 4] += entry;
        squares += i % 4 < 3 ? entry * entry : 0.0;
    }
    // The sum of the squares of stretches is least for a product where all are equal.
    if (squares <= 3.001 * scale * scale)
    {
        inout->scale_weight += 1.0;
        inout->scale += scale;
    }
}

static mean_motion find_mean_motion(const pelt_scene* scene, uint32_t skin,
                                    const pelt_mat34* model_from_node)
{
    mean_motion out = {0};
    const pelt_skin* of = &scene->skins[skin];
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        const pelt_weights* weights = &mesh->weights;
        bool has_skin = scene->instances[i].skin == skin && is_part(scene, &scene->instances[i]);
        for (uint32_t v = 0; has_skin && v < weights->vertex_count; ++v)
        {
            // The strongest joint alone: what matters is that a stored pose which is the bind pose
            // gives one and the same matrix throughout.
            if (weights->first[v] < weights->first[v + 1])
            {
                uint32_t joint = weights->influences[weights->first[v]].joint;
                pelt_mat34 matrix =
                    pelt_mat34_mul(&model_from_node[of->joints[joint]], &of->inverse_binds[joint]);
                add_motion(&out, &matrix);
                out.center =
                    pelti_double3_mad(out.center, 1.0, pelti_double3_from(mesh->positions[v]));
            }
        }
    }
    return out;
}

static const placement no_placement = {
    {{{1.0f, 0.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f, 0.0f}}},
    {{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}}};

// Rounding of a chain of joints: below that the bind pose stays where it is, to the bit.
static bool is_identity(const pelt_mat34* map, double size)
{
    bool is_same = true;
    for (int i = 0; i < 12; ++i)
    {
        double off = fabs((double)map->m[i / 4][i % 4] - (i / 4 == i % 4 ? 1.0 : 0.0));
        is_same = is_same && off <= (i % 4 == 3 ? 1e-5 * size : 1e-5);
    }
    return is_same;
}

static placement place_skin(const pelt_scene* scene, uint32_t skin,
                            const pelt_mat34* model_from_node, double size)
{
    mean_motion mean = find_mean_motion(scene, skin, model_from_node);
    // A joint that is stretched in the stored pose says nothing about units.
    bool has_scale = 2.0 * mean.scale_weight > mean.weight;
    double scale = has_scale ? mean.scale / mean.scale_weight : 1.0;
    if (!(mean.weight > 0.0) || !(fabs(scale) > 1e-12 && fabs(scale) < 1e12))
    {
        return no_placement;
    }
    pelt_mat3 linear, stretch;
    placement out = no_placement;
    for (int i = 0; i < 9; ++i)
    {
        linear.m[i / 3][i % 3] = (float)(mean.matrix[i / 3][i % 3] / mean.weight);
    }
    pelt_mat3_polar(&out.rotation, &stretch, &linear);
    // The center of the vertices goes where it goes on average.
    double c[3] = {mean.center.x / mean.weight, mean.center.y / mean.weight,
                   mean.center.z / mean.weight};
    for (int i = 0; i < 3; ++i)
    {
        double at = mean.matrix[i][3] / mean.weight;
        for (int k = 0; k < 3; ++k)
        {
            double scaled = scale * (double)out.rotation.m[i][k];
            out.map.m[i][k] = (float)scaled;
            at += (mean.matrix[i][k] / mean.weight - scaled) * c[k];
        }
        out.map.m[i][3] = (float)at;
    }
    return is_identity(&out.map, size) ? no_placement : out;
}

static double scene_size(const pelt_scene* scene)
{
    pelt_bounds box = pelt_bounds_empty();
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        pelt_bounds_add(&box, scene->meshes[i].positions, scene->meshes[i].vertex_count);
    }
    return (double)pelt_bounds_diagonal(&box);
}

// @param out  scene->skin_count
static bool place_skins(placement* out, const pelt_scene* scene)
{
    pelt_pose pose;
    pelt_mat34* model_from_node =
        pelt_allocate((size_t)scene->node_count + 1, sizeof *model_from_node);
    bool is_ok = model_from_node != NULL && pelt_pose_create(&pose, scene) == PELT_OK;
    if (is_ok)
    {
        double size = scene_size(scene);
        pelt_pose_to_model(model_from_node, scene, &pose);
        for (uint32_t skin = 0; skin < scene->skin_count; ++skin)
        {
            out[skin] = place_skin(scene, skin, model_from_node, size);
        }
        pelt_pose_destroy(&pose);
    }
    pelt_release(model_from_node);
    return is_ok;
}

// ---------------------------------------------------------------------------------------------
// One mesh

typedef struct merged
{
    pelt_vec3* positions;
    pelt_vec3* normals;
    uint32_t* indices;
    uint32_t* first;
    pelt_influence* influences;
} merged;

static bool allocate_merged(merged* out, pelt_body* body, const pelt_scene* scene)
{
    size_t vertex_count = 0, index_count = 0, influence_count = 0, part_count = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        if (is_part(scene, &scene->instances[i]))
        {
            ++part_count;
            vertex_count += mesh->vertex_count;
            index_count += mesh->index_count - mesh->index_count % 3;
            influence_count += mesh->weights.influence_count;
        }
    }
    pelt_arena* arena = body->arena;
    *out = (merged){pelt_arena_alloc(arena, vertex_count, sizeof *out->positions),
                    pelt_arena_alloc(arena, vertex_count, sizeof *out->normals),
                    pelt_arena_alloc(arena, index_count, sizeof *out->indices),
                    pelt_arena_alloc(arena, vertex_count + 1, sizeof *out->first),
                    pelt_arena_alloc(arena, influence_count, sizeof *out->influences)};
    body->bind_positions = pelt_arena_alloc(arena, vertex_count, sizeof *body->bind_positions);
    body->parts = pelt_arena_alloc(arena, part_count, sizeof *body->parts);
    return out->positions != NULL && out->normals != NULL && out->indices != NULL &&
           out->first != NULL && out->influences != NULL && body->bind_positions != NULL &&
           body->parts != NULL;
}

static void append_vertices(merged* out, pelt_body* body, const pelt_mesh* mesh,
                            const placement* at, uint32_t first_slot)
{
    pelt_weights* weights = &body->mesh.weights;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        uint32_t vertex = body->mesh.vertex_count++;
        body->bind_positions[vertex] = mesh->positions[v];
        out->positions[vertex] = pelt_mat34_point(&at->map, mesh->positions[v]);
        if (mesh->normals != NULL)
        {
            out->normals[vertex] = pelt_mat3_vector(&at->rotation, mesh->normals[v]);
        }
        for (uint32_t i = mesh->weights.first[v]; i < mesh->weights.first[v + 1]; ++i)
        {
            pelt_influence influence = mesh->weights.influences[i];
            influence.joint = (pelt_joint_index)(influence.joint + first_slot);
            out->influences[weights->influence_count++] = influence;
        }
        out->first[vertex + 1] = weights->influence_count;
    }
}

static void append_parts(merged* out, pelt_body* body, const pelt_scene* scene,
                         const placement* placements, uint32_t* first_vertices)
{
    bool has_normals = false;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_mesh* mesh = &scene->meshes[instance->mesh];
        first_vertices[i] = PELT_NONE;
        if (!is_part(scene, instance))
        {
            continue;
        }
        uint32_t first = body->mesh.vertex_count;
        first_vertices[i] = first;
        body->parts[body->part_count++] =
            (pelti_body_part){i, instance->skin, {first, mesh->vertex_count}};
        append_vertices(out, body, mesh, &placements[instance->skin],
                        body->first_slots[instance->skin]);
        for (uint32_t k = 0; k < mesh->index_count - mesh->index_count % 3; ++k)
        {
            out->indices[body->mesh.index_count++] = first + mesh->indices[k];
        }
        has_normals |= mesh->normals != NULL;
    }
    body->mesh.positions = out->positions;
    body->mesh.normals = has_normals ? out->normals : NULL;
    body->mesh.indices = out->indices;
    body->mesh.weights.vertex_count = body->mesh.vertex_count;
    body->mesh.weights.joint_count = body->slot_count;
    body->mesh.weights.first = out->first;
    body->mesh.weights.influences = out->influences;
}

bool pelti_body_merge(pelt_body* out, const pelt_scene* scene)
{
    merged buffers;
    uint32_t* first_vertices =
        pelt_arena_alloc(out->arena, scene->instance_count, sizeof *first_vertices);
    placement* placements = pelt_allocate((size_t)scene->skin_count + 1, sizeof *placements);
    bool is_ok = first_vertices != NULL && placements != NULL && place_skins(placements, scene) &&
                 allocate_merged(&buffers, out, scene);
    if (is_ok)
    {
        for (uint32_t skin = 0; skin < scene->skin_count; ++skin)
        {
            out->placements[skin] = placements[skin].map;
        }
        append_parts(&buffers, out, scene, placements, first_vertices);
        out->triangle_count = out->mesh.index_count / 3;
        pelt_bounds box = pelt_bounds_empty();
        pelt_bounds_add(&box, out->mesh.positions, out->mesh.vertex_count);
        out->info.size = (double)pelt_bounds_diagonal(&box);
        out->info.vertex_count = out->mesh.vertex_count;
        out->info.triangle_count = out->triangle_count;
        out->info.instance_count = scene->instance_count;
        out->info.first_vertices = first_vertices;
    }
    pelt_release(placements);
    return is_ok;
}
