// SPDX-License-Identifier: MIT
// The joints of a bake: their vertices, the distances of these, and motions at a time.
#include "../base/exact.h"

#include "bake_source.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Sampling

pelt_result pelti_bake_sampler_create(pelti_bake_sampler* out, const pelt_scene* scene)
{
    *out = (pelti_bake_sampler){0};
    out->model_from_node = pelt_allocate(scene->node_count, sizeof *out->model_from_node);
    if (out->model_from_node == NULL || pelt_pose_create(&out->pose, scene) != PELT_OK ||
        pelt_cursor_create(&out->cursor, scene) != PELT_OK)
    {
        pelti_bake_sampler_destroy(out);
        return PELT_ERROR_MEMORY;
    }
    return PELT_OK;
}

void pelti_bake_sampler_destroy(pelti_bake_sampler* sampler)
{
    pelt_pose_destroy(&sampler->pose);
    pelt_cursor_destroy(&sampler->cursor);
    pelt_release(sampler->model_from_node);
    *sampler = (pelti_bake_sampler){0};
}

void pelti_bake_sample(pelt_mat34* out, const pelti_bake_source* source,
                       pelti_bake_sampler* sampler, const pelt_clip* clip, float time)
{
    if (clip != NULL)
    {
        pelt_pose_play(&sampler->pose, &sampler->cursor, source->scene, clip, time,
                       PELT_WRAP_CLAMP);
    }
    else
    {
        pelt_pose_rest(&sampler->pose, source->scene);
    }
    pelt_pose_to_model(sampler->model_from_node, source->scene, &sampler->pose);
    for (uint32_t joint = 0; joint < source->joint_count; ++joint)
    {
        const pelti_bake_joint* own = &source->joints[joint];
        out[joint] = pelt_mat34_mul(&sampler->model_from_node[own->node], &own->inverse);
    }
}

pelt_result pelti_surface_sampler_create(pelti_surface_sampler* out, const pelt_scene* scene,
                                         const pelt_frame* prepared)
{
    *out = (pelti_surface_sampler){0};
    if (pelt_pose_create(&out->pose, scene) != PELT_OK ||
        pelt_cursor_create(&out->cursor, scene) != PELT_OK ||
        pelt_frame_create(&out->frame, scene) != PELT_OK)
    {
        pelti_surface_sampler_destroy(out);
        return PELT_ERROR_MEMORY;
    }
    if (prepared != NULL)
    {
        pelt_frame_share(&out->frame, prepared);
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        out->frame.surfaces[i].tangents = NULL; // textures have none
    }
    return PELT_OK;
}

void pelti_surface_sampler_destroy(pelti_surface_sampler* sampler)
{
    pelt_pose_destroy(&sampler->pose);
    pelt_cursor_destroy(&sampler->cursor);
    pelt_frame_destroy(&sampler->frame);
}

void pelti_surface_sample(pelti_surface_sampler* sampler, const pelt_scene* scene,
                          const pelt_clip* clip, float time, const pelt_deform_options* options)
{
    pelt_pose_play(&sampler->pose, &sampler->cursor, scene, clip, time, PELT_WRAP_CLAMP);
    pelt_frame_update(&sampler->frame, scene, &sampler->pose, options);
}

// ---------------------------------------------------------------------------------------------
// Joints

static void add_joint(pelti_bake_source* source, pelt_baked_joint_kind kind, uint32_t node,
                      const pelt_mat34* inverse)
{
    const char* name = source->scene->nodes[node].name;
    source->joints[source->joint_count++] =
        (pelti_bake_joint){.name = name != NULL ? name : "",
                           .kind = kind,
                           .node = node,
                           .inverse = inverse != NULL ? *inverse : pelt_mat34_identity(),
                           .above = PELT_NONE};
}

