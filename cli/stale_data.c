// SPDX-License-Identifier: MIT
#include "stale_data.h"

#include "message.h"

uint32_t stale_data_count(const pelt_scene* scene, pelt_repair_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->repair_count; ++i)
    {
        count += scene->repairs[i].kind == kind;
    }
    return count;
}

void stale_data_note(const pelt_scene* scene, pelt_repair_kind kind)
{
    uint32_t count = stale_data_count(scene, kind);
    if (count > 0)
    {
        message_note("the %s in the file no longer fit %u of %u meshes and are computed anew; "
                     "run pelt enhance after other tools, not before",
                     kind == PELT_REPAIR_CORS_DROPPED ? "centers of rotation" : "normal factors",
                     count, scene->mesh_count);
    }
}
