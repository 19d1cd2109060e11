// SPDX-License-Identifier: MIT
// Weights painted on a character, and the centers and factors that follow them.
#include "edit/weight_brush.h"
#include "rigs.h"
#include "test.h"

#include <string.h>

typedef struct canvas
{
    pelt_scene* scene;
    pelt_scene prepared; ///< with centers and factors
    pelt_arena* arena;
    brush_mask mask;
    weight_brush brush;
    live_weights live;
    const pelt_vec3* positions[1];
    uint32_t node;
} canvas;

static const char* const rig = "rig:human?vertices=2000";
static const pelt_cor_options cors = {.sigma = 0.1f, .epsilon = 0.1f};

static bool begin(canvas* out, const char* joint)
{
    *out = (canvas){.arena = pelt_arena_create()};
    if (pelt_rig_build(&out->scene, rig, NULL) != PELT_OK || out->scene->mesh_count != 1)
    {
        return false;
    }
    out->prepared = *out->scene;
    out->positions[0] = out->scene->meshes[0].positions;
    out->node = pelt_scene_find_node(out->scene, joint);
    return pelt_scene_add_cors(&out->prepared, PELT_PREPARE_ALL, &cors, NULL, out->arena, NULL) ==
               PELT_OK &&
           pelt_scene_add_normal_factors(&out->prepared, PELT_PREPARE_ALL,
                                         &(pelt_scene_normal_options){.max_joints = 8}, NULL,
                                         out->arena, NULL) == PELT_OK &&
           live_weights_create(&out->live, out->scene) && out->node != PELT_NONE;
}

static void end(canvas* in)
{
    weight_brush_destroy(&in->brush);
    brush_mask_destroy(&in->mask);
    pelt_scene_destroy(in->scene);
    pelt_arena_destroy(in->arena);
    live_weights_destroy(&in->live);
}

static uint32_t joint_of(const canvas* in, uint32_t node)
{
    uint32_t joint = 0;
    while (in->scene->skins[0].joints[joint] != node)
    {
        ++joint;
    }
    return joint;
}

static float weight_of(const pelt_weights* weights, uint32_t vertex, uint32_t joint)
{
    for (uint32_t i = weights->first[vertex]; i < weights->first[vertex + 1]; ++i)
    {
        if (weights->influences[i].joint == joint)
        {
            return weights->influences[i].weight;
        }
    }
    return 0.0f;
}

// A triangle whose first vertex has about this weight.
static surface_point find_triangle(const canvas* in, uint32_t joint, float weight)
{
    const pelt_mesh* mesh = &in->scene->meshes[0];
    uint32_t best = 0;
    float nearest = INFINITY;
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3)
    {
        float off = fabsf(weight_of(&mesh->weights, mesh->indices[i], joint) - weight);
        best = off < nearest ? i : best;
        nearest = fminf(off, nearest);
    }
    const uint32_t* corners = mesh->indices + best;
    pelt_vec3 sum =
        pelt_vec3_add(mesh->positions[corners[0]],
                      pelt_vec3_add(mesh->positions[corners[1]], mesh->positions[corners[2]]));
    return (surface_point){0, best / 3, pelt_vec3_scale(sum, 1.0f / 3.0f)};
}

static bool dab(canvas* inout, weight_tool tool, float strength, bool is_mirrored)
{
    const weight_dab how = {.radius = 0.15f,
                            .strength = strength,
                            .tool = tool,
                            .node = inout->node,
                            .is_mirrored = is_mirrored};
    surface_point at = find_triangle(inout, joint_of(inout, inout->node), 0.5f);
    return weight_brush_dab(&inout->brush, &inout->mask, &inout->live, inout->scene,
                            inout->positions, &at, &how);
}

static bool update(canvas* inout, bool is_final)
{
    return live_weights_update(&inout->live, inout->scene, &inout->prepared, &cors, is_final,
                               NULL) == PELT_OK;
}

// The masks of a stroke, and the weights before it. Nothing of either changes by itself.
typedef struct snapshot
{
    uint32_t count;
    uint32_t first[4096];
    pelt_influence influences[16384];
    float masks[4096]; ///< of each vertex
} snapshot;

