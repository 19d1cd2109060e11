// SPDX-License-Identifier: MIT
// Tarini, Panozzo and Sorkine-Hornung, "Accurate and Efficient Lighting for Skinned Models", 2014.
#include "deform_factors.h"
#include "normal_error.h"
#include "pelt/gl.h"
#include "pelt/prepare.h"
#include "pelt/tangents.h"
#include "reproduce.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------
// Angles between normals and those of the deformed triangles

typedef enum rule
{
    RULE_STANDARD = 0, // Eq. 3
    RULE_PAPER,        // Eq. 13, clamped
    RULE_FREE,         // Eq. 13
    RULE_NAIVE,        // Eq. 10
    RULE_AREA,         // Eq. 13, clamped, with areas in place of Voronoi cells
    RULE_COUNT,
} rule;

typedef struct angles
{
    double mean[RULE_COUNT], max[RULE_COUNT];
    uint32_t flipped[RULE_COUNT]; // more than 90 degrees off
    uint32_t count;
} angles;

// The first mesh in the present pose, under lbs, moved by an offset.
typedef struct normal_case
{
    reproduce_body* body;
    const pelt_mesh* mesh;
    deform_factor *voronoi, *area;
    pelt_vec3* truth;
} normal_case;

static pelt_result case_create(normal_case* out, reproduce_body* body, uint32_t max_joints,
                               pelt_error* error)
{
    *out = (normal_case){.body = body, .mesh = &body->scene.meshes[0]};
    uint32_t count = out->mesh->vertex_count;
    out->voronoi = pelt_arena_alloc(body->arena, count, sizeof *out->voronoi);
    out->area = pelt_arena_alloc(body->arena, count, sizeof *out->area);
    out->truth = pelt_arena_alloc(body->arena, count, sizeof *out->truth);
    bool is_there = out->voronoi != NULL && out->area != NULL && out->truth != NULL;
    bool is_built =
        is_there &&
        deform_factors_build(out->voronoi, out->mesh, max_joints, DEFORM_FACTOR_VORONOI) ==
            PELT_OK &&
        deform_factors_build(out->area, out->mesh, max_joints, DEFORM_FACTOR_AREA) == PELT_OK;
    return is_built ? PELT_OK : pelt_error_memory(error);
}

static bool varies(const deform_factor* in)
{
    float most = 0.0f;
    for (uint32_t i = 0; i < in->count; ++i)
    {
        most = fmaxf(most, fmaxf(fabsf(in->alpha[i]), fabsf(in->beta[i])));
    }
    return most > 1e-3f;
}

static pelt_result case_measure(angles* out, normal_case* in, pelt_error* error)
{
    static const deform_factor_variant variants[] = {DEFORM_FACTOR_PAPER, DEFORM_FACTOR_PAPER,
                                                     DEFORM_FACTOR_FREE, DEFORM_FACTOR_NAIVE,
                                                     DEFORM_FACTOR_PAPER};
    reproduce_body* body = in->body;
    *out = (angles){0};
    pelt_frame_update(&body->frame, &body->scene, &body->pose, &reproduce_lbs);
    const pelt_surface* surface = &body->frame.surfaces[0];
    const pelt_palette* palette = &body->frame.palettes[0];
    if (pelt_normals_recompute(in->truth, in->mesh, surface->positions) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t v = 0; v < in->mesh->vertex_count; ++v)
    {
        if (!varies(&in->voronoi[v]))
        {
            continue;
        }
        ++out->count;
        for (int r = 0; r < RULE_COUNT; ++r)
        {
            const deform_factor* factor = r == RULE_AREA ? &in->area[v] : &in->voronoi[v];
            pelt_vec3 normal =
                r == RULE_STANDARD
                    ? surface->normals[v]
                    : deform_factor_normal(factor, in->mesh->positions[v], palette, variants[r]);
            double angle = normal_angle(normal, in->truth[v]);
            out->mean[r] += angle;
            out->max[r] = fmax(out->max[r], angle);
            out->flipped[r] += angle > 90.0;
        }
    }
    for (int r = 0; r < RULE_COUNT; ++r)
    {
        out->mean[r] /= out->count > 0 ? out->count : 1;
    }
    return PELT_OK;
}

