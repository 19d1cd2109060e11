// SPDX-License-Identifier: MIT
// Four skinning methods in double precision, straight from their definitions, at a vertex that
// moves over a surface where weights and centers change. Differences of it are derivatives.
#ifndef PELT_SKIN_ORACLE_H
#define PELT_SKIN_ORACLE_H

#include "test.h"

enum
{
    ORACLE_JOINTS = 8
};

typedef struct oracle
{
    double matrices[ORACLE_JOINTS][3][4];
    double rotations[ORACLE_JOINTS][4]; ///< x y z w, with the signs that enter the blend
    double stretches[ORACLE_JOINTS][3][3];
    double weights[ORACLE_JOINTS];      ///< at the vertex
    double gradients[ORACLE_JOINTS][3]; ///< gradients of weights

    /// Means of change of weight times step, for a step by each axis: what a coarse surface adds to
    /// gradients. Rows are components of the step that was made.
    double products[ORACLE_JOINTS][3][3];
    bool is_stretched_at_origin;
    double position[3];
    double center[3];
    double center_gradients[3][3]; ///< rows: gradients of the components of the center
    double mix;
} oracle;

/// Where the method takes the point that lies `step` away from the vertex.
void oracle_move(double out[3], const oracle* o, pelt_method method, const double step[3]);

/// The derivative of that along a direction by central differences: of first order, and the mixed
/// one of second order in weights and position by the products.
void oracle_derivative(double out[3], const oracle* o, pelt_method method, const double along[3]);

#endif
