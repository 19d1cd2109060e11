// SPDX-License-Identifier: MIT
#include "published.h"

#include <math.h>
#include <string.h>

// A rigid transform in double precision: matrix and dual quaternion, x y z w.
typedef struct bone
{
    double m[3][4];
    double real[4], dual[4];
} bone;

static void multiply(double out[4], const double a[4], const double b[4])
{
    const double q[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                         a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                         a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                         a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(out, q, sizeof q);
}

static double dot4(const double a[4], const double b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// The quaternion of a rotation matrix: the largest of its four components first.
static void quaternion_of(double q[4], double m[3][4])
{
    double t[4] = {1.0 + m[0][0] - m[1][1] - m[2][2], 1.0 - m[0][0] + m[1][1] - m[2][2],
                   1.0 - m[0][0] - m[1][1] + m[2][2], 1.0 + m[0][0] + m[1][1] + m[2][2]};
    int k = 0;
    for (int i = 1; i < 4; ++i)
    {
        k = t[i] > t[k] ? i : k;
    }
    const double products[4][4] = {{t[0], m[0][1] + m[1][0], m[0][2] + m[2][0], m[2][1] - m[1][2]},
                                   {m[0][1] + m[1][0], t[1], m[1][2] + m[2][1], m[0][2] - m[2][0]},
                                   {m[0][2] + m[2][0], m[1][2] + m[2][1], t[2], m[1][0] - m[0][1]},
                                   {m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], t[3]}};
    double length = sqrt(dot4(products[k], products[k]));
    for (int i = 0; i < 4; ++i)
    {
        q[i] = products[k][i] / length;
    }
}

static bone bone_of(const pelt_mat34* matrix)
{
    bone out;
    for (int i = 0; i < 12; ++i)
    {
        out.m[i / 4][i % 4] = (double)matrix->m[i / 4][i % 4];
    }
    quaternion_of(out.real, out.m);
    const double t[4] = {0.5 * out.m[0][3], 0.5 * out.m[1][3], 0.5 * out.m[2][3], 0.0};
    multiply(out.dual, t, out.real);
    return out;
}

// The matrix of a unit dual quaternion: lines 3 to 5 of Algorithm 1 of Bittner et al.
static void matrix_of(double m[3][4], const double q[4], const double dual[4])
{
    double x = q[0], y = q[1], z = q[2], w = q[3], t[4];
    const double conjugate[4] = {-x, -y, -z, w};
    multiply(t, dual, conjugate);
    const double rows[3][4] = {
        {1 - 2 * y * y - 2 * z * z, 2 * x * y - 2 * w * z, 2 * x * z + 2 * w * y, 2 * t[0]},
        {2 * x * y + 2 * w * z, 1 - 2 * x * x - 2 * z * z, 2 * y * z - 2 * w * x, 2 * t[1]},
        {2 * x * z - 2 * w * y, 2 * y * z + 2 * w * x, 1 - 2 * x * x - 2 * y * y, 2 * t[2]}};
    memcpy(m, rows, sizeof rows);
}

static void apply(double out[3], double m[3][4], const double v[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2] + m[i][3];
    }
}

// Sums over the influences of a vertex: of matrices, and of dual quaternions, each in the
// hemisphere of the sum so far (the operator of both papers).
typedef struct blend
{
    double lbs[3][4];
    double dqs[3][4];
} blend;

static blend blend_of(const bone* bones, const pelt_influence* influences, uint32_t count)
{
    blend out = {0};
    double real[4] = {0}, dual[4] = {0};
    for (uint32_t i = 0; i < count; ++i)
    {
        const bone* b = &bones[influences[i].joint];
        double weight = (double)influences[i].weight;
        double sign = dot4(real, b->real) >= 0.0 ? weight : -weight;
        for (int k = 0; k < 12; ++k)
        {
            out.lbs[k / 4][k % 4] += weight * b->m[k / 4][k % 4];
        }
        for (int k = 0; k < 4; ++k)
        {
            real[k] += sign * b->real[k];
            dual[k] += sign * b->dual[k];
        }
    }
    double length = sqrt(dot4(real, real));
    for (int k = 0; k < 4; ++k)
    {
        real[k] /= length;
        dual[k] /= length;
    }
    matrix_of(out.dqs, real, dual);
    return out;
}

