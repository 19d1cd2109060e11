// SPDX-License-Identifier: MIT
#include "skin_oracle.h"

// A vertex after a step: everything that depends on where it is.
typedef struct moment
{
    double x[3], center[3], weights[ORACLE_JOINTS];
} moment;

static moment moment_at(const oracle* o, const double step[3])
{
    moment m;
    for (int i = 0; i < 3; ++i)
    {
        m.x[i] = o->position[i] + step[i];
        m.center[i] = o->center[i];
        for (int k = 0; k < 3; ++k)
        {
            m.center[i] += o->center_gradients[i][k] * step[k];
        }
    }
    for (int j = 0; j < ORACLE_JOINTS; ++j)
    {
        m.weights[j] = o->weights[j];
        for (int k = 0; k < 3; ++k)
        {
            m.weights[j] += o->gradients[j][k] * step[k];
        }
    }
    return m;
}

static void multiply(double out[4], const double a[4], const double b[4])
{
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

// v rotated by the unit quaternion q: q v q*.
static void rotate(double out[3], const double q[4], const double v[3])
{
    const double pure[4] = {v[0], v[1], v[2], 0.0}, back[4] = {-q[0], -q[1], -q[2], q[3]};
    double half[4], whole[4];
    multiply(half, q, pure);
    multiply(whole, half, back);
    for (int i = 0; i < 3; ++i)
    {
        out[i] = whole[i];
    }
}

static void transform(double out[3], const double matrix[3][4], const double x[3])
{
    for (int i = 0; i < 3; ++i)
    {
        out[i] = matrix[i][0] * x[0] + matrix[i][1] * x[1] + matrix[i][2] * x[2] + matrix[i][3];
    }
}

static void move_lbs(double out[3], const oracle* o, const moment* m, const double point[3])
{
    out[0] = out[1] = out[2] = 0.0;
    for (int j = 0; j < ORACLE_JOINTS; ++j)
    {
        double moved[3];
        transform(moved, o->matrices[j], point);
        for (int i = 0; i < 3; ++i)
        {
            out[i] += m->weights[j] * moved[i];
        }
    }
}

// The mean stretch of a vector.
static void stretch(double out[3], const oracle* o, const moment* m, const double v[3])
{
    out[0] = out[1] = out[2] = 0.0;
    for (int j = 0; j < ORACLE_JOINTS; ++j)
    {
        for (int i = 0; i < 9; ++i)
        {
            out[i / 3] += m->weights[j] * o->stretches[j][i / 3][i % 3] * v[i % 3];
        }
    }
}

// Kavan et al. 2008 for joints that may stretch: the mean stretch about the origin goes first; or
// each joint is the rigid motion with its rotation and the translation that takes the vertex where
// the joint takes it.
static void move_dqs(double out[3], const oracle* o, const moment* m)
{
    double real[4] = {0}, dual[4] = {0}, product[4], x[3];
    stretch(x, o, m, m->x);
    for (int i = 0; i < 3 && !o->is_stretched_at_origin; ++i)
    {
        x[i] = m->x[i];
    }
    for (int j = 0; j < ORACLE_JOINTS; ++j)
    {
        double target[3], rotated[3], translation[4] = {0};
        transform(target, o->matrices[j], m->x);
        rotate(rotated, o->rotations[j], m->x);
        for (int i = 0; i < 3; ++i)
        {
            translation[i] =
                o->is_stretched_at_origin ? o->matrices[j][i][3] : target[i] - rotated[i];
        }
        multiply(product, translation, o->rotations[j]);
        for (int i = 0; i < 4; ++i)
        {
            real[i] += m->weights[j] * o->rotations[j][i];
            dual[i] += 0.5 * m->weights[j] * product[i];
        }
    }
    double length =
        sqrt(real[0] * real[0] + real[1] * real[1] + real[2] * real[2] + real[3] * real[3]);
    for (int i = 0; i < 4; ++i)
    {
        real[i] /= length;
        dual[i] /= length;
    }
    const double back[4] = {-real[0], -real[1], -real[2], real[3]};
    multiply(product, dual, back);
    rotate(out, real, x);
    for (int i = 0; i < 3; ++i)
    {
        out[i] += 2.0 * product[i];
    }
}

// The mean of the rigid motions of a point.
static void move_rigid(double out[3], const oracle* o, const moment* m, const double point[3])
{
    out[0] = out[1] = out[2] = 0.0;
    for (int j = 0; j < ORACLE_JOINTS; ++j)
    {
        double rotated[3];
        rotate(rotated, o->rotations[j], point);
        for (int i = 0; i < 3; ++i)
        {
            out[i] += m->weights[j] * (rotated[i] + o->matrices[j][i][3]);
        }
    }
}

// Le and Hodgins 2016, Algorithm 1, with stretches blended linearly and applied first.
static void move_crs(double out[3], const oracle* o, const moment* m)
{
    double q[4] = {0}, offset[3], rotated[3], center[3], stretched[3];
    for (int i = 0; i < 3; ++i)
    {
        offset[i] = m->x[i] - m->center[i];
    }
    for (int i = 0; i < 4 * ORACLE_JOINTS; ++i)
    {
        q[i % 4] += m->weights[i / 4] * o->rotations[i / 4][i % 4];
    }
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; ++i)
    {
        q[i] /= length;
    }
    stretch(stretched, o, m, offset);
    rotate(rotated, q, stretched);
    move_lbs(center, o, m, m->center);
    if (o->is_stretched_at_origin)
    {
        stretch(stretched, o, m, m->center);
        move_rigid(center, o, m, stretched);
    }
    for (int i = 0; i < 3; ++i)
    {
        out[i] = center[i] + rotated[i];
    }
}

