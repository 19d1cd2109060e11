// SPDX-License-Identifier: MIT
// Bittner et al., "Evaluation of Optimised Centres of Rotation Skinning", 2019.
#include "bench_json.h"
#include "cor/cor_subject.h"
#include "pelt/gl.h"
#include "pelt/prepare.h"
#include "published.h"
#include "reproduce.h"

#include <math.h>
#include <string.h>

static double radius_lost(const pelt_region_metrics* all)
{
    return -100.0 * (double)all->metrics[PELT_METRIC_RADIUS].min;
}

static double bulge_mm(const pelt_region_metrics* all)
{
    return 1e3 * (double)all->metrics[PELT_METRIC_BULGE].max;
}

// ---------------------------------------------------------------------------------------------
// Figures 1, 2 and 4

static pelt_result measure_artifacts(reproduction* inout, pelt_error* error)
{
    reproduce_body arm;
    PELT_TRY(reproduce_body_create(&arm, "rig:arm?vertices=3000", error));
    reproduce_worst twist = reproduce_body_play(&arm, "twist", &reproduce_lbs, 15);
    reproduce_worst bend = reproduce_body_play(&arm, "bend", &reproduce_lbs, 15);
    reproduce_worst bulge = reproduce_body_play(&arm, "bend", &reproduce_dqs, 15);
    reproduce_body_destroy(&arm);
    reproduce_claim(inout, "candy wrapper of lbs, forearm: radius lost", "%", "volume is lost",
                    twist.radius_lost, twist.radius_lost > 25.0);
    reproduce_claim(inout, "elbow collapse of lbs: radius lost", "%", "volume is lost",
                    bend.radius_lost, bend.radius_lost > 5.0);
    reproduce_claim(inout, "bulge of dqs at the elbow", "mm", "bends stretch out",
                    1e3 * bulge.bulge, bulge.bulge > bend.bulge);
    return PELT_OK;
}