static bool take(snapshot* out, const canvas* in)
{
    const pelt_weights* weights = &in->scene->meshes[0].weights;
    memset(out, 0, sizeof *out);
    out->count = weights->vertex_count;
    if (out->count >= 4096 || weights->influence_count > 16384)
    {
        return false;
    }
    memcpy(out->first, weights->first, (out->count + 1) * sizeof *out->first);
    memcpy(out->influences, weights->influences,
           weights->influence_count * sizeof *out->influences);
    return true;
}

static void take_masks(snapshot* out, const canvas* in)
{
    for (uint32_t v = 0; v < out->count; ++v)
    {
        out->masks[v] = in->mask.masks[in->mask.walk.point_of[v]];
    }
}

static pelt_weights weights_in(const snapshot* in)
{
    return (pelt_weights){
        .vertex_count = in->count, .first = in->first, .influences = in->influences};
}

static snapshot before;

static float expected_weight(weight_tool tool, float weight, float mask)
{
    return tool == WEIGHT_ADD ? fminf(weight + mask, 1.0f) : fmaxf(weight - mask, 0.0f);
}

// The joint gets its mask, others keep their proportions, and the sum is 1. A vertex that would
// have more than four influences loses the weakest, so it is left out here.
static int check_tool(weight_tool tool)
{
    canvas c;
    ENSURE(begin(&c, "forearm_l") && take(&before, &c));
    // Twice in one stroke is as once.
    ENSURE(dab(&c, tool, 0.6f, false) && dab(&c, tool, 0.6f, false));
    take_masks(&before, &c);
    ENSURE(weight_brush_lift(&c.brush, &c.mask) && update(&c, true));
    ENSURE(pelt_scene_validate(c.scene, NULL) == PELT_OK);
    const pelt_weights old = weights_in(&before), *now = &c.scene->meshes[0].weights;
    uint32_t joint = joint_of(&c, c.node), changed = 0, checked = 0;
    for (uint32_t v = 0; v < old.vertex_count; ++v)
    {
        float was = weight_of(&old, v, joint);
        float wanted = expected_weight(tool, was, before.masks[v]);
        uint32_t count = old.first[v + 1] - old.first[v];
        bool has_room = count < 4 || was > 0.0f, is_alone = count == 1 && was > 0.0f;
        changed += wanted != was ? 1 : 0;
        if (!has_room || wanted == was)
        {
            continue;
        }
        // What is below 1e-4 is dropped, up to four times.
        ENSURE_NEAR(weight_of(now, v, joint), wanted, 5e-4f);
        for (uint32_t i = old.first[v]; i < old.first[v + 1] && !is_alone; ++i)
        {
            const pelt_influence* other = &old.influences[i];
            float share = other->weight * (1.0f - wanted) / (1.0f - was);
            float kept = weight_of(now, v, other->joint);
            ENSURE(other->joint == joint || fabsf(kept - share) < 5e-4f);
        }
        ++checked;
    }
    ENSURE(changed > 20 && checked > changed / 2);
    ENSURE(now->max_influences <= 4);
    end(&c);
    return 0;
}

static int adding_takes_from_the_others_in_proportion(void)
{
    return check_tool(WEIGHT_ADD);
}

static int subtracting_gives_to_the_others_in_proportion(void)
{
    return check_tool(WEIGHT_SUBTRACT);
}

static int the_joint_above_takes_over_where_there_is_no_other(void)
{
    canvas c;
    ENSURE(begin(&c, "forearm_l") && take(&before, &c));
    const weight_dab how = {
        .radius = 0.05f, .strength = 0.25f, .tool = WEIGHT_SUBTRACT, .node = c.node};
    uint32_t joint = joint_of(&c, c.node), found = 0;
    surface_point at = find_triangle(&c, joint, 1.0f);
    ENSURE(weight_brush_dab(&c.brush, &c.mask, &c.live, c.scene, c.positions, &at, &how));
    take_masks(&before, &c);
    ENSURE(weight_brush_lift(&c.brush, &c.mask) && update(&c, true));
    uint32_t above = joint_of(&c, pelt_scene_find_node(c.scene, "upper_arm_l"));
    const pelt_weights old = weights_in(&before), *now = &c.scene->meshes[0].weights;
    for (uint32_t v = 0; v < old.vertex_count; ++v)
    {
        if (weight_of(&old, v, joint) == 1.0f && before.masks[v] > 1e-3f)
        {
            ENSURE_NEAR(weight_of(now, v, joint), 1.0f - before.masks[v], 1e-6f);
            ENSURE_NEAR(weight_of(now, v, above), before.masks[v], 1e-6f);
            ++found;
        }
    }
    ENSURE(found > 0);
    end(&c);
    return 0;
}

