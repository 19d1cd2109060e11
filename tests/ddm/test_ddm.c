// SPDX-License-Identifier: MIT
// Direct delta mush against its definition in double precision, against explicit delta mush, and
// against laws that hold for every method.
#include "ddm_tube.h"

#include <stdlib.h>
#include <string.h>

// Positions are below 2 here: rounding of float in sums over a dozen joints and moments.
static const double rounding = 2e-6;

static const pelt_ddm_options plain = {
    .iterations = 4, .lambda = 1.0f, .kappa = -1.0f, .alpha = -1.0f, .min_weight = -1.0f};

typedef struct smooth_tube
{
    mesh_builder* tube;
    pelt_ddm ddm;
    ddm_tube_pose pose;
    pelt_vec3 positions[BUILDER_VERTICES], normals[BUILDER_VERTICES];
    pelt_vec3 rest_normals[BUILDER_VERTICES];
} smooth_tube;

static pelt_result solve(smooth_tube* s, const pelt_ddm_options* options)
{
    const pelt_cor_input input = {1, &(const pelt_mesh*){&s->tube->mesh}};
    pelt_result result = pelt_ddm_solve(&s->ddm, &input, options, NULL, s->tube->arena, NULL);
    s->tube->mesh.weights.ddm = result == PELT_OK ? &s->ddm : NULL;
    return result;
}

static smooth_tube* create(float blend, const pelt_ddm_options* options)
{
    smooth_tube* s = calloc(1, sizeof *s);
    s->tube = ddm_tube_create(blend);
    for (uint32_t v = 0; v < s->tube->mesh.vertex_count; ++v)
    {
        pelt_vec3 p = s->tube->positions[v];
        s->rest_normals[v] = pelt_vec3_normalize(pelt_vec3_make(0.0f, p.y, p.z));
    }
    s->tube->mesh.normals = s->rest_normals;
    return solve(s, options) == PELT_OK ? s : NULL;
}

static void destroy(smooth_tube* s)
{
    pelt_arena_destroy(s->tube->arena);
    free(s);
}

static void deform(smooth_tube* s, const pelt_mat34* left, const pelt_mat34* right)
{
    ddm_tube_pose_set(&s->pose, left, right);
    ddm_tube_deform(s->positions, s->normals, s->tube, &s->pose, PELT_METHOD_DDM);
}

static pelt_mat34 bend(float degrees)
{
    return ddm_tube_rotation(pelt_vec3_make(0.0f, 0.0f, 1.0f), degrees);
}

static pelt_mat34 affine(float x, float y, float z, float shear)
{
    pelt_mat3 linear = {{{x, shear, 0.0f}, {0.0f, y, 0.0f}, {0.0f, 0.0f, z}}};
    return pelt_mat34_make(&linear, pelt_vec3_make(0.3f, -0.2f, 0.1f));
}

// ---------------------------------------------------------------------------------------------
// Laws

static int every_variant_keeps_the_rest_pose(void)
{
    const pelt_mat34 identity = pelt_mat34_identity();
    for (uint32_t variant = 0; variant < PELT_DDM_VARIANT_COUNT; ++variant)
    {
        smooth_tube* s = create(0.3f, &(pelt_ddm_options){.variant = (pelt_ddm_variant)variant});
        deform(s, &identity, &identity);
        for (uint32_t v = 0; v < s->tube->mesh.vertex_count; ++v)
        {
            ENSURE_POINT(s->positions[v], s->tube->positions[v], 5e-7);
            ENSURE_POINT(s->normals[v], s->rest_normals[v], 5e-7);
        }
        destroy(s);
    }
    return 0;
}

