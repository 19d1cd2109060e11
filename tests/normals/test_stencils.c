// SPDX-License-Identifier: MIT
// Normals of morph targets that move positions alone: under the accurate rule they follow the
// surface.
#include "failing_heap.h"
#include "mesh_builder.h"
#include "rigs.h"

#include <string.h>

enum
{
    SIDE = 11,
    GRID = SIDE * SIDE,
    SHAPE_COUNT = 3,
};

// A square of half-width 1 in the plane z = 0, a joint at either side whose weights go from 0 to 1
// within two edges, and three morph targets without normals. Instance 0 has the skin, instance 1
// follows node 2 without any.
typedef struct shaped
{
    mesh_builder* mesh_builder;
    pelt_mesh* mesh;
    pelt_vec3 normals[GRID], cors[GRID], deltas[SHAPE_COUNT][GRID];
    pelt_vec4 tangents[GRID];
    pelt_morph morphs[SHAPE_COUNT];
    float weights[SHAPE_COUNT]; // of both instances
    pelt_normal_factors factors;
    pelt_node nodes[3];
    uint32_t joints[2];
    pelt_mat34 binds[2];
    pelt_skin skin;
    pelt_mesh meshes[2];
    pelt_instance instances[2];
    pelt_scene scene;
    pelt_pose pose;
    pelt_frame frame;
} shaped;

static void fill_grid(shaped* s, test_random* random)
{
    for (uint32_t v = 0; v < GRID; ++v)
    {
        bool is_inner = v % SIDE > 0 && v % SIDE < SIDE - 1 && v / SIDE > 0 && v / SIDE < SIDE - 1;
        float step = is_inner ? 0.06f : 0.0f;
        float x = 0.2f * (float)(v % SIDE) - 1.0f + test_uniform(random, -step, step);
        float y = 0.2f * (float)(v / SIDE) - 1.0f + test_uniform(random, -step, step);
        float weight = fminf(fmaxf(0.5f + x, 0.0f), 1.0f);
        mesh_builder_add_shared(s->mesh_builder, pelt_vec3_make(x, y, 0.0f), 0, 1, weight);
        s->normals[v] = pelt_vec3_make(0.0f, 0.0f, 1.0f);
        s->tangents[v] = (pelt_vec4){1.0f, 0.0f, 0.0f, 1.0f};
        s->cors[v] = pelt_vec3_make(0.1f * x, 0.0f, -0.2f);
    }
    for (uint32_t v = 0; v < GRID - SIDE; ++v)
    {
        if (v % SIDE + 1 < SIDE)
        {
            mesh_builder_add_triangle(s->mesh_builder, v, v + 1, v + SIDE + 1);
            mesh_builder_add_triangle(s->mesh_builder, v, v + SIDE + 1, v + SIDE);
        }
    }
}

static void fill_scene(shaped* s)
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        s->nodes[i] = (pelt_node){"node", PELT_NONE, pelt_transform_identity()};
    }
    for (uint32_t i = 0; i < 2; ++i)
    {
        s->joints[i] = i;
        s->binds[i] = pelt_mat34_identity();
        s->instances[i] =
            (pelt_instance){i, i == 0 ? 0 : PELT_NONE, i == 0 ? PELT_NONE : 2, i * SHAPE_COUNT};
    }
    s->skin = (pelt_skin){"skin", 2, s->joints, s->binds};
    s->scene = (pelt_scene){.node_count = 3,
                            .mesh_count = 2,
                            .skin_count = 1,
                            .instance_count = 2,
                            .morph_weight_count = 2 * SHAPE_COUNT,
                            .nodes = s->nodes,
                            .meshes = s->meshes,
                            .skins = &s->skin,
                            .instances = s->instances};
}

