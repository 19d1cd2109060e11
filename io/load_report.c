// SPDX-License-Identifier: MIT
// What a reader had to fix (repairs) and what a scene cannot hold (losses).
#include "load_report.h"

#include <stdio.h>
#include <string.h>

typedef struct pelti_repair
{
    struct pelti_repair* previous;
    pelt_repair repair;
} pelti_repair;

bool pelti_repairs_add(pelti_repairs* inout, pelt_arena* arena, const char* format,
                       va_list arguments)
{
    char sentence[512];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    pelti_repair* repair = pelt_arena_alloc(arena, 1, sizeof *repair);
    char* message = pelt_arena_string(arena, sentence);
    if (repair == NULL || message == NULL)
    {
        return false;
    }
    // Wraps around to PELT_NONE where there is neither.
    uint32_t mesh = inout->mesh_number - 1, clip = inout->clip_number - 1;
    *repair = (pelti_repair){inout->last, {.message = message, .mesh = mesh, .clip = clip}};
    inout->last = repair;
    inout->count++;
    return true;
}

void pelti_repairs_classify(pelti_repairs* inout, pelt_repair_kind kind, uint32_t count)
{
    PELT_ASSERT(inout->last != NULL);
    inout->last->repair.kind = kind;
    inout->last->repair.count = count;
}

static bool add(pelti_repairs* inout, pelt_arena* arena, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool is_ok = pelti_repairs_add(inout, arena, format, arguments);
    va_end(arguments);
    return is_ok;
}

const char* pelti_plural(uint64_t count, const char* one, const char* many)
{
    return count == 1 ? one : many;
}

bool pelti_repairs_add_weights(pelti_repairs* inout, pelt_arena* arena, const char* mesh,
                               const pelt_weights_report* report)
{
    char sums[96];
    snprintf(sums, sizeof sums, "had weights that do not sum to 1 (up to %.4g) and were rescaled",
             (double)report->worst_sum);
    const struct
    {
        pelt_repair_kind kind;
        uint32_t count;
        const char* what;
    } faults[] = {
        {PELT_REPAIR_WEIGHT_SUMS, report->unnormalized, sums},
        {PELT_REPAIR_DUPLICATE_JOINTS, report->duplicate,
         "named a joint twice; the weights were added"},
        {PELT_REPAIR_NEGATIVE_WEIGHTS, report->negative,
         "had negative weights, which were dropped"},
        {PELT_REPAIR_NOT_FINITE, report->not_finite,
         "had weights that are not finite, which were dropped"},
        {PELT_REPAIR_JOINT_RANGE, report->out_of_range,
         "named joints that the skin does not have, which were dropped"},
        {PELT_REPAIR_PRUNED, report->pruned,
         "had more influences than asked for; the weakest were dropped"},
        {PELT_REPAIR_UNWEIGHTED, report->without_weight, "had no weights and will stay at rest"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; ++i)
    {
        uint32_t count = faults[i].count;
        if (count == 0)
        {
            continue;
        }
        if (!add(inout, arena, "mesh \"%.60s\": %u %s %s", mesh, count,
                 pelti_plural(count, "vertex", "vertices"), faults[i].what))
        {
            return false;
        }
        pelti_repairs_classify(inout, faults[i].kind, count);
        bool is_sum = faults[i].kind == PELT_REPAIR_WEIGHT_SUMS;
        inout->last->repair.value = is_sum ? report->worst_sum : 0.0f;
    }
    return true;
}

bool pelti_repairs_write(pelt_scene* out, pelt_arena* arena, const pelti_repairs* repairs)
{
    pelt_repair* list = pelt_arena_alloc(arena, repairs->count, sizeof *list);
    if (list == NULL)
    {
        return false;
    }
    uint32_t at = repairs->count;
    for (const pelti_repair* repair = repairs->last; repair != NULL; repair = repair->previous)
    {
        list[--at] = repair->repair;
    }
    out->repairs = list;
    out->repair_count = repairs->count;
    return true;
}

// ---------------------------------------------------------------------------------------------
static const char* words_of(const pelti_loss* loss, pelt_arena* arena)
{
    return loss->many == NULL ? pelt_arena_string(arena, loss->one)
                              : pelt_arena_format(arena, "%u %s", loss->count,
                                                  loss->count == 1 ? loss->one : loss->many);
}

bool pelti_losses_add(pelt_scene* inout, pelt_arena* arena, const pelti_loss* losses,
                      uint32_t count)
{
    size_t room = (size_t)inout->loss_count + count;
    pelt_loss* list = pelt_arena_alloc(arena, room, sizeof *list);
    if (list == NULL)
    {
        return false;
    }
    if (inout->loss_count > 0)
    {
        memcpy(list, inout->losses, inout->loss_count * sizeof *list);
    }
    uint32_t used = inout->loss_count;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (losses[i].count == 0)
        {
            continue;
        }
        list[used].what = words_of(&losses[i], arena);
        if (list[used++].what == NULL)
        {
            return false;
        }
    }
    inout->losses = used > 0 ? list : NULL;
    inout->loss_count = used;
    return true;
}
