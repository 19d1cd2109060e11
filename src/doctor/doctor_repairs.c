// SPDX-License-Identifier: MIT
// What the reader has fixed: the file still has it, and other programs will meet it.
#include "../base/exact.h"

#include "doctor.h"

#include <math.h>

// Of a sum: three decimals, as some exporters write them, do as much to four weights.
static const double small_difference = 2e-3;

typedef struct translation
{
    pelt_finding_kind kind;
    pelt_severity severity;
} translation;

static translation translate(pelt_repair_kind kind)
{
    switch (kind)
    {
    case PELT_REPAIR_CORS_DROPPED:
    case PELT_REPAIR_NORMALS_DROPPED:
    case PELT_REPAIR_MIX_DROPPED:
        return (translation){PELT_FINDING_STALE_DATA, PELT_SEVERITY_WARNING};
    case PELT_REPAIR_WEIGHT_SUMS:
        return (translation){PELT_FINDING_WEIGHT_SUMS, PELT_SEVERITY_WARNING};
    case PELT_REPAIR_DUPLICATE_JOINTS:
        return (translation){PELT_FINDING_DUPLICATE_JOINTS, PELT_SEVERITY_WARNING};
    case PELT_REPAIR_NEGATIVE_WEIGHTS:
        return (translation){PELT_FINDING_NEGATIVE_WEIGHTS, PELT_SEVERITY_WARNING};
    case PELT_REPAIR_NOT_FINITE:
        return (translation){PELT_FINDING_NOT_FINITE, PELT_SEVERITY_ERROR};
    case PELT_REPAIR_JOINT_RANGE:
        return (translation){PELT_FINDING_JOINT_RANGE, PELT_SEVERITY_ERROR};
    case PELT_REPAIR_DIRECTION_LENGTH:
        return (translation){PELT_FINDING_NORMAL_LENGTH, PELT_SEVERITY_WARNING};
    case PELT_REPAIR_ROTATION_LENGTH:
        return (translation){PELT_FINDING_ROTATION_LENGTH, PELT_SEVERITY_WARNING};
    case PELT_REPAIR_KEY_ORDER:
        return (translation){PELT_FINDING_KEY_ORDER, PELT_SEVERITY_WARNING};
    case PELT_REPAIR_UNWEIGHTED:
        return (translation){PELT_FINDING_UNWEIGHTED_VERTICES, PELT_SEVERITY_WARNING};
    case PELT_REPAIR_PRUNED: // the caller asked for it
        return (translation){PELT_FINDING_KIND_COUNT, PELT_SEVERITY_NOTE};
    case PELT_REPAIR_PADDING_JOINTS:
        return (translation){PELT_FINDING_PADDING_JOINTS, PELT_SEVERITY_NOTE};
    case PELT_REPAIR_BIND_ROW:
        return (translation){PELT_FINDING_BIND_ROW, PELT_SEVERITY_NOTE};
    case PELT_REPAIR_SKELETON_ROOT:
        return (translation){PELT_FINDING_SKELETON_ROOT, PELT_SEVERITY_NOTE};
    case PELT_REPAIR_MISSING_BOUNDS:
        return (translation){PELT_FINDING_MISSING_BOUNDS, PELT_SEVERITY_NOTE};
    case PELT_REPAIR_BYTE_STRIDE:
        return (translation){PELT_FINDING_BYTE_STRIDE, PELT_SEVERITY_NOTE};
    case PELT_REPAIR_OTHER:
        break;
    }
    return (translation){PELT_FINDING_OTHER_REPAIR, PELT_SEVERITY_NOTE};
}

void pelti_check_repairs(pelti_doctor* d)
{
    for (uint32_t i = 0; i < d->scene->repair_count; ++i)
    {
        const pelt_repair* repair = &d->scene->repairs[i];
        translation to = translate(repair->kind);
        // Where the place is known, the scene still has such vertices, and more can be said of
        // them.
        bool is_in_scene = repair->kind == PELT_REPAIR_UNWEIGHTED && repair->mesh != PELT_NONE;
        if (to.kind == PELT_FINDING_KIND_COUNT || is_in_scene)
        {
            continue;
        }
        pelt_finding finding = pelti_finding_make(to.kind, to.severity);
        finding.count = repair->count;
        finding.mesh = repair->mesh;
        finding.clip = repair->clip;
        if (repair->kind == PELT_REPAIR_WEIGHT_SUMS)
        {
            finding.value = (double)repair->value;
            finding.unit = "sum";
            bool is_small = fabs(finding.value - 1.0) < small_difference;
            finding.severity = is_small ? PELT_SEVERITY_NOTE : finding.severity;
        }
        pelti_finding_add(d, &finding, "%s", repair->message);
    }
}
