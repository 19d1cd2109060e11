// SPDX-License-Identifier: MIT
// Cyclic Jacobi iteration: slow, simple and accurate to the last bits.
#include "exact.h"

#include "double3.h"

#include <math.h>
#include <stdbool.h>

// Rotate rows and columns p and q of a so that a[p][q] becomes zero (Golub and Van Loan, 8.5.2).
static void rotate(double a[3][3], double v[3][3], int p, int q)
{
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0);
    double s = t * c;

    for (int i = 0; i < 3; ++i)
    {
        double aip = a[i][p], aiq = a[i][q];
        a[i][p] = c * aip - s * aiq;
        a[i][q] = s * aip + c * aiq;
    }
    for (int i = 0; i < 3; ++i)
    {
        double api = a[p][i], aqi = a[q][i];
        a[p][i] = c * api - s * aqi;
        a[q][i] = s * api + c * aqi;
        double vip = v[i][p], viq = v[i][q];
        v[i][p] = c * vip - s * viq;
        v[i][q] = s * vip + c * viq;
    }
}

static void swap_columns(double values[3], double vectors[3][3], int p, int q)
{
    double value = values[p];
    values[p] = values[q];
    values[q] = value;
    for (int i = 0; i < 3; ++i)
    {
        double x = vectors[i][p];
        vectors[i][p] = vectors[i][q];
        vectors[i][q] = x;
    }
}

void pelti_eigen_symmetric3(double values[3], double vectors[3][3], double a[3][3])
{
    static const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    double d[3][3];
    for (int i = 0; i < 3; ++i)
    {
        for (int j = 0; j < 3; ++j)
        {
            d[i][j] = i <= j ? a[i][j] : a[j][i];
            vectors[i][j] = i == j ? 1.0 : 0.0;
        }
    }

    // Convergence is quadratic: five sweeps are usual, twenty are never needed.
    bool is_diagonal = false;
    for (int sweep = 0; sweep < 20 && !is_diagonal; ++sweep)
    {
        is_diagonal = true;
        for (int k = 0; k < 3; ++k)
        {
            int p = pairs[k][0], q = pairs[k][1];
            if (fabs(d[p][q]) > 1e-17 * (fabs(d[p][p]) + fabs(d[q][q])))
            {
                rotate(d, vectors, p, q);
                is_diagonal = false;
            }
        }
    }

    for (int i = 0; i < 3; ++i)
    {
        values[i] = d[i][i];
    }
    for (int k = 0; k < 3; ++k)
    {
        // Bubble sort of three: (0,1), (1,2), (0,1).
        int p = k == 1 ? 1 : 0;
        if (values[p] < values[p + 1])
        {
            swap_columns(values, vectors, p, p + 1);
        }
    }
}
