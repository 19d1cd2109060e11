// SPDX-License-Identifier: MIT
// The map of angles between normals and the deformed surface, as pelt render --show normal-error
// draws it.
#include "render/normal_error_scale.h"
#include "render/vertex_values.h"
#include "render_fixture.h"
#include "rigs.h"

#include <string.h>

enum
{
    STEP_COUNT = 8, // quads along the strip
    STRIP_VERTICES = 2 * (STEP_COUNT + 1),
};

// A strip of one meter along x that faces +Y. The weight of the second joint is x, so that the
// strip stays flat when that joint rises, with the joint's height for a slope.
typedef struct strip
{
    pelt_vec3 positions[STRIP_VERTICES], normals[STRIP_VERTICES];
    uint32_t indices[6 * STEP_COUNT], first[STRIP_VERTICES + 1], joints[2];
    pelt_influence influences[2 * STRIP_VERTICES];
    pelt_mat34 inverse_binds[2];
    pelt_node nodes[2];
    pelt_mesh mesh;
    pelt_skin skin;
    pelt_instance instance;
    pelt_scene scene;
} strip;

static void bind_vertex(strip* out, uint32_t v, float weight)
{
    pelt_influence pair[2] = {{0, 0, 1.0f - weight}, {1, 1, weight}};
    uint32_t heavy = weight > 0.5f ? 1 : 0, at = out->first[v];
    out->influences[at++] = pair[heavy];
    if (pair[1 - heavy].weight > 0.0f)
    {
        out->influences[at++] = pair[1 - heavy];
    }
    out->first[v + 1] = at;
}

static void make_strip(strip* out, float slope)
{
    *out = (strip){.joints = {0, 1}, .instance = {.mesh = 0, .skin = 0}};
    for (uint32_t v = 0; v < STRIP_VERTICES; ++v)
    {
        float x = (float)(v / 2) / STEP_COUNT;
        out->positions[v] = pelt_vec3_make(x, 0.0f, v % 2 == 0 ? 0.5f : -0.5f);
        out->normals[v] = pelt_vec3_make(0.0f, 1.0f, 0.0f);
        bind_vertex(out, v, x);
    }
    for (uint32_t i = 0; i < STEP_COUNT; ++i)
    {
        uint32_t a = 2 * i, quad[6] = {a, a + 2, a + 1, a + 1, a + 2, a + 3};
        memcpy(out->indices + 6 * i, quad, sizeof quad);
    }
    for (int i = 0; i < 2; ++i)
    {
        out->inverse_binds[i] = pelt_mat34_identity();
        out->nodes[i] = (pelt_node){"joint", PELT_NONE, pelt_transform_identity()};
    }
    out->nodes[1].rest.translation.y = slope;
    out->mesh = (pelt_mesh){
        .name = "strip",
        .vertex_count = STRIP_VERTICES,
        .index_count = 6 * STEP_COUNT,
        .positions = out->positions,
        .normals = out->normals,
        .indices = out->indices,
        .weights = {STRIP_VERTICES, 2, out->first[STRIP_VERTICES], 2, out->first, out->influences},
        .material = PELT_NONE};
    out->skin = (pelt_skin){"skin", 2, out->joints, out->inverse_binds};
    out->scene = (pelt_scene){.node_count = 2,
                              .mesh_count = 1,
                              .skin_count = 1,
                              .instance_count = 1,
                              .nodes = out->nodes,
                              .meshes = &out->mesh,
                              .skins = &out->skin,
                              .instances = &out->instance};
}

// Everything that a map is made from, for a scene with one mesh.
typedef struct measurement
{
    pelt_arena* arena;
    pelt_pose pose;
    pelt_frame frame, truth;
    pelt_normal_factors factors;
    vertex_values values;
    normal_error_scale map;
} measurement;

static int measure(measurement* out, const pelt_scene* scene, const pelt_clip* clip,
                   const pelt_deform_options* how, float scale)
{
    *out = (measurement){.arena = pelt_arena_create()};
    const pelt_mesh* mesh = &scene->meshes[0];
    ENSURE(pelt_pose_create(&out->pose, scene) == PELT_OK);
    ENSURE(pelt_frame_create(&out->frame, scene) == PELT_OK);
    ENSURE(pelt_frame_create(&out->truth, scene) == PELT_OK);
    ENSURE(vertex_values_create(&out->values, scene));
    ENSURE(pelt_normal_factors_build(&out->factors, mesh, NULL, NULL, out->arena, NULL) == PELT_OK);
    out->frame.normal_factors[0] = &out->factors;
    if (clip != NULL)
    {
        pelt_pose_sample(&out->pose, scene, clip, clip->duration, PELT_WRAP_CLAMP);
    }
    pelt_frame_update(&out->frame, scene, &out->pose, how);
    ENSURE(normal_error_scale_recompute(&out->truth, scene, &out->frame) == PELT_OK);
    normal_error_scale_add(&out->map, scene, &out->frame, &out->truth);
    vertex_values_angles(&out->values, scene, &out->frame, &out->truth, scale);
    return 0;
}

