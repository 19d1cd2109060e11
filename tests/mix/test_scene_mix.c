// SPDX-License-Identifier: MIT
// Mix factors from motion: the energy is that of the metrics, and no common factor has less.
#include "metrics/body.h"
#include "mix_check.h"
#include "rigs.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

typedef struct fixture
{
    pelt_scene* owned;
    pelt_scene scene;
    pelt_arena* arena;
    pelt_scene_mix_report report;
} fixture;

static bool open_rig(fixture* out, const char* rig)
{
    *out = (fixture){.arena = pelt_arena_create()};
    bool is_ok = pelt_rig_build(&out->owned, rig, NULL) == PELT_OK;
    out->scene = is_ok ? *out->owned : out->scene;
    return is_ok;
}

static bool solve(fixture* f, const pelt_mix_options* options)
{
    f->scene = *f->owned;
    return pelt_scene_add_mix_factors(&f->scene, options, &f->report, f->arena, NULL) == PELT_OK;
}

static void close_rig(fixture* f)
{
    pelt_arena_destroy(f->arena);
    pelt_scene_destroy(f->owned);
}

// One clip of a rig alone.
static bool open_clip(fixture* out, const char* rig, const char* clip)
{
    bool is_ok = open_rig(out, rig);
    if (is_ok)
    {
        out->owned->clips += pelt_scene_find_clip(out->owned, clip);
        out->owned->clip_count = 1;
        out->scene = *out->owned;
    }
    return is_ok;
}

// ---------------------------------------------------------------------------------------------

// The mean of volume^2 + bulge^2 + (r rigidity)^2 / 10 over area and the frames of all clips.
static double energy_by_metrics(const pelt_scene* scene, const pelt_deform_options* options)
{
    pelt_body* body;
    pelt_pose pose;
    pelt_frame frame;
    pelt_pose_metrics metrics;
    bool is_ok = pelt_body_create(&body, scene, NULL) == PELT_OK &&
                 pelt_pose_create(&pose, scene) == PELT_OK &&
                 pelt_frame_create(&frame, scene) == PELT_OK &&
                 pelt_pose_metrics_create(&metrics, body) == PELT_OK;
    if (!is_ok)
    {
        abort();
    }
    const pelt_body_info* info = pelt_body_get_info(body);
    float* values = malloc(3 * info->vertex_count * sizeof *values);
    float *volumes = values, *bulges = values + info->vertex_count;
    float* strains = bulges + info->vertex_count;
    double sum = 0.0, area = 0.0;
    uint32_t frame_count = 0;
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        uint32_t count = (uint32_t)ceilf(30.0f * scene->clips[i].duration) + 1;
        frame_count += count;
        for (uint32_t k = 0; k < count; ++k)
        {
            float time = scene->clips[i].duration * ((float)k / (float)(count - 1));
            pelt_pose_sample(&pose, scene, &scene->clips[i], time, PELT_WRAP_CLAMP);
            pelt_frame_update(&frame, scene, &pose, options);
            pelt_metric_input input = {.surfaces = frame.surfaces,
                                       .palettes = frame.palettes,
                                       .values = {[PELT_METRIC_VOLUME] = volumes,
                                                  [PELT_METRIC_BULGE] = bulges,
                                                  [PELT_METRIC_RIGIDITY] = strains}};
            pelt_body_measure(&metrics, body, &input);
            for (uint32_t v = 0; v < info->vertex_count; ++v)
            {
                double reach = body->bone_distances[body->vertex_groups[v]];
                double volume = volumes[v], bulge = bulges[v], strain = reach * strains[v];
                area += info->vertex_areas[v];
                sum += info->vertex_areas[v] *
                       (volume * volume + bulge * bulge + 0.1 * strain * strain);
            }
        }
    }
    free(values);
    pelt_pose_metrics_destroy(&metrics);
    pelt_frame_destroy(&frame);
    pelt_pose_destroy(&pose);
    pelt_body_destroy(body);
    return frame_count > 0 ? sum / area : 0.0;
}

