// SPDX-License-Identifier: MIT
// Characters whose clips scale joints: every method, both pivots, against bounds that follow from
// where the joints alone would take a vertex.
#include "pelt/io.h"
#include "test.h"

#include <stdio.h>

enum
{
    MOMENTS = 5,  // of each clip, for positions
    STEPS = 24,   // of each clip, for jumps
    WAYS_MAX = 6, // of deforming, for jumps
    JOINTS_MAX = 8,
    QUICK_CLIPS = 6 // of each character, without PELT_SWEEP=full
};

// One of several vertices, as each takes as long as deforming it ten times; or all.
static uint32_t vertex_step(void)
{
    return test_is_full_sweep() ? 1 : 7;
}

// From all over the list; or all.
static uint32_t clip_step(const pelt_scene* scene)
{
    return test_is_full_sweep() ? 1 : scene->clip_count / QUICK_CLIPS + 1;
}

typedef struct character
{
    const char* name;
    pelt_arena* arena;
    pelt_scene* scene;
    pelt_pose pose;
    pelt_frame frame;
} character;

static bool find_centers(character* c)
{
    bool is_ok = true;
    for (uint32_t i = 0; i < c->scene->mesh_count && is_ok; ++i)
    {
        const pelt_mesh* mesh = &c->scene->meshes[i];
        pelt_vec3* cors = pelt_arena_alloc(c->arena, mesh->vertex_count, sizeof *cors);
        const pelt_cor_input input = {1, &mesh};
        is_ok = cors != NULL && mesh->weights.max_influences <= JOINTS_MAX &&
                pelt_cor_solve(&cors, &input, NULL, NULL, NULL) == PELT_OK;
        c->frame.cors[i] = cors;
    }
    return is_ok;
}

static int open_character(character* c, const char* name)
{
    char path[4096];
    pelt_error error;
    snprintf(path, sizeof path, "%s/%s", test_models_folder(), name);
    *c = (character){.name = name, .arena = pelt_arena_create()};
    ENSURE(pelt_load(&c->scene, path, NULL, &error) == PELT_OK);
    ENSURE(pelt_pose_create(&c->pose, c->scene) == PELT_OK);
    ENSURE(pelt_frame_create(&c->frame, c->scene) == PELT_OK);
    ENSURE(c->scene->clip_count > 0 && find_centers(c));
    return 0;
}

static void close_character(character* c)
{
    pelt_frame_destroy(&c->frame);
    pelt_pose_destroy(&c->pose);
    pelt_scene_destroy(c->scene);
    pelt_arena_destroy(c->arena);
}

static void pose_character(character* c, uint32_t clip, float part, const pelt_deform_options* how)
{
    const pelt_clip* from = &c->scene->clips[clip];
    pelt_pose_sample(&c->pose, c->scene, from, part * from->duration, PELT_WRAP_CLAMP);
    pelt_frame_update(&c->frame, c->scene, &c->pose, how);
}

// ---------------------------------------------------------------------------------------------
// The influences of a vertex

// Where a joint takes a point by its matrix, y, and where its rigid motion takes what the mean
// stretch has made of the point, z: the positions that the two pivots of scale work with.
typedef struct position
{
    pelt_vec3 by[2]; // by pelt_scale_pivot
} position;

typedef struct pull
{
    uint32_t count;
    float weights[JOINTS_MAX];
    position vertex[JOINTS_MAX], center[JOINTS_MAX];
    pelt_quat rotations[JOINTS_MAX]; // with the sign nearest to the first
    pelt_mat3 stretches[JOINTS_MAX], mean;
    pelt_vec3 position, offset; // offset: from the center of rotation
} pull;

static position point_by_joint(const pelt_palette* palette, uint32_t joint, const pelt_mat3* mean,
                               pelt_vec3 point)
{
    return (position){{[PELT_SCALE_LOCAL] = pelt_mat34_point(&palette->matrices[joint], point),
                       [PELT_SCALE_ORIGIN] = pelt_dquat_point(palette->motions[joint],
                                                              pelt_mat3_vector(mean, point))}};
}

