// SPDX-License-Identifier: MIT
#include "shared_rig.h"

#include "rigs.h"

#include <stdlib.h>
#include <string.h>

enum
{
    RIG_MAX = 128,
};

static struct
{
    char name[64];
    pelt_scene* scene;
} rigs[RIG_MAX];

static uint32_t rig_count;

// So that nothing is left for a sanitizer to report.
static void destroy_rigs(void)
{
    while (rig_count > 0)
    {
        pelt_scene_destroy(rigs[--rig_count].scene);
    }
}

const pelt_scene* shared_rig(const char* name)
{
    for (uint32_t i = 0; i < rig_count; ++i)
    {
        if (strcmp(rigs[i].name, name) == 0)
        {
            return rigs[i].scene;
        }
    }
    pelt_error error = {"more rigs, or longer names, than there is room for"};
    bool has_room = rig_count < RIG_MAX && strlen(name) < sizeof rigs[0].name;
    if (!has_room || pelt_rig_build(&rigs[rig_count].scene, name, &error) != PELT_OK)
    {
        printf("  %s: %s\n", name, error.message);
        return NULL;
    }
    if (rig_count == 0)
    {
        atexit(destroy_rigs);
    }
    strcpy(rigs[rig_count].name, name);
    return rigs[rig_count++].scene;
}