static pelt_result measure_pose(angles* out, const char* input, const char* clip, float time,
                                pelt_error* error)
{
    reproduce_body body;
    normal_case own;
    PELT_TRY(reproduce_body_create(&body, input, error));
    reproduce_body_pose(&body, clip, time);
    pelt_result result = case_create(&own, &body, 4, error);
    result = result == PELT_OK ? case_measure(out, &own, error) : result;
    reproduce_body_destroy(&body);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Figures

static void add_comparison(reproduction* inout, const char* what, const angles* in)
{
    reproduce_unjudged(inout, reproduce_label(inout, "%s, standard: mean angle", what), "degrees",
                       "inaccurate", in->mean[RULE_STANDARD]);
    reproduce_claim(inout, reproduce_label(inout, "%s, deform factors: mean angle", what),
                    "degrees", "close to the truth", in->mean[RULE_PAPER],
                    in->mean[RULE_PAPER] < in->mean[RULE_STANDARD]);
}

static pelt_result measure_pill(reproduction* inout, pelt_error* error)
{
    reproduce_body bar;
    normal_case own;
    angles found;
    PELT_TRY(reproduce_body_create(&bar, "rig:bar", error));
    uint32_t node = pelt_scene_find_node(&bar.scene, "joint");
    PELT_ASSERT(node != PELT_NONE);
    bar.pose.locals[node].translation.y += 0.3f;
    pelt_result result = case_create(&own, &bar, 2, error);
    result = result == PELT_OK ? case_measure(&found, &own, error) : result;
    if (result == PELT_OK)
    {
        reproduce_claim(inout, "half of the bar moves aside, standard: mean angle", "degrees",
                        "normals stay as they are", found.mean[RULE_STANDARD],
                        found.mean[RULE_STANDARD] > 1.0);
        reproduce_claim(inout, "the same, deform factors: mean angle", "degrees", "correct",
                        found.mean[RULE_PAPER], found.mean[RULE_PAPER] < 0.5);
    }
    reproduce_body_destroy(&bar);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Normal maps

// Normals and tangents of a surface.
typedef struct frames
{
    const pelt_vec3* normals;
    const pelt_vec4* tangents;
} frames;

// The normal of a fragment in the middle of a triangle, as shaders of glTF compute it: frames of
// the corners are interpolated, and the normal map is in their coordinates.
static pelt_vec3 shaded_normal(const frames* in, const uint32_t corners[3], pelt_vec3 texel)
{
    pelt_vec3 normal = {0}, tangent = {0};
    for (int i = 0; i < 3; ++i)
    {
        pelt_vec4 t = in->tangents[corners[i]];
        normal = pelt_vec3_add(normal, in->normals[corners[i]]);
        tangent = pelt_vec3_add(tangent, pelt_vec3_make(t.x, t.y, t.z));
    }
    normal = pelt_vec3_normalize(normal);
    tangent = pelt_vec3_normalize(tangent);
    float handedness = in->tangents[corners[0]].w;
    pelt_vec3 bitangent = pelt_vec3_scale(pelt_vec3_cross(normal, tangent), handedness);
    pelt_vec3 out = pelt_vec3_scale(tangent, texel.x);
    out = pelt_vec3_mad(out, texel.y, bitangent);
    return pelt_vec3_normalize(pelt_vec3_mad(out, texel.z, normal));
}

// A procedural normal map: bumps of 16 waves on each side, with slopes of up to 45 degrees.
static pelt_vec3 bump_at(pelt_vec2 uv)
{
    const float waves = 16.0f * 2.0f * PELT_PI;
    float x = -cosf(waves * uv.x) * sinf(waves * uv.y);
    float y = -sinf(waves * uv.x) * cosf(waves * uv.y);
    return pelt_vec3_normalize(pelt_vec3_make(x, y, 1.0f));
}

// Mean angle between the normals of fragments, in degrees.
static double mean_angle(const pelt_mesh* mesh, const frames* a, const frames* b, bool is_bumpy)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < mesh->index_count; i += 3)
    {
        const uint32_t* corners = &mesh->indices[i];
        pelt_vec2 uv = {0.0f, 0.0f};
        for (int k = 0; k < 3; ++k)
        {
            uv.x += mesh->uvs[corners[k]].x / 3.0f;
            uv.y += mesh->uvs[corners[k]].y / 3.0f;
        }
        pelt_vec3 texel = is_bumpy ? bump_at(uv) : pelt_vec3_make(0.0f, 0.0f, 1.0f);
        sum += normal_angle(shaded_normal(a, corners, texel), shaded_normal(b, corners, texel));
    }
    return sum / (mesh->index_count / 3);
}