static pull pull_of(const character* c, uint32_t index, uint32_t v)
{
    const pelt_instance* instance = &c->scene->instances[index];
    const pelt_mesh* mesh = &c->scene->meshes[instance->mesh];
    const pelt_palette* palette = &c->frame.palettes[instance->skin];
    const pelt_influence* list = mesh->weights.influences + mesh->weights.first[v];
    pelt_vec3 center = c->frame.cors[instance->mesh][v];
    pull p = {.count = mesh->weights.first[v + 1] - mesh->weights.first[v],
              .position = mesh->positions[v],
              .offset = pelt_vec3_sub(mesh->positions[v], center)};
    for (uint32_t i = 0; i < p.count; ++i)
    {
        pelt_quat q = palette->motions[list[i].joint].real;
        bool is_other = i > 0 && pelt_quat_dot(q, p.rotations[0]) < 0.0f;
        p.weights[i] = list[i].weight;
        p.rotations[i] = pelt_quat_scale(q, is_other ? -1.0f : 1.0f);
        p.stretches[i] = palette->stretches[list[i].joint];
        p.mean = pelt_mat3_mad(&p.mean, p.weights[i], &p.stretches[i]);
    }
    for (uint32_t i = 0; i < p.count; ++i)
    {
        p.vertex[i] = point_by_joint(palette, list[i].joint, &p.mean, p.position);
        p.center[i] = point_by_joint(palette, list[i].joint, &p.mean, center);
    }
    return p;
}

static double norm_of(const pelt_mat3* a)
{
    double square = 0.0;
    for (int i = 0; i < 9; ++i)
    {
        square += (double)a->m[i / 3][i % 3] * (double)a->m[i / 3][i % 3];
    }
    return sqrt(square);
}

static double gap_between(const pelt_mat3* a, const pelt_mat3* b)
{
    pelt_mat3 difference = pelt_mat3_mad(a, -1.0f, b);
    return norm_of(&difference);
}

// |s|, the length of the mean quaternion.
static double blend_length(const pull* p)
{
    pelt_quat sum = {0};
    for (uint32_t i = 0; i < p->count; ++i)
    {
        sum = pelt_quat_add(sum, pelt_quat_scale(p->rotations[i], p->weights[i]));
    }
    return sqrt((double)pelt_quat_dot(sum, sum));
}

static pelt_vec3 mean_position(const pull* p, pelt_scale_pivot pivot)
{
    pelt_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < p->count; ++i)
    {
        sum = pelt_vec3_mad(sum, p->weights[i], p->vertex[i].by[pivot]);
    }
    return sum;
}

static double spread_of(const pull* p, pelt_scale_pivot pivot)
{
    float widest = 0.0f;
    for (uint32_t i = 0; i < p->count; ++i)
    {
        for (uint32_t k = 0; k < i; ++k)
        {
            widest =
                fmaxf(widest, pelt_vec3_distance(p->vertex[i].by[pivot], p->vertex[k].by[pivot]));
        }
    }
    return (double)widest;
}

// How far a mean rotation may be from those it is the mean of, as the norm of the difference of
// matrices: 2 sin of half the angle. Its quaternion has at least the smallest product with each
// that they have with each other, since it is in their cone.
static double rotation_gap(const pull* p)
{
    double least = 1.0;
    for (uint32_t i = 0; i < p->count; ++i)
    {
        for (uint32_t k = 0; k < i; ++k)
        {
            least = fmin(least, (double)pelt_quat_dot(p->rotations[i], p->rotations[k]));
        }
    }
    return least > 0.0 ? 2.0 * sqrt(1.0 - least * least) : 2.0;
}

static double stretch_gap(const pull* p)
{
    double widest = 0.0;
    for (uint32_t i = 0; i < p->count; ++i)
    {
        widest = fmax(widest, gap_between(&p->mean, &p->stretches[i]));
    }
    return widest;
}

