// SPDX-License-Identifier: MIT
// Le and Hodgins, "Real-time Skeletal Skinning with Optimized Centers of Rotation", 2016.
#include "cor/cor_summary.h"
#include "le2016_centers.h"
#include "pelt/prepare.h"
#include "published.h"
#include "reproduce.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Figure 2: the bar

static const pelt_deform_options lms = {.method = PELT_METHOD_LMS};
static const pelt_deform_options sbs = {.method = PELT_METHOD_SBS};

static const struct
{
    const char* name;
    const pelt_deform_options* options;
} methods[] = {{"lbs", &reproduce_lbs},
               {"lms", &lms},
               {"sbs", &sbs},
               {"dqs", &reproduce_dqs},
               {"crs", &reproduce_crs}};

enum
{
    LBS = 0,
    DQS = 3,
    CRS = 4,
};

// In a twist by an angle a vertices in the middle keep cos(a / 2) of their distance to the bone
// under lbs, and all of it under the others.
static void add_twist(reproduction* inout, reproduce_body* bar, const char* clip, double degrees)
{
    double lost = 100.0 * (1.0 - cos(0.5 * degrees * (double)PELT_PI / 180.0));
    reproduce_body_pose(bar, clip, 1.0f);
    for (uint32_t i = 0; i < COUNT_OF(methods); ++i)
    {
        const pelt_region_metrics* all = reproduce_body_measure(bar, methods[i].options);
        const char* what =
            reproduce_label(inout, "%.0f degrees twist, %s: radius lost", degrees, methods[i].name);
        reproduce_number(inout, what, "%", i == LBS ? lost : 0.0,
                         100.0 * (double)all->metrics[PELT_METRIC_COLLAPSE].max, 0.1);
    }
}

// Distances to the bones of a bend that is also pulled apart grow under all methods.
static void add_bend(reproduction* inout, reproduce_body* bar, const char* clip, const char* title)
{
    double bulges[COUNT_OF(methods)];
    reproduce_body_pose(bar, clip, 1.0f);
    for (uint32_t i = 0; i < COUNT_OF(methods); ++i)
    {
        const pelt_region_metrics* all = reproduce_body_measure(bar, methods[i].options);
        bulges[i] = 1e3 * (double)all->metrics[PELT_METRIC_BULGE].max;
    }
    for (uint32_t i = 0; i < COUNT_OF(methods); ++i)
    {
        const char* claim = i == LBS ? "collapses" : i == CRS ? "does not bulge" : "bulges";
        bool holds = i == LBS || i == CRS ? bulges[i] < bulges[DQS] : bulges[i] > bulges[CRS];
        reproduce_claim(inout, reproduce_label(inout, "%s, %s: bulge", title, methods[i].name),
                        "mm", claim, bulges[i], holds);
    }
}