static shaped* make_shaped(void)
{
    static shaped storage;
    shaped* s = &storage;
    test_random random = {21};
    *s = (shaped){.mesh_builder = mesh_builder_create()};
    s->mesh = &s->mesh_builder->mesh;
    fill_grid(s, &random);
    for (uint32_t i = 0; i < SHAPE_COUNT; ++i)
    {
        s->morphs[i] = (pelt_morph){.name = "shape", .positions = s->deltas[i]};
    }
    s->mesh->name = "sheet";
    s->mesh->normals = s->normals;
    s->mesh->tangents = s->tangents;
    s->mesh->cors = s->cors;
    s->mesh->morph_count = SHAPE_COUNT;
    s->mesh->morphs = s->morphs;
    fill_scene(s);
    return mesh_builder_bind(s->mesh_builder) ? s : NULL;
}

// The displacement that takes each vertex x to map x.
static void shape_linearly(shaped* s, uint32_t shape, const pelt_mat3* map)
{
    for (uint32_t v = 0; v < GRID; ++v)
    {
        pelt_vec3 x = s->mesh_builder->positions[v];
        s->deltas[shape][v] = pelt_vec3_sub(pelt_mat3_vector(map, x), x);
    }
}

// Factors, pose and frame of a mesh in its present state; the skin has as many joints as it needs.
static int open_frame(shaped* s)
{
    s->mesh->weights.joint_count = 2;
    ENSURE(pelt_normal_factors_build(&s->factors, s->mesh, s->cors, NULL, s->mesh_builder->arena,
                                     NULL) == PELT_OK);
    s->meshes[0] = *s->mesh;
    s->meshes[0].normal_factors = &s->factors;
    s->meshes[1] = *s->mesh;
    s->meshes[1].weights = (pelt_weights){0};
    s->meshes[1].cors = NULL;
    ENSURE(pelt_scene_validate(&s->scene, NULL) == PELT_OK);
    ENSURE(pelt_pose_create(&s->pose, &s->scene) == PELT_OK);
    ENSURE(pelt_frame_create(&s->frame, &s->scene) == PELT_OK);
    memcpy(s->pose.morph_weights, s->weights, sizeof s->weights);
    memcpy(s->pose.morph_weights + SHAPE_COUNT, s->weights, sizeof s->weights);
    return 0;
}

static void close_frame(shaped* s)
{
    pelt_frame_destroy(&s->frame);
    pelt_pose_destroy(&s->pose);
}

static void free_shaped(shaped* s)
{
    pelt_arena_destroy(s->mesh_builder->arena);
}

static void rotate_joints(shaped* s)
{
    s->pose.locals[1].rotation =
        pelt_quat_axis_angle(pelt_vec3_make(0.0f, 1.0f, 0.3f), 0.25f * PELT_PI);
    s->pose.locals[1].translation = pelt_vec3_make(0.0f, 0.1f, 0.2f);
    s->pose.locals[0].rotation =
        pelt_quat_axis_angle(pelt_vec3_make(1.0f, 0.0f, 0.0f), 0.1f * PELT_PI);
}

static void update(shaped* s, pelt_method method, pelt_normal_rule rule)
{
    pelt_deform_options how = {.method = method, .mix = 0.4f, .normal_rule = rule};
    pelt_frame_update(&s->frame, &s->scene, &s->pose, &how);
}

// ---------------------------------------------------------------------------------------------