// The rounding of numbers of this size in some ten steps.
static double rounding_of(const pull* p)
{
    float size = fmaxf(0.1f, pelt_vec3_length(p->position));
    for (uint32_t i = 0; i < p->count; ++i)
    {
        size = fmaxf(size, pelt_vec3_length(p->vertex[i].by[PELT_SCALE_LOCAL]));
    }
    return 4e-6 * (double)size;
}

// ---------------------------------------------------------------------------------------------
// Spikes

// How far from the mean position c a method may take a vertex if it does what it says, D being the
// widest distance between the positions that the joints alone would take it to.
// - lbs is c.
// - dqs is c + vec(sum w (y - c) q s*) / |s|^2 (see deform_dqs.c): no farther than D / |s|.
// - mix is between the two, whose pivots may differ.
// - crs is c + sum w (R S - R_i S_i) a with the offset a from its center: each difference is at
// most
//   |R - R_i| |S| + |S - S_i|, and without the second term about the origin.
// - sbs has the same with an offset d that minimizes sum |(A_i - A) d + y_i - y|^2, so that at d no
//   term is larger than at 0: |(A_i - A) d| <= 2 sqrt(n) D. With uniform stretches |(S - S_i) d| is
//   at most twice that, and what holds for dqs holds for the R_i S d: 6 sqrt(n) D (1 + 1 / |s|).
// - lms goes from dqs by the mean of the ways to the joints. Along a screw the speed is constant,
//   and up to 180 degrees its arc is at most pi / 2 times as long as its chord, which is at most
//   D + D / |s|.
static double radius_of(const pull* p, const pelt_deform_options* how)
{
    double length = blend_length(p), spread = spread_of(p, how->scale_pivot);
    double offset = (double)pelt_vec3_length(p->offset);
    switch (how->method)
    {
    case PELT_METHOD_DQS:
        return spread / length;
    case PELT_METHOD_MIX:
        return spread / length + (double)pelt_vec3_distance(mean_position(p, PELT_SCALE_LOCAL),
                                                            mean_position(p, PELT_SCALE_ORIGIN));
    case PELT_METHOD_CRS:
        return offset * (rotation_gap(p) * norm_of(&p->mean) +
                         (how->scale_pivot == PELT_SCALE_LOCAL ? stretch_gap(p) : 0.0));
    case PELT_METHOD_SBS:
        spread = fmax(spread, spread_of(p, PELT_SCALE_LOCAL));
        return 6.0 * sqrt((double)p->count) * spread * (1.0 + 1.0 / length);
    case PELT_METHOD_LMS:
        return spread / length + 1.5707964 * (spread + spread / length);
    default:
        return 0.0;
    }
}

typedef struct spike_report
{
    uint32_t shared_count; // vertices with more than one influence, over all poses
    uint32_t scaled_count; // of these, whose joints stretch differently
    double part;           // of the bound that was used
    double from_lbs;       // meters
} spike_report;

static bool is_finite_at(const pelt_surface* s, uint32_t v)
{
    pelt_vec3 p = s->positions[v], n = s->normals != NULL ? s->normals[v] : p;
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z) && isfinite(n.x) && isfinite(n.y) &&
           isfinite(n.z);
}

// Halfway between rotations less than 180 degrees apart, a normal is within 90 degrees of the
// nearer one. A mean that went the long way round is opposite to both.
static bool faces_outward(const character* c, uint32_t index, uint32_t v)
{
    const pelt_instance* instance = &c->scene->instances[index];
    const pelt_mesh* mesh = &c->scene->meshes[instance->mesh];
    bool is_outward = mesh->normals == NULL;
    for (uint32_t i = mesh->weights.first[v]; i < mesh->weights.first[v + 1] && !is_outward; ++i)
    {
        uint32_t joint = mesh->weights.influences[i].joint;
        pelt_mat3 linear = pelt_mat34_linear(&c->frame.palettes[instance->skin].matrices[joint]);
        pelt_mat3 cofactor = pelt_mat3_cofactor(&linear);
        pelt_vec3 by_joint = pelt_mat3_vector(&cofactor, mesh->normals[v]);
        is_outward = pelt_vec3_dot(by_joint, c->frame.surfaces[index].normals[v]) > 0.0f;
    }
    return is_outward;
}

