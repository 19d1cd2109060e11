// SPDX-License-Identifier: MIT
#include "losses.h"

#include <string.h>

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