static double energy_of_factor(const pelt_scene* scene, float factor)
{
    pelt_deform_options options = {.method = PELT_METHOD_MIX, .mix = factor};
    return energy_by_metrics(scene, &options);
}

// The least energy of all common factors.
static double least_energy(const pelt_scene* scene)
{
    double least = INFINITY;
    for (int i = 0; i <= 10; i += test_is_full_sweep() ? 1 : 2)
    {
        least = fmin(least, energy_of_factor(scene, 0.1f * (float)i));
    }
    return least;
}

// Metrics are handed out as floats.
static int the_energy_is_that_of_the_metrics(void)
{
    fixture f;
    ENSURE(open_rig(&f, "rig:bar?vertices=100"));
    pelt_mix_options all = {.max_frames = 1000};
    ENSURE(solve(&f, &all) && f.report.mesh_count == 1 && f.report.clip_count == 6);
    ENSURE(f.report.frame_count == f.report.bound_count && f.report.frame_count == 6 * 31);
    double energy = energy_of_factor(&f.scene, 0.0f); // by the map, since the mesh has factors
    ENSURE_NEAR(f.report.energy, energy, 1e-5 * energy);
    energy = energy_of_factor(f.owned, 0.0f);
    ENSURE_NEAR(f.report.lbs_energy, energy, 1e-5 * energy);
    energy = energy_of_factor(f.owned, 1.0f);
    ENSURE_NEAR(f.report.dqs_energy, energy, 1e-5 * energy);
    energy = energy_of_factor(f.owned, f.report.fixed_factor);
    ENSURE_NEAR(f.report.fixed_energy, energy, 1e-5 * energy);
    double least = least_energy(f.owned);
    ENSURE(f.report.fixed_energy < least * (1.0 + 1e-4));
    ENSURE(f.report.energy < 0.98 * least);
    close_rig(&f);
    return 0;
}

// Frames that the descent has not seen: the map is as good there.
static int a_sample_of_frames_serves_all(void)
{
    fixture f;
    ENSURE(open_rig(&f, "rig:arm?vertices=300"));
    pelt_mix_options few = {.max_frames = 12};
    ENSURE(solve(&f, &few) && f.report.frame_count == 12 && f.report.bound_count > 40);
    double least = least_energy(f.owned);
    ENSURE(energy_of_factor(&f.scene, 0.0f) < least);
    close_rig(&f);
    return 0;
}

// Large characters: each vertex is measured in a part of the frames.
static int a_sample_of_vertices_serves_all(void)
{
    fixture f;
    pelt_mix_options options = {.max_frames = 48, .max_bound_frames = 48};
    ENSURE(open_rig(&f, "rig:arm?vertices=11500") && solve(&f, &options));
    pelt_scene_mix_report all = f.report;
    f.scene.clip_count = 1;
    double energy = energy_of_factor(&f.scene, 0.0f);
    options.max_frames = 0;
    ENSURE(solve(&f, &options) && f.report.frame_count == all.frame_count);
    ENSURE(f.report.energy != all.energy);
    // 1 % of lengths, which are roots of energies.
    ENSURE_NEAR(f.report.energy, all.energy, 0.02 * all.energy);
    ENSURE_NEAR(f.report.lbs_energy, all.lbs_energy, 0.02 * all.lbs_energy);
    ENSURE_NEAR(f.report.fixed_energy, all.fixed_energy, 0.02 * all.fixed_energy);
    // Both maps, with all vertices measured in each frame of a clip.
    f.scene.clip_count = 1;
    ENSURE(energy_of_factor(&f.scene, 0.0f) < 1.02 * energy);
    close_rig(&f);
    return 0;
}

