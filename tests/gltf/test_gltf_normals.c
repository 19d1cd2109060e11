// SPDX-License-Identifier: MIT
// Normal factors in files: what is written is read to the bit.
#define _POSIX_C_SOURCE 200809L
#include "factor_fixture.h"
#include "model_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const uint32_t limits[] = {2, 3, 4, 8};

enum
{
    LIMIT_COUNT = sizeof limits / sizeof limits[0],
};

static int check_factors(const pelt_normal_factors* a, const pelt_normal_factors* b)
{
    ENSURE((a == NULL) == (b == NULL));
    if (a == NULL)
    {
        return 0;
    }
    size_t count = a->vertex_count;
    ENSURE(a->vertex_count == b->vertex_count && a->joint_count == b->joint_count);
    ENSURE(a->factor_count == b->factor_count && a->max_factors == b->max_factors);
    ENSURE(a->bits == b->bits);
    ENSURE(a->slot_count == b->slot_count || a->slot_count == 0 || b->slot_count == 0);
    ENSURE(test_is_same(a->first, b->first, count + 1, sizeof *a->first));
    ENSURE(test_is_same(a->factors, b->factors, a->factor_count, sizeof *a->factors));
    ENSURE(test_is_same(a->tangents, b->tangents, count, sizeof *a->tangents));
    ENSURE(test_is_same(a->plane_normals, b->plane_normals, count, sizeof *a->plane_normals));
    ENSURE(test_is_same(a->centers, b->centers, count, sizeof *a->centers));
    ENSURE(test_is_same(a->center_derivatives, b->center_derivatives, 2 * count,
                        sizeof *a->center_derivatives));
    return 0;
}

