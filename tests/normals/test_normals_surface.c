// SPDX-License-Identifier: MIT
// Accurate normals of whole surfaces: closed forms, and the triangles that rigs deform to.
#include "normal_error.h"
#include "point_set.h"
#include "rigs.h"

#include <stdlib.h>
#include <string.h>

static const pelt_method exact_methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_MIX,
                                            PELT_METHOD_CRS};

static pelt_vec3 xyz(pelt_vec4 t)
{
    return pelt_vec3_make(t.x, t.y, t.z);
}

enum
{
    RINGS = 41,
    SIDES = 64,
    TUBE = RINGS * SIDES
};

// A round bar of radius 0.25 along x from 0 to 1, without ends. The weight of joint 1 is x.
typedef struct tube
{
    point_set m;
    uint32_t indices[6 * (RINGS - 1) * SIDES];
    pelt_mesh mesh;
    pelt_normal_factors factors;
} tube;

static const float tube_radius = 0.25f;

static tube* make_tube(void)
{
    static tube storage;
    tube* t = &storage;
    *t = (tube){.m = point_set_make(TUBE, 2, 2)};
    uint32_t count = 0;
    for (uint32_t v = 0; v < TUBE; ++v)
    {
        uint32_t ring = v / SIDES, next = v % SIDES + 1 < SIDES ? v + 1 : v + 1 - SIDES;
        float x = (float)ring / (RINGS - 1), angle = 2.0f * PELT_PI * (float)(v % SIDES) / SIDES;
        t->m.normals[v] = pelt_vec3_make(0.0f, cosf(angle), sinf(angle));
        t->m.positions[v] = pelt_vec3_make(x, tube_radius * cosf(angle), tube_radius * sinf(angle));
        t->m.cors[v] = pelt_vec3_make(x, 0.0f, 0.0f);
        t->m.joints[2 * v + 1] = 1;
        t->m.raw_weights[2 * v] = 1.0f - x;
        t->m.raw_weights[2 * v + 1] = x;
        if (ring + 1 < RINGS)
        {
            const uint32_t quad[6] = {v, next, next + SIDES, v, next + SIDES, v + SIDES};
            memcpy(t->indices + count, quad, sizeof quad);
            count += 6;
        }
    }
    point_set_bind(&t->m);
    t->mesh = (pelt_mesh){.vertex_count = TUBE,
                          .index_count = count,
                          .positions = t->m.positions,
                          .normals = t->m.normals,
                          .tangents = t->m.tangents,
                          .indices = t->indices,
                          .weights = t->m.weights,
                          .material = PELT_NONE};
    if (pelt_normal_factors_build(&t->factors, &t->mesh, t->m.cors, NULL, t->m.arena, NULL) !=
        PELT_OK)
    {
        abort();
    }
    return t;
}

// Half a ring of triangles, as at the ends, has a slope: the smooth surface is no reference there.
static bool is_inside(uint32_t v)
{
    return v >= SIDES && v < TUBE - SIDES;
}

static pelt_surface deform_tube(const tube* t, pelt_method method, pelt_normal_rule rule)
{
    pelt_surface out = point_set_deform_by(&t->m, method);
    pelt_deform_input input = point_set_input(&t->m);
    pelt_deform_options options = {.method = method, .mix = 0.4f, .normal_rule = rule};
    input.normal_factors = &t->factors;
    pelt_deform(&out, &input, &options, (pelt_range){0, TUBE});
    return out;
}