static int check_vertex(spike_report* report, const character* c, uint32_t index, uint32_t v,
                        const pelt_deform_options* how)
{
    const pelt_surface* out = &c->frame.surfaces[index];
    pull p = pull_of(c, index, v);
    double rounding = rounding_of(&p);
    ENSURE(is_finite_at(out, v));
    if (p.count == 1)
    {
        // One joint is followed exactly, however it scales.
        ENSURE_POINT(out->positions[v], p.vertex[0].by[PELT_SCALE_LOCAL], rounding);
        return 0;
    }
    // Without smoothed weights, ddm is lbs.
    bool is_linear =
        how->method == PELT_METHOD_LBS || pelt_method_info(how->method)->needs_smoothing;
    pelt_scale_pivot pivot = is_linear ? PELT_SCALE_LOCAL : how->scale_pivot;
    pelt_vec3 center = mean_position(&p, pivot);
    double radius = radius_of(&p, how);
    double away = (double)pelt_vec3_distance(out->positions[v], center);
    ENSURE(away <= radius + rounding);
    ENSURE(faces_outward(c, index, v));
    pelt_vec3 lbs = mean_position(&p, PELT_SCALE_LOCAL);
    report->shared_count++;
    report->scaled_count += stretch_gap(&p) > 0.01;
    report->part = fmax(report->part, away / (radius + rounding));
    report->from_lbs = fmax(report->from_lbs, (double)pelt_vec3_distance(out->positions[v], lbs));
    return 0;
}

// @param rotation  which of the vertices come first, where not all do
static int check_vertices(spike_report* report, const character* c, const pelt_deform_options* how,
                          uint32_t rotation)
{
    for (uint32_t i = 0; i < c->scene->instance_count; ++i)
    {
        const pelt_instance* instance = &c->scene->instances[i];
        ENSURE(instance->skin != PELT_NONE &&
               !c->frame.palettes[instance->skin].has_mixed_handedness);
        uint32_t step = vertex_step();
        for (uint32_t v = rotation % step; v < c->scene->meshes[instance->mesh].vertex_count;
             v += step)
        {
            ENSURE(check_vertex(report, c, i, v, how) == 0);
        }
    }
    return 0;
}

