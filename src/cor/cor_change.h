// SPDX-License-Identifier: MIT
// Which centers a change of weights concerns.
#ifndef PELTI_COR_CHANGE_H
#define PELTI_COR_CHANGE_H

#include "cor.h"

/// One flag per vertex of the problem's surface: whether its center may differ now.
/// @param before  the old weights of each mesh
/// @return to be released with pelti_cor_release(); NULL when out of memory
uint8_t* pelti_cor_concerned(pelti_cor_problem* problem, const pelt_weights* const* before);

#endif
