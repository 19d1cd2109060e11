// SPDX-License-Identifier: MIT
// Rest poses of two scenes: how they differ, and motion relative to them.
#include "../base/exact.h"

#include "scene_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pelti_mark_joints(bool* out, const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        out[i] = scene->skin_count == 0;
    }
    for (uint32_t s = 0; s < scene->skin_count; ++s)
    {
        for (uint32_t j = 0; j < scene->skins[s].joint_count; ++j)
        {
            out[scene->skins[s].joints[j]] = true;
        }
    }
}

static int compare_floats(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

static float median_of(float* values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare_floats);
    return count == 0      ? 1.0f
           : count % 2 > 0 ? values[count / 2]
                           : 0.5f * (values[count / 2 - 1] + values[count / 2]);
}

// ---------------------------------------------------------------------------------------------
// Rest transforms relative to the scene

static void find_rotations(pelt_quat* out, const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        const pelt_node* node = &scene->nodes[i];
        out[i] = node->parent == PELT_NONE
                     ? node->rest.rotation
                     : pelt_quat_normalize(pelt_quat_mul(out[node->parent], node->rest.rotation));
    }
}

static void find_linears(pelt_mat3* out, const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->node_count; ++i)
    {
        const pelt_node* node = &scene->nodes[i];
        pelt_mat34 local = pelt_mat34_from_transform(node->rest);
        out[i] = pelt_mat34_linear(&local);
        if (node->parent != PELT_NONE)
        {
            out[i] = pelt_mat3_mul(&out[node->parent], &out[i]);
        }
    }
}

// Length of a bone in the space of the scene.
static float bone_length(const pelt_scene* scene, const pelt_mat3* linear, uint32_t node)
{
    return pelt_vec3_length(
        pelt_mat3_vector(&linear[scene->nodes[node].parent], scene->nodes[node].rest.translation));
}

// The median over bones: from a joint's parent to the joint, both with a node in the other scene.
static float find_ratio(const pelti_retarget* in, const uint32_t* nodes, const bool* is_joint,
                        float* ratios)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < in->from->node_count; ++i)
    {
        uint32_t node = nodes[i], above = in->from->nodes[i].parent;
        bool is_bone = node != PELT_NONE && above != PELT_NONE && is_joint[node] &&
                       nodes[above] != PELT_NONE && in->scene->nodes[node].parent == nodes[above];
        float here = is_bone ? bone_length(in->scene, in->scene_linear, node) : 0.0f;
        float there = is_bone ? bone_length(in->from, in->from_linear, i) : 0.0f;
        if (here > 0.0f && there > 0.0f && isfinite(here / there))
        {
            ratios[count++] = here / there;
        }
    }
    return median_of(ratios, count);
}

pelt_result pelti_retarget_create(pelti_retarget* out, const pelt_scene* scene,
                                  const pelt_scene* from, const uint32_t* nodes)
{
    size_t here = (size_t)scene->node_count + 1, there = (size_t)from->node_count + 1;
    *out = (pelti_retarget){
        .scene = scene,
        .from = from,
        .scene_linear = pelt_allocate(here, sizeof *out->scene_linear),
        .from_linear = pelt_allocate(there, sizeof *out->from_linear),
        .scene_rotation = pelt_allocate(here, sizeof *out->scene_rotation),
        .from_rotation = pelt_allocate(there, sizeof *out->from_rotation),
    };
    bool* is_joint = pelt_allocate(here, sizeof *is_joint);
    float* ratios = pelt_allocate(there, sizeof *ratios);
    bool has_memory = out->scene_linear != NULL && out->from_linear != NULL &&
                      out->scene_rotation != NULL && out->from_rotation != NULL &&
                      is_joint != NULL && ratios != NULL;
    if (has_memory)
    {
        find_rotations(out->scene_rotation, scene);
        find_rotations(out->from_rotation, from);
        find_linears(out->scene_linear, scene);
        find_linears(out->from_linear, from);
        pelti_mark_joints(is_joint, scene);
        out->length_ratio = find_ratio(out, nodes, is_joint, ratios);
    }
    pelt_release(is_joint);
    pelt_release(ratios);
    if (!has_memory)
    {
        pelti_retarget_destroy(out);
    }
    return has_memory ? PELT_OK : PELT_ERROR_MEMORY;
}

void pelti_retarget_destroy(pelti_retarget* in)
{
    pelt_release(in->scene_linear);
    pelt_release(in->from_linear);
    pelt_release(in->scene_rotation);
    pelt_release(in->from_rotation);
    *in = (pelti_retarget){0};
}

// ---------------------------------------------------------------------------------------------
// Tracks