static int check_spikes(const char* name)
{
    character c;
    ENSURE(open_character(&c, name) == 0);
    printf("  %s: part of the bound, and meters from lbs, by pivot\n", name);
    for (uint32_t method = 0; method < PELT_METHOD_COUNT; ++method)
    {
        spike_report reports[2] = {0};
        for (uint32_t pivot = 0; pivot < 2; ++pivot)
        {
            pelt_deform_options how = {
                .method = (pelt_method)method, .scale_pivot = (pelt_scale_pivot)pivot, .mix = 0.5f};
            for (uint32_t i = 0; i < c.scene->clip_count * MOMENTS; ++i)
            {
                if (i / MOMENTS % clip_step(c.scene) != 0)
                {
                    continue;
                }
                pose_character(&c, i / MOMENTS, (float)(i % MOMENTS) / (MOMENTS - 1), &how);
                ENSURE(check_vertices(&reports[pivot], &c, &how, i) == 0);
            }
            ENSURE(reports[pivot].scaled_count > 0);
        }
        printf(
            "    %s  vertex %.3f %.4f  origin %.3f %.4f  %u shared, %u of them unevenly scaled\n",
            pelt_method_name((pelt_method)method), reports[0].part, reports[0].from_lbs,
            reports[1].part, reports[1].from_lbs, reports[0].shared_count, reports[0].scaled_count);
    }
    close_character(&c);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Flips
//
// Triangles do not tell them: where weights change quickly 0.2 to 1.2 % of these characters' are
// flipped against all of their joints, by lbs as by the others, since the surface folds. A flip
// is that a vertex changes sides, from one moment to the next, while its joints hardly move.

// What the joints of a vertex did from one moment to the next: the largest of each.
typedef struct change
{
    double position, center; // meters, by the pivot
    double rotation;         // of quaternions, whatever their signs: a flip is none of the joints'
    double stretch;
} change;

// The shorter of a - b and a + b; their products are too coarse for small rotations.
static double rotation_between(pelt_quat a, pelt_quat b)
{
    float side = pelt_quat_dot(a, b) < 0.0f ? 1.0f : -1.0f;
    pelt_quat difference = pelt_quat_add(a, pelt_quat_scale(b, side));
    return sqrt((double)pelt_quat_dot(difference, difference));
}

static change change_of(const pull* a, const pull* b, pelt_scale_pivot pivot)
{
    change out = {0};
    for (uint32_t i = 0; i < a->count; ++i)
    {
        pelt_vec3 va = a->vertex[i].by[pivot], vb = b->vertex[i].by[pivot];
        pelt_vec3 ca = a->center[i].by[pivot], cb = b->center[i].by[pivot];
        out.position = fmax(out.position, (double)pelt_vec3_distance(va, vb));
        out.center = fmax(out.center, (double)pelt_vec3_distance(ca, cb));
        out.rotation = fmax(out.rotation, rotation_between(a->rotations[i], b->rotations[i]));
        out.stretch = fmax(out.stretch, gap_between(&a->stretches[i], &b->stretches[i]));
    }
    return out;
}

// How far a vertex may go meanwhile if signs stay as they are. With u = y - c, s and m = sum w u q:
// - dqs is c + vec(m s^-1), and changes by at most (|dm| + |m| |ds| / |s|) / |s|, where |dm| is at
//   most |dy| + D |dq|, and |ds| at most |dq|;
// - crs follows its center, and its offset from it rotates by |dR| <= 2 |ds| / |s| and is stretched
// by |dS|.
static double way_of(const pull* a, const pull* b, const pelt_deform_options* how)
{
    change d = change_of(a, b, how->scale_pivot);
    double length = fmin(blend_length(a), blend_length(b));
    if (how->method == PELT_METHOD_CRS)
    {
        double rotation = 2.0 * d.rotation / length * fmax(norm_of(&a->mean), norm_of(&b->mean));
        return d.center + (rotation + d.stretch) * (double)pelt_vec3_length(a->offset);
    }
    double spread =
        fmax(spread_of(a, how->scale_pivot), spread_of(b, how->scale_pivot)) + d.position;
    return (d.position + spread * d.rotation * (1.0 + 1.0 / length)) / length;
}

// The shared vertices of a character at one moment: what pulls on them, and where each way of
// deforming takes them.
typedef struct moment
{
    pull* pulls;
    pelt_vec3* positions[WAYS_MAX];
    uint32_t count;
} moment;

static bool allocate_moment(moment* out, const character* c, size_t way_count)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < c->scene->instance_count; ++i)
    {
        most += c->scene->meshes[c->scene->instances[i].mesh].vertex_count;
    }
    out->pulls = pelt_arena_alloc(c->arena, most, sizeof *out->pulls);
    bool is_ok = out->pulls != NULL;
    for (size_t i = 0; i < way_count; ++i)
    {
        out->positions[i] = pelt_arena_alloc(c->arena, most, sizeof *out->positions[i]);
        is_ok = is_ok && out->positions[i] != NULL;
    }
    return is_ok;
}

static void take_moment(moment* out, const character* c, size_t way)
{
    out->count = 0;
    for (uint32_t i = 0; i < c->scene->instance_count; ++i)
    {
        const pelt_weights* weights = &c->scene->meshes[c->scene->instances[i].mesh].weights;
        for (uint32_t v = 0; v < weights->vertex_count; v += vertex_step())
        {
            if (weights->first[v + 1] - weights->first[v] > 1)
            {
                // All joints have the same influence.
                if (way == 0)
                {
                    out->pulls[out->count] = pull_of(c, i, v);
                }
                out->positions[way][out->count++] = c->frame.surfaces[i].positions[v];
            }
        }
    }
}