// The plane z = a x + b y has the normal (-a, -b, 1).
static int targets_that_shear_a_plane_rotate_its_normals(void)
{
    shaped* s = make_shaped();
    const pelt_mat3 shear = {{{1, 0, 0}, {0, 1, 0}, {1, -0.5f, 1}}};
    pelt_vec3 expected = pelt_vec3_normalize(pelt_vec3_make(-1.0f, 0.5f, 1.0f));
    shape_linearly(s, 0, &shear);
    s->weights[0] = 1.0f;
    ENSURE(open_frame(s) == 0);
    // The second instance also rotates by 90 degrees about x and is pulled to twice its height.
    s->pose.locals[2].rotation =
        pelt_quat_axis_angle(pelt_vec3_make(1.0f, 0.0f, 0.0f), 0.5f * PELT_PI);
    s->pose.locals[2].scale = pelt_vec3_make(1.0f, 1.0f, 2.0f);
    pelt_vec3 stretched = pelt_vec3_normalize(pelt_vec3_make(-1.0f, 0.5f, 0.5f));
    pelt_vec3 rotated = {stretched.x, -stretched.z, stretched.y};
    for (int rule = PELT_NORMAL_ACCURATE; rule < PELT_NORMAL_RULE_COUNT; ++rule)
    {
        for (int method = 0; method < PELT_METHOD_COUNT; ++method)
        {
            update(s, (pelt_method)method, (pelt_normal_rule)rule);
            for (uint32_t v = 0; v < GRID; ++v)
            {
                pelt_vec4 t = s->frame.surfaces[0].tangents[v];
                ENSURE_POINT(s->frame.surfaces[0].normals[v], expected, 1e-5);
                ENSURE_POINT(s->frame.surfaces[1].normals[v], rotated, 1e-5);
                ENSURE_POINT(pelt_vec3_make(t.x, t.y, t.z),
                             pelt_vec3_make(sqrtf(0.5f), 0.0f, sqrtf(0.5f)), 1e-5);
            }
        }
    }
    // glTF leaves normals that a target does not name as they are.
    update(s, PELT_METHOD_LBS, PELT_NORMAL_STANDARD);
    for (uint32_t v = 0; v < GRID; ++v)
    {
        ENSURE_POINT(s->frame.surfaces[0].normals[v], s->normals[v], 1e-6);
    }
    close_frame(s);
    free_shaped(s);
    return 0;
}

// Shear and stretch in one morph target, or shared out between two, against a mesh that is
// modeled like that: same normals under every method, while the joints bend it.
static int linear_morph_targets_are_like_another_mesh(void)
{
    static pelt_vec3 normals[PELT_METHOD_COUNT][GRID], positions[PELT_METHOD_COUNT][GRID];
    const pelt_mat3 map = {{{1.5f, 0.4f, 0}, {0, 0.7f, 0}, {0.3f, -0.5f, 1}}};
    pelt_mat3 cofactor = pelt_mat3_cofactor(&map);
    for (int shared = 0; shared < 2; ++shared)
    {
        shaped* s = make_shaped();
        shape_linearly(s, 0, &map);
        shape_linearly(s, 1, &map);
        s->weights[0] = shared ? 0.75f : 1.0f;
        s->weights[1] = shared ? 0.25f : 0.0f;
        ENSURE(open_frame(s) == 0);
        rotate_joints(s);
        for (int method = 0; method <= PELT_METHOD_CRS; ++method)
        {
            update(s, (pelt_method)method, PELT_NORMAL_ACCURATE);
            memcpy(normals[method], s->frame.surfaces[0].normals, sizeof normals[0]);
            memcpy(positions[method], s->frame.surfaces[0].positions, sizeof positions[0]);
        }
        close_frame(s);
        for (uint32_t v = 0; v < GRID; ++v)
        {
            s->mesh_builder->positions[v] = pelt_mat3_vector(&map, s->mesh_builder->positions[v]);
            s->normals[v] = pelt_vec3_normalize(pelt_mat3_vector(&cofactor, s->normals[v]));
        }
        s->weights[0] = s->weights[1] = 0.0f;
        ENSURE(open_frame(s) == 0);
        rotate_joints(s);
        for (int method = 0; method <= PELT_METHOD_CRS; ++method)
        {
            update(s, (pelt_method)method, PELT_NORMAL_ACCURATE);
            for (uint32_t v = 0; v < GRID; ++v)
            {
                ENSURE_POINT(positions[method][v], s->frame.surfaces[0].positions[v], 1e-5);
                // Rounding for lbs. The weights at which curved methods are expanded are a
                // least-squares solution, in other units along the surface.
                ENSURE_POINT(normals[method][v], s->frame.surfaces[0].normals[v],
                             method == PELT_METHOD_LBS ? 1e-5 : 3e-3);
            }
        }
        close_frame(s);
        free_shaped(s);
    }
    return 0;
}