// Skins one after another, then instances without a skin, sockets, and nodes marked as ancestors.
static void list_joints(pelti_bake_source* source, const pelt_bake_options* options,
                        const uint32_t* first_of_skin, const bool* is_ancestor)
{
    const pelt_scene* scene = source->scene;
    for (uint32_t s = 0; s < scene->skin_count; ++s)
    {
        const pelt_skin* skin = &scene->skins[s];
        for (uint32_t joint = 0; joint < skin->joint_count; ++joint)
        {
            add_joint(source, PELT_BAKED_SKIN_JOINT, skin->joints[joint],
                      &skin->inverse_binds[joint]);
        }
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        source->first_joints[i] = source->joint_count;
        if (instance->skin != PELT_NONE)
        {
            source->first_joints[i] = first_of_skin[instance->skin];
        }
        else
        {
            add_joint(source, PELT_BAKED_INSTANCE, instance->node, NULL);
        }
    }
    for (uint32_t i = 0; i < options->socket_count; ++i)
    {
        add_joint(source, PELT_BAKED_SOCKET, options->sockets[i], NULL);
    }
    for (uint32_t node = 0; node < scene->node_count; ++node)
    {
        if (is_ancestor[node])
        {
            add_joint(source, PELT_BAKED_ANCESTOR, node, NULL);
        }
    }
}

// Animated nodes that are ancestors of a joint and no joints themselves.
static void mark_ancestors(bool* is_ancestor, const pelt_scene* scene,
                           const pelt_bake_options* options)
{
    bool* is_joint = is_ancestor + scene->node_count; // scratch of the caller, as is_above
    bool* is_above = is_joint + scene->node_count;
    for (uint32_t s = 0; s < scene->skin_count; ++s)
    {
        for (uint32_t joint = 0; joint < scene->skins[s].joint_count; ++joint)
        {
            is_joint[scene->skins[s].joints[joint]] = true;
        }
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        if (scene->instances[i].skin == PELT_NONE)
        {
            is_joint[scene->instances[i].node] = true;
        }
    }
    for (uint32_t i = 0; i < options->socket_count; ++i)
    {
        is_joint[options->sockets[i]] = true;
    }
    for (uint32_t node = scene->node_count; node-- > 0;)
    {
        uint32_t parent = scene->nodes[node].parent;
        if (parent != PELT_NONE && (is_joint[node] || is_above[node]))
        {
            is_above[parent] = true;
        }
    }
    for (uint32_t c = 0; c < scene->clip_count; ++c)
    {
        for (uint32_t t = 0; t < scene->clips[c].track_count; ++t)
        {
            const pelt_track* track = &scene->clips[c].tracks[t];
            bool has_node = track->path != PELT_PATH_MORPH;
            if (has_node && is_above[track->target] && !is_joint[track->target])
            {
                is_ancestor[track->target] = true;
            }
        }
    }
}

// Parents come first in the order of nodes, hence also in that of their joints. The first of
// several joints on one node is above the others.
static int compare_joints(const void* a, const void* b)
{
    const uint32_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : (x[1] > y[1]) - (x[1] < y[1]);
}