// The largest part of its way that a vertex went; above 1 it jumped.
static double compare_moments(const moment* a, const moment* b, size_t way,
                              const pelt_deform_options* how)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < a->count; ++i)
    {
        double step = (double)pelt_vec3_distance(a->positions[way][i], b->positions[way][i]);
        double limit = way_of(&a->pulls[i], &b->pulls[i], how) + 2.0 * rounding_of(&b->pulls[i]);
        worst = fmax(worst, step / limit);
    }
    return worst;
}

static int worst_steps(double* worst, const char* name, const pelt_deform_options* ways,
                       size_t way_count)
{
    character c;
    moment moments[2];
    ENSURE(way_count <= WAYS_MAX && open_character(&c, name) == 0);
    ENSURE(allocate_moment(&moments[0], &c, way_count));
    ENSURE(allocate_moment(&moments[1], &c, way_count));
    for (uint32_t k = 0; k < c.scene->clip_count * (STEPS + 1); ++k)
    {
        uint32_t clip = k / (STEPS + 1), step = k % (STEPS + 1);
        for (size_t way = 0; clip % clip_step(c.scene) == 0 && way < way_count; ++way)
        {
            pose_character(&c, clip, (float)step / STEPS, &ways[way]);
            take_moment(&moments[step % 2], &c, way);
            double part = step > 0 ? compare_moments(&moments[(step - 1) % 2], &moments[step % 2],
                                                     way, &ways[way])
                                   : 0.0;
            worst[way] = fmax(worst[way], part);
        }
    }
    close_character(&c);
    return 0;
}

// lbs has no signs, mix has those of dqs.
static int check_flips(const char* name)
{
    static const pelt_deform_options ways[WAYS_MAX] = {
        {.method = PELT_METHOD_DQS},
        {.method = PELT_METHOD_DQS, .scale_pivot = PELT_SCALE_ORIGIN},
        {.method = PELT_METHOD_DQS, .sign_rule = PELT_SIGN_HIERARCHY},
        {.method = PELT_METHOD_CRS},
        {.method = PELT_METHOD_CRS, .scale_pivot = PELT_SCALE_ORIGIN},
        {.method = PELT_METHOD_CRS, .sign_rule = PELT_SIGN_HIERARCHY},
    };
    double worst[WAYS_MAX] = {0};
    ENSURE(worst_steps(worst, name, ways, WAYS_MAX) == 0);
    printf("  %s:", name);
    for (size_t i = 0; i < WAYS_MAX; ++i)
    {
        printf(" %.4f", worst[i]);
    }
    printf(" of the way\n");
    for (size_t i = 0; i < WAYS_MAX; ++i)
    {
        ENSURE(worst[i] <= 1.0);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------

static const char* const names[3] = {"Godot_mannequiny/mannequiny.glb",
                                     "Godot_platformer_player/player.glb",
                                     "momentum_8influences/test_24fps.glb"};

static int no_vertex_leaves_the_ball_of_its_joints(void)
{
    for (int i = 0; i < 3; ++i)
    {
        ENSURE(check_spikes(names[i]) == 0);
    }
    return 0;
}

static int no_vertex_jumps_while_its_joints_go_slowly(void)
{
    for (int i = 0; i < 3; ++i)
    {
        ENSURE(check_flips(names[i]) == 0);
    }
    return 0;
}

// So the fact above can fail: signs as matrices give them change when a joint passes 180 degrees.
static int unsigned_quaternions_do_jump(void)
{
    static const pelt_deform_options basic = {.method = PELT_METHOD_DQS,
                                              .dqs_variant = PELT_DQS_BASIC};
    double part[WAYS_MAX] = {0};
    ENSURE(worst_steps(part, names[0], &basic, 1) == 0);
    printf("  %s, dqs basic: %.1f times the way\n", names[0], part[0]);
    ENSURE(part[0] > 2.0);
    return 0;
}

void test_scale_models(void)
{
    RUN_ON_MODELS(no_vertex_leaves_the_ball_of_its_joints);
    RUN_ON_MODELS(no_vertex_jumps_while_its_joints_go_slowly);
    RUN_ON_MODELS(unsigned_quaternions_do_jump);
}