// The truth is recomputed from the deformed triangles and their UVs: normals, and tangents after
// MikkTSpace.
static pelt_result add_bumps(reproduction* inout, const char* rig, const char* clip, float time,
                             pelt_error* error)
{
    static const char* const names[] = {"standard", "accurate", "deform factors"};
    static const pelt_normal_rule rules[] = {PELT_NORMAL_STANDARD, PELT_NORMAL_ACCURATE,
                                             PELT_NORMAL_PAPER};
    reproduce_body body;
    PELT_TRY(reproduce_body_create(&body, rig, error));
    reproduce_body_pose(&body, clip, time);
    const pelt_mesh* mesh = &body.scene.meshes[0];
    pelt_vec3* normals = pelt_arena_alloc(body.arena, mesh->vertex_count, sizeof *normals);
    pelt_vec4* tangents = pelt_arena_alloc(body.arena, mesh->vertex_count, sizeof *tangents);
    pelt_result result = normals != NULL && tangents != NULL
                             ? pelt_scene_add_normal_factors(&body.scene, PELT_PREPARE_ALL, NULL,
                                                             NULL, body.arena, NULL)
                             : PELT_ERROR_MEMORY;
    body.frame.normal_factors[0] = body.scene.meshes[0].normal_factors;
    mesh = &body.scene.meshes[0];
    double first = 0.0;
    for (int bumpy = 0; result == PELT_OK && bumpy < 2; ++bumpy)
    {
        for (int i = 0; result == PELT_OK && i < 3; ++i)
        {
            const pelt_deform_options options = {.normal_rule = rules[i]};
            pelt_frame_update(&body.frame, &body.scene, &body.pose, &options);
            const pelt_surface* surface = &body.frame.surfaces[0];
            pelt_mesh deformed = *mesh;
            deformed.positions = surface->positions;
            deformed.normals = normals;
            result = pelt_normals_recompute(normals, mesh, surface->positions);
            result =
                result == PELT_OK ? pelt_tangents_compute(tangents, &deformed, 0, NULL) : result;
            const frames own = {surface->normals, surface->tangents}, truth = {normals, tangents};
            double angle = result == PELT_OK ? mean_angle(mesh, &own, &truth, bumpy > 0) : 0.0;
            first = i == 0 ? angle : first;
            const char* what = reproduce_label(
                inout, "%s, %s, normals of fragments %s a normal map, %s: mean angle", rig, clip,
                bumpy > 0 ? "with" : "without", names[i]);
            i == 0 ? reproduce_unjudged(inout, what, "degrees", "bumps look flat", angle)
                   : reproduce_claim(inout, what, "degrees", "bumps look right", angle,
                                     angle < 0.5 * first);
        }
    }
    reproduce_body_destroy(&body);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}

static pelt_result measure_cloth(reproduction* inout, pelt_error* error)
{
    angles found;
    PELT_TRY(measure_pose(&found, "rig:cloth", "drape", 1.0f, error));
    add_comparison(inout, "cloth, drape", &found);
    return add_bumps(inout, "rig:cloth", "drape", 1.0f, error);
}

// ---------------------------------------------------------------------------------------------
// Triangles, cancellation and folds

// The mean angle between the normals of a vertex by the triangles around it.
static pelt_result measure_triangles(reproduction* inout, pelt_error* error)
{
    reproduce_body bar;
    PELT_TRY(reproduce_body_create(&bar, "rig:bar", error));
    reproduce_body_pose(&bar, "bend90", 1.0f);
    pelt_frame_update(&bar.frame, &bar.scene, &bar.pose, &reproduce_lbs);
    const pelt_mesh* mesh = &bar.scene.meshes[0];
    const pelt_palette* palette = &bar.frame.palettes[0];
    pelt_vec3* first = pelt_arena_alloc(bar.arena, mesh->vertex_count, sizeof *first);
    double sum = 0.0, worst = 0.0;
    uint32_t count = 0;
    for (uint32_t i = 0; first != NULL && i < mesh->index_count; ++i)
    {
        uint32_t v = mesh->indices[i];
        pelt_vec3 normal = deform_factor_corner_normal(mesh, i / 3, i % 3, palette);
        bool is_new = pelt_vec3_length(first[v]) == 0.0f;
        first[v] = is_new ? normal : first[v];
        double angle = is_new ? 0.0 : normal_angle(first[v], normal);
        if (angle > 1e-3)
        {
            sum += angle;
            worst = fmax(worst, angle);
            ++count;
        }
    }
    pelt_result result = first != NULL ? PELT_OK : pelt_error_memory(error);
    reproduce_body_destroy(&bar);
    reproduce_claim(inout, "gradients per triangle: mean angle between corners of a vertex",
                    "degrees", "the triangles emerge", count > 0 ? sum / count : 0.0, count > 0);
    reproduce_unjudged(inout, "the same, largest", "degrees", "", worst);
    return result;
}

