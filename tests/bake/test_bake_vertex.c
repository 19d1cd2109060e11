// SPDX-License-Identifier: MIT
// Bakes of vertices against closed forms: half a step at keys, the sagitta of an arc between them.
#include "baked/baked_texels.h"
#include "baked_fixture.h"
#include "rigs.h"
#include "test.h"
#include "wheel_scene.h"

#include <stdlib.h>
#include <string.h>

static pelt_baked* bake(const pelt_scene* scene, pelt_bake_options options)
{
    pelt_baked* baked = NULL;
    pelt_error error = {0};
    options.encoding = PELT_ENCODING_VERTEX;
    if (pelt_bake(&baked, scene, &options, &error) != PELT_OK ||
        pelt_baked_validate(baked, &error) != PELT_OK)
    {
        printf("  %s\n", error.message);
    }
    return baked;
}

static pelt_result bake_result(const pelt_scene* scene, pelt_bake_options options)
{
    pelt_baked* baked = NULL;
    options.encoding = PELT_ENCODING_VERTEX;
    pelt_result result = pelt_bake(&baked, scene, &options, NULL);
    pelt_baked_destroy(baked);
    return result;
}

static float key_time(const pelt_baked_run* run, uint32_t key)
{
    return run->rate > 0.0f ? run->start + (float)key / run->rate : run->start;
}

static void play(pelt_vec3* positions, pelt_vec3* normals, const pelt_baked* baked,
                 const pelt_mesh* mesh, float time)
{
    pelt_playback playback = {.base = {0, time, PELT_WRAP_CLAMP}};
    pelt_unbake_vertices(&(pelt_surface){.positions = positions, .normals = normals}, baked, 0,
                         mesh, &playback);
}

// The source and the bake at one time of a clip.
typedef struct comparison
{
    pelt_pose pose;
    pelt_frame frame;
    pelt_vec3 *positions, *normals;
} comparison;

static void begin_comparison(comparison* out, const pelt_scene* scene)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        most = scene->meshes[i].vertex_count > most ? scene->meshes[i].vertex_count : most;
    }
    pelt_pose_create(&out->pose, scene);
    pelt_frame_create(&out->frame, scene);
    out->positions = malloc(most * sizeof *out->positions);
    out->normals = malloc(most * sizeof *out->normals);
}

static void end_comparison(comparison* c)
{
    pelt_pose_destroy(&c->pose);
    pelt_frame_destroy(&c->frame);
    free(c->positions);
    free(c->normals);
}

// Largest distance at a time, in double.
static double compare(comparison* c, const pelt_baked* baked, const pelt_scene* scene,
                      const pelt_deform_options* how, float time)
{
    double most = 0.0;
    pelt_playback playback = {.base = {0, time, PELT_WRAP_CLAMP}};
    pelt_pose_sample(&c->pose, scene, &scene->clips[0], time, PELT_WRAP_CLAMP);
    pelt_frame_update(&c->frame, scene, &c->pose, how);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        pelt_surface out = {.positions = c->positions, .normals = c->normals};
        pelt_unbake_vertices(&out, baked, i, mesh, &playback);
        for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        {
            pelt_vec3 a = c->frame.surfaces[i].positions[v], b = c->positions[v];
            double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y,
                   z = (double)a.z - (double)b.z;
            most = fmax(most, sqrt(x * x + y * y + z * z));
        }
    }
    return most;
}

// Largest distance in a clip, at so many times per key.
static double worst_of(const pelt_baked* baked, const pelt_scene* scene,
                       const pelt_deform_options* how, uint32_t between)
{
    comparison c;
    double most = 0.0;
    begin_comparison(&c, scene);
    const pelt_baked_clip* clip = &baked->clips[0];
    for (uint32_t r = 0; r < clip->run_count; ++r)
    {
        const pelt_baked_run* run = &clip->runs[r];
        for (uint32_t i = 0; i < run->key_count * between; ++i)
        {
            float x = (float)i / (float)between;
            float time = run->rate > 0.0f ? run->start + x / run->rate : run->start;
            most = fmax(most, compare(&c, baked, scene, how, fminf(time, clip->duration)));
        }
    }
    end_comparison(&c);
    return most;
}

static const pelt_deform_options lbs = {0};

// ---------------------------------------------------------------------------------------------
// At keys and between them

// Low is cut to eight bits behind the point of a float, so it is lower by up to |low| / 256; the
// range has five, so it is larger by up to 1 / 32. Half of a step of that, and rounding of floats.
static double step_bound(double low, double high, uint32_t bits)
{
    double range = (high - low + fabs(low) / 256.0) * (1.0 + 1.0 / 32.0);
    return 0.5 * range / ((1u << bits) - 1) + 3e-7 * (1.0 + fabs(low) + fabs(high));
}