static pelt_result measure_bar(reproduction* inout, pelt_error* error)
{
    reproduce_body bar;
    PELT_TRY(reproduce_body_create(&bar, "rig:bar", error));
    add_twist(inout, &bar, "twist135", 135.0);
    add_bend(inout, &bar, "bend120", "120 degrees bend");
    add_twist(inout, &bar, "twist90", 90.0);
    add_bend(inout, &bar, "bend90", "90 degrees bend");
    add_bend(inout, &bar, "bend90_translate", "90 degrees bend with translation");
    reproduce_body_destroy(&bar);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Figures 1 and 6: a muscular person; Figure 10: other weights; Figures 11 to 13: several parts

// The rig is another character, so that only the order of the methods counts.
static pelt_result add_order(reproduction* inout, const char* input, const char* clip,
                             pelt_error* error)
{
    reproduce_body body;
    reproduce_worst worst[COUNT_OF(methods)];
    PELT_TRY(reproduce_body_create(&body, input, error));
    for (uint32_t i = 0; i < COUNT_OF(methods); ++i)
    {
        worst[i] = reproduce_body_play(&body, clip, methods[i].options, inout->is_quick ? 9 : 41);
    }
    for (uint32_t i = 0; i < COUNT_OF(methods); ++i)
    {
        const char* what =
            reproduce_label(inout, "%s, %s, %s: radius lost", input, clip, methods[i].name);
        if (i == CRS)
        {
            reproduce_claim(inout, what, "%", "less than lbs", worst[i].radius_lost,
                            worst[i].radius_lost < worst[LBS].radius_lost);
        }
        else
        {
            reproduce_unjudged(inout, what, "%", i == LBS ? "candy wrapper" : "",
                               worst[i].radius_lost);
        }
    }
    for (uint32_t i = 1; i < COUNT_OF(methods); ++i)
    {
        const char* what =
            reproduce_label(inout, "%s, %s, %s: bulge", input, clip, methods[i].name);
        reproduce_claim(inout, what, "mm", i == CRS ? "least of these" : "bulges more than crs",
                        1e3 * worst[i].bulge, i == CRS || worst[i].bulge > worst[CRS].bulge);
    }
    reproduce_body_destroy(&body);
    return PELT_OK;
}

static pelt_result measure_person(reproduction* inout, pelt_error* error)
{
    return add_order(inout, "rig:human?vertices=5000", "extreme", error);
}

static pelt_result measure_weights(reproduction* inout, pelt_error* error)
{
    PELT_TRY(add_order(inout, "rig:human?vertices=3000&influences=2", "squat", error));
    PELT_TRY(add_order(inout, "rig:human?vertices=3000", "squat", error));
    return add_order(inout, "rig:human?vertices=3000&influences=8", "squat", error);
}

// SBS finds a center for each pose from the joints of a vertex: neighbors with other joints have
// another one.
static pelt_result measure_parts(reproduction* inout, pelt_error* error)
{
    static const char* const inputs[][2] = {{"rig:human?vertices=3000", "extreme"},
                                            {"rig:raptor?vertices=3000", "tail"},
                                            {"rig:cloth", "drape"}};
    for (uint32_t i = 0; i < COUNT_OF(inputs); ++i)
    {
        reproduce_body body;
        double edges[COUNT_OF(methods)];
        PELT_TRY(reproduce_body_create(&body, inputs[i][0], error));
        for (uint32_t m = 0; m < COUNT_OF(methods); ++m)
        {
            edges[m] = reproduce_body_play(&body, inputs[i][1], methods[m].options, 9).edge;
        }
        reproduce_body_destroy(&body);
        for (uint32_t m = 0; m < COUNT_OF(methods); m += m == 0 ? 2 : m == 2 ? 2 : 1)
        {
            const char* what = reproduce_label(inout, "%s, %s, %s: largest strain of an edge",
                                               inputs[i][0], inputs[i][1], methods[m].name);
            if (m == 2)
            {
                reproduce_claim(inout, what, "%", "not smooth", 100.0 * edges[m],
                                edges[m] > edges[CRS]);
            }
            else
            {
                reproduce_unjudged(inout, what, "%", "", 100.0 * edges[m]);
            }
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Figure 3: a cross-section moves rigidly

static pelt_result measure_section(reproduction* inout, pelt_error* error)
{
    reproduce_body bar;
    PELT_TRY(reproduce_body_create(&bar, "rig:bar", error));
    reproduce_body_pose(&bar, "twist135", 1.0f);
    double lbs =
        -100.0 *
        (double)reproduce_body_measure(&bar, methods[LBS].options)->metrics[PELT_METRIC_RADIUS].min;
    double crs =
        -100.0 *
        (double)reproduce_body_measure(&bar, methods[CRS].options)->metrics[PELT_METRIC_RADIUS].min;
    reproduce_claim(inout, "cross-section under lbs: radius lost", "%", "collapses", lbs,
                    lbs > 50.0);
    reproduce_claim(inout, "cross-section under the best rigid motion: radius lost", "%", "kept",
                    crs, crs < 1.0);
    reproduce_body_destroy(&bar);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Figures 4 and 5: twist joints

static pelt_result add_twist_row(reproduction* inout, const char* what, const pelt_scene* scene,
                                 double* lost, pelt_error* error)
{
    pelt_body* body;
    pelt_clip_metrics worst = {0};
    PELT_TRY(pelt_body_create(&body, scene, error));
    pelt_result result = pelt_clip_metrics_create(&worst, body);
    uint32_t clip = pelt_scene_find_clip(scene, "twist");
    const pelt_clip_request request = {.metrics = PELT_METRIC_BIT(PELT_METRIC_RADIUS),
                                       .deform = {.method = PELT_METHOD_LBS},
                                       .max_frames = 15};
    result = result == PELT_OK
                 ? pelt_body_measure_clip(&worst, body, scene, &scene->clips[clip], &request, error)
                 : pelt_error_memory(error);
    if (result == PELT_OK)
    {
        double own = -100.0 * (double)worst.regions[0].metrics[PELT_METRIC_RADIUS].min.value;
        bool is_first = isnan(*lost);
        reproduce_claim(inout, what, "%", is_first ? "candy wrapper" : "improved", own,
                        is_first || own < *lost);
        *lost = own;
    }
    pelt_clip_metrics_destroy(&worst);
    pelt_body_destroy(body);
    return result;
}

static uint32_t find_forearm(const pelt_scene* scene)
{
    uint32_t node = pelt_scene_find_node(scene, "elbow");
    return node != PELT_NONE ? node : pelt_scene_find_node(scene, "forearm");
}

// Each old weight is the sum of the weights of its joint and of the joints that split it.
static double split_difference(const pelt_scene* before, const pelt_scene* after, uint32_t node)
{
    double worst = 0.0;
    const pelt_weights* a = &before->meshes[0].weights;
    const pelt_weights* b = &after->meshes[0].weights;
    const pelt_skin* skin = &after->skins[0];
    for (uint32_t v = 0; v < a->vertex_count; ++v)
    {
        double old = 0.0, split = 0.0;
        for (uint32_t i = a->first[v]; i < a->first[v + 1]; ++i)
        {
            uint32_t joint = before->skins[0].joints[a->influences[i].joint];
            old += joint == node ? (double)a->influences[i].weight : 0.0;
        }
        for (uint32_t i = b->first[v]; i < b->first[v + 1]; ++i)
        {
            uint32_t joint = skin->joints[b->influences[i].joint];
            bool is_part = joint == node || joint >= before->node_count;
            split += is_part ? (double)b->influences[i].weight : 0.0;
        }
        worst = fmax(worst, fabs(old - split));
    }
    return worst;
}

static pelt_result measure_twist(reproduction* inout, pelt_error* error)
{
    pelt_scene *scene, *twisted;
    double lost = (double)NAN;
    PELT_TRY(bench_scene_load(&scene, "rig:arm?vertices=3000", error));
    uint32_t node = find_forearm(scene);
    PELT_ASSERT(node != PELT_NONE);
    pelt_result result =
        add_twist_row(inout, "arm, lbs, no twist joint: radius lost", scene, &lost, error);
    for (uint32_t count = 1; result == PELT_OK && count <= 3; count += 2)
    {
        const pelt_twist request = {.node = node, .count = count};
        const pelt_twist_options options = {.twist_count = 1, .twists = &request};
        result = pelt_twist_add(&twisted, scene, &options, NULL, error);
        if (result != PELT_OK)
        {
            break;
        }
        result = add_twist_row(inout,
                               reproduce_label(inout, "arm, lbs, %u twist joint%s: radius lost",
                                               count, count > 1 ? "s" : ""),
                               twisted, &lost, error);
        if (result == PELT_OK && count == 1)
        {
            reproduce_number(inout, "split weights: sum of both minus the original weight", "", 0.0,
                             split_difference(scene, twisted, node), 1e-6);
        }
        pelt_scene_destroy(twisted);
    }
    pelt_scene_destroy(scene);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Algorithm 1

static pelt_result measure_algorithm(reproduction* inout, pelt_error* error)
{
    reproduce_body body;
    PELT_TRY(reproduce_body_create(&body, "rig:human?vertices=5000", error));
    reproduce_body_pose(&body, "extreme", 1.4f);
    published_distance worst = published_compare(inout, &body, PUBLISHED_CRS);
    reproduce_number(inout, "largest distance from the published lines, of the size", "", 0.0,
                     worst.position, 2e-6);
    reproduce_body_destroy(&body);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Table 1

static pelt_result measure_times(reproduction* inout, pelt_error* error)
{
    static const struct
    {
        const char *model, *rig;
        bool is_quick;
    } models[] = {{"Goliath", "rig:human?vertices=39158", false},
                  {"man", "rig:human?vertices=20846", false},
                  {"boy", "rig:human?vertices=22459", false},
                  {"horse", "rig:raptor?vertices=8435", true},
                  {"cloth", "rig:cloth", true}};
    const cor_effort effort = {2e8, 32, 3, 0.1}, quick = {1e8, 32, 1, 0.02};
    for (uint32_t i = 0; i < COUNT_OF(models); ++i)
    {
        if (inout->is_quick && !models[i].is_quick)
        {
            continue;
        }
        pelt_scene* scene;
        cor_subject subject;
        cor_time fast, paper;
        const cor_figure* figure = cor_figure_find(models[i].model);
        PELT_TRY(bench_scene_load(&scene, models[i].rig, error));
        pelt_result result = cor_subject_create(&subject, scene, 0);
        if (result == PELT_OK)
        {
            const pelt_cor_options options = {.solver = PELT_COR_PAPER};
            result = cor_subject_time_fast(&fast, &subject, 0.0f, 0.05);
            result = result == PELT_OK ? cor_subject_time_slow(&paper, &subject, &options,
                                                               inout->is_quick ? quick : effort)
                                       : result;
            reproduce_number(inout,
                             reproduce_label(inout, "%s, %u vertices: published algorithm",
                                             models[i].model, subject.vertex_count),
                             "s", figure->seconds, paper.seconds, -1.0);
            reproduce_number(inout,
                             reproduce_label(inout, "%s, %u vertices: solver of pelt",
                                             models[i].model, subject.vertex_count),
                             "s", figure->seconds, fast.seconds, -1.0);
            cor_subject_destroy(&subject);
        }
        pelt_scene_destroy(scene);
        if (result != PELT_OK)
        {
            return pelt_error_memory(error);
        }
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Figure 7: centers of vertices of two joints are on a curve

static pelt_result measure_curve(reproduction* inout, pelt_error* error)
{
    reproduce_body body;
    PELT_TRY(reproduce_body_create(&body, "rig:bar", error));
    const pelt_mesh* mesh = &body.scene.meshes[0];
    double worst = 0.0, radius = 0.0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        bool is_blended = mesh->weights.first[v + 1] - mesh->weights.first[v] > 1;
        worst =
            fmax(worst, is_blended ? hypot((double)mesh->cors[v].y, (double)mesh->cors[v].z) : 0.0);
        radius = fmax(radius, hypot((double)mesh->positions[v].y, (double)mesh->positions[v].z));
    }
    reproduce_number(inout, "distance of centers from the axis of the bar, of its radius", "", 0.0,
                     worst / radius, 1e-3);
    reproduce_body_destroy(&body);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Figures 8 and 9: LMS beyond 90 degrees

// A rotation of the whole character, which should make no difference, takes one half of the bar
// past 180 degrees from the bind pose.
static pelt_result measure_logarithm(reproduction* inout, pelt_error* error)
{
    const struct
    {
        const char* name;
        pelt_deform_options options;
    } ways[] = {
        {"lms as published", {.method = PELT_METHOD_LMS, .lms_variant = PELT_LMS_PUBLISHED}},
        {"lms relative to the mean motion", lms},
        {"crs", reproduce_crs}};
    reproduce_body bar;
    PELT_TRY(reproduce_body_create(&bar, "rig:bar", error));
    for (uint32_t is_rotated = 0; is_rotated < 2; ++is_rotated)
    {
        double strain[COUNT_OF(ways)];
        reproduce_body_pose(&bar, "twist135", 1.0f);
        pelt_quat half =
            pelt_quat_axis_angle(pelt_vec3_make(1.0f, 0.0f, 0.0f), PELT_PI * 100.0f / 180.0f);
        bar.pose.locals[0].rotation = is_rotated == 0
                                          ? bar.pose.locals[0].rotation
                                          : pelt_quat_mul(half, bar.pose.locals[0].rotation);
        for (uint32_t i = 0; i < COUNT_OF(ways); ++i)
        {
            const pelt_region_metrics* all = reproduce_body_measure(&bar, &ways[i].options);
            strain[i] = 100.0 * all->metrics[PELT_METRIC_RIGIDITY].rms;
            const char* what =
                reproduce_label(inout, "135 degrees twist%s, %s: rms strain",
                                is_rotated == 0 ? "" : ", body rotated by 100", ways[i].name);
            if (i == 0 && is_rotated == 1)
            {
                reproduce_claim(inout, what, "%", "not robust", strain[i],
                                strain[i] > 1.5 * strain[1]);
            }
            else
            {
                reproduce_unjudged(inout, what, "%", i == 2 ? "robust" : "", strain[i]);
            }
        }
    }
    reproduce_body_destroy(&bar);
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Section 5: QLERP, and a rotation by singular values

// The angle of the blend of no rotation, weight 1 - w, and one by an angle.
static double qlerp_angle(double w, double angle)
{
    return 2.0 * atan2(w * sin(0.5 * angle), 1.0 - w + w * cos(0.5 * angle));
}

// The rotation that is nearest to the blended matrix in its plane: the solution of the orthogonal
// Procrustes problem for a cross-section with equal weights.
static double procrustes_angle(double w, double angle)
{
    return atan2(w * sin(angle), 1.0 - w + w * cos(angle));
}

static double worst_angle(double (*blend)(double w, double angle), double degrees)
{
    double worst = 0.0, angle = degrees * (double)PELT_PI / 180.0;
    for (int i = 0; i <= 100000; ++i)
    {
        double w = 1e-5 * i;
        worst = fmax(worst, fabs(blend(w, angle) - w * angle));
    }
    return worst * 180.0 / (double)PELT_PI;
}

// The same by the library: the angle of vertices of the bar in a twist by 180 degrees, whose signs
// are clear just below.
static pelt_result bar_angle(double* out, pelt_error* error)
{
    reproduce_body bar;
    PELT_TRY(reproduce_body_create(&bar, "rig:bar", error));
    reproduce_body_pose(&bar, "twist180", 0.9999f);
    (void)reproduce_body_measure(&bar, methods[CRS].options);
    const pelt_mesh* mesh = &bar.scene.meshes[0];
    *out = 0.0;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        uint32_t first = mesh->weights.first[v];
        const pelt_influence* influences = mesh->weights.influences + first;
        if (mesh->weights.first[v + 1] - first != 2)
        {
            continue;
        }
        double w = (double)influences[influences[0].joint == 1 ? 0 : 1].weight;
        pelt_vec3 a = mesh->positions[v], b = bar.frame.surfaces[0].positions[v];
        double angle = atan2((double)(a.y * b.z - a.z * b.y), (double)(a.y * b.y + a.z * b.z));
        double off = fabs(angle) - w * (double)PELT_PI * 0.9999;
        *out = fmax(*out, fabs(off) * 180.0 / (double)PELT_PI);
    }
    reproduce_body_destroy(&bar);
    return PELT_OK;
}

static pelt_result measure_qlerp(reproduction* inout, pelt_error* error)
{
    double bar;
    PELT_TRY(bar_angle(&bar, error));
    double bound = worst_angle(qlerp_angle, 180.0);
    reproduce_number(inout, "largest error of QLERP, twist by 180 degrees, closed form", "degrees",
                     8.15, bound, 0.01);
    reproduce_claim(inout, "the same on the vertices of the bar under crs", "degrees",
                    "at most 8.15", bar, bar < 8.16 && bar > 7.0);
    reproduce_claim(inout, "twist by 90 degrees", "degrees", "much smaller in practice",
                    worst_angle(qlerp_angle, 90.0), worst_angle(qlerp_angle, 90.0) < 2.0);
    return PELT_OK;
}

static pelt_result measure_procrustes(reproduction* inout, pelt_error* error)
{
    static const double angles[] = {45.0, 90.0, 135.0, 170.0};
    (void)error;
    for (uint32_t i = 0; i < COUNT_OF(angles); ++i)
    {
        double svd = worst_angle(procrustes_angle, angles[i]);
        double qlerp = worst_angle(qlerp_angle, angles[i]);
        reproduce_claim(
            inout, reproduce_label(inout, "%.0f degrees twist, SVD: error of the angle", angles[i]),
            "degrees", "worse for large rotations", svd, svd > qlerp);
        reproduce_unjudged(
            inout,
            reproduce_label(inout, "%.0f degrees twist, QLERP: error of the angle", angles[i]),
            "degrees", "", qlerp);
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

static const reproduce_item items[] = {
    {.name = "figure1",
     .title = "person with muscles: bulge of dqs, candy wrapper of lbs",
     .command = "pelt compare rig:human -o report",
     .picture = "human.png",
     .measure = measure_person,
     .remark = "The model is not public; the built-in human has less muscle. The order of methods "
               "is judged."},
    {.name = "figure2",
     .title = "toy bar, five poses by five methods",
     .command = "pelt compare rig:bar -o report",
     .picture = "bar.png",
     .measure = measure_bar,
     .remark = "Published as pictures: radius and bulge say what they show. Bulges of crs are not "
               "0, but 0.4 to 0.8 of those of dqs."},
    {.name = "figure3",
     .title = "a cross-section moves as a rigid whole",
     .measure = measure_section},
    {.name = "algorithm1",
     .title = "run-time algorithm",
     .command = "pelt deform --method crs",
     .measure = measure_algorithm,
     .remark = "The rest is the rounding of floats."},
    {.name = "table1",
     .title = "time to compute centers of five models",
     .command = "pelt bench cor",
     .measure = measure_times,
     .remark = "Eight cores at 2.4 GHz there, two cores here; the models are built-in rigs with "
               "about as many vertices."},
    {.name = "figures4-5",
     .title = "twist joints by splitting weights",
     .command = "pelt enhance rig:arm --twist auto -o twisting.glb",
     .picture = "twist.png",
     .measure = measure_twist},
    {.name = "parameters",
     .title = "insensitivity to sigma, epsilon, omega and cutoff (section 4)",
     .command = "pelt enhance --cor --sigma S --epsilon E --solver paper --omega W --cutoff C",
     .measure = le2016_measure_parameters,
     .remark = "Largest move of any vertex, per meter of the diagonal; the paper looked at "
               "pictures. Rows without a claim are outside of the range that it recommends."},
    {.name = "figure6",
     .title = "Goliath: thigh, hip and shoulder under five methods",
     .command = "pelt compare rig:human -o report",
     .picture = "human.png",
     .measure = measure_person,
     .remark = "As figure 1."},
    {.name = "figure7",
     .title = "centers of rotation are near the medial axis",
     .command = "pelt render rig:human --show cors -o cors.png",
     .measure = measure_curve},
    {.name = "figures8-9",
     .title = "bends and twists beyond 90 degrees under LMS",
     .command = "pelt deform --method lms --lms published",
     .measure = measure_logarithm,
     .remark = "A joint that has rotated by nearly 180 degrees since the bind pose has two "
               "logarithms; the default variant of pelt takes them relative to the mean motion."},
    {.name = "figure10",
     .title = "other skinning weights",
     .measure = measure_weights,
     .remark = "Weights of 2, 4 and 8 joints per vertex in place of other solvers of weights."},
    {.name = "figures11-13",
     .title = "SBS is not smooth where neighbors have other joints",
     .measure = measure_parts,
     .remark = "Other characters: the order is judged. Neighbors on the tail share their joints, "
               "so that nothing tears there."},
    {.name = "figure14",
     .title = "rotation by SVD, against QLERP (section 5)",
     .measure = measure_procrustes,
     .remark = "Closed form for a cross-section: the SVD of the blended matrix is its rotation in "
               "the plane."},
    {.name = "section5",
     .title = "integration over vertices, Gaussian similarity (section 5)",
     .measure = le2016_measure_choices,
     .remark =
         "A plain sum in double precision without bisection, against the solver of pelt; cells "
         "of vertices are barycentric. The person has 2000 vertices, whose cells are coarse. A "
         "vertex is left alone if the surface that is similar to it is less than a hundredth of "
         "the mean: not on the cloth, whose weights are smooth, but with up to 8 joints."},
    {.name = "qlerp",
     .title = "error of QLERP, at most 8.15 degrees (section 5)",
     .measure = measure_qlerp},
};

const reproduce_document reproduce_le2016 = {
    .name = "le2016",
    .title = "Le and Hodgins, Real-time Skeletal Skinning with Optimized Centers of Rotation, 2016",
    .items = items,
    .item_count = COUNT_OF(items)};