static int check_scene(const pelt_scene* a, const pelt_scene* b)
{
    ENSURE(a->mesh_count == b->mesh_count);
    for (uint32_t i = 0; i < a->mesh_count; ++i)
    {
        ENSURE(check_factors(a->meshes[i].normal_factors, b->meshes[i].normal_factors) == 0);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Into a file

static int check_additions(const factor_fixture* c, const char* source, uint32_t slots)
{
    pelt_addition* additions;
    pelt_scene* again = NULL;
    uint32_t count = factor_fixture_additions(&additions, c, slots);
    ENSURE(count > 0);
    ENSURE(pelt_save_additions(factor_fixture_path, source, additions, count, NULL) == PELT_OK);
    ENSURE(pelt_load(&again, factor_fixture_path, NULL, NULL) == PELT_OK);
    ENSURE(check_scene(&c->enhanced, again) == 0);
    pelt_scene_destroy(again);
    return 0;
}

static int check_whole(const factor_fixture* c)
{
    static const pelt_format formats[] = {PELT_FORMAT_GLB, PELT_FORMAT_GLTF};
    for (size_t i = 0; i < 2; ++i)
    {
        pelt_scene* again = NULL;
        ENSURE(pelt_save_scene(factor_fixture_path, formats[i], &c->enhanced, NULL) == PELT_OK);
        ENSURE(pelt_load(&again, factor_fixture_path, NULL, NULL) == PELT_OK);
        ENSURE(check_scene(&c->enhanced, again) == 0);
        pelt_scene_destroy(again);
    }
    return 0;
}

static int factors_of_rigs_come_back_to_the_bit(void)
{
    static const char* const rigs[] = {"rig:bar?vertices=500",
                                       "rig:arm?vertices=500",
                                       "rig:human?vertices=2000",
                                       "rig:raptor?vertices=2000",
                                       "rig:cloth",
                                       "rig:box"};
    // Each rig with some of the limits, each limit with and without centers; or all.
    const uint32_t step = test_is_full_sweep() ? 1 : 3;
    for (size_t i = 0; i < sizeof rigs / sizeof rigs[0]; ++i)
    {
        for (uint32_t k = (uint32_t)i % step; k < 2 * LIMIT_COUNT; k += step)
        {
            factor_fixture c;
            uint32_t limit = limits[k / 2];
            ENSURE(factor_fixture_build_rig(&c, rigs[i], limit, k % 2 == 1));
            ENSURE(pelt_save_scene(factor_fixture_plain, PELT_FORMAT_GLB, c.scene, NULL) ==
                   PELT_OK);
            ENSURE(check_additions(&c, factor_fixture_plain, limit) == 0);
            ENSURE(check_whole(&c) == 0);
            factor_fixture_free(&c);
        }
    }
    return 0;
}

static long size_of_file(void)
{
    FILE* file = fopen(factor_fixture_path, "rb");
    long size = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    if (file != NULL)
    {
        fclose(file);
    }
    return size;
}

// docs/files.md has the bytes of a vertex: 140 with four slots, 80 with 16 bits, 52 with 8.
static int factors_in_integers_come_back_to_the_bit(void)
{
    static const char* const rigs[] = {"rig:bar?vertices=500", "rig:human?vertices=2000",
                                       "rig:raptor?vertices=2000"};
    static const long bytes[] = {140, 80, 52};
    for (uint32_t i = 0; i < 3 * LIMIT_COUNT * 2; ++i)
    {
        uint32_t limit = limits[i / 2 % LIMIT_COUNT];
        bool is_bar = i < 2 * LIMIT_COUNT;
        if (!is_bar && limit != 4) // the others take long to make
        {
            continue;
        }
        long sizes[3];
        for (uint32_t k = 0; k < 3; ++k)
        {
            factor_fixture c;
            ENSURE(factor_fixture_build_rig(&c, rigs[i / 2 / LIMIT_COUNT], limit, i % 2 == 1));
            ENSURE(k == 0 || factor_fixture_quantize(&c, k == 1 ? 16 : 8));
            ENSURE(pelt_save_scene(factor_fixture_plain, PELT_FORMAT_GLB, c.scene, NULL) ==
                   PELT_OK);
            ENSURE(check_whole(&c) == 0);
            ENSURE(check_additions(&c, factor_fixture_plain, limit) == 0);
            sizes[k] = size_of_file();
            // Names, views and accessors take some hundred bytes more or less. Arrays of the bar
            // that are equal are written once.
            long saved = (long)c.meshes[0].vertex_count * (bytes[0] - bytes[k]);
            ENSURE(is_bar || labs(sizes[0] - sizes[k] - saved) < 1000);
            factor_fixture_free(&c);
        }
        ENSURE(sizes[1] < sizes[0] && sizes[2] <= sizes[1]);
    }
    return 0;
}

static int factors_without_a_limit_take_as_many_groups_as_they_need(void)
{
    factor_fixture c;
    ENSURE(factor_fixture_build_rig(&c, "rig:human?vertices=2000", 0, true));
    ENSURE(c.factors[0].max_factors > 4);
    ENSURE(check_whole(&c) == 0);
    factor_fixture_free(&c);
    return 0;
}

static int factors_of_every_character_come_back_to_the_bit(void)
{
    glob_t found;
    ENSURE(model_files_find(&found, "glb gltf"));
    uint32_t tried = 0;
    int failures = 0;
    for (size_t i = 0; i < found.gl_pathc; ++i)
    {
        pelt_scene* scene = NULL;
        factor_fixture c;
        if (!test_takes_model(found.gl_pathv[i]) ||
            pelt_load(&scene, found.gl_pathv[i], NULL, NULL) != PELT_OK)
        {
            continue;
        }
        uint32_t limit = limits[i % LIMIT_COUNT];
        if (factor_fixture_build(&c, scene, limit, i % 3 > 0) > 0 &&
            (i % 2 == 0 || factor_fixture_quantize(&c, i % 4 == 1 ? 8 : 16)))
        {
            int failed = check_additions(&c, found.gl_pathv[i], limit) || check_whole(&c);
            failures += failed;
            if (failed)
            {
                printf("  in %s\n", found.gl_pathv[i]);
            }
            ++tried;
        }
        factor_fixture_free(&c);
    }
    globfree(&found);
    ENSURE(tried >= 10);
    return failures;
}

// ---------------------------------------------------------------------------------------------
// In use

static bool is_same_surface(const pelt_surface* a, const pelt_surface* b, size_t count)
{
    return test_is_same(a->positions, b->positions, count, sizeof *a->positions) &&
           test_is_same(a->normals, b->normals, count, sizeof *a->normals) &&
           test_is_same(a->tangents, b->tangents, count, sizeof *a->tangents);
}

// The frame of the file starts with the file's factors; the other is lent those that were built.
static int check_frames(pelt_frame* own, pelt_frame* lent, const pelt_scene* file,
                        const factor_fixture* c)
{
    // The file may have nodes that the scene has not: each has a pose of its own.
    const float time = 0.4f * file->clips[0].duration;
    pelt_pose pose, same;
    ENSURE(pelt_pose_create(&pose, file) == PELT_OK);
    ENSURE(pelt_pose_create(&same, c->scene) == PELT_OK);
    pelt_pose_sample(&pose, file, &file->clips[0], time, PELT_WRAP_CLAMP);
    pelt_pose_sample(&same, c->scene, &c->scene->clips[0], time, PELT_WRAP_CLAMP);
    for (uint32_t i = 0; i < c->enhanced.mesh_count; ++i)
    {
        ENSURE(own->normal_factors[i] == file->meshes[i].normal_factors);
        ENSURE(lent->normal_factors[i] == NULL);
        lent->normal_factors[i] = c->meshes[i].normal_factors;
        lent->cors[i] = c->meshes[i].cors;
    }
    for (int rule = PELT_NORMAL_ACCURATE; rule < PELT_NORMAL_RULE_COUNT; ++rule)
    {
        for (int method = PELT_METHOD_LBS; method <= PELT_METHOD_CRS; ++method)
        {
            pelt_deform_options how = {
                .method = (pelt_method)method, .mix = 0.5f, .normal_rule = (pelt_normal_rule)rule};
            pelt_frame_update(own, file, &pose, &how);
            pelt_frame_update(lent, c->scene, &same, &how);
            ENSURE(is_same_surface(&own->surfaces[0], &lent->surfaces[0],
                                   file->meshes[0].vertex_count));
        }
    }
    pelt_pose_destroy(&same);
    pelt_pose_destroy(&pose);
    return 0;
}

static int files_deform_as_factors_of_the_same_limit(void)
{
    for (uint32_t k = 0; k < LIMIT_COUNT; ++k)
    {
        factor_fixture c;
        pelt_scene* file = NULL;
        pelt_frame own, lent;
        ENSURE(factor_fixture_build_rig(&c, "rig:human?vertices=2000", limits[k], true));
        ENSURE(pelt_save_scene(factor_fixture_path, PELT_FORMAT_GLB, &c.enhanced, NULL) == PELT_OK);
        ENSURE(pelt_load(&file, factor_fixture_path, NULL, NULL) == PELT_OK);
        ENSURE(pelt_frame_create(&own, file) == PELT_OK);
        ENSURE(pelt_frame_create(&lent, c.scene) == PELT_OK);
        ENSURE(check_frames(&own, &lent, file, &c) == 0);
        pelt_frame_destroy(&own);
        pelt_frame_destroy(&lent);
        pelt_scene_destroy(file);
        factor_fixture_free(&c);
    }
    return 0;
}

static int twist_joints_keep_factors_only_where_weights_stay(void)
{
    factor_fixture c;
    pelt_scene* twisted = NULL;
    pelt_twist_report report;
    ENSURE(factor_fixture_build_rig(&c, "rig:human?vertices=2000", 4, true));
    pelt_twist_options none = {0};
    ENSURE(pelt_twist_add(&twisted, &c.enhanced, &none, &report, NULL) == PELT_OK);
    ENSURE(report.factors_count == 0);
    const pelt_normal_factors *copy = twisted->meshes[0].normal_factors, *source = &c.factors[0];
    ENSURE(copy != source && check_factors(copy, source) == 0);
    ENSURE(copy->first != source->first && copy->factors != source->factors);
    ENSURE(copy->tangents != source->tangents && copy->plane_normals != source->plane_normals);
    ENSURE(copy->centers != source->centers &&
           copy->center_derivatives != source->center_derivatives);
    pelt_scene_destroy(twisted);

    pelt_twist request = {.node = pelt_scene_find_node(c.scene, "forearm_l")};
    pelt_twist_options one = {.twist_count = 1, .twists = &request};
    ENSURE(pelt_twist_add(&twisted, &c.enhanced, &one, &report, NULL) == PELT_OK);
    ENSURE(report.factors_count == 1 && twisted->meshes[0].normal_factors == NULL);
    pelt_scene_destroy(twisted);
    factor_fixture_free(&c);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// The recipe of docs/files.md for linear blending, on nothing but arrays of the file

static const pelt_addition* find(const pelt_addition* additions, uint32_t count, const char* name)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        if (strcmp(additions[i].name + strlen("_PELT_NORMAL_"), name) == 0)
        {
            return &additions[i];
        }
    }
    return NULL;
}

static pelt_vec3 sum_of(float a, pelt_vec3 u, float b, pelt_vec3 v)
{
    return pelt_vec3_mad(pelt_vec3_scale(u, a), b, v);
}

typedef struct recipe
{
    const uint16_t* joints;
    const float *weights, *gradients[2], *moments[2][2], *tangents, *plane_normals;
    const pelt_mat34* matrices;
} recipe;

static recipe recipe_of(const pelt_addition* all, uint32_t count, const pelt_mat34* matrices)
{
    return (recipe){
        .joints = find(all, count, "JOINTS_0")->integers,
        .weights = find(all, count, "WEIGHTS_0")->values,
        .gradients = {find(all, count, "ALPHA_0")->values, find(all, count, "BETA_0")->values},
        .moments = {{find(all, count, "MOMENT_UU_0")->values,
                     find(all, count, "MOMENT_UV_0")->values},
                    {find(all, count, "MOMENT_VU_0")->values,
                     find(all, count, "MOMENT_VV_0")->values}},
        .tangents = find(all, count, "TANGENT")->values,
        .plane_normals = find(all, count, "PLANE_NORMAL")->values,
        .matrices = matrices};
}

static pelt_vec3 recipe_normal(const recipe* r, uint32_t vertex, pelt_vec3 p, pelt_vec3 n,
                               pelt_vec3 q)
{
    const float* t3 = r->tangents + 3 * (size_t)vertex;
    float a = r->plane_normals[2 * (size_t)vertex], b = r->plane_normals[2 * (size_t)vertex + 1];
    pelt_vec3 t = pelt_vec3_make(t3[0], t3[1], t3[2]), s = pelt_vec3_cross(n, t);
    pelt_vec3 total = pelt_vec3_add(sum_of(a, t, b, s), n);
    float k = 2.0f / (1.0f + a * a + b * b);
    pelt_vec3 u = pelt_vec3_mad(t, -a * k, total), v = pelt_vec3_mad(s, -b * k, total);
    pelt_vec3 w = pelt_vec3_sub(pelt_vec3_scale(total, k), n), derivatives[2] = {0};
    for (size_t i = 4 * (size_t)vertex; i < 4 * (size_t)vertex + 4; ++i)
    {
        const pelt_mat34* matrix = &r->matrices[r->joints[i]];
        pelt_mat3 linear = pelt_mat34_linear(matrix);
        pelt_vec3 away = pelt_vec3_sub(pelt_mat34_point(matrix, p), q);
        for (int axis = 0; axis < 2; ++axis)
        {
            pelt_vec3 moment = sum_of(r->moments[axis][0][i], u, r->moments[axis][1][i], v);
            derivatives[axis] = pelt_vec3_add(derivatives[axis], pelt_mat3_vector(&linear, moment));
            derivatives[axis] = pelt_vec3_mad(derivatives[axis], r->gradients[axis][i], away);
        }
    }
    pelt_vec3 c = pelt_vec3_cross(derivatives[0], derivatives[1]);
    pelt_vec3 side = pelt_vec3_scale(c, 1.0f / sqrtf(pelt_vec3_length(c)));
    pelt_vec3 sum = sum_of(pelt_vec3_dot(n, u), pelt_vec3_cross(derivatives[1], side),
                           pelt_vec3_dot(n, v), pelt_vec3_cross(side, derivatives[0]));
    return pelt_vec3_normalize(pelt_vec3_mad(sum, pelt_vec3_dot(n, w), c));
}

static int the_documented_shader_gives_the_same_normals(void)
{
    factor_fixture c;
    pelt_addition* additions;
    pelt_pose pose;
    pelt_frame frame;
    ENSURE(factor_fixture_build_rig(&c, "rig:human?vertices=2000", 4, true));
    uint32_t count = factor_fixture_additions(&additions, &c, 4), compared = 0;
    const pelt_mesh* mesh = &c.meshes[0];
    ENSURE(pelt_pose_create(&pose, c.scene) == PELT_OK);
    ENSURE(pelt_frame_create(&frame, &c.enhanced) == PELT_OK);
    pelt_pose_sample(&pose, c.scene, &c.scene->clips[0], 0.3f, PELT_WRAP_CLAMP);
    pelt_deform_options how = {.normal_rule = PELT_NORMAL_ACCURATE};
    pelt_frame_update(&frame, &c.enhanced, &pose, &how);
    recipe r = recipe_of(additions, count, frame.palettes[0].matrices);
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        // No weight in the first lane: the usual way.
        if (r.weights[4 * (size_t)v] != 0.0f)
        {
            pelt_vec3 q = frame.surfaces[0].positions[v];
            pelt_vec3 normal = recipe_normal(&r, v, mesh->positions[v], mesh->normals[v], q);
            // Rounding of floats; at folds C is a small difference.
            ENSURE_POINT(normal, frame.surfaces[0].normals[v], 2e-4f);
            ++compared;
        }
    }
    ENSURE(compared > mesh->vertex_count / 4);
    pelt_frame_destroy(&frame);
    pelt_pose_destroy(&pose);
    factor_fixture_free(&c);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Attributes that are taken away

static bool has_text(const char* text)
{
    FILE* file = fopen(factor_fixture_path, "rb");
    char* content = calloc(1, 1 << 22);
    size_t size = file != NULL ? fread(content, 1, (1 << 22) - 1, file) : 0;
    bool is_there = false;
    for (size_t i = 0; i < size && !is_there; ++i)
    {
        is_there = strncmp(content + i, text, strlen(text)) == 0;
    }
    free(content);
    if (file != NULL)
    {
        fclose(file);
    }
    return is_there;
}

static int fewer_slots_leave_none_of_the_old_ones(void)
{
    static const uint32_t chain[] = {8, 4, 2, 3, 4};
    factor_fixture all[5];
    for (size_t i = 0; i < 5; ++i)
    {
        ENSURE(factor_fixture_build_rig(&all[i], "rig:arm?vertices=500", chain[i], i % 2 == 0));
        ENSURE(i > 0 || pelt_save_scene(factor_fixture_path, PELT_FORMAT_GLB, all[i].scene, NULL) ==
                            PELT_OK);
        ENSURE(check_additions(&all[i], factor_fixture_path, chain[i]) == 0);
        ENSURE(has_text("_PELT_NORMAL_ALPHA_1") == (chain[i] == 8));
        ENSURE(has_text("_PELT_NORMAL_CENTER") == (i % 2 == 0));
        factor_fixture_free(&all[i]);
    }
    return 0;
}

static int taking_away_leaves_the_rest(void)
{
    factor_fixture c;
    pelt_addition* additions;
    ENSURE(factor_fixture_build_rig(&c, "rig:arm?vertices=500", 4, true));
    ENSURE(pelt_save_scene(factor_fixture_plain, PELT_FORMAT_GLB, c.scene, NULL) == PELT_OK);
    uint32_t count = factor_fixture_additions(&additions, &c, 4);
    additions[0].extras = "{\"a\": 1, \"b\": {\"c\": 2}}";
    ENSURE(pelt_save_additions(factor_fixture_path, factor_fixture_plain, additions, count, NULL) ==
           PELT_OK);
    ENSURE(has_text("\"extras\":{\"a\":1,\"b\":{\"c\":2}}"));

    pelt_addition one = {.name = "_PELT_NORMAL_PLANE_NORMAL",
                         .extras = "{\"b\": null, \"d\": null}"};
    ENSURE(pelt_save_additions(factor_fixture_path, factor_fixture_path, &one, 1, NULL) == PELT_OK);
    ENSURE(!has_text("_PELT_NORMAL_PLANE_NORMAL") && has_text("_PELT_NORMAL_TANGENT"));
    ENSURE(has_text("\"extras\":{\"a\":1}"));

    pelt_addition all = {.name = "_PELT_NORMAL_*", .extras = "{\"a\": null}"};
    ENSURE(pelt_save_additions(factor_fixture_path, factor_fixture_path, &all, 1, NULL) == PELT_OK);
    ENSURE(!has_text("_PELT_NORMAL_") && !has_text("\"extras\":{\"a\""));
    pelt_scene* again = NULL;
    ENSURE(pelt_load(&again, factor_fixture_path, NULL, NULL) == PELT_OK);
    ENSURE(again->meshes[0].normal_factors == NULL && again->repair_count == 0);
    ENSURE(again->meshes[0].weights.influence_count == c.meshes[0].weights.influence_count);
    pelt_scene_destroy(again);
    factor_fixture_free(&c);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Memory

void test_gltf_normals(void)
{
    RUN(factor_fixture_folder_is_made);
    RUN(factors_of_rigs_come_back_to_the_bit);
    RUN(factors_in_integers_come_back_to_the_bit);
    RUN(factors_without_a_limit_take_as_many_groups_as_they_need);
    RUN(files_deform_as_factors_of_the_same_limit);
    RUN(the_documented_shader_gives_the_same_normals);
    RUN(twist_joints_keep_factors_only_where_weights_stay);
    RUN(fewer_slots_leave_none_of_the_old_ones);
    RUN(taking_away_leaves_the_rest);
    RUN_ON_MODELS(factors_of_every_character_come_back_to_the_bit);
    factor_fixture_close();
}