static int check_steps(uint32_t bits, bool has_mesh_bounds)
{
    wheel w;
    pelt_vec3 exact[WHEEL_KEYS][WHEEL_VERTICES], found[WHEEL_VERTICES];
    pelt_bounds own[WHEEL_VERTICES], all = pelt_bounds_empty();
    wheel_make(&w, 2.0f);
    pelt_baked* baked = bake(&w.scene, (pelt_bake_options){.bits = bits,
                                                           .timing = PELT_BAKE_RATE,
                                                           .rate = WHEEL_KEYS - 1,
                                                           .has_mesh_bounds = has_mesh_bounds});
    ENSURE(baked != NULL && baked->clips[0].key_count == WHEEL_KEYS);
    for (int v = 0; v < WHEEL_VERTICES; ++v)
    {
        own[v] = pelt_bounds_empty();
        for (int k = 0; k < WHEEL_KEYS; ++k)
        {
            double angle = 2.0 * k / (WHEEL_KEYS - 1), x = (double)w.positions[v].x,
                   y = (double)w.positions[v].y;
            exact[k][v] =
                pelt_vec3_make((float)(x * cos(angle) - y * sin(angle)),
                               (float)(x * sin(angle) + y * cos(angle)), w.positions[v].z);
            pelt_vec3 offset = pelt_vec3_sub(exact[k][v], w.positions[v]);
            pelt_bounds_add(&own[v], &offset, 1);
            pelt_bounds_add(&all, &offset, 1);
        }
    }
    for (int k = 0; k < WHEEL_KEYS; ++k)
    {
        play(found, NULL, baked, &w.mesh, key_time(baked->clips[0].runs, (uint32_t)k));
        for (int v = 0; v < WHEEL_VERTICES; ++v)
        {
            const pelt_bounds* range = has_mesh_bounds ? &all : &own[v];
            for (int axis = 0; axis < 3; ++axis)
            {
                double off = (double)(&found[v].x)[axis] - (double)(&exact[k][v].x)[axis];
                ENSURE(fabs(off) <= step_bound((double)(&range->min.x)[axis],
                                               (double)(&range->max.x)[axis], bits));
            }
        }
    }
    pelt_baked_destroy(baked);
    return 0;
}

static int coordinates_are_off_by_half_a_step_of_their_own_range(void)
{
    for (uint32_t bits = 4; bits <= 16; ++bits)
    {
        ENSURE(check_steps(bits, false) == 0);
    }
    return 0;
}

static int mesh_bounds_are_one_range_for_all(void)
{
    for (uint32_t bits = 4; bits <= 16; bits += 4)
    {
        ENSURE(check_steps(bits, true) == 0);
    }
    wheel w;
    wheel_make(&w, 2.0f);
    pelt_baked* own = bake(&w.scene, (pelt_bake_options){.bits = 8});
    pelt_baked* shared = bake(&w.scene, (pelt_bake_options){.bits = 8, .has_mesh_bounds = true});
    ENSURE(own != NULL && shared != NULL);
    // There is no table of joints: that of clips follows the header.
    ENSURE(own->joint_count == 1 && own->words[4] == 0 && own->words[6] == 12);
    ENSURE((own->words[own->clips[0].runs[0].table] & PELTI_VERTEX_SHARED) == 0);
    ENSURE((shared->words[shared->clips[0].runs[0].table] & PELTI_VERTEX_SHARED) != 0);
    ENSURE(pelt_baked_bytes(shared) < pelt_baked_bytes(own));
    ENSURE(worst_of(own, &w.scene, &lbs, 1) < worst_of(shared, &w.scene, &lbs, 1));
    pelt_baked_destroy(own);
    pelt_baked_destroy(shared);
    return 0;
}