// A joint with rest rotation W below a parent with P rotates by D = (P K) W^-1 in the space of the
// scene when its key is K and its parent is at rest. Both scenes shall have the same D, for the
// parents as well, so that a key q of the other scene becomes P^-1 P' q W'^-1 W.
static void retarget_rotations(float* values, const pelt_track* track, const pelti_retarget* in,
                               uint32_t source)
{
    uint32_t above = in->scene->nodes[track->target].parent;
    uint32_t source_above = in->from->nodes[source].parent;
    pelt_quat parent = above != PELT_NONE ? in->scene_rotation[above] : pelt_quat_identity();
    pelt_quat source_parent =
        source_above != PELT_NONE ? in->from_rotation[source_above] : pelt_quat_identity();
    pelt_quat left = pelt_quat_mul(pelt_quat_conjugate(parent), source_parent);
    pelt_quat right = pelt_quat_mul(pelt_quat_conjugate(in->from_rotation[source]),
                                    in->scene_rotation[track->target]);
    bool is_cubic = track->interpolation == PELT_INTERPOLATION_CUBIC;
    size_t count = (size_t)track->key_count * (is_cubic ? 3 : 1);
    for (size_t i = 0; i < count; ++i)
    {
        float* at = values + 4 * i;
        pelt_quat q = pelt_quat_make(at[0], at[1], at[2], at[3]);
        q = pelt_quat_mul(pelt_quat_mul(left, q), right);
        // Tangents of cubic keys, before and after the value, have any length.
        q = is_cubic && i % 3 != 1 ? q : pelt_quat_normalize(q);
        memcpy(at, &q, sizeof q);
    }
}

// From displacements of the other node to those of this one; a parent without an inverse has no
// rotation or scale to convert them by.
static pelt_mat3 displacement_map(const pelti_retarget* in, uint32_t node, uint32_t source)
{
    uint32_t above = in->scene->nodes[node].parent, source_above = in->from->nodes[source].parent;
    pelt_mat3 identity = pelt_mat3_identity(), zero = {0};
    const pelt_mat3* here = above != PELT_NONE ? &in->scene_linear[above] : &identity;
    const pelt_mat3* there = source_above != PELT_NONE ? &in->from_linear[source_above] : &identity;
    float determinant = pelt_mat3_determinant(here);
    if (!(fabsf(determinant) > 0.0f) || !isfinite(1.0f / determinant))
    {
        return identity;
    }
    pelt_mat3 cofactor = pelt_mat3_cofactor(here);
    pelt_mat3 inverse = pelt_mat3_transpose(&cofactor);
    inverse = pelt_mat3_mad(&zero, in->length_ratio / determinant, &inverse);
    return pelt_mat3_mul(&inverse, there);
}

static void retarget_translations(float* values, const pelt_track* track, const pelti_retarget* in,
                                  uint32_t source)
{
    pelt_mat3 map = displacement_map(in, track->target, source);
    pelt_vec3 here = in->scene->nodes[track->target].rest.translation;
    pelt_vec3 there = in->from->nodes[source].rest.translation;
    bool is_cubic = track->interpolation == PELT_INTERPOLATION_CUBIC;
    size_t count = (size_t)track->key_count * (is_cubic ? 3 : 1);
    for (size_t i = 0; i < count; ++i)
    {
        float* at = values + 3 * i;
        bool is_tangent = is_cubic && i % 3 != 1;
        pelt_vec3 v = pelt_vec3_make(at[0], at[1], at[2]);
        v = is_tangent ? pelt_mat3_vector(&map, v)
                       : pelt_vec3_add(here, pelt_mat3_vector(&map, pelt_vec3_sub(v, there)));
        memcpy(at, &v, sizeof v);
    }
}

static void retarget_scales(float* values, const pelt_track* track, const pelti_retarget* in,
                            uint32_t source)
{
    const float* here = &in->scene->nodes[track->target].rest.scale.x;
    const float* there = &in->from->nodes[source].rest.scale.x;
    size_t count =
        (size_t)track->key_count * (track->interpolation == PELT_INTERPOLATION_CUBIC ? 3 : 1) * 3;
    for (size_t i = 0; i < count; ++i)
    {
        float factor = here[i % 3] / there[i % 3];
        values[i] *= isfinite(factor) ? factor : 1.0f;
    }
}

void pelti_retarget_track(float* values, const pelt_track* track, const pelti_retarget* in,
                          uint32_t source)
{
    switch (track->path)
    {
    case PELT_PATH_TRANSLATION:
        retarget_translations(values, track, in, source);
        break;
    case PELT_PATH_ROTATION:
        retarget_rotations(values, track, in, source);
        break;
    case PELT_PATH_SCALE:
        retarget_scales(values, track, in, source);
        break;
    case PELT_PATH_MORPH:
        break;
    }
}

// ---------------------------------------------------------------------------------------------
// Comparison

typedef struct comparison
{
    const pelt_scene *scene, *from;
    uint32_t* nodes;                   // of the scene, by node of `from`
    bool *is_joint, *is_set;           // by node of the scene; is_set: its length was compared
    pelt_quat *scene_turn, *from_turn; // rest rotations, by node
    float* ratios;
    float least; // shorter bones are ignored
    pelt_rest_difference* out;
} comparison;