// A bump on one side: the other is as it was, to the bit.
static int morph_targets_act_where_they_are(void)
{
    static pelt_vec3 before[GRID];
    shaped* s = make_shaped();
    for (uint32_t v = 0; v < GRID; ++v)
    {
        pelt_vec3 p = s->mesh_builder->positions[v];
        s->deltas[0][v].z = p.x > 0.3f ? (p.x - 0.3f) * (p.x - 0.3f) : 0.0f;
    }
    ENSURE(open_frame(s) == 0);
    rotate_joints(s);
    update(s, PELT_METHOD_DQS, PELT_NORMAL_ACCURATE);
    memcpy(before, s->frame.surfaces[0].normals, sizeof before);
    s->pose.morph_weights[0] = 1.0f;
    update(s, PELT_METHOD_DQS, PELT_NORMAL_ACCURATE);
    uint32_t moved = 0;
    for (uint32_t v = 0; v < GRID; ++v)
    {
        float distance = pelt_vec3_distance(before[v], s->frame.surfaces[0].normals[v]);
        // Further than an edge from where the bump begins.
        ENSURE(s->mesh_builder->positions[v].x > -0.05f || distance == 0.0f);
        moved += distance > 0.1f;
    }
    ENSURE(moved > GRID / 5);
    close_frame(s);
    free_shaped(s);
    return 0;
}

// Morph targets that bring normals need nothing, and what they bring is kept: on this flat sheet
// the normal that the morph target names, wherever its positions go.
static int targets_with_normals_keep_them(void)
{
    static pelt_vec3 slope[GRID];
    shaped* s = make_shaped();
    const pelt_mat3 shear = {{{1, 0, 0}, {0, 1, 0}, {1, 0, 1}}};
    for (uint32_t v = 0; v < GRID; ++v)
    {
        slope[v] = pelt_vec3_make(0.0f, 1.0f, 0.0f);
    }
    for (uint32_t i = 0; i < SHAPE_COUNT; ++i)
    {
        shape_linearly(s, i, &shear);
        s->morphs[i].normals = slope;
    }
    s->weights[0] = 1.0f;
    ENSURE(!pelt_morph_lacks_normals(s->mesh, NULL) && open_frame(s) == 0);
    ENSURE(s->frame.stencils[0].vertex_count == 0 && s->frame.displacements[0] == NULL);
    update(s, PELT_METHOD_LBS, PELT_NORMAL_ACCURATE);
    for (uint32_t v = 0; v < GRID; ++v)
    {
        ENSURE_POINT(s->frame.surfaces[0].normals[v],
                     pelt_vec3_make(0.0f, sqrtf(0.5f), sqrtf(0.5f)), 1e-5);
    }
    close_frame(s);
    free_shaped(s);
    return 0;
}