// Halfway between keys an angle a apart, a chord is r (1 - cos(a / 2)) inside the arc. In 16 bits a
// coordinate is off by 2 m / 65535 / 2 = 1.6e-5 m at most.
static int between_keys_a_point_leaves_its_arc_by_the_sagitta(void)
{
    wheel w;
    pelt_vec3 found[WHEEL_VERTICES];
    float angle = 2.4f, most = 0.0f;
    wheel_make(&w, angle);
    pelt_baked* baked = bake(&w.scene, (pelt_bake_options){.timing = PELT_BAKE_RATE, .rate = 8});
    ENSURE(baked != NULL && baked->clips[0].key_count == 9);
    play(found, NULL, baked, &w.mesh, 0.5f / 8.0f);
    for (int v = 0; v < WHEEL_VERTICES; ++v)
    {
        float radius = hypotf(w.positions[v].x, w.positions[v].y);
        float sagitta = radius * (1.0f - cosf(0.5f * angle / 8.0f));
        most = fmaxf(most, sagitta);
        ENSURE_NEAR(hypotf(found[v].x, found[v].y), radius - sagitta, 3e-5);
        ENSURE_NEAR(found[v].z, w.positions[v].z, 1e-6);
    }
    pelt_bake_report report;
    ENSURE(pelt_baked_measure(&report, baked, &w.scene, &(pelt_measure_options){.between = 1},
                              NULL) == PELT_OK);
    ENSURE_NEAR(report.error.max, most, 3e-5);
    ENSURE(report.error.max_at_keys < 3e-5 && report.error.max_at_keys > 0.0);
    pelt_bake_report_destroy(&report);
    pelt_baked_destroy(baked);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Normals

static double angle_between(pelt_vec3 a, pelt_vec3 b)
{
    pelt_vec3 c = pelt_vec3_cross(a, b);
    return atan2((double)pelt_vec3_length(c), (double)pelt_vec3_dot(a, b));
}

// A point is within half a diagonal of a cell of size 2 / (2^n - 1); on the octahedron that is up
// to sqrt(3) longer, and it is at least 1 / sqrt(3) away from the middle.
static int normals_are_within_the_bound_of_the_octahedron(void)
{
    static const uint32_t widths[][2] = {{4, 6}, {7, 7}, {8, 8}, {16, 8}};
    for (int i = 0; i < 8; ++i)
    {
        wheel w;
        pelt_vec3 found[WHEEL_VERTICES], normals[WHEEL_VERTICES];
        wheel_make(&w, 0.7f);
        uint32_t asked = i < 4 ? 0 : 2 + 4 * (uint32_t)(i - 4);
        uint32_t width = i < 4 ? widths[i][1] : asked;
        pelt_baked* baked = bake(
            &w.scene, (pelt_bake_options){.bits = i < 4 ? widths[i][0] : 16, .normal_bits = asked});
        ENSURE(baked != NULL);
        ENSURE((baked->words[baked->clips[0].runs[0].table] >> 8 & 255) == width);
        // Kept in 16 bits before that.
        double bound = 3.0 / sqrt(2.0) * (2.0 / ((1u << width) - 1) + 2.0 / 65535) + 1e-6;
        for (uint32_t k = 0; k < baked->clips[0].key_count; ++k)
        {
            float time = key_time(baked->clips[0].runs, k);
            pelt_quat rotation = pelt_quat_axis_angle(pelt_vec3_make(0, 0, 1), 0.7f * time);
            play(found, normals, baked, &w.mesh, time);
            for (int v = 0; v < WHEEL_VERTICES; ++v)
            {
                ENSURE(angle_between(normals[v], pelt_quat_rotate(rotation, w.normals[v])) <=
                       bound);
            }
        }
        pelt_baked_destroy(baked);
    }
    return 0;
}

// Cigolle et al. 2014, table 1: in 16 bits 0.31485 degrees on average with the nearest of four
// codes, 0.33709 with rounding. Steps are 1 / 127.5 here and 1 / 127 there, and 20000 samples are
// off by half a percent.
static int codes_of_normals_are_the_nearest(void)
{
    test_random random = {3};
    double sum = 0.0;
    enum
    {
        SAMPLES = 20000
    };
    for (int i = 0; i < SAMPLES; ++i)
    {
        pelt_vec3 p = test_point(&random, 1.0f);
        while (pelt_vec3_length(p) > 1.0f || pelt_vec3_length(p) < 0.01f)
        {
            p = test_point(&random, 1.0f);
        }
        uint32_t x, y;
        pelti_octahedral_quantize(&x, &y, p, 8);
        sum += angle_between(pelt_vec3_normalize(p), pelti_octahedral_value(x, y, 8));
    }
    ENSURE_NEAR(sum / SAMPLES * 180.0 / 3.14159265, 0.3149, 0.005);
    uint32_t x, y;
    pelti_octahedral_quantize(&x, &y, pelt_vec3_make(0, 0, 0), 8);
    ENSURE(pelti_octahedral_value(x, y, 8).z > 0.99f);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Unique vertices

// The arm has a seam, where UVs begin again. Its copies have the same motion, so that a texture
// without them holds the same surface to the bit.
static int copies_can_be_kept_and_change_nothing(void)
{
    pelt_scene* scene;
    ENSURE(pelt_rig_build(&scene, "arm?vertices=1000", NULL) == PELT_OK);
    const pelt_mesh* mesh = &scene->meshes[0];
    pelt_baked* merged = bake(scene, (pelt_bake_options){0});
    pelt_baked* kept = bake(scene, (pelt_bake_options){.keeps_copies = true});
    ENSURE(merged != NULL && kept != NULL);
    ENSURE(kept->vertex_count == mesh->vertex_count && merged->vertex_count < mesh->vertex_count);
    ENSURE(pelt_baked_bytes(merged) < pelt_baked_bytes(kept));
    pelt_vec3* arrays[4];
    size_t size = mesh->vertex_count * sizeof **arrays;
    for (uint32_t i = 0; i < 4; ++i)
    {
        arrays[i] = malloc(size);
    }
    for (uint32_t k = 0; k <= 10; ++k)
    {
        float time = merged->clips[0].duration * (float)k / 10.0f;
        play(arrays[0], arrays[1], merged, mesh, time);
        play(arrays[2], arrays[3], kept, mesh, time);
        ENSURE(memcmp(arrays[0], arrays[2], size) == 0 && memcmp(arrays[1], arrays[3], size) == 0);
    }
    for (uint32_t i = 0; i < 4; ++i)
    {
        free(arrays[i]);
    }
    pelt_baked_destroy(merged);
    pelt_baked_destroy(kept);
    pelt_scene_destroy(scene);
    return 0;
}

static int duplicates_along_seams_share_a_slot(void)
{
    wheel w;
    pelt_vec3 found[WHEEL_VERTICES];
    wheel_make(&w, 2.0f);
    for (int v = 1; v < 4; ++v)
    {
        w.positions[10 * v] = w.positions[0];
        w.normals[10 * v] = w.normals[0];
    }
    w.normals[30] = w.normals[1]; // a crease
    w.positions[5].x = 0.0f;
    w.positions[6] = w.positions[5];
    w.positions[6].x = -0.0f;
    w.normals[6] = w.normals[5];
    pelt_baked* baked = bake(&w.scene, (pelt_bake_options){.bits = 5});
    ENSURE(baked != NULL);
    const uint32_t* ids = baked->instances[0].vertex_ids;
    ENSURE(ids[10] == ids[0] && ids[20] == ids[0] && ids[30] != ids[0] && ids[6] == ids[5]);
    ENSURE(baked->vertex_count == WHEEL_VERTICES - 3 && ids[0] == 0 && ids[1] == 1);
    for (float time = 0.0f; time < 1.0f; time += 0.03f)
    {
        play(found, NULL, baked, &w.mesh, time);
        // The crease has its own slot and still remains closed.
        for (int v = 10; v < WHEEL_VERTICES; v += 10)
        {
            ENSURE(memcmp(&found[v], &found[0], sizeof found[0]) == 0);
        }
    }
    pelt_baked_destroy(baked);
    return 0;
}

static int vertices_with_another_motion_have_their_own_slot(void)
{
    wheel w;
    wheel_make_morph(&w);
    w.positions[1] = w.positions[2] = w.positions[0];
    w.normals[1] = w.normals[2] = w.normals[0];
    w.deltas[2] = w.deltas[0]; // not that of 1
    const pelt_node nodes[2] = {w.node, w.node};
    const pelt_instance both[2] = {{.skin = PELT_NONE},
                                   {.skin = PELT_NONE, .first_morph_weight = 1}};
    w.scene.instances = both;
    w.scene.instance_count = 2;
    w.scene.morph_weight_count = 2;
    pelt_baked* morphed = bake(&w.scene, (pelt_bake_options){0});
    ENSURE(morphed != NULL && morphed->vertex_count == 2 * (WHEEL_VERTICES - 1));
    ENSURE(morphed->instances[0].vertex_ids[2] == morphed->instances[0].vertex_ids[0]);
    ENSURE(morphed->instances[0].vertex_ids[1] != morphed->instances[0].vertex_ids[0]);
    pelt_baked_destroy(morphed);

    // Two instances that follow one node are one; on two nodes they are two.
    wheel_make(&w, 1.0f);
    pelt_instance pair[2] = {{.skin = PELT_NONE}, {.skin = PELT_NONE}};
    w.scene.instances = pair;
    w.scene.instance_count = 2;
    w.scene.nodes = nodes;
    w.scene.node_count = 2;
    pelt_baked* together = bake(&w.scene, (pelt_bake_options){0});
    pair[1].node = 1;
    pelt_baked* apart = bake(&w.scene, (pelt_bake_options){0});
    ENSURE(together != NULL && together->vertex_count == WHEEL_VERTICES);
    ENSURE(apart != NULL && apart->vertex_count == 2 * WHEEL_VERTICES);
    ENSURE(worst_of(apart, &w.scene, &lbs, 1) < 3e-5);
    pelt_baked_destroy(together);
    pelt_baked_destroy(apart);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Time

// z is off by half of a step of 0.39 m in 16 bits at most: 3e-6 m.
static int morph_targets_are_sampled_at_their_own_keys(void)
{
    wheel w;
    pelt_vec3 found[WHEEL_VERTICES];
    wheel_make_morph(&w);
    pelt_baked* baked = bake(&w.scene, (pelt_bake_options){0});
    ENSURE(baked != NULL && !baked->clips[0].wraps && !baked->clips[0].loops);
    for (int k = 0; k < 2 * WHEEL_KEYS - 1; ++k)
    {
        float weight = k % 2 == 0 ? w.morph_weights[k / 2]
                                  : 0.5f * (w.morph_weights[k / 2] + w.morph_weights[k / 2 + 1]);
        play(found, NULL, baked, &w.mesh, 0.5f * (float)k / (WHEEL_KEYS - 1));
        for (int v = 0; v < WHEEL_VERTICES; ++v)
        {
            ENSURE_NEAR(found[v].z, w.positions[v].z + weight * w.deltas[v].z, 4e-6);
        }
    }
    ENSURE(worst_of(baked, &w.scene, &lbs, 4) < 4e-6);
    pelt_baked_destroy(baked);

    w.morph_weights[WHEEL_KEYS - 1] = w.morph_weights[0];
    baked = bake(&w.scene, (pelt_bake_options){0});
    ENSURE(baked != NULL && baked->clips[0].wraps && baked->clips[0].loops);
    pelt_baked_destroy(baked);

    // Encodings of joints are not affected.
    const pelt_bake_options joints = {.has_no_morphs = true};
    ENSURE(pelt_bake(&baked, &w.scene, &joints, NULL) == PELT_OK);
    ENSURE(baked->clips[0].key_count == 1);
    pelt_baked_destroy(baked);
    return 0;
}

static int steps_are_held_and_jumps_begin_runs(void)
{
    wheel w;
    wheel_make_morph(&w);
    w.tracks[1].interpolation = PELT_INTERPOLATION_STEP;
    pelt_baked* baked = bake(&w.scene, (pelt_bake_options){0});
    ENSURE(baked != NULL && baked->clips[0].runs[0].is_held);
    ENSURE(worst_of(baked, &w.scene, &lbs, 3) < 4e-6);
    pelt_baked_destroy(baked);

    // Something else moves smoothly meanwhile: a run from each jump to the next.
    wheel_make_morph(&w);
    for (int k = 0; k < WHEEL_KEYS; ++k)
    {
        pelt_quat rotation = pelt_quat_axis_angle(pelt_vec3_make(0, 0, 1), 0.02f * (float)k);
        memcpy(w.rotations[k], &rotation, sizeof rotation);
        w.morph_weights[k] = k < 4 ? 0.0f : 1.0f;
    }
    w.tracks[1].interpolation = PELT_INTERPOLATION_STEP;
    w.clip.tracks = w.tracks;
    w.clip.track_count = 2;
    baked = bake(&w.scene, (pelt_bake_options){0});
    ENSURE(baked != NULL && baked->clips[0].run_count == 2);
    ENSURE_NEAR(baked->clips[0].runs[1].start, 0.5, 1e-6);
    // The arcs are 0.02 rad / 3: sagittas of 8e-6 m, and 2 steps. Just before the jump the last key
    // is a thousandth of an interval early.
    ENSURE(worst_of(baked, &w.scene, &lbs, 1) < 4e-5);
    pelt_baked_destroy(baked);
    return 0;
}

// Nothing moves: one key of one bit for each coordinate, and constants of 19 bits.
static int what_is_still_takes_one_key_of_constants(void)
{
    wheel w;
    pelt_vec3 found[WHEEL_VERTICES];
    wheel_make(&w, 0.0f);
    w.node.rest.translation = pelt_vec3_make(3.0f, -0.3f, 0.7f);
    for (int mesh_bounds = 0; mesh_bounds < 2; ++mesh_bounds)
    {
        pelt_baked* baked =
            bake(&w.scene, (pelt_bake_options){.has_mesh_bounds = mesh_bounds != 0});
        ENSURE(baked != NULL && baked->clips[0].key_count == 1);
        const uint32_t* table = baked->words + baked->clips[0].runs[0].table;
        for (int i = 0; i < (mesh_bounds ? 3 : 3 * WHEEL_VERTICES); ++i)
        {
            ENSURE((table[1 + i] & 31) == 0);
        }
        ENSURE((table[0] & 255) == 1);
        play(found, NULL, baked, &w.mesh, 0.4f);
        for (int v = 0; v < WHEEL_VERTICES; ++v)
        {
            pelt_vec3 expected = pelt_vec3_add(w.positions[v], w.node.rest.translation);
            ENSURE_POINT(found[v], expected, 3.0 / (1 << 18));
        }
        pelt_baked_destroy(baked);
    }
    // One axis of three: the others are constant, and no range is 0.
    wheel_make_morph(&w);
    pelt_baked* baked = bake(&w.scene, (pelt_bake_options){.bits = 8});
    ENSURE(baked != NULL);
    const uint32_t* table = baked->words + baked->clips[0].runs[0].table;
    for (int v = 1; v < WHEEL_VERTICES; ++v)
    {
        ENSURE((table[1 + 3 * v] & 31) == 0 && (table[2 + 3 * v] & 31) == 0);
        ENSURE((table[3 + 3 * v] & 31) == 8);
    }
    pelt_baked_destroy(baked);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Real characters

// The arm is a meter long: half a step of three coordinates in 16 bits.
static int methods_are_those_of_frames(void)
{
    pelt_scene* scene;
    const double step = sqrt(3.0) * 0.5 / 65535;
    ENSURE(pelt_rig_build(&scene, "arm?vertices=300", NULL) == PELT_OK);
    pelt_deform_options dqs = {.method = PELT_METHOD_DQS};
    pelt_baked* baked = bake(scene, (pelt_bake_options){.deform = dqs});
    ENSURE(baked != NULL);
    ENSURE(worst_of(baked, scene, &dqs, 1) < step);
    ENSURE(worst_of(baked, scene, &lbs, 1) > 1e-2);
    pelt_bake_report report;
    ENSURE(pelt_baked_measure(&report, baked, scene, &(pelt_measure_options){.deform = dqs},
                              NULL) == PELT_OK);
    ENSURE(report.error.max_at_keys < step);
    pelt_bake_report_destroy(&report);
    pelt_baked_destroy(baked);
    pelt_scene_destroy(scene);
    return 0;
}

static int bounds_hold_the_surface_and_root_motion_is_that_of_the_root(void)
{
    pelt_scene* scene;
    comparison c;
    ENSURE(pelt_rig_build(&scene, "human?vertices=2000", NULL) == PELT_OK);
    begin_comparison(&c, scene);
    pelt_baked* baked = bake(scene, (pelt_bake_options){.bits = 6});
    pelt_baked* joints;
    ENSURE(baked != NULL && pelt_bake(&joints, scene, NULL, NULL) == PELT_OK);
    const pelt_baked_clip* clip = &baked->clips[0];
    for (uint32_t k = 0; k < clip->key_count; ++k)
    {
        pelt_bounds bounds = clip->key_bounds[k], met = pelt_bounds_empty();
        for (float part = 0.0f; part <= 1.0f; part += 0.25f)
        {
            float time = clip->runs[0].start + ((float)k + 0.999f * part) / clip->runs[0].rate;
            compare(&c, baked, scene, &lbs, fminf(time, clip->duration));
            pelt_bounds_add(&met, c.positions, scene->meshes[0].vertex_count);
        }
        float slack = 1e-3f * pelt_bounds_diagonal(&bounds);
        for (int axis = 0; axis < 3; ++axis)
        {
            ENSURE((&met.min.x)[axis] >= (&bounds.min.x)[axis] - 1e-6f);
            ENSURE((&met.max.x)[axis] <= (&bounds.max.x)[axis] + 1e-6f);
            ENSURE((&bounds.min.x)[axis] >= (&clip->bounds.min.x)[axis]);
            ENSURE((&bounds.max.x)[axis] <= (&clip->bounds.max.x)[axis]);
            ENSURE_NEAR((&met.min.x)[axis], (&bounds.min.x)[axis], slack);
        }
    }
    ENSURE(baked->root == joints->root && baked->root != PELT_NONE);
    ENSURE(clip->key_count == joints->clips[0].key_count);
    ENSURE(memcmp(clip->root_motion, joints->clips[0].root_motion,
                  clip->key_count * sizeof *clip->root_motion) == 0);
    pelt_baked_destroy(joints);
    pelt_baked_destroy(baked);
    end_comparison(&c);
    pelt_scene_destroy(scene);
    return 0;
}

static const pelt_bake_options budgets[] = {
    {.bits = 11},
    {.bits = 16, .has_mesh_bounds = true},
    {.has_budget = true, .max_error = 0.004},
    {.has_budget = true, .max_error = 0.004, .scope = PELT_BAKE_AT_SAMPLES},
    {.has_budget = true, .max_error = 0.008, .timing = PELT_BAKE_AUTO},
    {.has_budget = true, .max_error = 0.0008, .timing = PELT_BAKE_AUTO, .has_mesh_bounds = true},
    {.has_budget = true, .max_bytes = 80000},
    {.has_budget = true, .max_bytes = 80000, .timing = PELT_BAKE_AUTO},
};

enum
{
    BUDGETS = sizeof budgets / sizeof budgets[0]
};

// 300 vertices are one range of the pool's, several blocks of keys.
static int number_of_threads_does_not_show(void)
{
    pelt_scene* scene;
    ENSURE(pelt_rig_build(&scene, "arm?vertices=300", NULL) == PELT_OK);
    pelt_hooks before = pelt_hooks_get();
    for (uint32_t i = 0; i < BUDGETS; ++i)
    {
        pelt_baked* alone = bake(scene, budgets[i]);
        ENSURE(alone != NULL);
        // Alternating two or five, or both.
        bool is_full = test_is_full_sweep();
        for (uint32_t threads = i % 2 == 0 || is_full ? 2 : 5; threads <= 5;
             threads += is_full ? 3 : 4)
        {
            pelt_pool* pool = pelt_pool_create(threads);
            pelt_hooks_set(&(pelt_hooks){.run = pelt_pool_run, .run_user = pool});
            pelt_baked* baked = bake(scene, budgets[i]);
            pelt_hooks_set(&before);
            pelt_pool_destroy(pool);
            ENSURE(baked != NULL && baked_is_same(alone, baked));
            pelt_baked_destroy(baked);
        }
        pelt_baked_destroy(alone);
    }
    pelt_scene_destroy(scene);
    return 0;
}

static int budgets_hold_at_every_vertex(void)
{
    pelt_scene* scene;
    ENSURE(pelt_rig_build(&scene, "arm?vertices=300", NULL) == PELT_OK);
    uint32_t source_keys = 0;
    double before = 0.0;
    for (uint32_t i = 0; i < BUDGETS; ++i)
    {
        const pelt_bake_options* own = &budgets[i];
        pelt_baked* baked = bake(scene, *own);
        ENSURE(baked != NULL);
        bool is_at_keys = own->scope == PELT_BAKE_AT_SAMPLES;
        double error = worst_of(baked, scene, &lbs, is_at_keys ? 1 : 9);
        uint32_t width = baked->words[baked->clips[0].runs[0].table] & 255;
        uint32_t keys = baked->clips[0].key_count;
        source_keys = i == 0 ? keys : source_keys;
        ENSURE(own->max_error == 0.0 || error <= own->max_error);
        ENSURE(own->max_bytes == 0 || pelt_baked_bytes(baked) <= own->max_bytes);
        ENSURE(own->timing == PELT_BAKE_AUTO || keys == source_keys);
        // Bytes that are too few for all keys are better spent on fewer.
        ENSURE(own->timing != PELT_BAKE_AUTO || own->max_bytes == 0 || error < 0.9 * before);
        before = error;
        if (own->has_budget && own->timing != PELT_BAKE_AUTO && own->max_error > 0.0)
        {
            // One bit less is too little, by the margin for what is between samples.
            ENSURE(width > 4);
            pelt_baked* fewer = bake(scene, (pelt_bake_options){.bits = width - 1});
            ENSURE(worst_of(fewer, scene, &lbs, is_at_keys ? 1 : 9) > 0.97 * own->max_error);
            pelt_baked_destroy(fewer);
        }
        pelt_baked_destroy(baked);
    }
    // Chords are 2 mm off at the source's rate, so a finer error takes more keys; a coarse one
    // fewer, in fewer bytes than at the rate of the source.
    pelt_bake_options fine = {.has_budget = true, .max_error = 1e-4, .timing = PELT_BAKE_AUTO};
    pelt_bake_options coarse = {.has_budget = true, .max_error = 0.03, .timing = PELT_BAKE_AUTO};
    pelt_baked* many = bake(scene, fine);
    pelt_baked* few = bake(scene, coarse);
    ENSURE(many != NULL && many->clips[0].key_count > source_keys);
    ENSURE(few != NULL && few->clips[0].key_count < source_keys);
    ENSURE(worst_of(many, scene, &lbs, 9) <= fine.max_error);
    ENSURE(worst_of(few, scene, &lbs, 29) <= coarse.max_error);
    pelt_baked_destroy(many);
    pelt_baked_destroy(few);
    pelt_scene_destroy(scene);
    return 0;
}

static int what_cannot_be_done_is_said(void)
{
    wheel w;
    pelt_scene* scene;
    const uint32_t hub = 0;
    wheel_make(&w, 3.0f);
    ENSURE(pelt_rig_build(&scene, "arm?vertices=300", NULL) == PELT_OK);
    pelt_deform_options crs = {.method = PELT_METHOD_CRS};
    static const pelt_result refused = PELT_ERROR_ARGUMENT, impossible = PELT_ERROR_UNSUPPORTED;
    ENSURE(bake_result(scene, (pelt_bake_options){.deform = crs}) == refused);
    ENSURE(bake_result(&w.scene, (pelt_bake_options){.deform = crs}) == PELT_OK);
    ENSURE(bake_result(&w.scene, (pelt_bake_options){.bits = 3}) == refused);
    ENSURE(bake_result(&w.scene, (pelt_bake_options){.bits = 17}) == refused);
    ENSURE(bake_result(&w.scene, (pelt_bake_options){.normal_bits = 17}) == refused);
    ENSURE(bake_result(&w.scene, (pelt_bake_options){.sockets = &hub, .socket_count = 1}) ==
           refused);
    ENSURE(bake_result(&w.scene, (pelt_bake_options){.max_size = 8}) == impossible);
    pelt_bake_options exact = {.has_budget = true, .max_error = 1e-5};
    ENSURE(bake_result(&w.scene, exact) == impossible);
    ENSURE(bake_result(&w.scene, (pelt_bake_options){.has_budget = true, .max_bytes = 200}) ==
           impossible);
    pelt_bake_options both = {.has_budget = true, .max_error = 0.05, .max_bytes = 1000};
    ENSURE(bake_result(&w.scene, both) == impossible);
    // A scale from nothing to infinity.
    float scales[WHEEL_KEYS][3];
    for (int k = 0; k < WHEEL_KEYS; ++k)
    {
        scales[k][0] = scales[k][1] = scales[k][2] = k == 3 ? 3e38f : 1.0f;
    }
    w.tracks[0].path = PELT_PATH_SCALE;
    w.tracks[0].width = 3;
    w.tracks[0].values = &scales[0][0];
    ENSURE(bake_result(&w.scene, (pelt_bake_options){0}) == PELT_ERROR_DATA);
    pelt_scene_destroy(scene);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Progress and memory

typedef struct listener
{
    int calls, cancel_at;
    float last;
    bool is_falling;
} listener;

static bool listen(float part, void* user)
{
    listener* own = user;
    own->is_falling = own->is_falling || part < own->last || part > 1.0f;
    own->last = part;
    return ++own->calls != own->cancel_at;
}

static int progress_grows_to_one_and_cancels(void)
{
    wheel w;
    wheel_make(&w, 3.0f);
    for (int budget = 0; budget < 3; ++budget)
    {
        listener whole = {0};
        pelt_bake_options options = {.progress = listen,
                                     .user = &whole,
                                     .has_budget = budget > 0,
                                     .max_error = budget == 1 ? 0.05 : 0.0,
                                     .max_bytes = budget == 2 ? 4000 : 0,
                                     .timing = PELT_BAKE_AUTO};
        ENSURE(bake_result(&w.scene, options) == PELT_OK);
        ENSURE(whole.calls > WHEEL_KEYS && !whole.is_falling && whole.last == 1.0f);
        for (int at = 1; at <= whole.calls; at += 5)
        {
            listener part = {.cancel_at = at};
            options.user = &part;
            ENSURE(bake_result(&w.scene, options) == PELT_ERROR_CANCELED);
            ENSURE(part.calls == at);
        }
    }
    return 0;
}

void test_bake_vertex(void)
{
    RUN(coordinates_are_off_by_half_a_step_of_their_own_range);
    RUN(mesh_bounds_are_one_range_for_all);
    RUN(between_keys_a_point_leaves_its_arc_by_the_sagitta);
    RUN(normals_are_within_the_bound_of_the_octahedron);
    RUN(codes_of_normals_are_the_nearest);
    RUN(duplicates_along_seams_share_a_slot);
    RUN(copies_can_be_kept_and_change_nothing);
    RUN(vertices_with_another_motion_have_their_own_slot);
    RUN(morph_targets_are_sampled_at_their_own_keys);
    RUN(steps_are_held_and_jumps_begin_runs);
    RUN(what_is_still_takes_one_key_of_constants);
    RUN(methods_are_those_of_frames);
    RUN(bounds_hold_the_surface_and_root_motion_is_that_of_the_root);
    RUN(number_of_threads_does_not_show);
    RUN(budgets_hold_at_every_vertex);
    RUN(what_cannot_be_done_is_said);
    RUN(progress_grows_to_one_and_cancels);
}
