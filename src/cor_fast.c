// SPDX-License-Identifier: MIT
#include "cor.h"
pelt_result pelti_cor_fast(pelti_cor_problem* problem)
{
    return pelti_cor_full(problem);
}