// Mean of squared differences along edges.
static double roughness(const pelt_mesh* mesh, const pelt_weights* weights, uint32_t joint)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < mesh->index_count; ++i)
    {
        uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
        double step = (double)weight_of(weights, mesh->indices[i], joint) -
                      (double)weight_of(weights, mesh->indices[next], joint);
        sum += step * step;
    }
    return sum / mesh->index_count;
}

static int smoothing_lowers_differences_along_edges(void)
{
    canvas c;
    ENSURE(begin(&c, "forearm_l"));
    uint32_t joint = joint_of(&c, c.node);
    double last = roughness(&c.scene->meshes[0], &c.scene->meshes[0].weights, joint);
    for (int i = 0; i < 3; ++i)
    {
        ENSURE(dab(&c, WEIGHT_SMOOTH, 1.0f, false) && weight_brush_lift(&c.brush, &c.mask));
        ENSURE(update(&c, true) && pelt_scene_validate(c.scene, NULL) == PELT_OK);
        double now = roughness(&c.scene->meshes[0], &c.scene->meshes[0].weights, joint);
        ENSURE(now < 0.98 * last);
        last = now;
    }
    end(&c);
    return 0;
}

static int both_sides_get_the_same(void)
{
    canvas c;
    ENSURE(begin(&c, "forearm_l"));
    ENSURE(dab(&c, WEIGHT_ADD, 0.7f, true) && weight_brush_lift(&c.brush, &c.mask));
    ENSURE(update(&c, true));
    const mesh_mirror* mirror = &c.brush.mirror;
    const surface_walk* walk = &c.mask.walk;
    ENSURE(mirror->partners != NULL && mirror->axis == 0);
    uint32_t other = mesh_mirror_joint(mirror, &c.scene->skins[0], c.scene, c.node);
    ENSURE(other == pelt_scene_find_node(c.scene, "forearm_r"));
    uint32_t spine = pelt_scene_find_node(c.scene, "head");
    ENSURE(mesh_mirror_joint(mirror, &c.scene->skins[0], c.scene, spine) == spine);
    uint32_t left = joint_of(&c, c.node), right = joint_of(&c, other), painted = 0, paired = 0;
    for (uint32_t p = 0; p < walk->point_count; ++p)
    {
        uint32_t partner = mirror->partners[p];
        if (partner == PELT_NONE)
        {
            continue;
        }
        ENSURE(mirror->partners[partner] == p);
        const pelt_weights* weights = &c.scene->meshes[0].weights;
        float a = weight_of(weights, walk->members[walk->member_first[p]], left);
        float b = weight_of(weights, walk->members[walk->member_first[partner]], right);
        // The rig is symmetric to rounding.
        ENSURE_NEAR(a, b, 1e-4f);
        painted += a > 0.0f ? 1 : 0;
        ++paired;
    }
    ENSURE(paired > walk->point_count / 2 && painted > 20);
    end(&c);
    return 0;
}

