// SPDX-License-Identifier: MIT
#include "handedness.h"

#include "message.h"

uint32_t handedness_count_mixed(const pelt_scene* scene, const pelt_frame* frame)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_weights* weights = &scene->meshes[instance->mesh].weights;
        if (instance->skin != PELT_NONE && weights->first != NULL)
        {
            count += pelt_weights_count_mixed(weights, &frame->palettes[instance->skin]);
        }
    }
    return count;
}

void handedness_note_mixed(uint32_t count, const method_list* how)
{
    bool is_changed = false;
    for (uint32_t i = PELT_METHOD_LBS + 1; i < PELT_METHOD_COUNT; ++i)
    {
        is_changed = is_changed || method_list_has(how, (pelt_method)i);
    }
    if (count > 0 && is_changed)
    {
        message_note("vertices between joints that mirror and joints that do not: %u; lbs deforms "
                     "them",
                     count);
    }
}