// The terms of Eq. 10 grow with the distance from the origin, their sum does not.
static pelt_result measure_cancellation(reproduction* inout, pelt_error* error)
{
    static const float distances[] = {0.0f, 100.0f, 10000.0f};
    reproduce_body bar;
    normal_case own;
    PELT_TRY(reproduce_body_create(&bar, "rig:bar", error));
    pelt_result result = case_create(&own, &bar, 4, error);
    for (uint32_t i = 0; result == PELT_OK && i < COUNT_OF(distances); ++i)
    {
        angles found;
        reproduce_body_pose(&bar, "bend90", 1.0f);
        bar.pose.locals[0].translation.y += distances[i];
        result = case_measure(&found, &own, error);
        const char* what = reproduce_label(inout, "%.0f m from the origin, Eq. 10: mean angle",
                                           (double)distances[i]);
        if (i + 1 == COUNT_OF(distances))
        {
            reproduce_claim(inout, what, "degrees", "artifacts", found.mean[RULE_NAIVE],
                            found.mean[RULE_NAIVE] > 1.1 * found.mean[RULE_FREE]);
        }
        else
        {
            reproduce_unjudged(inout, what, "degrees", "artifacts", found.mean[RULE_NAIVE]);
        }
        reproduce_unjudged(inout,
                           reproduce_label(inout, "%.0f m from the origin, Eq. 13: mean angle",
                                           (double)distances[i]),
                           "degrees", "none", found.mean[RULE_FREE]);
    }
    reproduce_body_destroy(&bar);
    return result;
}

static pelt_result measure_clamp(reproduction* inout, pelt_error* error)
{
    static const char* const poses[][2] = {{"rig:human?vertices=3000", "extreme"},
                                           {"rig:bar", "bend120"}};
    for (uint32_t i = 0; i < COUNT_OF(poses); ++i)
    {
        angles found;
        PELT_TRY(measure_pose(&found, poses[i][0], poses[i][1], 1.0f, error));
        reproduce_unjudged(inout,
                           reproduce_label(inout, "%s: normals that flip, standard", poses[i][1]),
                           "", "", found.flipped[RULE_STANDARD]);
        reproduce_unjudged(inout,
                           reproduce_label(inout, "%s: normals that flip, no clamp", poses[i][1]),
                           "", "enhances defects", found.flipped[RULE_FREE]);
        reproduce_claim(inout,
                        reproduce_label(inout, "%s: normals that flip, clamp at 0.9", poses[i][1]),
                        "", "as robust as standard", found.flipped[RULE_PAPER],
                        found.flipped[RULE_PAPER] <= found.flipped[RULE_FREE]);
        reproduce_claim(
            inout, reproduce_label(inout, "%s: mean angle, clamp minus no clamp", poses[i][1]),
            "degrees", "very little accuracy", found.mean[RULE_PAPER] - found.mean[RULE_FREE],
            found.mean[RULE_PAPER] - found.mean[RULE_FREE] < 0.5);
    }
    return PELT_OK;
}

static pelt_result measure_truth(reproduction* inout, pelt_error* error)
{
    static const char* const poses[][2] = {{"rig:arm?vertices=3000", "curl"},
                                           {"rig:human?vertices=5000", "squat"},
                                           {"rig:raptor?vertices=5000", "roar"}};
    for (uint32_t i = 0; i < COUNT_OF(poses); ++i)
    {
        angles found;
        PELT_TRY(measure_pose(&found, poses[i][0], poses[i][1], 1.0f, error));
        add_comparison(inout, poses[i][0], &found);
        reproduce_unjudged(inout, "the same, means by area in place of cotangents", "degrees", "",
                           found.mean[RULE_AREA]);
    }
    return PELT_OK;
}