// To the last bit, after strokes with and without updates in between.
static int centers_and_factors_are_those_of_the_new_weights(void)
{
    canvas c;
    ENSURE(begin(&c, "forearm_l"));
    ENSURE(dab(&c, WEIGHT_ADD, 0.3f, false) && update(&c, false));
    ENSURE(c.live.center_count > 0);
    ENSURE(dab(&c, WEIGHT_ADD, 0.9f, true) && update(&c, false));
    ENSURE(weight_brush_lift(&c.brush, &c.mask) && update(&c, true));
    const pelt_mesh* mesh = &c.prepared.meshes[0];
    ENSURE(mesh->weights.first == c.scene->meshes[0].weights.first);
    pelt_scene fresh = *c.scene;
    ENSURE(fresh.meshes[0].cors == NULL && fresh.meshes[0].normal_factors == NULL);
    ENSURE(pelt_scene_add_cors(&fresh, PELT_PREPARE_ALL, &cors, NULL, c.arena, NULL) == PELT_OK);
    ENSURE(pelt_scene_add_normal_factors(&fresh, PELT_PREPARE_ALL,
                                         &(pelt_scene_normal_options){.max_joints = 8}, NULL,
                                         c.arena, NULL) == PELT_OK);
    ENSURE(memcmp(mesh->cors, fresh.meshes[0].cors, mesh->vertex_count * sizeof *mesh->cors) == 0);
    const pelt_normal_factors *a = mesh->normal_factors, *b = fresh.meshes[0].normal_factors;
    ENSURE(a != NULL && a->factor_count == b->factor_count);
    ENSURE(memcmp(a->first, b->first, (mesh->vertex_count + 1) * sizeof *a->first) == 0);
    for (uint32_t i = 0; i < a->factor_count; ++i)
    {
        const pelt_normal_factor *x = &a->factors[i], *y = &b->factors[i];
        ENSURE(x->joint == y->joint && x->alpha == y->alpha && x->beta == y->beta);
    }
    end(&c);
    return 0;
}

static int undo_restores_weights_and_centers(void)
{
    canvas c;
    ENSURE(begin(&c, "forearm_l") && take(&before, &c));
    uint32_t count = c.scene->meshes[0].vertex_count;
    pelt_vec3* centers = pelt_arena_alloc(c.arena, count, sizeof *centers);
    ENSURE(centers != NULL);
    memcpy(centers, c.prepared.meshes[0].cors, count * sizeof *centers);
    for (int i = 0; i < 3; ++i)
    {
        ENSURE(dab(&c, (weight_tool)i, 0.5f, true) && weight_brush_lift(&c.brush, &c.mask));
        ENSURE(update(&c, true));
    }
    ENSURE(memcmp(centers, c.prepared.meshes[0].cors, count * sizeof *centers) != 0);
    ENSURE(!weight_brush_lift(&c.brush, &c.mask)); // a stroke next to the character is none
    for (int i = 0; i < 3; ++i)
    {
        ENSURE(weight_brush_undo(&c.brush, &c.mask, &c.live) && update(&c, true));
    }
    ENSURE(!weight_brush_undo(&c.brush, &c.mask, &c.live));
    const pelt_weights* now = &c.scene->meshes[0].weights;
    ENSURE(memcmp(now->first, before.first, (count + 1) * sizeof *now->first) == 0);
    for (uint32_t i = 0; i < now->influence_count; ++i)
    {
        const pelt_influence *x = &now->influences[i], *y = &before.influences[i];
        ENSURE(x->joint == y->joint && x->slot == y->slot && x->weight == y->weight);
    }
    ENSURE(memcmp(centers, c.prepared.meshes[0].cors, count * sizeof *centers) == 0);
    end(&c);
    return 0;
}

static int copies_along_seams_get_the_same(void)
{
    canvas c;
    ENSURE(begin(&c, "forearm_l"));
    ENSURE(dab(&c, WEIGHT_ADD, 0.7f, true) && weight_brush_lift(&c.brush, &c.mask));
    ENSURE(update(&c, true));
    const surface_walk* walk = &c.mask.walk;
    uint32_t joint = joint_of(&c, c.node), copies = 0;
    for (uint32_t p = 0; p < walk->point_count; ++p)
    {
        uint32_t first = walk->members[walk->member_first[p]];
        for (uint32_t i = walk->member_first[p] + 1; i < walk->member_first[p + 1]; ++i)
        {
            const pelt_weights* weights = &c.scene->meshes[0].weights;
            ENSURE(weight_of(weights, first, joint) == weight_of(weights, walk->members[i], joint));
            ++copies;
        }
    }
    ENSURE(copies > 0);
    end(&c);
    return 0;
}

void test_weight_brush(void)
{
    RUN(adding_takes_from_the_others_in_proportion);
    RUN(subtracting_gives_to_the_others_in_proportion);
    RUN(the_joint_above_takes_over_where_there_is_no_other);
    RUN(smoothing_lowers_differences_along_edges);
    RUN(both_sides_get_the_same);
    RUN(centers_and_factors_are_those_of_the_new_weights);
    RUN(undo_restores_weights_and_centers);
    RUN(copies_along_seams_get_the_same);
}