static void move(double out[3], const oracle* o, pelt_method method, const moment* m)
{
    double lbs[3], dqs[3];
    move_lbs(lbs, o, m, m->x);
    move_dqs(dqs, o, m);
    move_crs(out, o, m);
    for (int i = 0; i < 3 && method != PELT_METHOD_CRS; ++i)
    {
        double mix = method == PELT_METHOD_LBS ? 0.0 : method == PELT_METHOD_DQS ? 1.0 : o->mix;
        out[i] = (1.0 - mix) * lbs[i] + mix * dqs[i];
    }
}

void oracle_move(double out[3], const oracle* o, pelt_method method, const double step[3])
{
    moment m = moment_at(o, step);
    move(out, o, method, &m);
}

// The vertex after a step that changes the weight of one joint and leaves the others, and the
// center.
static void move_apart(double out[3], const oracle* o, pelt_method method, int joint, double weight,
                       const double step[3])
{
    const double zero[3] = {0};
    moment m = moment_at(o, zero);
    m.weights[joint] += weight;
    for (int i = 0; i < 3; ++i)
    {
        m.x[i] += step[i];
    }
    move(out, o, method, &m);
}

// Adds the mixed derivative by the weight of a joint and by a step.
static void add_mixed(double inout[3], const oracle* o, pelt_method method, int joint,
                      const double step[3])
{
    // Fourth root of the rounding of double.
    const double h = 1e-4;
    for (int corner = 0; corner < 4; ++corner)
    {
        double side = corner % 2 ? -h : h, weight = corner / 2 ? -h : h, moved[3];
        const double away[3] = {side * step[0], side * step[1], side * step[2]};
        move_apart(moved, o, method, joint, weight, away);
        for (int i = 0; i < 3; ++i)
        {
            inout[i] += (side < 0.0) == (weight < 0.0) ? moved[i] / (4.0 * h * h)
                                                       : -moved[i] / (4.0 * h * h);
        }
    }
}

void oracle_derivative(double out[3], const oracle* o, pelt_method method, const double along[3])
{
    // Cube root of the rounding of double: the error of central differences is smallest there.
    const double h = 1e-5;
    const double ahead[3] = {h * along[0], h * along[1], h * along[2]};
    const double behind[3] = {-ahead[0], -ahead[1], -ahead[2]};
    double a[3], b[3];
    oracle_move(a, o, method, ahead);
    oracle_move(b, o, method, behind);
    for (int i = 0; i < 3; ++i)
    {
        out[i] = (a[i] - b[i]) / (2.0 * h);
    }
    for (int j = 0; j < ORACLE_JOINTS; ++j)
    {
        double step[3];
        for (int i = 0; i < 3; ++i)
        {
            const double* row = o->products[j][i];
            step[i] = row[0] * along[0] + row[1] * along[1] + row[2] * along[2];
        }
        add_mixed(out, o, method, j, step);
    }
}