static int all_rigs_have_less_energy_than_any_common_factor_and_bulge_no_more_than_dqs(void)
{
    const pelt_rig_info* rigs;
    uint32_t count = pelt_rig_list(&rigs);
    int failed = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        char name[64];
        fixture f;
        bool has_size = strstr(rigs[i].parameters, "vertices=") != NULL;
        snprintf(name, sizeof name, "rig:%s%s", rigs[i].name, has_size ? "?vertices=600" : "");
        if (!open_rig(&f, name))
        {
            // A whole body has more.
            close_rig(&f);
            snprintf(name, sizeof name, "rig:%s?vertices=2000", rigs[i].name);
            ENSURE(open_rig(&f, name));
        }
        printf("  %s:", name);
        uint32_t frames = test_is_full_sweep() ? 0 : 6;
        // Bodies take a second.
        bool is_whole = f.owned->meshes[0].vertex_count < 1000 || test_is_full_sweep();
        f.owned->clip_count = is_whole ? f.owned->clip_count : 1;
        failed |= mix_check_scene(f.owned, frames);
        if (is_whole)
        {
            f.owned->clip_count = 0;
            printf("; range of motion:");
            failed |= mix_check_scene(f.owned, frames);
        }
        printf("\n");
        close_rig(&f);
    }
    return failed;
}

// Dual quaternions keep the radius of a twist, and with it distance and volume: nothing is better
// than 1 where both joints have a say.
static int twists_are_left_to_dqs(void)
{
    fixture f;
    ENSURE(open_clip(&f, "rig:bar?vertices=400", "twist135"));
    pelt_mix_options options = {.rigidity = -1.0f, .smoothness = -1.0f};
    ENSURE(solve(&f, &options));
    const pelt_mesh* mesh = &f.scene.meshes[0];
    uint32_t count = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        const pelt_influence* own = mesh->weights.influences + mesh->weights.first[v];
        bool is_shared = mesh->weights.first[v + 1] - mesh->weights.first[v] == 2;
        if (is_shared && own[0].weight < 0.95f)
        {
            ENSURE(mesh->mix_factors[v] > 0.98f);
            ++count;
        }
    }
    ENSURE(count > 20 && f.report.fixed_factor > 0.99f);
    close_rig(&f);
    return 0;
}

static double sum_of_steps(const pelt_mesh* mesh)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < mesh->index_count; ++i)
    {
        uint32_t a = mesh->indices[i], b = mesh->indices[i - i % 3 + (i + 1) % 3];
        double step = (double)mesh->mix_factors[a] - (double)mesh->mix_factors[b];
        sum += step * step;
    }
    return sum;
}

static int smoothness_smooths(void)
{
    fixture f;
    ENSURE(open_rig(&f, "rig:bar?vertices=300"));
    double last = INFINITY;
    for (float weight = 0.01f; weight < 2e4f; weight *= 100.0f)
    {
        pelt_mix_options options = {.smoothness = weight, .max_frames = 24};
        ENSURE(solve(&f, &options));
        double sum = sum_of_steps(&f.scene.meshes[0]);
        ENSURE(sum < last);
        last = sum;
    }
    ENSURE(last < 1e-4 && fabsf(f.report.mean - f.report.fixed_factor) < 0.05f);
    close_rig(&f);
    return 0;
}

static int vertices_at_one_position_have_one_factor(void)
{
    fixture f;
    ENSURE(open_rig(&f, "rig:bar?vertices=200") && solve(&f, NULL));
    const pelt_mesh* mesh = &f.scene.meshes[0];
    uint32_t pairs = 0;
    for (uint32_t a = 0; a < mesh->vertex_count; ++a)
    {
        for (uint32_t b = 0; b < a; ++b)
        {
            if (memcmp(&mesh->positions[a], &mesh->positions[b], sizeof *mesh->positions) == 0)
            {
                ENSURE(mesh->mix_factors[a] == mesh->mix_factors[b]);
                ++pairs;
            }
        }
    }
    ENSURE(pairs > 5 && mesh->is_mix_computed && !f.owned->meshes[0].is_mix_computed);
    close_rig(&f);
    return 0;
}

