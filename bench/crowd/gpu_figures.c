// SPDX-License-Identifier: MIT
#include "gpu_figures.h"

// 000, Table 2: frames per second of lbs, dqs and crs on three models. 003, Table 5.3: milliseconds
// of lbs, dqs and their mix on three models. 004, Table 1: operations for each vertex, where "ours"
// is PELT_NORMAL_PAPER and "naive" an exact derivative as PELT_NORMAL_ACCURATE is; over the 63 (two
// influences) or 87 (four) of lbs with approximate normals. 001 has no such table.
static const struct
{
    pelt_method method;
    pelt_normal_rule rule;
    uint32_t influence_count;
    const char* text;
} figures[] = {
    {PELT_METHOD_DQS, PELT_NORMAL_STANDARD, 4, "0.99-1.00 (000), 0.97-0.99 (003)"},
    {PELT_METHOD_MIX, PELT_NORMAL_STANDARD, 4, "0.94-0.99 (003)"},
    {PELT_METHOD_CRS, PELT_NORMAL_STANDARD, 4, "1.01-1.03 (000)"},
    {PELT_METHOD_LBS, PELT_NORMAL_PAPER, 2, "1.19 (004, operations)"},
    {PELT_METHOD_LBS, PELT_NORMAL_PAPER, 4, "1.55 (004, operations)"},
    {PELT_METHOD_LBS, PELT_NORMAL_ACCURATE, 2, "2.06 (004, operations)"},
    {PELT_METHOD_LBS, PELT_NORMAL_ACCURATE, 4, "2.18 (004, operations)"},
    {PELT_METHOD_DQS, PELT_NORMAL_STANDARD, 2, "1.68 (004, operations)"},
    {PELT_METHOD_DQS, PELT_NORMAL_PAPER, 2, "2.59 (004, operations)"},
    {PELT_METHOD_DQS, PELT_NORMAL_PAPER, 4, "2.91 (004, operations)"},
};

const char* gpu_figure(pelt_method method, pelt_normal_rule rule, uint32_t influence_count)
{
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; ++i)
    {
        if (figures[i].method == method && figures[i].rule == rule &&
            figures[i].influence_count == influence_count)
        {
            return figures[i].text;
        }
    }
    return "";
}