// Section 4.5 by the library, whose rule "paper" has means by area.
static pelt_result measure_dqs(reproduction* inout, pelt_error* error)
{
    static const char* const poses[][2] = {{"rig:arm?vertices=3000", "bend"},
                                           {"rig:human?vertices=3000", "squat"},
                                           {"rig:bar?vertices=2000", "twist135"}};
    for (uint32_t i = 0; i < COUNT_OF(poses); ++i)
    {
        pelt_scene* scene;
        normal_subject subject;
        normal_error errors[PELT_NORMAL_RULE_COUNT] = {0};
        PELT_TRY(bench_scene_load(&scene, poses[i][0], error));
        pelt_result result = normal_subject_create(&subject, scene);
        if (result == PELT_OK)
        {
            uint32_t clip = pelt_scene_find_clip(scene, poses[i][1]);
            pelt_pose_sample(&subject.pose, scene, &scene->clips[clip], 1.0f, PELT_WRAP_CLAMP);
            result = normal_subject_measure(errors, &subject, PELT_METHOD_DQS, error);
            normal_subject_destroy(&subject);
        }
        pelt_scene_destroy(scene);
        PELT_TRY(result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result);
        double standard = normal_error_mean(&errors[PELT_NORMAL_STANDARD]);
        double paper = normal_error_mean(&errors[PELT_NORMAL_PAPER]);
        reproduce_unjudged(inout,
                           reproduce_label(inout, "%s, dqs, standard: mean angle", poses[i][1]),
                           "degrees", "", standard);
        reproduce_claim(inout,
                        reproduce_label(inout, "%s, dqs, deform factors: mean angle", poses[i][1]),
                        "degrees", "a good approximation", paper, paper < standard);
        reproduce_unjudged(
            inout, reproduce_label(inout, "%s, dqs, accurate (pelt): mean angle", poses[i][1]),
            "degrees", "", normal_error_mean(&errors[PELT_NORMAL_ACCURATE]));
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Table 1

// Multiply-and-add operations for N joints, counted from the lines of the paper.
// Eq. 3 under lbs: the blended matrix 12 N; the position 12; normal, tangent and bitangent 9 each.
static double count_standard(double n)
{
    return 12.0 * n + 12.0 + 27.0;
}

// Eq. 13 and 14: the linear part of the blend 9 N; q of each joint 9 N; for all but one joint a
// difference and three sums 12 (N - 1); two axes 18; their cross product 9.
static double count_paper(double n)
{
    return 9.0 * n + 9.0 * n + 12.0 * (n - 1.0) + 18.0 + 9.0;
}

// Eq. 7: the linear part 9 N, q 9 N, outer products 9 N, the position 3 N; cofactors 18, the
// determinant 3, its inverse 1 and the scale 9; normal, tangent and bitangent 27.
static double count_naive(double n)
{
    return 30.0 * n + 18.0 + 3.0 + 1.0 + 9.0 + 27.0;
}

static pelt_result measure_table(reproduction* inout, pelt_error* error)
{
    static const double standard[] = {63, 75, 87}, paper[] = {12, 30, 48}, naive[] = {67, 85, 103};
    static const double percent[] = {19, 40, 55}, bytes[] = {12, 18, 24};
    (void)error;
    for (uint32_t i = 0; i < 3; ++i)
    {
        uint32_t n = i + 2;
        double own = count_paper(n) - count_standard(n);
        reproduce_number(inout, reproduce_label(inout, "lbs, N = %u: operations of Eq. 3", n), "",
                         standard[i], count_standard(n), 0.0);
        reproduce_number(inout, reproduce_label(inout, "lbs, N = %u: overhead of Eq. 13", n), "",
                         paper[i], own, 0.0);
        reproduce_number(inout, reproduce_label(inout, "lbs, N = %u: overhead", n), "%", percent[i],
                         100.0 * own / count_standard(n), 0.5);
        reproduce_number(inout, reproduce_label(inout, "lbs, N = %u: overhead of Eq. 7", n), "",
                         naive[i], count_naive(n) - count_standard(n), 0.0);
        if (i == 2)
        {
            reproduce_number(inout, "dqs, N = 4: operations, by the step from N = 2 to 3", "",
                             120.0, 118.0 + (118.0 - 106.0), 0.0);
            reproduce_number(inout, "dqs, N = 4: overhead, by the step from N = 2 to 3", "", 133.0,
                             90.0 + (90.0 - 57.0), 0.0);
        }
        reproduce_number(inout, reproduce_label(inout, "N = %u: bytes of joints and weights", n),
                         "", bytes[i],
                         pelt_gpu_attribute_bytes(PELT_ATTRIBUTE_JOINTS, n) +
                             pelt_gpu_attribute_bytes(PELT_ATTRIBUTE_WEIGHTS, n),
                         0.0);
        reproduce_number(inout, reproduce_label(inout, "N = %u: bytes of deform factors", n), "",
                         8.0 * (n - 1.0), 2.0 * sizeof(float) * (n - 1.0), 0.0);
    }
    // The rule of pelt has three times the numbers, and no published size.
    reproduce_unjudged(inout, "bytes of the factors of pelt, compact, N up to 4", "", "-",
                       sizeof(uint32_t) * PELT_NORMAL_WORDS);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Eq. 12

static pelt_result measure_sums(reproduction* inout, pelt_error* error)
{
    reproduce_body body;
    normal_case own;
    double worst = 0.0;
    PELT_TRY(reproduce_body_create(&body, "rig:human?vertices=3000", error));
    pelt_result result = case_create(&own, &body, DEFORM_FACTOR_MAX, error);
    for (uint32_t v = 0; result == PELT_OK && v < own.mesh->vertex_count; ++v)
    {
        const deform_factor* factor = &own.voronoi[v];
        double sum = 0.0, size = 1e-9;
        for (uint32_t i = 0; i < factor->count; ++i)
        {
            sum += (double)factor->alpha[i];
            size = fmax(size, fabs((double)factor->alpha[i]));
        }
        worst = fmax(worst, size > 1.0 ? fabs(sum) / size : 0.0);
    }
    reproduce_body_destroy(&body);
    reproduce_number(inout, "sum of the factors of a vertex, of the largest if above 1/m", "", 0.0,
                     worst, 1e-4);
    return result;
}

// ---------------------------------------------------------------------------------------------

static const reproduce_item items[] = {
    {.name = "figure1",
     .title = "a normal-mapped skirt looks flat under standard normals",
     .command = "pelt render rig:cloth --normals standard,paper --show normal-error -o cloth.png",
     .measure = measure_cloth,
     .remark = "The model is not public: a cloth over nine joints, with a procedural normal map. "
               "Normals of fragments are those of triangles and UVs of the deformed surface, or "
               "of the rule; tangents follow as normals do."},
    {.name = "figure2",
     .title = "a joint that only moves: normals have to rotate",
     .measure = measure_pill},
    {.name = "equation12", .title = "factors of a vertex sum to zero", .measure = measure_sums},
    {.name = "figure3",
     .title = "gradients per triangle show the triangles",
     .measure = measure_triangles},
    {.name = "figure4",
     .title = "cancellation without Eq. 13",
     .measure = measure_cancellation,
     .remark = "In float, as on a GPU. Positions themselves are off by 0.5 mm at 10 km, which "
               "Eq. 13 cannot mend."},
    {.name = "figure5",
     .title = "the clamp at 0.9 against flipped normals",
     .command = "pelt deform --normals paper",
     .measure = measure_clamp},
    {.name = "figures6-7",
     .title = "against recomputed normals, lbs",
     .command = "pelt bench normals",
     .picture = "normals.png",
     .measure = measure_truth,
     .remark = "Cotangent weights as published. pelt's own rule `paper` takes means by area, which "
               "are nearer to the truth on coarse meshes."},
    {.name = "figure8",
     .title = "against recomputed normals, dqs (section 4.5)",
     .command = "pelt bench normals",
     .measure = measure_dqs,
     .remark = "In twists the formula adds the shear of lbs, which dqs has not: it is worse than "
               "standard normals there. The figure shows bends."},
    {.name = "table1",
     .title = "operations and bytes per vertex",
     .command = "pelt bench gpu",
     .measure = measure_table,
     .remark = "Counted from the equations; the supplement that explains the published counts is "
               "not available, and its inverse of Eq. 7 takes 12 operations more. 120 and +133 of "
               "dqs at N = 4 break the row, whose steps are 12 and 33: they should be 130 and "
               "+123, of which the sum is the same. Joint indices have 16 bits and are padded."},
};

const reproduce_document reproduce_tarini2014 = {
    .name = "tarini2014",
    .title = "Tarini et al., Accurate and Efficient Lighting for Skinned Models, 2014",
    .items = items,
    .item_count = COUNT_OF(items)};