// The same mesh twice, once away from its bones: one map is best for both together, not for either.
static int instances_of_a_mesh_share_their_factors(void)
{
    fixture f;
    ENSURE(open_clip(&f, "rig:bar?vertices=200", "bend120"));
    pelt_skin skins[2] = {f.owned->skins[0], f.owned->skins[0]};
    pelt_instance twice[2] = {f.owned->instances[0], f.owned->instances[0]};
    pelt_mat34 binds[2];
    pelt_mat3 unit = pelt_mat3_identity();
    pelt_mat34 shift = pelt_mat34_make(&unit, pelt_vec3_make(0.0f, 0.15f, 0.0f));
    for (int i = 0; i < 2; ++i)
    {
        binds[i] = pelt_mat34_mul(&skins[0].inverse_binds[i], &shift);
    }
    skins[1].inverse_binds = binds;
    twice[1].skin = 1;
    f.owned->skins = skins;
    f.owned->instances = twice;
    f.owned->skin_count = f.owned->instance_count = 2;
    pelt_mix_options all = {.max_frames = 1000};
    ENSURE(solve(&f, &all) && f.report.mesh_count == 1);
    double energy = energy_of_factor(&f.scene, 0.0f);
    ENSURE_NEAR(f.report.energy, energy, 1e-5 * energy);
    ENSURE(f.report.energy < f.report.fixed_energy);
    close_rig(&f);
    return 0;
}

enum
{
    KEY_COUNT = 17,
};

// A bar half a meter away from its bones, whose second joint goes round a point still farther out:
// the arc of dqs then leads past the bones, and the chord of lbs keeps away from them. With strain
// as the only term lbs would be best, but it bulges more than dqs.
static int bulges_of_dqs_are_a_limit_for_lbs(void)
{
    fixture f;
    ENSURE(open_clip(&f, "rig:bar?vertices=200", "bend90_translate"));
    pelt_skin skin = f.owned->skins[0];
    uint32_t node = skin.joints[1];
    pelt_mat34 binds[2];
    pelt_mat3 unit = pelt_mat3_identity();
    pelt_mat34 shift = pelt_mat34_make(&unit, pelt_vec3_make(0.0f, 0.5f, 0.0f));
    for (int i = 0; i < 2; ++i)
    {
        binds[i] = pelt_mat34_mul(&skin.inverse_binds[i], &shift);
    }
    skin.inverse_binds = binds;
    f.owned->skins = &skin;
    float times[KEY_COUNT];
    pelt_quat rotates[KEY_COUNT];
    pelt_vec3 positions[KEY_COUNT];
    const pelt_transform* rest = &f.owned->nodes[node].rest;
    pelt_vec3 arm = pelt_vec3_make(0.0f, -1.0f, 0.0f);
    for (int k = 0; k < KEY_COUNT; ++k)
    {
        times[k] = (float)k / (KEY_COUNT - 1);
        rotates[k] = pelt_quat_axis_angle(pelt_vec3_make(0.0f, 0.0f, 1.0f), 1.5f * times[k]);
        pelt_vec3 move = pelt_vec3_sub(pelt_quat_rotate(rotates[k], arm), arm);
        positions[k] = pelt_vec3_add(rest->translation, move);
    }
    const pelt_track tracks[2] = {{.target = node,
                                   .path = PELT_PATH_ROTATION,
                                   .key_count = KEY_COUNT,
                                   .width = 4,
                                   .times = times,
                                   .values = &rotates[0].x},
                                  {.target = node,
                                   .path = PELT_PATH_TRANSLATION,
                                   .key_count = KEY_COUNT,
                                   .width = 3,
                                   .times = times,
                                   .values = &positions[0].x}};
    const pelt_clip clip = {.name = "arc", .duration = 1.0f, .track_count = 2, .tracks = tracks};
    f.owned->clips = &clip;
    pelt_mix_options options = {.volume = -1.0f, .bulge = -1.0f, .rigidity = 1.0f};
    ENSURE(pelt_scene_validate(f.owned, NULL) == PELT_OK && solve(&f, &options));
    pelt_body* body;
    ENSURE(pelt_body_create(&body, &f.scene, NULL) == PELT_OK);
    float lbs = mix_check_bulge(body, &f.scene, PELT_METHOD_LBS);
    float dqs = mix_check_bulge(body, &f.scene, PELT_METHOD_DQS);
    printf("  lbs %.1f mm, dqs %.1f mm, factor %.2f, with bounds %.2f\n", 1e3 * (double)lbs,
           1e3 * (double)dqs, (double)f.report.fixed_factor, (double)f.report.bound_factor);
    ENSURE(lbs > 1.05f * dqs && f.report.bound_factor > f.report.fixed_factor);
    ENSURE(mix_check_bulge(body, &f.scene, PELT_METHOD_MIX) <= dqs);
    ENSURE(f.report.energy <= f.report.bound_energy);
    pelt_body_destroy(body);
    close_rig(&f);
    return 0;
}