// The first vertices have no influences; morph targets move them as well.
static int vertices_without_weights_follow_morph_targets(void)
{
    shaped* s = make_shaped();
    const pelt_mat3 shear = {{{1, 0, 0}, {0, 1, 0}, {0, 1, 1}}};
    memset(s->mesh_builder->weights, 0, SIDE * BUILDER_SLOTS * sizeof *s->mesh_builder->weights);
    ENSURE(mesh_builder_bind(s->mesh_builder));
    shape_linearly(s, 2, &shear);
    s->weights[2] = -1.0f;
    ENSURE(open_frame(s) == 0);
    update(s, PELT_METHOD_LBS, PELT_NORMAL_ACCURATE);
    for (uint32_t v = 0; v < GRID; ++v)
    {
        ENSURE_POINT(s->frame.surfaces[0].normals[v],
                     pelt_vec3_make(0.0f, sqrtf(0.5f), sqrtf(0.5f)), 1e-5);
    }
    close_frame(s);
    free_shaped(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// A person whose skin swells in waves, while a clip bends it

static double degrees_between(pelt_vec3 a, pelt_vec3 b)
{
    return atan2((double)pelt_vec3_length(pelt_vec3_cross(a, b)), (double)pelt_vec3_dot(a, b)) *
           (180.0 / (double)PELT_PI);
}

// Mean angles of an instance's normals to those of its triangles.
static double measure(pelt_frame* frame, const pelt_scene* scene, const pelt_pose* pose,
                      const pelt_deform_options* how)
{
    static pelt_vec3 truth[20000];
    const pelt_mesh* mesh = &scene->meshes[0];
    double sum = 0.0;
    pelt_frame_update(frame, scene, pose, how);
    if (mesh->vertex_count > 20000 ||
        pelt_normals_recompute(truth, mesh, frame->surfaces[0].positions) != PELT_OK)
    {
        return (double)INFINITY;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        sum += degrees_between(frame->surfaces[0].normals[v], truth[v]);
    }
    return sum / mesh->vertex_count;
}

// The displacements of one task are looked at by others.
static int check_threads(const pelt_scene* scene, const pelt_pose* pose)
{
    pelt_frame plain, threaded;
    size_t size = scene->meshes[0].vertex_count * sizeof(pelt_vec3);
    pelt_deform_options how = {.normal_rule = PELT_NORMAL_ACCURATE};
    pelt_hooks before = pelt_hooks_get(), hooks = before;
    ENSURE(pelt_frame_create(&plain, scene) == PELT_OK);
    ENSURE(pelt_frame_create(&threaded, scene) == PELT_OK);
    pelt_frame_update(&plain, scene, pose, &how);
    hooks.run = pelt_pool_run;
    hooks.run_user = pelt_pool_create(3);
    pelt_hooks_set(&hooks);
    pelt_frame_update(&threaded, scene, pose, &how);
    pelt_hooks_set(&before);
    pelt_pool_destroy(hooks.run_user);
    ENSURE(memcmp(plain.surfaces[0].normals, threaded.surfaces[0].normals, size) == 0);
    pelt_frame_destroy(&plain);
    pelt_frame_destroy(&threaded);
    return 0;
}

static int check_waves(pelt_scene* waved, const pelt_scene* rig)
{
    pelt_frame frame;
    pelt_pose pose;
    ENSURE(pelt_frame_create(&frame, waved) == PELT_OK);
    ENSURE(pelt_pose_create(&pose, waved) == PELT_OK);
    for (uint32_t clip = 0; clip < rig->clip_count; ++clip)
    {
        pelt_pose_sample(&pose, waved, &rig->clips[clip], 0.5f * rig->clips[clip].duration,
                         PELT_WRAP_CLAMP);
        pose.morph_weights[0] = 1.0f;
        for (int method = 0; method <= PELT_METHOD_MIX; ++method)
        {
            double errors[2];
            for (int i = 0; i < 2; ++i)
            {
                pelt_deform_options how = {.method = (pelt_method)method,
                                           .mix = 0.5f,
                                           .normal_rule =
                                               i > 0 ? PELT_NORMAL_ACCURATE : PELT_NORMAL_STANDARD};
                errors[i] = measure(&frame, waved, &pose, &how);
            }
            ENSURE(errors[1] < 0.1 * errors[0]);
        }
    }
    ENSURE(check_threads(waved, &pose) == 0);
    pelt_pose_destroy(&pose);
    pelt_frame_destroy(&frame);
    return 0;
}

static int accurate_normals_follow_morph_targets_and_joints_together(void)
{
    pelt_scene *rig, waved;
    ENSURE(pelt_rig_build(&rig, "rig:human?vertices=8000", NULL) == PELT_OK);
    pelt_arena* arena = pelt_arena_create();
    pelt_mesh mesh = rig->meshes[0];
    pelt_vec3* deltas = pelt_arena_alloc(arena, mesh.vertex_count, sizeof *deltas);
    for (uint32_t v = 0; v < mesh.vertex_count; ++v)
    {
        pelt_vec3 p = mesh.positions[v];
        deltas[v] = pelt_vec3_scale(mesh.normals[v], 0.01f * sinf(30.0f * (p.x + p.y + p.z)));
    }
    pelt_morph morph = {.name = "waves", .positions = deltas};
    pelt_normal_factors factors;
    ENSURE(pelt_normal_factors_build(&factors, &mesh, NULL, NULL, arena, NULL) == PELT_OK);
    mesh.morph_count = 1;
    mesh.morphs = &morph;
    mesh.normal_factors = &factors;
    waved = *rig;
    waved.mesh_count = waved.instance_count = waved.morph_weight_count = 1;
    waved.meshes = &mesh;
    int failures = check_waves(&waved, rig);
    pelt_arena_destroy(arena);
    pelt_scene_destroy(rig);
    return failures;
}

// ---------------------------------------------------------------------------------------------

static int updates_allocate_nothing(void)
{
    shaped* s = make_shaped();
    const pelt_mat3 shear = {{{1, 0, 0}, {0, 1, 0}, {0, 1, 1}}};
    shape_linearly(s, 1, &shear);
    s->weights[1] = 1.0f;
    ENSURE(open_frame(s) == 0);
    counting_heap heap = {0};
    pelt_hooks before = pelt_hooks_get(), hooks = before;
    hooks.allocate = failing_heap_allocate;
    hooks.release = failing_heap_release;
    hooks.memory_user = &heap;
    pelt_hooks_set(&hooks);
    update(s, PELT_METHOD_CRS, PELT_NORMAL_ACCURATE);
    pelt_hooks_set(&before);
    ENSURE(atomic_load(&heap.asked) == 0);
    close_frame(s);
    free_shaped(s);
    return 0;
}

// Triangles without area, slivers and vertices in no triangle: directions of unit length, always.
static int degenerate_surfaces_have_normals(void)
{
    for (uint64_t seed = 1; seed <= 200; ++seed)
    {
        test_random random = {seed};
        mesh_builder* s = mesh_builder_random(seed);
        ENSURE(s != NULL);
        pelt_vec3 normals[64], out[64], displacements[64];
        pelt_stencils stencils;
        float squeeze = powf(10.0f, test_uniform(&random, -9.0f, 0.0f));
        float scale = powf(10.0f, test_uniform(&random, -30.0f, 30.0f));
        for (uint32_t v = 0; v < s->mesh.vertex_count; ++v)
        {
            pelt_vec3 p = s->positions[v];
            s->positions[v] = pelt_vec3_scale(pelt_vec3_make(p.x, squeeze * p.y, p.z), scale);
            normals[v] = pelt_vec3_normalize(test_point(&random, 1.0f));
            displacements[v] = test_point(&random, scale);
        }
        s->mesh.normals = normals;
        ENSURE(pelt_stencils_build(&stencils, &s->mesh, s->arena) == PELT_OK);
        pelt_palette palette;
        ENSURE(pelt_palette_create(&palette, BUILDER_JOINTS) == PELT_OK);
        for (uint32_t joint = 0; joint < BUILDER_JOINTS; ++joint)
        {
            palette.matrices[joint] = pelt_mat34_identity();
        }
        pelt_palette_decompose(&palette);
        pelt_deform_input input = {.positions = s->positions,
                                   .normals = normals,
                                   .displacements = displacements,
                                   .stencils = &stencils,
                                   .weights = &s->mesh.weights,
                                   .palette = &palette};
        pelt_deform(&(pelt_surface){.normals = out}, &input, &(pelt_deform_options){0},
                    (pelt_range){0, s->mesh.vertex_count});
        for (uint32_t v = 0; v < s->mesh.vertex_count; ++v)
        {
            ENSURE_NEAR(pelt_vec3_length(out[v]), 1.0, 1e-5);
        }
        pelt_palette_destroy(&palette);
        pelt_arena_destroy(s->arena);
    }
    return 0;
}

void test_stencils(void)
{
    RUN(targets_that_shear_a_plane_rotate_its_normals);
    RUN(linear_morph_targets_are_like_another_mesh);
    RUN(morph_targets_act_where_they_are);
    RUN(targets_with_normals_keep_them);
    RUN(vertices_without_weights_follow_morph_targets);
    RUN(accurate_normals_follow_morph_targets_and_joints_together);
    RUN(updates_allocate_nothing);
    RUN(degenerate_surfaces_have_normals);
}