// Two triangles, one joint: libigl moves their vertices in the rest pose.
static int a_flat_mesh_keeps_the_rest_pose(void)
{
    mesh_builder* s = mesh_builder_create();
    for (uint32_t i = 0; i < 4; ++i)
    {
        pelt_vec3 at = {(float)(i % 2), (float)(i / 2), 3.0f};
        mesh_builder_add_influence(s, mesh_builder_add_vertex(s, at), 0, 1.0f);
    }
    mesh_builder_add_triangle(s, 0, 1, 2);
    mesh_builder_add_triangle(s, 1, 3, 2);
    ENSURE(mesh_builder_bind(s));
    pelt_ddm ddm;
    const pelt_cor_input input = {1, &(const pelt_mesh*){&s->mesh}};
    ENSURE(pelt_ddm_solve(&ddm, &input, NULL, NULL, s->arena, NULL) == PELT_OK);
    s->mesh.weights.ddm = &ddm;
    ddm_tube_pose* pose = malloc(sizeof *pose);
    const pelt_mat34 identity = pelt_mat34_identity();
    ddm_tube_pose_set(pose, &identity, &identity);
    pelt_vec3 positions[4];
    ddm_tube_deform(positions, NULL, s, pose, PELT_METHOD_DDM);
    for (uint32_t v = 0; v < 4; ++v)
    {
        ENSURE_POINT(positions[v], s->positions[v], rounding);
    }
    free(pose);
    pelt_arena_destroy(s->arena);
    return 0;
}

static int without_smoothing_it_is_lbs_to_the_bit(void)
{
    const pelt_mat34 identity = pelt_mat34_identity(), right = bend(80.0f);
    pelt_vec3 positions[BUILDER_VERTICES], normals[BUILDER_VERTICES];
    for (uint32_t variant = 0; variant <= PELT_DDM_VARIANT_COUNT; ++variant)
    {
        bool has_none = variant == PELT_DDM_VARIANT_COUNT;
        smooth_tube* s =
            create(0.5f, &(pelt_ddm_options){.variant = (pelt_ddm_variant)(has_none ? 0 : variant),
                                             .lambda = -1.0f});
        s->tube->mesh.weights.ddm = has_none ? NULL : s->tube->mesh.weights.ddm;
        deform(s, &identity, &right);
        ddm_tube_deform(positions, normals, s->tube, &s->pose, PELT_METHOD_LBS);
        size_t size = s->tube->mesh.vertex_count * sizeof *positions;
        ENSURE(memcmp(s->positions, positions, size) == 0);
        ENSURE(memcmp(s->normals, normals, size) == 0);
        destroy(s);
    }
    return 0;
}

// Also a joint matrix that scales, shears or mirrors, if all joints have it.
static int what_moves_all_joints_moves_everything(void)
{
    pelt_mat34 rigid =
        ddm_tube_rotation(pelt_vec3_normalize(pelt_vec3_make(1.0f, 2.0f, 3.0f)), 170.0f);
    rigid.m[0][3] = 0.7f;
    const pelt_mat34 maps[] = {rigid, affine(2.0f, 0.5f, 1.2f, 0.4f),
                               affine(3.0f, 3.0f, 3.0f, 0.0f), affine(-1.0f, 1.0f, 1.0f, 0.0f)};
    for (uint32_t i = 0; i < 4 * PELT_DDM_VARIANT_COUNT; ++i)
    {
        const pelt_mat34* map = &maps[i % 4];
        smooth_tube* s = create(0.3f, &(pelt_ddm_options){.variant = (pelt_ddm_variant)(i / 4)});
        deform(s, map, map);
        for (uint32_t v = 0; v < s->tube->mesh.vertex_count; ++v)
        {
            ENSURE_POINT(s->positions[v], pelt_mat34_point(map, s->tube->positions[v]),
                         3.0 * rounding);
            ENSURE(fabsf(pelt_vec3_length(s->normals[v]) - 1.0f) < 1e-5f);
        }
        destroy(s);
    }
    return 0;
}

// Scale of one joint: what is only in its neighborhood follows it exactly.
static int far_vertices_follow_the_scale_of_their_joint(void)
{
    smooth_tube* s = create(0.0f, &(pelt_ddm_options){.iterations = 1});
    const pelt_mat34 identity = pelt_mat34_identity(), scaled = affine(1.5f, 0.7f, 0.9f, 0.2f);
    deform(s, &identity, &scaled);
    for (uint32_t column = 0; column < TUBE_COLUMNS; ++column)
    {
        uint32_t left = ddm_tube_vertex(0, column);
        uint32_t right = ddm_tube_vertex(TUBE_RINGS - 1, column);
        pelt_vec3 moved = pelt_mat34_point(&scaled, s->tube->positions[right]);
        ENSURE(s->ddm.first[left + 1] - s->ddm.first[left] == 1);
        ENSURE_POINT(s->positions[left], s->tube->positions[left], rounding);
        ENSURE_POINT(s->positions[right], moved, rounding);
    }
    destroy(s);
    return 0;
}