// The matrix that a vertex is multiplied with.
static void published_matrix(double out[3][4], const blend* b, published_algorithm algorithm,
                             const pelt_vec3* cor)
{
    memcpy(out, b->dqs, sizeof b->dqs);
    if (algorithm == PUBLISHED_MIX)
    {
        for (int k = 0; k < 12; ++k)
        {
            out[k / 4][k % 4] = 0.5 * b->lbs[k / 4][k % 4] + 0.5 * b->dqs[k / 4][k % 4];
        }
    }
    if (algorithm == PUBLISHED_CRS)
    {
        const double p[3] = {(double)cor->x, (double)cor->y, (double)cor->z};
        double moved[3], rotated[3], m[3][4];
        memcpy(m, b->lbs, sizeof m);
        apply(moved, m, p);
        for (int i = 0; i < 3; ++i)
        {
            out[i][3] = 0.0;
        }
        apply(rotated, out, p);
        for (int i = 0; i < 3; ++i)
        {
            out[i][3] = moved[i] - rotated[i];
        }
    }
}

// The angle between a normal and n times the inverse transpose of a matrix, in degrees.
static double normal_angle_of(double m[3][4], pelt_vec3 rest, pelt_vec3 normal)
{
    const double n[3] = {(double)rest.x, (double)rest.y, (double)rest.z};
    const double own[3] = {(double)normal.x, (double)normal.y, (double)normal.z};
    double sum = 0.0, length = 0.0, cross = 0.0, expected[3];
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        expected[i] = 0.0;
        for (int c = 0; c < 3; ++c) // cofactors: the inverse transpose times the determinant
        {
            int d = (c + 1) % 3, e = (c + 2) % 3;
            expected[i] += (m[j][d] * m[k][e] - m[j][e] * m[k][d]) * n[c];
        }
        sum += expected[i] * own[i];
        length += expected[i] * expected[i];
    }
    for (int i = 0; i < 3; ++i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double c = expected[j] * own[k] - expected[k] * own[j];
        cross += c * c;
    }
    return length > 0.0 ? atan2(sqrt(cross), sum) * 180.0 / (double)PELT_PI : 0.0;
}

static void compare_vertices(published_distance* inout, const reproduce_body* body,
                             uint32_t instance, const bone* bones, published_algorithm algorithm)
{
    const pelt_scene* scene = &body->scene;
    const pelt_mesh* mesh = &scene->meshes[scene->instances[instance].mesh];
    const pelt_surface* surface = &body->frame.surfaces[instance];
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        const uint32_t* first = mesh->weights.first + v;
        blend b = blend_of(bones, mesh->weights.influences + first[0], first[1] - first[0]);
        double m[3][4], expected[3];
        const double rest[3] = {(double)mesh->positions[v].x, (double)mesh->positions[v].y,
                                (double)mesh->positions[v].z};
        published_matrix(m, &b, algorithm, mesh->cors != NULL ? &mesh->cors[v] : NULL);
        apply(expected, m, rest);
        double x = expected[0] - (double)surface->positions[v].x;
        double y = expected[1] - (double)surface->positions[v].y;
        double z = expected[2] - (double)surface->positions[v].z;
        inout->position = fmax(inout->position, sqrt(x * x + y * y + z * z));
        if (algorithm == PUBLISHED_MIX && mesh->normals != NULL)
        {
            inout->normal =
                fmax(inout->normal, normal_angle_of(m, mesh->normals[v], surface->normals[v]));
        }
    }
}

published_distance published_compare(reproduction* job, reproduce_body* inout,
                                     published_algorithm algorithm)
{
    const pelt_method methods[] = {reproduce_dqs.method, reproduce_crs.method, PELT_METHOD_MIX};
    published_distance worst = {0};
    const pelt_deform_options options = {
        .method = methods[algorithm], .sign_rule = PELT_SIGN_RUNNING, .mix = 0.5f};
    pelt_frame_update(&inout->frame, &inout->scene, &inout->pose, &options);
    for (uint32_t i = 0; i < inout->scene.instance_count; ++i)
    {
        uint32_t skin = inout->scene.instances[i].skin;
        if (skin == PELT_NONE)
        {
            continue;
        }
        const pelt_palette* palette = &inout->frame.palettes[skin];
        bone* bones = reproduce_allocate(job, palette->joint_count, sizeof *bones);
        if (bones == NULL)
        {
            return worst;
        }
        for (uint32_t joint = 0; joint < palette->joint_count; ++joint)
        {
            bones[joint] = bone_of(&palette->matrices[joint]);
        }
        compare_vertices(&worst, inout, i, bones, algorithm);
        pelt_release(bones);
    }
    worst.position /= pelt_body_get_info(inout->body)->size;
    return worst;
}
