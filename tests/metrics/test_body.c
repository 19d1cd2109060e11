// SPDX-License-Identifier: MIT
// How a body is prepared: regions, sections, bones, seams, and where its rest is.
#include "body_fixture.h"
#include "failing_heap.h"
#include "mesh_builder.h"
#include "rigs.h"

#include <stdlib.h>
#include <string.h>

static const pelt_metric_region* region_of(const body_fixture* f, const char* node)
{
    uint32_t wanted = pelt_scene_find_node(&f->scene, node);
    for (uint32_t i = 1; i < f->info->region_count; ++i)
    {
        if (f->info->regions[i].node == wanted)
        {
            return &f->info->regions[i];
        }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------
// Regions

// The bar bends wherever both joints have a weight: that is the region of the joint in its middle,
// on both sides. The rest of the left half is that of the root.
static int both_sides_of_a_bend_belong_to_its_joint(void)
{
    body_fixture f;
    ENSURE(body_fixture_open(&f, "rig:bar"));
    const pelt_metric_region* joint = region_of(&f, "joint");
    const pelt_metric_region* root = region_of(&f, "root");
    ENSURE(f.info->region_count == 3 && joint != NULL && root != NULL);
    ENSURE(f.info->regions[0].node == PELT_NONE);
    const pelt_weights* weights = &f.scene.meshes[0].weights;
    uint32_t counts[2] = {0, 0};
    for (uint32_t v = 0; v < weights->vertex_count; ++v)
    {
        float of_joint = 0.0f;
        for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
        {
            uint32_t node = f.scene.skins[0].joints[weights->influences[i].joint];
            of_joint += node == joint->node ? weights->influences[i].weight : 0.0f;
        }
        // 4 W (1 - W) = 0.01 at W = 0.0025.
        bool is_joint = of_joint > 0.0026f;
        bool is_root = of_joint < 0.0024f;
        uint32_t region = f.info->vertex_regions[v];
        ENSURE(!is_joint || &f.info->regions[region] == joint);
        ENSURE(!is_root || &f.info->regions[region] == root);
        ++counts[is_joint];
    }
    ENSURE(counts[0] > 100 && counts[1] > 1000);
    ENSURE(joint->vertex_count + root->vertex_count == f.info->vertex_count);
    body_fixture_close(&f);
    return 0;
}

// A chain of four joints. Weights of joints below count for the one above: 0.3 of the second, 0.3
// of the third and 0.3 of the fourth are 0.9 at the second joint, 0.6 at the third, 0.3 at the
// last, so that the bend at the third is largest.
static int weights_of_joints_below_count(void)
{
    static const float weights[][4] = {{0.1f, 0.3f, 0.3f, 0.3f},
                                       {0.5f, 0.0f, 0.0f, 0.5f},
                                       {1.0f, 0.0f, 0.0f, 0.0f},
                                       {0.0f, 0.0f, 0.999f, 0.001f},
                                       {0.0f, 0.8f, 0.2f, 0.0f}};
    static const uint32_t expected[] = {2, 3, 0, 2, 2};
    const pelt_vec3 heads[4] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    mesh_builder* s = mesh_builder_create();
    chain_scene scene;
    body_fixture f = {0};
    for (uint32_t i = 0; i < 5; ++i)
    {
        mesh_builder_add_vertex(s, pelt_vec3_make((float)i, (float)(i % 2), 1));
        for (uint32_t k = 0; k < 4; ++k)
        {
            mesh_builder_add_influence(s, i, k, weights[i][k]);
        }
    }
    mesh_builder_add_vertex(s, pelt_vec3_make(0, 5, 0)); // without weights
    mesh_builder_add_triangle(s, 0, 1, 2);
    ENSURE(mesh_builder_bind(s));
    chain_scene_make(&scene, &s->mesh, heads, 4);
    ENSURE(body_fixture_wrap(&f, &scene.scene));
    for (uint32_t i = 0; i < 5; ++i)
    {
        ENSURE(f.info->regions[f.info->vertex_regions[i]].node == expected[i]);
    }
    ENSURE(f.info->vertex_regions[5] == 0 && f.info->regions[0].vertex_count == 6);
    body_fixture_close(&f);
    pelt_arena_destroy(s->arena);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Sections

// Around the cuboid, whose half-width is a, there are 40 vertices at a multiple of a / 5 along each
// side: the mean square of the distance is a^2 plus the mean square of these multiples. Each has
// the same area, at corners half of it from either side.
static int sections_have_the_radius_of_their_outline(void)
{
    body_fixture f;
    ENSURE(body_fixture_open(&f, "rig:cuboid"));
    double a = 0.1, sum = 0.0;
    for (int k = 0; k < 10; ++k)
    {
        double along = a * (-1.0 + 0.2 * k);
        sum += (a * a + along * along) / 10.0;
    }
    uint32_t count = 0, tails = 0;
    for (uint32_t i = 0; i < f.info->section_count; ++i)
    {
        const pelt_metric_section* section = &f.info->sections[i];
        const char* head = f.scene.nodes[section->head].name;
        // The first and the last section have the ends of the cuboid.
        bool is_end = (strcmp(head, "bone0") == 0 && section->fraction < 0.07f) ||
                      (section->tail == PELT_NONE && section->fraction > 0.93f);
        if (!is_end)
        {
            ENSURE_NEAR(section->radius, sqrt(sum), 1e-6);
            ++count;
        }
        tails += section->tail == PELT_NONE;
    }
    // Five bones with sixteen each; the last ends without a joint.
    ENSURE(f.info->section_count == 80 && count == 78 && tails == 16);
    body_fixture_close(&f);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Seams and borders

// Four vertices for each quad of the cuboid, whose normals differ at its edges: a closed surface
// all the same. Without one triangle it is open, and without a pair of them, too.
static int seams_and_creases_are_no_borders(void)
{
    body_fixture f;
    ENSURE(body_fixture_open(&f, "rig:cuboid?vertices=672"));
    ENSURE(f.info->is_closed);
    ENSURE(f.info->vertex_count == 672 && f.info->triangle_count == 336);
    pelt_mesh mesh = f.scene.meshes[0];
    pelt_scene scene = f.scene;
    pelt_body* body;
    scene.meshes = &mesh;
    mesh.index_count -= 3;
    ENSURE(pelt_body_create(&body, &scene, NULL) == PELT_OK);
    ENSURE(!pelt_body_get_info(body)->is_closed);
    ENSURE(isnan(pelt_body_get_info(body)->enclosed_volume));
    pelt_body_destroy(body);
    body_fixture_close(&f);
    return 0;
}

// Two instances of one skin, each with half of the triangles, are one closed body.
static int parts_of_one_skin_are_one_body(void)
{
    body_fixture f;
    ENSURE(body_fixture_open(&f, "rig:bar?vertices=1000"));
    pelt_mesh halves[2] = {f.scene.meshes[0], f.scene.meshes[0]};
    pelt_instance instances[3] = {f.scene.instances[0], f.scene.instances[0], f.scene.instances[0]};
    pelt_scene scene = f.scene;
    uint32_t half = f.scene.meshes[0].index_count / 6 * 3;
    halves[0].index_count = half;
    halves[1].index_count -= half;
    halves[1].indices += half;
    instances[1].skin = PELT_NONE; // stays out
    instances[2].mesh = 1;
    scene.meshes = halves;
    scene.mesh_count = 2;
    scene.instances = instances;
    scene.instance_count = 3;
    pelt_body* body;
    ENSURE(pelt_body_create(&body, &scene, NULL) == PELT_OK);
    const pelt_body_info* info = pelt_body_get_info(body);
    ENSURE(info->is_closed && info->vertex_count == 2 * f.info->vertex_count);
    ENSURE(info->first_vertices[0] == 0 && info->first_vertices[1] == PELT_NONE);
    ENSURE(info->first_vertices[2] == f.info->vertex_count);
    ENSURE_NEAR(info->enclosed_volume, f.info->enclosed_volume, 1e-12);
    ENSURE_NEAR(info->regions[0].volume, f.info->regions[0].volume, 1e-12);
    ENSURE(info->intersection_count == 0);
    pelt_body_destroy(body);
    body_fixture_close(&f);
    return 0;
}

static int empty_scenes_have_empty_bodies(void)
{
    pelt_scene scene = {0};
    pelt_body* body;
    pelt_pose_metrics pose;
    ENSURE(pelt_body_create(&body, &scene, NULL) == PELT_OK);
    ENSURE(pelt_body_get_info(body)->vertex_count == 0);
    ENSURE(pelt_body_get_info(body)->region_count == 1);
    ENSURE(pelt_pose_metrics_create(&pose, body) == PELT_OK);
    pelt_surface surface = {0};
    pelt_palette palette = {0};
    pelt_body_measure(&pose, body,
                      &(pelt_metric_input){.surfaces = &surface, .palettes = &palette});
    ENSURE(pose.regions[0].metrics[PELT_METRIC_EDGE].max_vertex == PELT_NONE);
    ENSURE(pose.regions[0].metrics[PELT_METRIC_EDGE].mean == 0.0);
    pelt_pose_metrics_destroy(&pose);
    pelt_body_destroy(body);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Rest

// A node above the skeleton that scales, rotates, moves or mirrors all of it is no deformation. Of
// matrices in float remain 1e-6 of lengths of 2 m, relative to edges of 20 mm.
static int the_stored_pose_places_the_rest(void)
{
    static const float scales[] = {0.01f, 100.0f, -1.0f};
    for (int i = 0; i < 3; ++i)
    {
        body_fixture plain, f = {0};
        ENSURE(body_fixture_open(&plain, "rig:bar?vertices=1000"));
        pelt_scene scene = plain.scene;
        pelt_node nodes[2] = {plain.scene.nodes[0], plain.scene.nodes[1]};
        ENSURE(scene.node_count == 2);
        nodes[0].rest.scale = pelt_vec3_make(scales[i], scales[i], scales[i]);
        nodes[0].rest.rotation = pelt_quat_axis_angle(pelt_vec3_make(1, 2, 3), 1.0f);
        nodes[0].rest.translation = pelt_vec3_make(0.3f, 0.2f, 0.1f);
        scene.nodes = nodes;
        ENSURE(body_fixture_wrap(&f, &scene));
        double size = fabs((double)scales[i]);
        ENSURE_NEAR(f.info->size / plain.info->size / size, 1.0, 0.6); // a box of other axes
        ENSURE_NEAR(f.info->enclosed_volume / plain.info->enclosed_volume,
                    pow((double)scales[i], 3.0), 1e-4 * size * size * size);
        pelt_frame_update(&f.frame, &f.scene, &f.pose, &(pelt_deform_options){0});
        body_fixture_measure(&f);
        for (pelt_metric m = 0; m < PELT_METRIC_COUNT; ++m)
        {
            const pelt_metric_summary* s = body_fixture_whole(&f, m);
            bool is_length = strcmp(pelt_metric_describe(m)->unit, "m") == 0;
            double tolerance = is_length ? 1e-5 * f.info->size : 1e-3;
            ENSURE_NEAR(s->max, 0.0, tolerance);
            ENSURE_NEAR(s->min, 0.0, tolerance);
        }
        body_fixture_close(&f);
        body_fixture_close(&plain);
    }
    return 0;
}

// A stretch of the stored pose is no unit of length: it is measured.
static int a_stretched_stored_pose_is_a_deformation(void)
{
    body_fixture plain, f = {0};
    ENSURE(body_fixture_open(&plain, "rig:bar?vertices=1000"));
    pelt_scene scene = plain.scene;
    pelt_node nodes[2] = {plain.scene.nodes[0], plain.scene.nodes[1]};
    nodes[0].rest.scale = pelt_vec3_make(1.25f, 1.0f, 1.0f);
    scene.nodes = nodes;
    ENSURE(body_fixture_wrap(&f, &scene));
    ENSURE_NEAR(f.info->enclosed_volume, plain.info->enclosed_volume, 1e-6);
    pelt_frame_update(&f.frame, &f.scene, &f.pose, &(pelt_deform_options){0});
    body_fixture_measure(&f);
    ENSURE_NEAR(f.metrics.enclosed_volume / f.info->enclosed_volume, 1.25, 1e-5);
    ENSURE_NEAR(body_fixture_whole(&f, PELT_METRIC_EDGE)->max, 0.25, 1e-4);
    body_fixture_close(&f);
    body_fixture_close(&plain);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Limits

static int too_many_joints_are_refused_in_a_sentence(void)
{
    uint32_t* joints = calloc(40000, sizeof *joints);
    pelt_mat34* binds = calloc(40000, sizeof *binds);
    const pelt_skin skins[2] = {{.joint_count = 40000, .joints = joints, .inverse_binds = binds},
                                {.joint_count = 40000, .joints = joints, .inverse_binds = binds}};
    const pelt_node node = {.parent = PELT_NONE, .rest = pelt_transform_identity()};
    const pelt_scene scene = {.node_count = 1, .nodes = &node, .skin_count = 2, .skins = skins};
    pelt_body* body;
    pelt_error error = {{0}};
    ENSURE(pelt_body_create(&body, &scene, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(body == NULL && strstr(error.message, "80000 joints") != NULL);
    free(joints);
    free(binds);
    return 0;
}

// Once a body is there, measuring asks for nothing.
static int measuring_allocates_nothing(void)
{
    body_fixture f;
    ENSURE(body_fixture_open(&f, "rig:cuboid?vertices=672"));
    ENSURE(body_fixture_pose(&f, "pose", 1.0f, &(pelt_deform_options){0}));
    counting_heap heap = {.kind = HEAP_FAIL_ONCE, .fail_at = UINT32_MAX};
    pelt_hooks before = pelt_hooks_get();
    pelt_hooks_set(&(pelt_hooks){
        .allocate = failing_heap_allocate, .release = failing_heap_release, .memory_user = &heap});
    body_fixture_measure(&f);
    pelt_hooks_set(&before);
    ENSURE(atomic_load(&heap.asked) == 0);
    body_fixture_close(&f);
    return 0;
}

// The second handle measures another pose while the first one keeps its results.
static int shared_bodies_measure_the_same_bits(void)
{
    body_fixture f;
    pelt_body* shared;
    ENSURE(body_fixture_open(&f, "rig:human?vertices=2000"));
    ENSURE(body_fixture_pose(&f, "squat", 0.5f, &(pelt_deform_options){0}));
    pelt_pose_metrics a, b;
    ENSURE(pelt_body_share(&shared, f.body) == PELT_OK);
    ENSURE(pelt_pose_metrics_create(&a, f.body) == PELT_OK);
    ENSURE(pelt_pose_metrics_create(&b, shared) == PELT_OK);
    pelt_metric_input input = {.surfaces = f.frame.surfaces, .palettes = f.frame.palettes};
    pelt_body_measure(&a, f.body, &input);
    pelt_body_measure(&b, shared, &input);
    ENSURE(a.intersection_count > 0 && a.intersection_count == b.intersection_count);
    ENSURE(memcmp(a.regions, b.regions, a.region_count * sizeof *a.regions) == 0);
    ENSURE(memcmp(a.section_radii, b.section_radii, a.section_count * sizeof(double)) == 0);
    pelt_pose_metrics_destroy(&a);
    pelt_pose_metrics_destroy(&b);
    pelt_body_destroy(shared);
    body_fixture_close(&f);
    return 0;
}

// Of 100 instances with one skin one is enough. With skins of their own, or with morph targets, as
// many stay as the limit allows; a mesh is never lost.
static int copies_of_an_instance_are_skipped(void)
{
    body_fixture f;
    pelt_instance instances[100];
    pelt_skin skins[100];
    ENSURE(body_fixture_open(&f, "rig:bar?vertices=1000"));
    pelt_mesh meshes[2] = {f.scene.meshes[0], f.scene.meshes[0]};
    for (uint32_t i = 0; i < 100; ++i)
    {
        skins[i] = f.scene.skins[0];
        instances[i] = f.scene.instances[0];
        instances[i].mesh = i == 99;
    }
    pelt_scene all = f.scene;
    all.meshes = meshes;
    all.mesh_count = 2;
    all.skins = skins;
    all.skin_count = 100;
    all.instances = instances;
    all.instance_count = 100;
    pelt_scene scene = all;
    uint64_t vertex_count = meshes[0].vertex_count;
    ENSURE(pelt_scene_skip_copies(&scene, UINT64_MAX, f.arena) == PELT_OK);
    ENSURE(scene.instance_count == 2 && scene.instances[1].mesh == 1);
    ENSURE(pelt_scene_validate(&scene, NULL) == PELT_OK);
    for (uint32_t i = 0; i < 100; ++i)
    {
        instances[i].skin = i;
    }
    scene = all;
    ENSURE(pelt_scene_skip_copies(&scene, UINT64_MAX, f.arena) == PELT_OK);
    ENSURE(scene.instance_count == 100);
    ENSURE(pelt_scene_skip_copies(&scene, 10 * vertex_count, f.arena) == PELT_OK);
    ENSURE(scene.instance_count == 11 && scene.instances[10].mesh == 1);
    body_fixture_close(&f);
    return 0;
}

// A surface has two triangles for each vertex. This mesh lists each triangle ten times: four for
// each vertex are measured, spread over the whole surface.
static int meshes_with_too_many_triangles_are_sampled(void)
{
    body_fixture f;
    ENSURE(body_fixture_open(&f, "rig:bar?vertices=300"));
    pelt_mesh mesh = f.scene.meshes[0];
    uint32_t* indices = pelt_arena_alloc(f.arena, 10 * (size_t)mesh.index_count, sizeof *indices);
    ENSURE(indices != NULL);
    for (uint32_t i = 0; i < 10 * mesh.index_count; ++i)
    {
        // One triangle ten times, then the next.
        indices[i] = mesh.indices[3 * (i / 30) + i % 3];
    }
    pelt_scene scene = f.scene;
    scene.meshes = &mesh;
    scene.mesh_count = 1;
    uint32_t most = 4 * mesh.vertex_count, triangle_count = mesh.index_count / 3;
    mesh.indices = indices;
    mesh.index_count *= 10;
    pelt_body* body;
    ENSURE(pelt_body_create(&body, &scene, NULL) == PELT_OK);
    const pelt_body_info* info = pelt_body_get_info(body);
    ENSURE(f.info->triangle_count == triangle_count && f.info->triangle_total == triangle_count);
    ENSURE(10 * triangle_count > most && info->triangle_count == most);
    ENSURE(info->triangle_total == 10 * triangle_count);
    double copies = (double)most / triangle_count;
    ENSURE_NEAR(info->regions[0].area / f.info->regions[0].area, copies, 0.01 * copies);
    pelt_body_destroy(body);
    body_fixture_close(&f);
    return 0;
}

// Tracks of morph targets name instances, and go on to name the same ones.
static int tracks_follow_the_instances_that_stay(void)
{
    body_fixture f;
    ENSURE(body_fixture_open(&f, "rig:bar?vertices=100"));
    pelt_vec3* moved = pelt_arena_alloc(f.arena, f.scene.meshes[0].vertex_count, sizeof *moved);
    pelt_morph morph = {.positions = moved};
    pelt_mesh meshes[2] = {f.scene.meshes[0], f.scene.meshes[0]};
    meshes[1].morph_count = 1;
    meshes[1].morphs = &morph;
    pelt_instance one = f.scene.instances[0];
    pelt_instance instances[4] = {one, one, one, one};
    const float times[1] = {0.0f}, value[1] = {0.5f};
    pelt_track tracks[2] = {{.target = 2,
                             .path = PELT_PATH_MORPH,
                             .key_count = 1,
                             .width = 1,
                             .times = times,
                             .values = value}};
    tracks[1] = tracks[0];
    tracks[1].target = 3;
    pelt_clip clip = {.name = "morph", .track_count = 2, .tracks = tracks};
    instances[2].mesh = instances[3].mesh = 1;
    instances[3].first_morph_weight = 1;
    pelt_scene scene = f.scene;
    scene.meshes = meshes;
    scene.mesh_count = 2;
    scene.instances = instances;
    scene.instance_count = 4;
    scene.morph_weight_count = 2;
    scene.clips = &clip;
    scene.clip_count = 1;
    ENSURE(pelt_scene_validate(&scene, NULL) == PELT_OK);
    ENSURE(pelt_scene_skip_copies(&scene, 1, f.arena) == PELT_OK);
    ENSURE(scene.instance_count == 2 && scene.instances[1].mesh == 1);
    ENSURE(scene.morph_weight_count == 1 && scene.instances[1].first_morph_weight == 0);
    ENSURE(scene.clips[0].track_count == 1 && scene.clips[0].tracks[0].target == 1);
    ENSURE(pelt_scene_validate(&scene, NULL) == PELT_OK);
    body_fixture_close(&f);
    return 0;
}

void test_body(void)
{
    RUN(both_sides_of_a_bend_belong_to_its_joint);
    RUN(weights_of_joints_below_count);
    RUN(sections_have_the_radius_of_their_outline);
    RUN(seams_and_creases_are_no_borders);
    RUN(parts_of_one_skin_are_one_body);
    RUN(empty_scenes_have_empty_bodies);
    RUN(the_stored_pose_places_the_rest);
    RUN(a_stretched_stored_pose_is_a_deformation);
    RUN(too_many_joints_are_refused_in_a_sentence);
    RUN(measuring_allocates_nothing);
    RUN(shared_bodies_measure_the_same_bits);
    RUN(copies_of_an_instance_are_skipped);
    RUN(meshes_with_too_many_triangles_are_sampled);
    RUN(tracks_follow_the_instances_that_stay);
}
