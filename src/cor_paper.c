// SPDX-License-Identifier: MIT
#include "cor.h"
pelt_result pelti_cor_paper(pelti_cor_problem* problem)
{
    return pelti_cor_full(problem);
}