// A model in other units gives the same result in these units.
static int units_do_not_matter(void)
{
    const float unit = 1024.0f;
    smooth_tube *s = create(0.3f, NULL), *large = create(0.3f, NULL);
    for (uint32_t v = 0; v < large->tube->mesh.vertex_count; ++v)
    {
        large->tube->positions[v] = pelt_vec3_scale(large->tube->positions[v], unit);
    }
    ENSURE(solve(large, NULL) == PELT_OK);
    pelt_mat34 left = affine(1.2f, 0.8f, 1.0f, 0.1f), right = bend(70.0f);
    deform(s, &left, &right);
    for (int row = 0; row < 3; ++row)
    {
        left.m[row][3] *= unit;
        right.m[row][3] *= unit;
    }
    deform(large, &left, &right);
    for (uint32_t v = 0; v < s->tube->mesh.vertex_count; ++v)
    {
        ENSURE_POINT(pelt_vec3_scale(large->positions[v], 1.0f / unit), s->positions[v], rounding);
    }
    destroy(s);
    destroy(large);
    return 0;
}

static int seams_stay_closed(void)
{
    smooth_tube* s = create(0.3f, NULL);
    const pelt_mat34 identity = pelt_mat34_identity(), right = bend(100.0f);
    deform(s, &identity, &right);
    for (uint32_t ring = 0; ring < TUBE_RINGS; ++ring)
    {
        uint32_t a = ddm_tube_vertex(ring, 0), b = ddm_tube_vertex(ring, TUBE_SIDES);
        ENSURE(memcmp(&s->positions[a], &s->positions[b], sizeof(pelt_vec3)) == 0);
        ENSURE(memcmp(&s->normals[a], &s->normals[b], sizeof(pelt_vec3)) == 0);
    }
    destroy(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// The definition: the rotation and translation that fit the moved neighborhood best

typedef struct oracle
{
    ddm_tube_matrix *surface, *weights; // smoothing by lambda and kappa
    double alpha;
    const smooth_tube* tube;
} oracle;

static uint32_t vertex_of(uint32_t point)
{
    return ddm_tube_vertex(point / TUBE_SIDES, point % TUBE_SIDES);
}

static double weight_of(const smooth_tube* s, uint32_t vertex, uint32_t joint)
{
    const pelt_weights* weights = &s->tube->mesh.weights;
    double sum = 0.0;
    for (uint32_t i = weights->first[vertex]; i < weights->first[vertex + 1]; ++i)
    {
        sum += weights->influences[i].joint == joint ? (double)weights->influences[i].weight : 0.0;
    }
    return sum;
}

static void move(double out[3], const pelt_mat34* matrix, const double from[3])
{
    for (int r = 0; r < 3; ++r)
    {
        out[r] = (double)matrix->m[r][3];
        for (int c = 0; c < 3; ++c)
        {
            out[r] += (double)matrix->m[r][c] * from[c];
        }
    }
}

static void invert(double out[3][3], double a[3][3])
{
    double determinant = 0.0;
    for (int i = 0; i < 9; ++i)
    {
        int r = i / 3, c = i % 3, r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3;
        int c2 = (c + 2) % 3;
        out[c][r] = a[r1][c1] * a[r2][c2] - a[r1][c2] * a[r2][c1];
        determinant += r == 0 ? a[0][c] * out[c][0] : 0.0;
    }
    for (int i = 0; i < 9; ++i)
    {
        out[i / 3][i % 3] /= determinant;
    }
}

// The polar factor by Newton's method (Higham 1986): the mean of a matrix and its inverse
// transpose, again and again.
static void polar(double a[3][3])
{
    for (int step = 0; step < 60; ++step)
    {
        double inverse[3][3];
        invert(inverse, a);
        for (int i = 0; i < 9; ++i)
        {
            a[i / 3][i % 3] = 0.5 * (a[i / 3][i % 3] + inverse[i % 3][i / 3]);
        }
    }
}

// Every pair of a point of the neighborhood and a joint counts as one point that has moved.
static void fit_point(double out[3], const oracle* o, uint32_t point)
{
    const smooth_tube* s = o->tube;
    double p[3] = {0.0}, q[3] = {0.0}, center[3] = {0.0}, fit[3][3] = {{0.0}}, trace = 0.0;
    double mean[3][3] = {{0.0}};
    for (int pass = 0; pass < 2; ++pass)
    {
        for (uint32_t i = 0; i < TUBE_POINTS * TUBE_JOINTS; ++i)
        {
            uint32_t v = vertex_of(i / TUBE_JOINTS), joint = i % TUBE_JOINTS;
            const pelt_mat34* matrix = &s->pose.matrices[joint];
            double w = weight_of(s, v, joint) * o->surface->m[point][i / TUBE_JOINTS], moved[3];
            pelt_vec3 at = s->tube->positions[v];
            const double u[3] = {(double)at.x, (double)at.y, (double)at.z};
            move(moved, matrix, u);
            for (int r = 0; r < 3; ++r)
            {
                p[r] += pass == 0 ? w * u[r] : 0.0;
                q[r] += pass == 0 ? w * moved[r] : 0.0;
                trace += pass == 1 ? w * (u[r] - p[r]) * (u[r] - p[r]) : 0.0;
                for (int c = 0; c < 3 && pass == 1; ++c)
                {
                    fit[r][c] += w * (moved[r] - q[r]) * (u[c] - p[c]);
                    mean[r][c] += w * (double)matrix->m[r][c];
                }
            }
        }
    }
    for (uint32_t i = 0; i < TUBE_POINTS * TUBE_JOINTS; ++i)
    {
        double moved[3];
        move(moved, &s->pose.matrices[i % TUBE_JOINTS], p);
        for (int r = 0; r < 3; ++r)
        {
            center[r] += o->weights->m[point][i / TUBE_JOINTS] *
                         weight_of(s, vertex_of(i / TUBE_JOINTS), i % TUBE_JOINTS) * moved[r];
        }
    }
    for (int i = 0; i < 9; ++i)
    {
        fit[i / 3][i % 3] += 1e-3 * trace * mean[i / 3][i % 3]; // pelt's own: see docs/methods.md
    }
    polar(fit);
    pelt_vec3 at = s->tube->positions[vertex_of(point)];
    const double u[3] = {(double)at.x, (double)at.y, (double)at.z};
    for (int r = 0; r < 3; ++r)
    {
        out[r] = (1.0 - o->alpha) * q[r] + o->alpha * center[r];
        for (int c = 0; c < 3; ++c)
        {
            out[r] += fit[r][c] * (u[c] - p[c]);
        }
    }
}

static int compare_with_fit(const pelt_ddm_options* options, double kappa, double alpha,
                            const pelt_mat34* right)
{
    smooth_tube* s = create(0.3f, options);
    const pelt_mat34 identity = pelt_mat34_identity();
    deform(s, &identity, right);
    oracle o = {.surface = ddm_tube_smoothing((double)options->lambda, options->iterations),
                .weights = ddm_tube_smoothing(kappa, options->iterations),
                .alpha = alpha,
                .tube = s};
    for (uint32_t point = 0; point < TUBE_POINTS; ++point)
    {
        double expected[3];
        fit_point(expected, &o, point);
        ENSURE_POINT(s->positions[vertex_of(point)],
                     pelt_vec3_make((float)expected[0], (float)expected[1], (float)expected[2]),
                     rounding);
    }
    free(o.surface);
    free(o.weights);
    destroy(s);
    return 0;
}

static int vertices_follow_the_best_fit_of_their_neighborhood(void)
{
    const pelt_ddm_options with_centers = {
        .iterations = 5, .lambda = 1.5f, .kappa = 0.5f, .alpha = 0.7f, .min_weight = -1.0f};
    const pelt_mat34 bent = bend(100.0f),
                     twisted = ddm_tube_rotation(pelt_vec3_make(1.0f, 0.0f, 0.0f), 120.0f);
    ENSURE(compare_with_fit(&plain, 0.0, 0.0, &bent) == 0);
    ENSURE(compare_with_fit(&plain, 0.0, 0.0, &twisted) == 0);
    return compare_with_fit(&with_centers, 0.5, 0.7, &bent);
}

// ---------------------------------------------------------------------------------------------
// Explicit delta mush (Mancewicz et al. 2014): smooth the result of lbs, and add the details of the
// rest pose in frames of the smoothed surface

typedef struct surface
{
    pelt_vec3 points[TUBE_POINTS];
} surface;

static void smooth(surface* out, const ddm_tube_matrix* by, const surface* in)
{
    for (uint32_t i = 0; i < TUBE_POINTS; ++i)
    {
        double sum[3] = {0.0};
        for (uint32_t k = 0; k < TUBE_POINTS; ++k)
        {
            sum[0] += by->m[i][k] * (double)in->points[k].x;
            sum[1] += by->m[i][k] * (double)in->points[k].y;
            sum[2] += by->m[i][k] * (double)in->points[k].z;
        }
        out->points[i] = pelt_vec3_make((float)sum[0], (float)sum[1], (float)sum[2]);
    }
}

// Columns: along the tube, across it, and the normal.
static pelt_mat3 frame_at(const surface* s, uint32_t point)
{
    uint32_t ring = point / TUBE_SIDES, side = point % TUBE_SIDES;
    uint32_t next = ring + 1 < TUBE_RINGS ? ring + 1 : ring, before = ring > 0 ? ring - 1 : ring;
    uint32_t up = (side + 1) % TUBE_SIDES, down = (side + TUBE_SIDES - 1) % TUBE_SIDES;
    pelt_vec3 along =
        pelt_vec3_sub(s->points[next * TUBE_SIDES + side], s->points[before * TUBE_SIDES + side]);
    pelt_vec3 across =
        pelt_vec3_sub(s->points[ring * TUBE_SIDES + up], s->points[ring * TUBE_SIDES + down]);
    pelt_vec3 x = pelt_vec3_normalize(along);
    pelt_vec3 normal = pelt_vec3_normalize(pelt_vec3_cross(x, across));
    pelt_vec3 y = pelt_vec3_cross(normal, x);
    return (pelt_mat3){{{x.x, y.x, normal.x}, {x.y, y.y, normal.y}, {x.z, y.z, normal.z}}};
}

// The largest distance between direct and explicit delta mush, relative to the largest detail.
static double difference_at(float degrees)
{
    smooth_tube* s = create(0.3f, &plain);
    const pelt_mat34 identity = pelt_mat34_identity(), right = bend(degrees);
    deform(s, &identity, &right);
    static pelt_vec3 lbs[BUILDER_VERTICES];
    ddm_tube_deform(lbs, NULL, s->tube, &s->pose, PELT_METHOD_LBS);
    surface rest, moved, smooth_rest, smooth_moved;
    for (uint32_t i = 0; i < TUBE_POINTS; ++i)
    {
        rest.points[i] = s->tube->positions[vertex_of(i)];
        moved.points[i] = lbs[vertex_of(i)];
    }
    ddm_tube_matrix* by = ddm_tube_smoothing(1.0, 4);
    smooth(&smooth_rest, by, &rest);
    smooth(&smooth_moved, by, &moved);
    double most = 0.0, detail = 0.0;
    for (uint32_t i = 0; i < TUBE_POINTS; ++i)
    {
        pelt_mat3 from = frame_at(&smooth_rest, i), to = frame_at(&smooth_moved, i);
        pelt_mat3 back = pelt_mat3_transpose(&from), turn = pelt_mat3_mul(&to, &back);
        pelt_vec3 offset = pelt_vec3_sub(rest.points[i], smooth_rest.points[i]);
        pelt_vec3 explicit = pelt_vec3_add(smooth_moved.points[i], pelt_mat3_vector(&turn, offset));
        most = fmax(most, (double)pelt_vec3_distance(explicit, s->positions[vertex_of(i)]));
        detail = fmax(detail, (double)pelt_vec3_length(offset));
    }
    free(by);
    destroy(s);
    return most / detail;
}

// Smoothed positions are equal; details are rotated by the frame of a neighborhood instead of that
// of two edges, which differ by a part of the angle.
static int it_is_explicit_delta_mush_up_to_the_rotation_of_details(void)
{
    double small = difference_at(2.0f), medium = difference_at(10.0f), large = difference_at(90.0f);
    ENSURE(difference_at(0.0f) < 1e-5);
    ENSURE(small < 0.005 && medium < 0.02 && large < 0.3);
    ENSURE(fabs(medium / small - 5.0) < 0.5); // linear in the angle
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Variants

static int compact_variants_are_lbs_and_crs_with_smoothed_weights(void)
{
    const pelt_mat34 identity = pelt_mat34_identity(), right = bend(90.0f);
    const pelt_ddm_variant variants[] = {PELT_DDM_V4, PELT_DDM_V5};
    const pelt_method methods[] = {PELT_METHOD_CRS, PELT_METHOD_LBS};
    for (int i = 0; i < 2; ++i)
    {
        smooth_tube* s = create(0.3f, &(pelt_ddm_options){.variant = variants[i]});
        ENSURE(s->ddm.moments == NULL && s->ddm.vectors == NULL);
        deform(s, &identity, &right);
        pelt_vec3 positions[BUILDER_VERTICES];
        const pelt_weights smoothed = {.vertex_count = s->ddm.vertex_count,
                                       .joint_count = s->ddm.joint_count,
                                       .influence_count = s->ddm.influence_count,
                                       .max_influences = 16,
                                       .first = s->ddm.first,
                                       .influences = s->ddm.influences};
        const pelt_deform_input input = {.positions = s->tube->positions,
                                         .cors = s->ddm.centers,
                                         .weights = &smoothed,
                                         .palette = &s->pose.palette};
        pelt_deform(&(pelt_surface){.positions = positions}, &input,
                    &(pelt_deform_options){.method = methods[i]},
                    (pelt_range){0, s->ddm.vertex_count});
        for (uint32_t v = 0; v < s->ddm.vertex_count; ++v)
        {
            ENSURE_POINT(s->positions[v], positions[v], rounding);
        }
        destroy(s);
    }
    return 0;
}

// By how much a variant differs from the full one, at most.
static double distance_to_full(pelt_ddm_variant variant, float degrees)
{
    const pelt_mat34 identity = pelt_mat34_identity(), right = bend(degrees);
    smooth_tube *full = create(0.3f, NULL),
                *other = create(0.3f, &(pelt_ddm_options){.variant = variant});
    deform(full, &identity, &right);
    deform(other, &identity, &right);
    double most = 0.0;
    for (uint32_t v = 0; v < full->tube->mesh.vertex_count; ++v)
    {
        most = fmax(most, (double)pelt_vec3_distance(full->positions[v], other->positions[v]));
    }
    destroy(full);
    destroy(other);
    return most;
}

static int variants_come_near_the_full_one_in_their_order(void)
{
    double v2 = distance_to_full(PELT_DDM_V2, 40.0f), v4 = distance_to_full(PELT_DDM_V4, 40.0f);
    double v5 = distance_to_full(PELT_DDM_V5, 40.0f), v3 = distance_to_full(PELT_DDM_V3, 40.0f);
    // The tube has a radius of 0.25, and details of up to 0.1.
    ENSURE(v2 < 0.04 && v2 < v3 && v3 < v4 && v4 < v5 && v5 < 0.1);
    return 0;
}

void test_ddm(void)
{
    RUN(every_variant_keeps_the_rest_pose);
    RUN(a_flat_mesh_keeps_the_rest_pose);
    RUN(without_smoothing_it_is_lbs_to_the_bit);
    RUN(what_moves_all_joints_moves_everything);
    RUN(far_vertices_follow_the_scale_of_their_joint);
    RUN(units_do_not_matter);
    RUN(seams_stay_closed);
    RUN(vertices_follow_the_best_fit_of_their_neighborhood);
    RUN(it_is_explicit_delta_mush_up_to_the_rotation_of_details);
    RUN(compact_variants_are_lbs_and_crs_with_smoothed_weights);
    RUN(variants_come_near_the_full_one_in_their_order);
}
