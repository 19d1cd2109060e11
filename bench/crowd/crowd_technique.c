// SPDX-License-Identifier: MIT
// Techniques to draw a crowd with.
#include "crowd_technique.h"

#include <stdio.h>
#include <string.h>

static const crowd_technique_info techniques[CROWD_TECHNIQUE_COUNT] = {
    [CROWD_CONTROL] = {"control", CROWD_STATIC, "lbs", 0, 0, 0},
    [CROWD_CPU_MATRIX] = {"cpu-matrix", CROWD_SKINNED, "lbs", 0, 0, 0},
    [CROWD_GPU_MATRIX] = {"gpu-matrix", CROWD_SINGLY, "lbs", 0, 0, 0},
    [CROWD_GPU_DQ] = {"gpu-dq", CROWD_SINGLY, "dqs", 0, 0, 0},
    [CROWD_GPU_CRS] = {"gpu-crs", CROWD_SINGLY, "crs", 0, 0, 0},
    [CROWD_MATRIX_TEXTURE] = {"matrix-texture", CROWD_BAKED, "lbs", PELT_ENCODING_MATRIX,
                              PELT_PALETTE_BAKED, PELT_BAKE_LAYOUT_MODERN},
    [CROWD_DQ_TEXTURE] = {"dq-texture", CROWD_BAKED, "dqs", PELT_ENCODING_DQ, PELT_PALETTE_BAKED,
                          PELT_BAKE_LAYOUT_MODERN},
    [CROWD_QT_TEXTURE] = {"qt-texture", CROWD_BAKED, "lbs", PELT_ENCODING_QT, PELT_PALETTE_BAKED,
                          PELT_BAKE_LAYOUT_MODERN},
    [CROWD_VERTEX_TEXTURE] = {"vertex-texture", CROWD_BAKED, "lbs", PELT_ENCODING_VERTEX,
                              PELT_PALETTE_BAKED, PELT_BAKE_LAYOUT_MODERN},
    [CROWD_MATRIX_POSED] = {"matrix-posed", CROWD_BAKED, "lbs", PELT_ENCODING_MATRIX,
                            PELT_PALETTE_POSED, PELT_BAKE_LAYOUT_MODERN},
    [CROWD_QT_POSED] = {"qt-posed", CROWD_BAKED, "lbs", PELT_ENCODING_QT, PELT_PALETTE_POSED,
                        PELT_BAKE_LAYOUT_MODERN},
    [CROWD_THESIS_MATRIX_TEXTURE] = {"thesis-matrix-texture", CROWD_BAKED, "lbs",
                                     PELT_ENCODING_MATRIX, PELT_PALETTE_BAKED,
                                     PELT_BAKE_LAYOUT_THESIS},
    [CROWD_THESIS_DQ_TEXTURE] = {"thesis-dq-texture", CROWD_BAKED, "dqs", PELT_ENCODING_DQ,
                                 PELT_PALETTE_BAKED, PELT_BAKE_LAYOUT_THESIS},
    [CROWD_THESIS_VERTEX_TEXTURE] = {"thesis-vertex-texture", CROWD_BAKED, "lbs",
                                     PELT_ENCODING_VERTEX, PELT_PALETTE_BAKED,
                                     PELT_BAKE_LAYOUT_THESIS},
};

const crowd_technique_info* crowd_technique_describe(crowd_technique technique)
{
    PELT_ASSERT(technique < CROWD_TECHNIQUE_COUNT);
    return &techniques[technique];
}

crowd_technique crowd_technique_find(const char* name)
{
    int i = 0;
    while (i < CROWD_TECHNIQUE_COUNT && strcmp(techniques[i].name, name) != 0)
    {
        ++i;
    }
    return (crowd_technique)i;
}

crowd_stage_set crowd_technique_stages(crowd_technique technique)
{
    const crowd_technique_info* info = crowd_technique_describe(technique);
    bool decodes_joints =
        info->palette == PELT_PALETTE_BAKED && info->encoding != PELT_ENCODING_VERTEX;
    crowd_stage_set order = info->layout == PELT_BAKE_LAYOUT_THESIS ? CROWD_ORDER : 0;
    switch (info->kind)
    {
    case CROWD_SINGLY:
        return CROWD_UPLOAD | CROWD_SKELETON | CROWD_SWITCH;
    case CROWD_BAKED:
        return CROWD_UPLOAD | (decodes_joints ? CROWD_INTERPOLATION | CROWD_METADATA |
                                                    CROWD_SKINNING | CROWD_JOINTS | order
                                              : 0);
    case CROWD_STATIC:
    case CROWD_SKINNED:
        break;
    }
    return 0;
}

const char* crowd_stage_name(crowd_stage stage)
{
    static const char* const names[CROWD_STAGE_COUNT] = {
        "upload", "skeleton", "switch", "interpolation", "metadata", "skinning", "order", "joints"};
    int i = 0;
    while ((uint32_t)stage >> i > 1u)
    {
        ++i;
    }
    return names[i];
}

void crowd_stages_write(char* out, size_t size, crowd_stage_set stages)
{
    size_t used = 0;
    snprintf(out, size, "nothing");
    for (int i = CROWD_STAGE_COUNT - 1; i >= 0 && used < size; --i)
    {
        if ((stages >> i & 1u) != 0)
        {
            used += (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "",
                                     crowd_stage_name((crowd_stage)(1 << i)));
        }
    }
}