static int threads_do_not_change_a_bit(void)
{
    fixture f;
    pelt_mix_options options = {.max_frames = 12};
    ENSURE(open_rig(&f, "rig:arm?vertices=400") && solve(&f, &options));
    const float* alone = f.scene.meshes[0].mix_factors;
    pelt_pool* pool = pelt_pool_create(3);
    pelt_hooks hooks = {.run = pelt_pool_run, .run_user = pool};
    pelt_hooks_set(&hooks);
    bool is_ok = solve(&f, &options);
    pelt_hooks_set(&(pelt_hooks){0});
    pelt_pool_destroy(pool);
    ENSURE(is_ok && f.scene.meshes[0].mix_factors != alone);
    ENSURE(memcmp(alone, f.scene.meshes[0].mix_factors,
                  f.scene.meshes[0].vertex_count * sizeof *alone) == 0);
    close_rig(&f);
    return 0;
}

// ---------------------------------------------------------------------------------------------

static bool count_down(float part, void* user)
{
    int* left = user;
    return part >= 0.0f && part <= 1.0f && --*left >= 0;
}

static int callers_may_cancel(void)
{
    fixture f;
    pelt_error error = {{0}};
    ENSURE(open_rig(&f, "rig:bar?vertices=100"));
    for (int steps = 0; steps < 60; steps += 15)
    {
        int left = steps;
        pelt_scene scene = *f.owned;
        pelt_mix_options options = {.progress = count_down, .user = &left};
        pelt_result result = pelt_scene_add_mix_factors(&scene, &options, NULL, f.arena, &error);
        ENSURE(result == PELT_ERROR_CANCELED || (result == PELT_OK && left >= 0));
        ENSURE(steps > 0 || result == PELT_ERROR_CANCELED);
        ENSURE(result == PELT_OK || scene.meshes == f.owned->meshes);
    }
    ENSURE(strstr(error.message, "canceled") != NULL);
    close_rig(&f);
    return 0;
}

// Nothing to do, and nothing to divide by.
static int scenes_without_a_skin_or_a_triangle_are_left_as_they_are(void)
{
    fixture f;
    ENSURE(open_rig(&f, "rig:bar?vertices=100"));
    pelt_mesh mesh = f.owned->meshes[0];
    pelt_instance instance = f.owned->instances[0];
    f.owned->meshes = &mesh;
    f.owned->instances = &instance;
    mesh.index_count = 0;
    ENSURE(solve(&f, NULL) && f.report.mesh_count == 1);
    ENSURE(pelt_scene_validate(&f.scene, NULL) == PELT_OK);
    instance.skin = PELT_NONE;
    ENSURE(solve(&f, NULL) && f.report.mesh_count == 0 && f.scene.meshes[0].mix_factors == NULL);
    close_rig(&f);
    return 0;
}

void test_scene_mix(void)
{
    RUN(the_energy_is_that_of_the_metrics);
    RUN(a_sample_of_frames_serves_all);
    RUN(a_sample_of_vertices_serves_all);
    RUN(all_rigs_have_less_energy_than_any_common_factor_and_bulge_no_more_than_dqs);
    RUN(twists_are_left_to_dqs);
    RUN(smoothness_smooths);
    RUN(vertices_at_one_position_have_one_factor);
    RUN(instances_of_a_mesh_share_their_factors);
    RUN(bulges_of_dqs_are_a_limit_for_lbs);
    RUN(threads_do_not_change_a_bit);
    RUN(callers_may_cancel);
    RUN(scenes_without_a_skin_or_a_triangle_are_left_as_they_are);
}