// Tarini et al. 2014, Figure 2: a bone is only moved sideways, and the bar between both is sheared:
// x' = x + w(x) d. The map is I + d g^T with g = (1, 0, 0), so n' ~ n - g (d . n) / (1 + d . g).
static int sheared_pill_has_the_normals_of_a_shear(void)
{
    tube* t = make_tube();
    static pelt_vec3 truth[TUBE];
    const pelt_vec3 shifts[] = {{0.0f, 1.0f, 0.0f}, {0.5f, -2.0f, 0.7f}, {-0.5f, 0.0f, 3.0f}};
    for (int i = 0; i < 3 * 4; ++i)
    {
        pelt_vec3 d = shifts[i / 4];
        t->m.palette.matrices[1] = point_set_rigid(pelt_quat_identity(), d);
        point_set_pose(&t->m);
        pelt_surface out = deform_tube(t, exact_methods[i % 4], PELT_NORMAL_ACCURATE);
        pelt_surface standard = deform_tube(t, exact_methods[i % 4], PELT_NORMAL_STANDARD);
        ENSURE(pelt_normals_recompute(truth, &t->mesh, out.positions) == PELT_OK);
        for (uint32_t v = 0; v < TUBE; ++v)
        {
            pelt_vec3 n = t->m.normals[v];
            float slope = pelt_vec3_dot(d, n) / (1.0f + d.x);
            pelt_vec3 expected = pelt_vec3_normalize(pelt_vec3_make(n.x - slope, n.y, n.z));
            pelt_vec3 along = pelt_vec3_normalize(pelt_vec3_make(1.0f + d.x, d.y, d.z));
            // Weights are floats: 6e-8 over rings 1/40 apart, times the shift.
            ENSURE_POINT(out.normals[v], is_inside(v) ? expected : truth[v],
                         is_inside(v) ? 2e-5 : 2e-3);
            ENSURE(!is_inside(v) || pelt_vec3_distance(xyz(out.tangents[v]), along) < 2e-5f);
            ENSURE_POINT(standard.normals[v], n, 1e-6);
        }
    }
    point_set_free(&t->m);
    return 0;
}

// The smooth surface that a twist by `angle` makes of the bar. Its derivatives along x and around:
// LBS moves each point straight to its new position, DQS and CRS (whose centers lie on the axis)
// rotate it by the angle of the mean quaternion.
static pelt_vec3 twisted_normal(pelt_vec3 rest, float x, double angle, pelt_method method)
{
    double phi = atan2((double)rest.z, (double)rest.y), w = (double)x, r = (double)tube_radius;
    double end = phi + angle, half = 0.5 * angle;
    double dx[2], around[2];
    if (method == PELT_METHOD_LBS)
    {
        dx[0] = r * (cos(end) - cos(phi));
        dx[1] = r * (sin(end) - sin(phi));
        around[0] = -(1.0 - w) * sin(phi) - w * sin(end);
        around[1] = (1.0 - w) * cos(phi) + w * cos(end);
    }
    else
    {
        // The mean is (w sin(half), 1 - w + w cos(half)): rotation = 2 atan2 of both.
        double s = w * sin(half), c = 1.0 - w + w * cos(half);
        double gradient = 2.0 * (sin(half) * c - s * (cos(half) - 1.0)) / (s * s + c * c);
        double rotated = phi + 2.0 * atan2(s, c);
        dx[0] = -r * gradient * sin(rotated);
        dx[1] = r * gradient * cos(rotated);
        around[0] = -sin(rotated);
        around[1] = cos(rotated);
    }
    // around x (1, dx): the outside of the bar.
    double n[3] = {around[0] * dx[1] - around[1] * dx[0], around[1], -around[0]};
    return pelt_vec3_normalize(pelt_vec3_make((float)n[0], (float)n[1], (float)n[2]));
}

