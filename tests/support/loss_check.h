// SPDX-License-Identifier: MIT
// Whether a scene says that something of its file is lost.
#ifndef PELT_LOSS_CHECK_H
#define PELT_LOSS_CHECK_H

#include "pelt/pelt.h"

#include <string.h>

static inline bool is_listed_as_lost(const pelt_scene* scene, const char* what)
{
    for (uint32_t i = 0; i < scene->loss_count; ++i)
    {
        if (strcmp(scene->losses[i].what, what) == 0)
        {
            return true;
        }
    }
    return false;
}

#endif
