// SPDX-License-Identifier: MIT
// Spherical blend skinning (Kavan and Zara 2005): the mean rotation about the point that the joints
// of the vertex move to the nearest positions, found for each pose.
#include "../base/exact.h"

#include "deform_each.h"

#include "../base/double3.h"

#include <float.h>

// Normal equations of the center, as an offset d from the vertex at x:
// minimize the sum over joints of |(A_i - mean A) d + (M_i x - mean M x)|^2. That has the same
// minimum as Kavan's sum over pairs of joints, at the cost of one pass.
typedef struct normal_equations
{
    double matrix[3][3];
    double right[3];
} normal_equations;

typedef struct mean_motion
{
    double linear[3][3];
    double target[3];
} mean_motion;

static void get_motion(mean_motion* out, const pelti_vertex* vertex, uint32_t i)
{
    const pelt_mat34* m = &vertex->palette->matrices[vertex->influences[i].joint];
    double x[3] = {vertex->position.x, vertex->position.y, vertex->position.z};
    for (int r = 0; r < 3; ++r)
    {
        out->target[r] = m->m[r][3];
        for (int c = 0; c < 3; ++c)
        {
            out->linear[r][c] = m->m[r][c];
            out->target[r] += out->linear[r][c] * x[c];
        }
    }
}

static void add_scaled(mean_motion* sum, double s, const mean_motion* m)
{
    for (int r = 0; r < 3; ++r)
    {
        sum->target[r] += s * m->target[r];
        for (int c = 0; c < 3; ++c)
        {
            sum->linear[r][c] += s * m->linear[r][c];
        }
    }
}

// Joints count equally here: Kavan's center depends on the set of joints, not on their weights.
static normal_equations build_equations(const pelti_vertex* vertex)
{
    mean_motion mean = {0}, motion;
    for (uint32_t i = 0; i < vertex->count; ++i)
    {
        get_motion(&motion, vertex, i);
        add_scaled(&mean, 1.0 / vertex->count, &motion);
    }

    normal_equations n = {0};
    for (uint32_t i = 0; i < vertex->count; ++i)
    {
        get_motion(&motion, vertex, i);
        add_scaled(&motion, -1.0, &mean);
        for (int r = 0; r < 3; ++r)
        {
            for (int k = 0; k < 3; ++k)
            {
                n.right[r] -= motion.linear[k][r] * motion.target[k];
                for (int c = 0; c < 3; ++c)
                {
                    n.matrix[r][c] += motion.linear[k][r] * motion.linear[k][c];
                }
            }
        }
    }
    return n;
}

// The shortest solution. Directions in which the joints rotate against each other by less than
// about 1e-5 radians are noise of float; along them the center stays with the vertex. Kavan and
// Zara drop small singular values too, for the rotation axis, along which any center will do.
static pelt_vec3 solve_shortest(normal_equations* n)
{
    double values[3], vectors[3][3], d[3] = {0};
    pelti_eigen_symmetric3(values, vectors, n->matrix);
    for (int i = 0; i < 3; ++i)
    {
        if (values[i] < 1e-10)
        {
            continue;
        }
        double along = (vectors[0][i] * n->right[0] + vectors[1][i] * n->right[1] +
                        vectors[2][i] * n->right[2]) /
                       values[i];
        for (int k = 0; k < 3; ++k)
        {
            d[k] += along * vectors[k][i];
        }
    }
    // A center that is not finite is not used.
    bool is_far = !(fmax(fabs(d[0]), fmax(fabs(d[1]), fabs(d[2]))) < (double)FLT_MAX);
    return is_far ? pelt_vec3_make(0.0f, 0.0f, 0.0f)
                  : pelt_vec3_make((float)d[0], (float)d[1], (float)d[2]);
}

static void map_sbs(pelti_vertex_map* out, const pelti_vertex* vertex,
                    const pelt_deform_input* input, const pelt_deform_options* options)
{
    (void)input;
    normal_equations n = build_equations(vertex);
    pelt_vec3 center = pelt_vec3_add(vertex->position, solve_shortest(&n));
    pelti_map_about(out, vertex, center, options);
}

void pelt_deform_sbs(const pelt_surface* out, const pelt_deform_input* input,
                     const pelt_deform_options* options, pelt_range range)
{
    const pelti_method method = {.move = map_sbs};
    pelti_deform_each(out, input, options, range, map_sbs, &method);
}