// Rings and sides are 1/40 and 1/64: what is left is the difference of chords and arcs, second
// order in both. The recomputed normals, which are the truth elsewhere, are checked here as well.
static int twisted_bar_has_the_normals_of_the_smooth_surface(void)
{
    tube* t = make_tube();
    static pelt_vec3 truth[TUBE];
    const pelt_method methods[] = {PELT_METHOD_LBS, PELT_METHOD_DQS, PELT_METHOD_CRS};
    const float angles[] = {0.5f, 1.5f, 2.5f};
    for (int i = 0; i < 9; ++i)
    {
        pelt_vec3 axis = {1.0f, 0.0f, 0.0f}, origin = {0};
        float angle = angles[i / 3];
        t->m.palette.matrices[1] = point_set_rigid(pelt_quat_axis_angle(axis, angle), origin);
        point_set_pose(&t->m);
        pelt_surface out = deform_tube(t, methods[i % 3], PELT_NORMAL_ACCURATE);
        ENSURE(pelt_normals_recompute(truth, &t->mesh, out.positions) == PELT_OK);
        for (uint32_t v = 0; v < TUBE; ++v)
        {
            pelt_vec3 expected =
                twisted_normal(t->m.normals[v], t->m.positions[v].x, (double)angle, methods[i % 3]);
            ENSURE(!is_inside(v) || pelt_vec3_distance(out.normals[v], expected) < 2e-3f);
            ENSURE(!is_inside(v) || pelt_vec3_distance(truth[v], expected) < 1e-2f);
        }
    }
    point_set_free(&t->m);
    return 0;
}

// Triangles at angles to each other change the position, not the weights.
static int constant_weights_have_no_factors_on_a_round_surface(void)
{
    tube* t = make_tube();
    for (uint32_t v = 0; v < TUBE; ++v)
    {
        t->m.raw_weights[2 * v] = 0.3f;
        t->m.raw_weights[2 * v + 1] = 0.7f;
    }
    point_set_bind(&t->m);
    t->mesh.weights = t->m.weights;
    pelt_normal_factors factors;
    ENSURE(pelt_normal_factors_build(&factors, &t->mesh, NULL, NULL, t->m.arena, NULL) == PELT_OK);
    ENSURE(factors.factor_count == 0);
    point_set_free(&t->m);
    return 0;
}