static void end_measurement(measurement* in)
{
    vertex_values_destroy(&in->values);
    pelt_frame_destroy(&in->frame);
    pelt_frame_destroy(&in->truth);
    pelt_pose_destroy(&in->pose);
    pelt_arena_destroy(in->arena);
}

static double degrees_of_slope(float slope)
{
    return atan((double)slope) * 180.0 / 3.14159265358979323846;
}

// Nothing rotates, so standard normals are constant, and the surface is a plane of known slope.
// Rounding of float normals is worth about 1e-5 degrees.
static int a_sheared_strip_is_off_by_its_slope(void)
{
    for (int i = 1; i <= 8; ++i)
    {
        strip s;
        measurement m;
        float slope = 0.25f * (float)i;
        make_strip(&s, slope);
        ENSURE(pelt_scene_validate(&s.scene, NULL) == PELT_OK);
        ENSURE(measure(&m, &s.scene, NULL, &(pelt_deform_options){0}, 20.0f) == 0);
        for (uint32_t v = 0; v < STRIP_VERTICES; ++v)
        {
            ENSURE_NEAR(m.values.arrays[0][v], degrees_of_slope(slope) / 20.0, 1e-5);
        }
        ENSURE(m.map.error.count == STRIP_VERTICES);
        ENSURE_NEAR(normal_error_mean(&m.map.error), degrees_of_slope(slope), 1e-4);
        ENSURE_NEAR(m.map.error.max, degrees_of_slope(slope), 1e-4);
        end_measurement(&m);
    }
    return 0;
}

// The triangles of a mirror image look inwards; its normals do not, and angles stay.
static int a_mirrored_strip_is_off_by_its_slope_too(void)
{
    strip s;
    measurement m;
    make_strip(&s, 0.75f);
    s.nodes[0].rest.scale.z = s.nodes[1].rest.scale.z = -1.0f;
    ENSURE(measure(&m, &s.scene, NULL, &(pelt_deform_options){0}, 1.0f) == 0);
    for (uint32_t v = 0; v < STRIP_VERTICES; ++v)
    {
        ENSURE_NEAR(m.values.arrays[0][v], degrees_of_slope(0.75f), 1e-4);
    }
    end_measurement(&m);
    return 0;
}

static int accurate_normals_of_the_strip_are_not_off(void)
{
    strip s;
    measurement m;
    make_strip(&s, 1.5f);
    pelt_deform_options how = {.normal_rule = PELT_NORMAL_ACCURATE};
    ENSURE(measure(&m, &s.scene, NULL, &how, 1.0f) == 0);
    for (uint32_t v = 0; v < STRIP_VERTICES; ++v)
    {
        ENSURE_NEAR(m.values.arrays[0][v], 0.0, 1e-3);
    }
    end_measurement(&m);
    return 0;
}

// In double, and by the chord between both ends instead of sine and cosine.
static double angle_by_chord(pelt_vec3 a, pelt_vec3 b)
{
    double la =
        sqrt((double)a.x * (double)a.x + (double)a.y * (double)a.y + (double)a.z * (double)a.z);
    double lb =
        sqrt((double)b.x * (double)b.x + (double)b.y * (double)b.y + (double)b.z * (double)b.z);
    double x = (double)a.x / la - (double)b.x / lb, y = (double)a.y / la - (double)b.y / lb;
    double z = (double)a.z / la - (double)b.z / lb;
    double half = 0.5 * sqrt(x * x + y * y + z * z);
    return 2.0 * asin(fmin(half, 1.0)) * 180.0 / 3.14159265358979323846;
}

// Near 180 degrees the chord has few digits left: 0.05 degrees there, 0.001 elsewhere.
static int values_of_a_bent_arm_are_angles_to_its_recomputed_normals(void)
{
    pelt_scene* arm;
    ENSURE(pelt_rig_build(&arm, "rig:arm", NULL) == PELT_OK);
    pelt_deform_options how = {.method = PELT_METHOD_DQS};
    measurement m;
    ENSURE(measure(&m, arm, &arm->clips[0], &how, 30.0f) == 0);
    const pelt_mesh* mesh = &arm->meshes[0];
    pelt_vec3* truth = pelt_arena_alloc(m.arena, mesh->vertex_count, sizeof *truth);
    ENSURE(truth != NULL);
    ENSURE(pelt_normals_recompute(truth, mesh, m.frame.surfaces[0].positions) == PELT_OK);
    double largest = 0.0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        double angle = angle_by_chord(m.frame.surfaces[0].normals[v], truth[v]);
        ENSURE_NEAR(30.0f * m.values.arrays[0][v], angle, angle < 170.0 ? 1e-3 : 0.05);
        largest = fmax(largest, angle);
    }
    ENSURE(largest > 30.0);
    end_measurement(&m);
    pelt_scene_destroy(arm);
    return 0;
}