static pelt_result link_joints(pelti_bake_source* source)
{
    const pelt_scene* scene = source->scene;
    uint32_t(*pairs)[2] = pelt_allocate(source->joint_count, sizeof *pairs);
    uint32_t* joint_on = pelt_allocate(scene->node_count, sizeof *joint_on); // or the nearest above
    if (pairs == NULL || joint_on == NULL)
    {
        pelt_release(pairs);
        pelt_release(joint_on);
        return PELT_ERROR_MEMORY;
    }
    for (uint32_t joint = 0; joint < source->joint_count; ++joint)
    {
        pairs[joint][0] = source->joints[joint].node;
        pairs[joint][1] = joint;
    }
    qsort(pairs, source->joint_count, sizeof *pairs, compare_joints);
    for (uint32_t node = 0, i = 0; node < scene->node_count; ++node)
    {
        uint32_t parent = scene->nodes[node].parent;
        uint32_t nearest = parent == PELT_NONE ? PELT_NONE : joint_on[parent];
        for (; i < source->joint_count && pairs[i][0] == node; ++i)
        {
            uint32_t joint = pairs[i][1];
            source->order[i] = joint;
            bool is_first = nearest == PELT_NONE || source->joints[nearest].node != node;
            source->joints[joint].above = nearest;
            nearest = is_first ? joint : nearest;
        }
        joint_on[node] = nearest;
    }
    pelt_release(pairs);
    pelt_release(joint_on);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Vertices

// The influences of a vertex by joints of the bake. A vertex without any stays at rest. A vertex of
// an unskinned mesh follows its node.
static uint32_t vertex_influences(pelti_bake_influence* out, const pelti_bake_source* source,
                                  uint32_t instance, uint32_t vertex)
{
    const pelt_instance* own = &source->scene->instances[instance];
    const pelt_weights* weights = &source->scene->meshes[own->mesh].weights;
    uint32_t first = source->first_joints[instance], count = 0;
    if (own->skin == PELT_NONE)
    {
        out[0] = (pelti_bake_influence){first, 1.0f};
        return 1;
    }
    if (weights->first == NULL)
    {
        return 0;
    }
    for (uint32_t i = weights->first[vertex]; i < weights->first[vertex + 1]; ++i, ++count)
    {
        const pelt_influence* influence = &weights->influences[i];
        out[count] = (pelti_bake_influence){first + influence->joint, influence->weight};
    }
    return count;
}

static uint32_t most_influences(const pelt_scene* scene)
{
    uint32_t most = 1;
    for (uint32_t mesh = 0; mesh < scene->mesh_count; ++mesh)
    {
        uint32_t own = scene->meshes[mesh].weights.max_influences;
        most = own > most ? own : most;
    }
    return most;
}

static float scale_of(const pelt_mat34* motion)
{
    pelt_mat3 linear = pelt_mat34_linear(motion);
    return cbrtf(fabsf(pelt_mat3_determinant(&linear)));
}

// Find the origin of each joint and the weighted mean of its vertices.
static pelt_result find_centers(pelti_bake_source* source, const pelt_mat34* motions)
{
    double(*sums)[4] = pelt_allocate(source->joint_count, sizeof *sums);
    if (sums == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    memset(sums, 0, source->joint_count * sizeof *sums);
    for (uint32_t v = 0; v < source->vertices.count; ++v)
    {
        const pelti_bake_probe* vertex = &source->vertices.probes[v];
        for (uint32_t i = vertex->first; i < vertex->first + vertex->count; ++i)
        {
            double* sum = sums[source->vertices.influences[i].joint];
            double weight = (double)source->vertices.influences[i].weight;
            sum[0] += weight * (double)vertex->position.x;
            sum[1] += weight * (double)vertex->position.y;
            sum[2] += weight * (double)vertex->position.z;
            sum[3] += weight;
        }
    }
    for (uint32_t joint = 0; joint < source->joint_count; ++joint)
    {
        pelti_bake_joint* own = &source->joints[joint];
        const double* sum = sums[joint];
        pelt_mat34 bind;
        bool has_origin = pelt_mat34_inverse(&bind, &own->inverse);
        own->origin = pelt_mat34_translation(&bind);
        own->center = own->origin;
        if (sum[3] > 0.0)
        {
            own->center = pelt_vec3_make((float)(sum[0] / sum[3]), (float)(sum[1] / sum[3]),
                                         (float)(sum[2] / sum[3]));
        }
        own->origin = has_origin ? own->origin : own->center;
        own->scale = scale_of(&motions[joint]);
    }
    pelt_release(sums);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Probes

enum
{
    DIRECTIONS = 26, // to the faces, edges and corners of a cube
};

static pelt_vec3 direction_of(int i)
{
    int code = i < 13 ? i : i + 1; // 13 of 27 is the middle
    return pelt_vec3_make((float)(code % 3 - 1), (float)(code / 3 % 3 - 1), (float)(code / 9 - 1));
}

// Rest positions of a mesh with morph targets at their default weights.
static const pelt_vec3* rest_positions(const pelt_mesh* mesh, pelt_arena* arena)
{
    if (mesh->morph_weights == NULL || !pelt_morph_is_active(mesh, mesh->morph_weights))
    {
        return mesh->positions;
    }
    pelt_vec3* positions = pelt_arena_alloc(arena, mesh->vertex_count, sizeof *positions);
    const pelt_surface surface = {.positions = positions};
    if (positions != NULL)
    {
        pelt_morph_apply(&surface, mesh, NULL, (pelt_range){0, mesh->vertex_count});
    }
    return positions;
}

static pelt_result list_vertices(pelti_bake_source* source, uint32_t most_influences)
{
    const pelt_scene* scene = source->scene;
    size_t vertex_count = 0, influence_count = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        bool is_skinned = scene->instances[i].skin != PELT_NONE;
        vertex_count += mesh->vertex_count;
        influence_count += is_skinned ? mesh->weights.influence_count : mesh->vertex_count;
    }
    pelti_probe_list* list = &source->vertices;
    list->probes = pelt_arena_alloc(source->arena, vertex_count, sizeof *list->probes);
    list->influences = pelt_arena_alloc(source->arena, influence_count + most_influences,
                                        sizeof *list->influences);
    if (list->probes == NULL || list->influences == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    uint32_t first = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        const pelt_vec3* positions = rest_positions(mesh, source->arena);
        if (positions == NULL)
        {
            return PELT_ERROR_MEMORY;
        }
        for (uint32_t vertex = 0; vertex < mesh->vertex_count; ++vertex)
        {
            uint32_t count = vertex_influences(list->influences + first, source, i, vertex);
            list->probes[list->count++] = (pelti_bake_probe){positions[vertex], first, count};
            first += count;
        }
    }
    return PELT_OK;
}

// For each joint, the farthest of its vertices in 26 directions; a vertex belongs to its strongest
// joint.
static pelt_result choose_probes(pelti_bake_source* source)
{
    const pelti_probe_list* all = &source->vertices;
    uint32_t joint_count = source->joint_count;
    uint32_t(*best)[DIRECTIONS] = pelt_allocate(joint_count, sizeof *best);
    float(*values)[DIRECTIONS] = pelt_allocate(joint_count, sizeof *values);
    bool* is_probe = pelt_arena_alloc(source->arena, all->count, sizeof *is_probe);
    source->probes.influences = all->influences;
    source->probes.probes = pelt_arena_alloc(source->arena, (size_t)joint_count * DIRECTIONS,
                                             sizeof *source->probes.probes);
    bool has_memory =
        best != NULL && values != NULL && is_probe != NULL && source->probes.probes != NULL;
    for (uint32_t i = 0; has_memory && i < joint_count * DIRECTIONS; ++i)
    {
        best[i / DIRECTIONS][i % DIRECTIONS] = PELT_NONE;
    }
    for (uint32_t v = 0; has_memory && v < all->count; ++v)
    {
        const pelti_bake_probe* vertex = &all->probes[v];
        if (vertex->count == 0)
        {
            continue;
        }
        uint32_t joint = all->influences[vertex->first].joint;
        pelt_vec3 offset = pelt_vec3_sub(vertex->position, source->joints[joint].origin);
        for (int i = 0; i < DIRECTIONS; ++i)
        {
            float value = pelt_vec3_dot(offset, direction_of(i));
            if (best[joint][i] == PELT_NONE || value > values[joint][i])
            {
                best[joint][i] = v;
                values[joint][i] = value;
            }
        }
    }
    for (uint32_t i = 0; has_memory && i < joint_count * DIRECTIONS; ++i)
    {
        uint32_t vertex = best[i / DIRECTIONS][i % DIRECTIONS];
        if (vertex != PELT_NONE && !is_probe[vertex])
        {
            is_probe[vertex] = true;
            source->probes.probes[source->probes.count++] = all->probes[vertex];
        }
    }
    pelt_release(best);
    pelt_release(values);
    return has_memory ? PELT_OK : PELT_ERROR_MEMORY;
}

// ---------------------------------------------------------------------------------------------
// Reach

// Weighted distances of vertices. A socket is assumed to hold something of a tenth of the size.
static void measure_reaches(pelti_bake_source* source)
{
    for (uint32_t v = 0; v < source->vertices.count; ++v)
    {
        const pelti_bake_probe* vertex = &source->vertices.probes[v];
        for (uint32_t i = vertex->first; i < vertex->first + vertex->count; ++i)
        {
            pelti_bake_joint* joint = &source->joints[source->vertices.influences[i].joint];
            float weight = source->vertices.influences[i].weight;
            float from_center = weight * pelt_vec3_distance(vertex->position, joint->center);
            float from_origin = weight * pelt_vec3_distance(vertex->position, joint->origin);
            joint->is_used = true;
            joint->weight = fmaxf(joint->weight, weight);
            joint->center_reach = fmaxf(joint->center_reach, from_center);
            joint->origin_reach = fmaxf(joint->origin_reach, from_origin);
        }
    }
    for (uint32_t joint = 0; joint < source->joint_count; ++joint)
    {
        pelti_bake_joint* own = &source->joints[joint];
        if (own->kind == PELT_BAKED_SOCKET)
        {
            own->is_used = true;
            own->weight = 1.0f;
            own->center_reach = own->origin_reach = 0.1f * source->size / fmaxf(own->scale, 1e-20f);
        }
    }
}

// Errors are relative to the height; for flat characters, such as a snake, to the largest extent.
static void measure_rest(pelti_bake_source* source, const pelt_mat34* motions)
{
    pelt_bounds bounds = pelt_bounds_empty();
    for (uint32_t v = 0; v < source->vertices.count; ++v)
    {
        pelt_vec3 at = pelti_probe_position(&source->vertices, v, motions);
        pelt_bounds_add(&bounds, &at, 1);
    }
    pelt_vec3 extent = pelt_vec3_sub(bounds.max, bounds.min);
    source->size = fmaxf(extent.x, fmaxf(extent.y, extent.z));
    source->size = source->size > 0.0f ? source->size : 1.0f;
    source->height = extent.y > 0.1f * source->size ? extent.y : source->size;
}

pelt_result pelti_bake_source_create(pelti_bake_source* out, const pelt_scene* scene,
                                     const pelt_bake_options* options, bool has_ancestors,
                                     pelt_arena* arena, pelt_error* error)
{
    *out = (pelti_bake_source){.scene = scene, .arena = arena};
    bool* is_ancestor = pelt_arena_alloc(arena, scene->node_count, 3 * sizeof *is_ancestor);
    uint32_t* first_of_skin = pelt_arena_alloc(arena, scene->skin_count, sizeof *first_of_skin);
    out->first_joints = pelt_arena_alloc(arena, scene->instance_count, sizeof *out->first_joints);
    if (is_ancestor == NULL || first_of_skin == NULL || out->first_joints == NULL)
    {
        return pelt_error_memory(error);
    }
    if (has_ancestors)
    {
        mark_ancestors(is_ancestor, scene, options);
    }
    size_t capacity = (size_t)scene->instance_count + options->socket_count + scene->node_count;
    size_t skin_joints = 0;
    for (uint32_t s = 0; s < scene->skin_count; ++s)
    {
        first_of_skin[s] = (uint32_t)skin_joints;
        skin_joints += scene->skins[s].joint_count;
    }
    capacity += skin_joints;
    out->joints = pelt_arena_alloc(arena, capacity, sizeof *out->joints);
    out->order = pelt_arena_alloc(arena, capacity, sizeof *out->order);
    pelt_mat34* motions = pelt_arena_alloc(arena, capacity, sizeof *motions);
    pelti_bake_sampler sampler = {0};
    if (out->joints == NULL || out->order == NULL || motions == NULL ||
        pelti_bake_sampler_create(&sampler, scene) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    list_joints(out, options, first_of_skin, is_ancestor);
    pelti_bake_sample(motions, out, &sampler, NULL, 0.0f);
    pelti_bake_sampler_destroy(&sampler);
    if (list_vertices(out, most_influences(scene)) != PELT_OK || link_joints(out) != PELT_OK ||
        find_centers(out, motions) != PELT_OK || choose_probes(out) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    measure_rest(out, motions);
    measure_reaches(out);
    return PELT_OK;
}