// Meshes may be wound the other way than their normals point.
static int normals_that_point_inside_stay_there(void)
{
    tube* t = make_tube();
    t->m.palette.matrices[1] = point_set_rigid(
        pelt_quat_axis_angle(pelt_vec3_make(0.0f, 0.6f, 0.8f), 1.2f), pelt_vec3_make(0.1f, 0, 0));
    point_set_pose(&t->m);
    for (int i = 0; i < 4; ++i)
    {
        pelt_surface outside = deform_tube(t, exact_methods[i], PELT_NORMAL_ACCURATE);
        for (uint32_t v = 0; v < TUBE; ++v)
        {
            t->m.normals[v] = pelt_vec3_scale(t->m.normals[v], -1.0f);
        }
        ENSURE(pelt_normal_factors_build(&t->factors, &t->mesh, t->m.cors, NULL, t->m.arena,
                                         NULL) == PELT_OK);
        pelt_surface inside = deform_tube(t, exact_methods[i], PELT_NORMAL_ACCURATE);
        for (uint32_t v = 0; v < TUBE; ++v)
        {
            ENSURE_POINT(inside.normals[v], pelt_vec3_scale(outside.normals[v], -1.0f), 1e-5);
        }
    }
    point_set_free(&t->m);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Rigs, measured with the triangles they deform to

typedef struct bound
{
    double ratio; // standard / accurate where standard exceeds 2 degrees
    double most;  // degrees of accurate anywhere
} bound;

static int check_pose(normal_subject* subject, const char* clip, const bound* b, bool has_lbs)
{
    for (int i = has_lbs ? 0 : 1; i < 4; ++i)
    {
        normal_error errors[PELT_NORMAL_RULE_COUNT] = {0};
        ENSURE(normal_subject_measure(errors, subject, exact_methods[i], NULL) == PELT_OK);
        double standard = normal_error_mean(&errors[PELT_NORMAL_STANDARD]);
        double accurate = normal_error_mean(&errors[PELT_NORMAL_ACCURATE]);
        if (!(accurate <= b->most) || (standard > 2.0 && !(accurate * b->ratio <= standard)))
        {
            printf("  %s %s: standard %.3f, accurate %.3f degrees\n", clip,
                   pelt_method_name(exact_methods[i]), standard, accurate);
            return 1;
        }
    }
    return 0;
}

static int check_rig(const char* name, const char* clip_name, const bound* b)
{
    pelt_scene* scene;
    normal_subject subject;
    ENSURE(pelt_rig_build(&scene, name, NULL) == PELT_OK);
    ENSURE(normal_subject_create(&subject, scene) == PELT_OK);
    int failures = 0;
    const int step = test_is_full_sweep() ? 1 : 2;
    for (uint32_t c = 0; c < scene->clip_count; ++c)
    {
        const pelt_clip* clip = &scene->clips[c];
        for (int pose = step; pose <= 4 && (!clip_name || strcmp(clip->name, clip_name) == 0);
             pose += step)
        {
            float time = clip->duration * (float)pose / 4.0f;
            pelt_pose_sample(&subject.pose, scene, clip, time, PELT_WRAP_CLAMP);
            // At 180 degrees LBS takes the middle ring to one point: it has no normal, neither
            // by its triangles nor by the derivative.
            bool has_lbs = strcmp(clip->name, "twist180") != 0 || pose < 4;
            failures += check_pose(&subject, clip->name, b, has_lbs);
        }
    }
    normal_subject_destroy(&subject);
    pelt_scene_destroy(scene);
    return failures;
}

static int accurate_normals_are_those_of_the_bar(void)
{
    return check_rig("rig:bar", NULL, &(bound){20.0, 0.5});
}

static int accurate_normals_are_those_of_the_arm(void)
{
    return check_rig("rig:arm", NULL, &(bound){20.0, 0.5});
}

// Fingers of the human have a few vertices around only.
static int accurate_normals_are_near_those_of_the_human(void)
{
    return check_rig("rig:human", "extreme", &(bound){8.0, 1.0});
}

// 6000 vertices are three tasks.
static int number_of_threads_does_not_show(void)
{
    pelt_scene* scene;
    normal_subject subject;
    ENSURE(pelt_rig_build(&scene, "rig:arm", NULL) == PELT_OK);
    ENSURE(normal_subject_create(&subject, scene) == PELT_OK);
    static pelt_vec3 alone[8000];
    size_t size = scene->meshes[0].vertex_count * sizeof *alone;
    ENSURE(size <= sizeof alone);
    pelt_pose_sample(&subject.pose, scene, &scene->clips[0], 0.7f, PELT_WRAP_CLAMP);
    pelt_hooks before = pelt_hooks_get();
    for (uint32_t thread_count = 1; thread_count <= 3; ++thread_count)
    {
        pelt_pool* pool = pelt_pool_create(thread_count);
        pelt_hooks_set(&(pelt_hooks){.run = pelt_pool_run, .run_user = pool});
        pelt_deform_options options = {.method = PELT_METHOD_CRS,
                                       .normal_rule = PELT_NORMAL_ACCURATE};
        pelt_frame_update(&subject.frame, scene, &subject.pose, &options);
        pelt_hooks_set(&before);
        pelt_pool_destroy(pool);
        if (thread_count == 1)
        {
            memcpy(alone, subject.frame.surfaces[0].normals, size);
        }
        ENSURE(memcmp(alone, subject.frame.surfaces[0].normals, size) == 0);
    }
    normal_subject_destroy(&subject);
    pelt_scene_destroy(scene);
    return 0;
}

void test_normals_surface(void)
{
    RUN(sheared_pill_has_the_normals_of_a_shear);
    RUN(twisted_bar_has_the_normals_of_the_smooth_surface);
    RUN(constant_weights_have_no_factors_on_a_round_surface);
    RUN(normals_that_point_inside_stay_there);
    RUN(accurate_normals_are_those_of_the_bar);
    RUN(accurate_normals_are_those_of_the_arm);
    RUN(accurate_normals_are_near_those_of_the_human);
    RUN(number_of_threads_does_not_show);
}