static int scales_end_at_round_numbers(void)
{
    const struct
    {
        float slope, end; // 0.57, 6.8, 21.8, 68 degrees
    } cases[] = {{0.01f, 1.0f}, {0.12f, 10.0f}, {0.4f, 30.0f}, {2.5f, 90.0f}};
    for (int i = 0; i < 4; ++i)
    {
        strip s;
        measurement m;
        make_strip(&s, cases[i].slope);
        ENSURE(measure(&m, &s.scene, NULL, &(pelt_deform_options){0}, 1.0f) == 0);
        ENSURE(normal_error_scale_end(&m.map) == cases[i].end);
        end_measurement(&m);
    }
    ENSURE(normal_error_scale_end(&(normal_error_scale){0}) == 1.0f);
    return 0;
}

static int meshes_without_normals_have_no_angles(void)
{
    strip s;
    vertex_values values;
    pelt_frame frame;
    make_strip(&s, 1.0f);
    s.mesh.normals = NULL;
    ENSURE(pelt_frame_create(&frame, &s.scene) == PELT_OK);
    ENSURE(vertex_values_create(&values, &s.scene));
    ENSURE(normal_error_scale_recompute(&frame, &s.scene, &frame) == PELT_OK);
    vertex_values_angles(&values, &s.scene, &frame, &frame, 1.0f);
    for (uint32_t v = 0; v < STRIP_VERTICES; ++v)
    {
        ENSURE(isnan(values.arrays[0][v]));
    }
    vertex_values_destroy(&values);
    pelt_frame_destroy(&frame);
    return 0;
}

// All joints of the arm but the shoulder are the elbow or below it, and weights sum to one.
static int shares_are_what_other_joints_leave(void)
{
    pelt_scene* arm;
    vertex_values shares, shoulder;
    ENSURE(pelt_rig_build(&arm, "rig:arm", NULL) == PELT_OK);
    ENSURE(vertex_values_create(&shares, arm) && vertex_values_create(&shoulder, arm));
    vertex_values_shares(&shares, arm, pelt_scene_find_node(arm, "elbow"));
    vertex_values_weights(&shoulder, arm, pelt_scene_find_node(arm, "shoulder"));
    for (uint32_t v = 0; v < arm->meshes[0].vertex_count; ++v)
    {
        ENSURE_NEAR(shares.arrays[0][v], 1.0f - shoulder.arrays[0][v], 1e-6);
    }
    vertex_values_destroy(&shares);
    vertex_values_destroy(&shoulder);
    pelt_scene_destroy(arm);
    return 0;
}

static pelt_gl* gl;

// What is drawn is the map: as that of the same angle everywhere, and not as that of another.
static int pictures_have_the_color_of_the_angle(void)
{
    strip s;
    measurement m;
    make_strip(&s, 0.5f);
    ENSURE(measure(&m, &s.scene, NULL, &(pelt_deform_options){0}, 90.0f) == 0);
    pelt_bounds box = {{0.0f, 0.0f, -0.5f}, {1.0f, 0.5f, 0.5f}};
    pelt_picture pictures[3];
    for (int i = 0; i < 3; ++i)
    {
        float constant[STRIP_VERTICES];
        float degrees = (float)degrees_of_slope(0.5f) + (i == 1 ? 0.0f : 10.0f);
        for (uint32_t v = 0; v < STRIP_VERTICES; ++v)
        {
            constant[v] = degrees / 90.0f;
        }
        const float* const lists[1] = {i == 0 ? m.values.arrays[0] : constant};
        render_case c = {.gl = gl,
                         .scene = &s.scene,
                         .camera = pelt_camera_frame(&box, 0.3f, 0.9f, 4.0f / 3.0f),
                         .look = {.values = lists, .map = PELT_COLOR_MAP_UNIFORM}};
        ENSURE(render_take(&pictures[i], &c, NULL) == PELT_OK);
    }
    ENSURE(render_count_different(&pictures[0], &pictures[1], 1) == 0);
    ENSURE(render_count_different(&pictures[0], &pictures[2], 8) > 1000);
    for (int i = 0; i < 3; ++i)
    {
        pelt_picture_destroy(&pictures[i]);
    }
    end_measurement(&m);
    return 0;
}

void test_normal_error_scale(void)
{
    RUN(a_sheared_strip_is_off_by_its_slope);
    RUN(a_mirrored_strip_is_off_by_its_slope_too);
    RUN(accurate_normals_of_the_strip_are_not_off);
    RUN(values_of_a_bent_arm_are_angles_to_its_recomputed_normals);
    RUN(scales_end_at_round_numbers);
    RUN(meshes_without_normals_have_no_angles);
    RUN(shares_are_what_other_joints_leave);
    gl = gl_open(PELT_GL_OFFSCREEN, "pictures of normal_error_scale");
    if (gl != NULL)
    {
        RUN(pictures_have_the_color_of_the_angle);
        pelt_gl_destroy(gl);
    }
}