// Halfway between two rotations that differ by an angle a, lbs is at cos(a / 2) of the radius and
// dqs on the arc.
static pelt_result measure_midpoint(reproduction* inout, pelt_error* error)
{
    static const char* const clips[] = {"twist90", "twist135", "twist180"};
    static const double degrees[] = {90.0, 135.0, 180.0};
    reproduce_body bar;
    PELT_TRY(reproduce_body_create(&bar, "rig:bar", error));
    for (uint32_t i = 0; i < COUNT_OF(clips); ++i)
    {
        reproduce_body_pose(&bar, clips[i], 1.0f);
        double half = 100.0 * cos(0.5 * degrees[i] * (double)PELT_PI / 180.0), radius[2];
        for (uint32_t k = 0; k < 2; ++k)
        {
            const pelt_region_metrics* all =
                reproduce_body_measure(&bar, k == 0 ? &reproduce_lbs : &reproduce_dqs);
            radius[k] = 100.0 - 100.0 * (double)all->metrics[PELT_METRIC_COLLAPSE].max;
        }
        reproduce_number(inout, reproduce_label(inout, "%.0f degrees, lbs: radius", degrees[i]),
                         "%", fabs(half) < 1e-3 ? 0.0 : half, radius[0], 0.1);
        reproduce_number(inout, reproduce_label(inout, "%.0f degrees, dqs: radius", degrees[i]),
                         "%", 100.0, radius[1], 0.1);
    }
    reproduce_body_destroy(&bar);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Algorithms 1 to 4

static pelt_result measure_algorithms(reproduction* inout, pelt_error* error)
{
    static const char* const poses[][2] = {{"rig:human?vertices=5000", "extreme"},
                                           {"rig:raptor?vertices=3000", "tail"}};
    for (uint32_t i = 0; i < COUNT_OF(poses); ++i)
    {
        reproduce_body body;
        PELT_TRY(reproduce_body_create(&body, poses[i][0], error));
        reproduce_body_pose(&body, poses[i][1], 1.2f);
        for (uint32_t k = 0; k < 2; ++k)
        {
            published_distance worst =
                published_compare(inout, &body, k == 0 ? PUBLISHED_DQS : PUBLISHED_CRS);
            const char* what =
                reproduce_label(inout, "%s, Algorithm %u (%s): largest distance, of the size",
                                poses[i][0], k + 1, k == 0 ? "dqs" : "crs");
            reproduce_number(inout, what, "", 0.0, worst.position, 2e-6);
        }
        reproduce_body_destroy(&body);
    }
    return PELT_OK;
}

static pelt_result solve(pelt_vec3* out, const pelt_mesh* mesh, pelt_cor_solver solver,
                         pelt_error* error)
{
    const pelt_cor_options options = {.solver = solver, .epsilon = -1.0f};
    const pelt_cor_input input = {1, &mesh};
    return pelt_cor_solve(&out, &input, &options, NULL, error);
}

// The search starts at vertices with similar weights and ends where similarity does: on the cuboid,
// whose seams and rings it cannot cross, it misses part of the surface.
static pelt_result measure_search(reproduction* inout, pelt_error* error)
{
    static const char* const inputs[] = {"rig:cuboid?vertices=2000", "rig:raptor?vertices=2000"};
    for (uint32_t i = 0; i < COUNT_OF(inputs); ++i)
    {
        pelt_scene* scene;
        PELT_TRY(bench_scene_load(&scene, inputs[i], error));
        const pelt_mesh* mesh = &scene->meshes[0];
        pelt_vec3* full = pelt_allocate((size_t)2 * mesh->vertex_count, sizeof *full);
        pelt_result result = full != NULL ? PELT_OK : PELT_ERROR_MEMORY;
        result = result == PELT_OK ? solve(full, mesh, PELT_COR_FULL, error) : result;
        result = result == PELT_OK ? solve(full + mesh->vertex_count, mesh, PELT_COR_PAPER, error)
                                   : result;
        if (result == PELT_OK)
        {
            pelt_difference off =
                pelt_positions_compare(full, full + mesh->vertex_count, mesh->vertex_count);
            pelt_bounds box = pelt_bounds_empty();
            pelt_bounds_add(&box, mesh->positions, mesh->vertex_count);
            double size = (double)pelt_bounds_diagonal(&box);
            reproduce_claim(
                inout,
                reproduce_label(inout, "%s: rms distance of the search from the sum", inputs[i]),
                "% of size", "an approximation of Eq. 10", 100.0 * off.rms / size,
                off.rms / size < 0.05);
        }
        pelt_release(full);
        pelt_scene_destroy(scene);
        PELT_TRY(result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result);
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Figures 5 to 7

static pelt_result measure_tail(reproduction* inout, pelt_error* error)
{
    reproduce_body raptor;
    PELT_TRY(reproduce_body_create(&raptor, "rig:raptor?vertices=5000", error));
    double bulges[2];
    for (uint32_t i = 0; i < 2; ++i)
    {
        bulges[i] =
            1e3 * reproduce_body_play(&raptor, "tail", i == 0 ? &reproduce_dqs : &reproduce_crs, 15)
                      .bulge;
    }
    reproduce_body_destroy(&raptor);
    reproduce_unjudged(inout, "tail of the raptor, dqs: bulge", "mm", "bulges", bulges[0]);
    reproduce_claim(inout, "tail of the raptor, crs: bulge", "mm", "fixed", bulges[1],
                    bulges[1] < bulges[0]);
    return PELT_OK;
}

static pelt_result measure_cuboid(reproduction* inout, pelt_error* error)
{
    reproduce_body cuboid;
    PELT_TRY(reproduce_body_create(&cuboid, "rig:cuboid?vertices=9000", error));
    double lost[3], bulge[3];
    const pelt_deform_options* const methods[] = {&reproduce_lbs, &reproduce_dqs, &reproduce_crs};
    for (uint32_t i = 0; i < 3; ++i)
    {
        reproduce_body_pose(&cuboid, "twist", 1.0f);
        lost[i] = radius_lost(reproduce_body_measure(&cuboid, methods[i]));
        reproduce_body_pose(&cuboid, "bend", 1.0f);
        bulge[i] = bulge_mm(reproduce_body_measure(&cuboid, methods[i]));
    }
    reproduce_body_destroy(&cuboid);
    reproduce_claim(inout, "twist by 180 degrees, lbs: radius lost", "%", "all in one spot",
                    lost[0], lost[0] > 90.0);
    reproduce_claim(inout, "twist, dqs: radius lost", "%", "solved", lost[1], lost[1] < 5.0);
    reproduce_claim(inout, "twist, crs: radius lost", "%", "solved", lost[2], lost[2] < 5.0);
    reproduce_unjudged(inout, "bend by 120 degrees, lbs: bulge", "mm", "none", bulge[0]);
    reproduce_claim(inout, "bend, dqs: bulge", "mm", "bulges", bulge[1], bulge[1] > bulge[0]);
    reproduce_claim(inout, "bend, crs: bulge", "mm", "a little at the outer edge", bulge[2],
                    bulge[2] < bulge[1]);
    return PELT_OK;
}

static pelt_result measure_wolf(reproduction* inout, pelt_error* error)
{
    reproduce_body raptor;
    PELT_TRY(reproduce_body_create(&raptor, "rig:raptor?vertices=2000", error));
    double size = pelt_body_get_info(raptor.body)->size, worst[2] = {0.0, 0.0};
    for (int i = 0; i <= 8; ++i)
    {
        reproduce_body_pose(&raptor, "run", 0.08f * (float)i);
        for (int k = 0; k < 2; ++k)
        {
            pelt_difference own = reproduce_body_compare(inout, &raptor, &reproduce_lbs,
                                                         k == 0 ? &reproduce_dqs : &reproduce_crs);
            worst[k] = fmax(worst[k], 100.0 * own.rms / size);
        }
    }
    reproduce_body_destroy(&raptor);
    for (int k = 0; k < 2; ++k)
    {
        reproduce_claim(inout,
                        reproduce_label(inout, "run, %s against lbs: rms distance of vertices",
                                        k == 0 ? "dqs" : "crs"),
                        "% of size", "visually indistinguishable", worst[k], worst[k] < 0.3);
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Table 2

static pelt_result measure_speed(reproduction* inout, pelt_error* error)
{
    static const char* const methods[] = {"dqs", "crs"};
    static const char* const published[] = {"1.00 cuboid, 1.00 wolf, 0.99 raptor",
                                            "1.02 cuboid, 1.01 wolf, 1.03 raptor"};
    const bench_report* gpu;
    PELT_TRY(reproduce_suite(&gpu, inout, "gpu", NULL, error));
    for (uint32_t k = 0; k < 2; ++k)
    {
        reproduce_unjudged(inout, reproduce_label(inout, "time of a frame, %s to lbs", methods[k]),
                           "", published[k], reproduce_gpu_ratio(gpu, methods[k], "standard", 4));
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Section 5.2.2

// As published: 4 bytes per float, kilobytes of 1000 for the matrices and centers of a mesh.
static pelt_result measure_memory(reproduction* inout, pelt_error* error)
{
    static const struct
    {
        const char* name;
        uint32_t vertices, bones;
        double kilobytes[3];
    } meshes[] = {{"cuboid", 16800, 5, {0.32, 0.16, 202.0}},
                  {"wolf", 1291, 30, {1.92, 0.96, 17.89}},
                  {"raptor", 15005, 79, {5.06, 2.53, 186.38}}};
    const struct
    {
        const char* name;
        pelt_method method;
        uint32_t bone, vertex;
    } counts[] = {{"lbs", reproduce_lbs.method, 16, 0},
                  {"dqs", reproduce_dqs.method, 8, 0},
                  {"crs", reproduce_crs.method, 20, 3}};
    (void)error;
    for (uint32_t k = 0; k < COUNT_OF(counts); ++k)
    {
        // Matrices of pelt have three rows; the fourth, 0 0 0 1, is not stored.
        uint32_t own = counts[k].bone - (k == 1 ? 0 : 4);
        uint32_t stored =
            pelt_gpu_joint_floats(counts[k].method, PELT_GPU_SCALE_NONE, PELT_GPU_LAYOUT_COMPACT);
        reproduce_number(inout, reproduce_label(inout, "%s: floats per bone", counts[k].name), "",
                         counts[k].bone, stored, -1.0);
        reproduce_number(
            inout,
            reproduce_label(inout, "%s: floats per bone without the fourth row", counts[k].name),
            "", own, stored, 0.0);
    }
    for (uint32_t i = 0; i < COUNT_OF(meshes); ++i)
    {
        for (uint32_t k = 0; k < COUNT_OF(counts); ++k)
        {
            double bytes = 4.0 * (counts[k].bone * (double)meshes[i].bones +
                                  counts[k].vertex * (double)meshes[i].vertices);
            reproduce_number(inout,
                             reproduce_label(inout, "%s, %s: size, counted as published",
                                             meshes[i].name, counts[k].name),
                             "kB", meshes[i].kilobytes[k], bytes / 1000.0,
                             0.01 * meshes[i].kilobytes[k]);
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Figure 8

static pelt_result measure_centers(reproduction* inout, pelt_error* error)
{
    static const struct
    {
        const char *model, *rig;
        double naive, threads, search;
    } models[] = {{"cuboid", "rig:cuboid", 51.4, 16.0, 18.6},
                  {"wolf", "rig:raptor?vertices=2000", 25.9, 7.9, 0.6},
                  {"raptor", "rig:raptor?vertices=15005", 9000.0, 9000.0, 972.0}};
    const cor_effort effort = {4e8, 64, 3, 0.2}, quick = {1e7, 16, 1, 0.01};
    for (uint32_t i = 0; i < COUNT_OF(models); ++i)
    {
        pelt_scene* scene;
        cor_subject subject;
        cor_time fast = {0}, full = {0}, search = {0};
        PELT_TRY(bench_scene_load(&scene, models[i].rig, error));
        pelt_result result = cor_subject_create(&subject, scene, 0);
        cor_effort own = inout->is_quick ? quick : effort;
        if (result == PELT_OK)
        {
            const pelt_cor_options sum = {.solver = PELT_COR_FULL, .epsilon = -1.0f};
            const pelt_cor_options paper = {.solver = PELT_COR_PAPER, .epsilon = -1.0f};
            result = cor_subject_time_fast(&fast, &subject, -1.0f, 0.02);
            result = result == PELT_OK ? cor_subject_time_slow(&full, &subject, &sum, own) : result;
            result =
                result == PELT_OK ? cor_subject_time_slow(&search, &subject, &paper, own) : result;
            cor_subject_destroy(&subject);
        }
        pelt_scene_destroy(scene);
        PELT_TRY(result == PELT_ERROR_MEMORY ? pelt_error_memory(error) : result);
        const char* name = models[i].model;
        double threads = bench_thread_count();
        reproduce_number(inout, reproduce_label(inout, "%s: plain sum, one thread", name), "s",
                         models[i].naive, full.seconds * threads, -1.0);
        reproduce_number(
            inout, reproduce_label(inout, "%s: plain sum, four threads there, all here", name), "s",
            models[i].threads, full.seconds, -1.0);
        reproduce_number(inout, reproduce_label(inout, "%s: with the search", name), "s",
                         models[i].search, search.seconds, -1.0);
        reproduce_unjudged(inout, reproduce_label(inout, "%s: solver of pelt", name), "s", "",
                           fast.seconds);
    }
    return PELT_OK;
}

static pelt_result measure_subdivision(reproduction* inout, pelt_error* error)
{
    pelt_scene* scene;
    cor_subject subject;
    cor_time time;
    PELT_TRY(bench_scene_load(&scene, "rig:raptor?vertices=15005", error));
    pelt_result result = cor_subject_create(&subject, scene, 0);
    if (result == PELT_OK)
    {
        result = cor_subject_time_fast(&time, &subject, 0.1f, 0.02);
        double megabytes = 1e-6 * (double)subject.report.peak_bytes;
        reproduce_number(inout, "raptor: memory with bisected triangles, above", "MB", 16000.0,
                         megabytes, -1.0);
        reproduce_unjudged(inout, "raptor: pieces after bisection", "", "gave up",
                           (double)subject.report.sample_count);
        cor_subject_destroy(&subject);
    }
    pelt_scene_destroy(scene);
    return result == PELT_OK ? PELT_OK : pelt_error_memory(error);
}

// ---------------------------------------------------------------------------------------------

static const reproduce_item items[] = {
    {.name = "figures1-2",
     .title = "candy wrapper, collapse, bulge",
     .command = "pelt compare rig:arm -o report",
     .measure = measure_artifacts,
     .remark = "The arm of pelt in place of their pictures."},
    {.name = "figure3",
     .title = "bind pose of a robot",
     .remark = "A drawing of a bind pose: there is nothing to measure."},
    {.name = "figure4", .title = "dqs blends angles, lbs positions", .measure = measure_midpoint},
    {.name = "algorithms1-2",
     .title = "dqs and crs as matrices",
     .command = "pelt deform --sign-rule running",
     .measure = measure_algorithms,
     .remark = "The rest is the rounding of floats."},
    {.name = "algorithms3-4",
     .title = "centers by breadth-first search",
     .command = "pelt enhance --cor --solver paper",
     .measure = measure_search,
     .remark = "The search leaves parts of the surface out; the solver of pelt does not search."},
    {.name = "figure5",
     .title = "bulge at the tail of a raptor",
     .command = "pelt compare rig:raptor -o report",
     .measure = measure_tail,
     .remark = "Another raptor: the order is judged."},
    {.name = "figure6",
     .title = "cuboid, twisted by 180 and bent by 120 degrees",
     .command = "pelt compare rig:cuboid -o report",
     .picture = "cuboid.png",
     .measure = measure_cuboid},
    {.name = "figure7",
     .title = "a low-poly wolf looks the same under all methods",
     .command = "pelt render rig:raptor?vertices=2000 --method lbs,dqs,crs -o raptor.png",
     .measure = measure_wolf,
     .remark = "The wolf is not public: a raptor of few vertices runs."},
    {.name = "table1", .title = "notation", .remark = "Symbols: there is nothing to measure."},
    {.name = "table2",
     .title = "frames per second of three models",
     .command = "pelt bench gpu",
     .measure = measure_speed,
     .needs_gl = true,
     .remark = "Whole frames on a GPU there, of which skinning is a small part; here skinning "
               "alone, of a human, often by a software driver."},
    {.name = "memory",
     .title = "floats per bone and vertex, kilobytes (section 5.2.2)",
     .command = "pelt info rig:raptor --gpu",
     .measure = measure_memory,
     .remark = "A matrix takes 12 floats here, since its fourth row is always the same. Published "
               "sizes are rounded."},
    {.name = "figure8",
     .title = "time to compute centers, naive, with threads, with the search",
     .command = "pelt bench cor",
     .measure = measure_centers,
     .remark = "Four cores there. Times of many vertices are extrapolated from a sample; the "
               "naive one is that of all threads times their number. 9000 s are the published "
               "\"2.5 h\"."},
    {.name = "subdivision",
     .title = "subdivision exceeded 16 GB (section 5.2.2)",
     .command = "pelt bench cor",
     .measure = measure_subdivision,
     .remark = "pelt does not store the pieces."},
};

const reproduce_document reproduce_bittner2019 = {
    .name = "bittner2019",
    .title = "Bittner et al., Evaluation of Optimised Centres of Rotation Skinning, 2019",
    .items = items,
    .item_count = COUNT_OF(items)};