static bool is_bone(const comparison* c, uint32_t node)
{
    uint32_t parent = node != PELT_NONE ? c->scene->nodes[node].parent : PELT_NONE;
    return parent != PELT_NONE && c->is_joint[node] && c->is_joint[parent];
}

static float length_of(const pelt_scene* scene, uint32_t node)
{
    return pelt_vec3_length(scene->nodes[node].rest.translation);
}

static float farther(float ratio)
{
    return fmaxf(ratio, 1.0f / ratio);
}

// A track that sets the length of a bone.
static void compare_length(comparison* c, const pelt_track* track)
{
    uint32_t node = track->path == PELT_PATH_TRANSLATION ? c->nodes[track->target] : PELT_NONE;
    if (!is_bone(c, node) || c->is_set[node])
    {
        return;
    }
    float here = length_of(c->scene, node), there = length_of(c->from, track->target);
    if (here > c->least && there > 0.0f && isfinite(there / here))
    {
        pelt_rest_difference* out = c->out;
        float ratio = there / here;
        bool is_first = out->bone_count == 0;
        bool is_worst =
            is_first || farther(ratio) > fmaxf(farther(out->shortest), farther(out->longest));
        out->bone = is_worst ? node : out->bone;
        out->shortest = is_first ? ratio : fminf(out->shortest, ratio);
        out->longest = is_first ? ratio : fmaxf(out->longest, ratio);
        c->is_set[node] = true;
        c->ratios[out->bone_count++] = ratio;
    }
}

static void compare_rotation(comparison* c, uint32_t index)
{
    uint32_t node = c->nodes[index];
    if (node == PELT_NONE || !c->is_joint[node])
    {
        return;
    }
    pelt_quat between =
        pelt_quat_mul(pelt_quat_conjugate(c->scene_turn[node]), c->from_turn[index]);
    float sine = sqrtf(between.x * between.x + between.y * between.y + between.z * between.z);
    float angle = 2.0f * atan2f(sine, fabsf(between.w));
    if (c->out->joint == PELT_NONE || angle > c->out->angle)
    {
        c->out->angle = angle;
        c->out->joint = node;
    }
}

static void compare_all(comparison* c)
{
    pelti_mark_joints(c->is_joint, c->scene);
    find_rotations(c->scene_turn, c->scene);
    find_rotations(c->from_turn, c->from);
    for (uint32_t i = 0; i < c->scene->node_count; ++i)
    {
        c->is_set[i] = false;
        // Joints at the same position have no ratio.
        c->least = is_bone(c, i) ? fmaxf(c->least, 0.01f * length_of(c->scene, i)) : c->least;
    }
    for (uint32_t i = 0; i < c->from->node_count; ++i)
    {
        compare_rotation(c, i);
    }
    for (uint32_t i = 0; i < c->from->clip_count; ++i)
    {
        for (uint32_t k = 0; k < c->from->clips[i].track_count; ++k)
        {
            compare_length(c, &c->from->clips[i].tracks[k]);
        }
    }
    c->out->median = median_of(c->ratios, c->out->bone_count);
}

pelt_result pelt_scene_compare_rest(pelt_rest_difference* out, const pelt_scene* scene,
                                    const pelt_scene* from)
{
    PELT_ASSERT(out != NULL && scene != NULL && from != NULL);
    *out = (pelt_rest_difference){
        .shortest = 1.0f, .longest = 1.0f, .median = 1.0f, .bone = PELT_NONE, .joint = PELT_NONE};
    size_t here = (size_t)scene->node_count + 1, there = (size_t)from->node_count + 1;
    comparison c = {
        .scene = scene,
        .from = from,
        .out = out,
        .nodes = pelt_allocate(there, sizeof *c.nodes),
        .is_joint = pelt_allocate(here, sizeof *c.is_joint),
        .is_set = pelt_allocate(here, sizeof *c.is_set),
        .scene_turn = pelt_allocate(here, sizeof *c.scene_turn),
        .from_turn = pelt_allocate(there, sizeof *c.from_turn),
        .ratios = pelt_allocate(here, sizeof *c.ratios),
    };
    bool has_memory = c.nodes != NULL && c.is_joint != NULL && c.is_set != NULL &&
                      c.scene_turn != NULL && c.from_turn != NULL && c.ratios != NULL &&
                      pelt_scene_match_nodes(c.nodes, scene, from) == PELT_OK;
    if (has_memory)
    {
        compare_all(&c);
    }
    pelt_release(c.nodes);
    pelt_release(c.is_joint);
    pelt_release(c.is_set);
    pelt_release(c.scene_turn);
    pelt_release(c.from_turn);
    pelt_release(c.ratios);
    return has_memory ? PELT_OK : PELT_ERROR_MEMORY;
}
