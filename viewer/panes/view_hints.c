// SPDX-License-Identifier: MIT
#include "view_hints.h"

#include "quantity.h"

#include <stdio.h>

// Where the vertices are moved, if that is not where settings ask for.
static void describe_skinning(char out[VIEW_HINT_BYTES], const view_app* in, uint32_t index)
{
    const viewport* view = &in->model->views[index];
    int skinning = in->settings.skinnings[index];
    bool has_texture = skinning == SKINNING_BONE_TEXTURE || skinning == SKINNING_VERTEX_TEXTURE;
    out[0] = '\0';
    if (view->is_from_bake)
    {
        char bytes[QUANTITY_BYTES];
        snprintf(out, VIEW_HINT_BYTES, "with reading back, %s",
                 quantity_size(bytes, pelt_baked_bytes(view->bake.baked)));
    }
    else if (has_texture && in->job.kind == JOB_BAKE)
    {
        snprintf(out, VIEW_HINT_BYTES, "on the CPU until it is baked");
    }
    else if (skinning != SKINNING_CPU && !view->is_on_gpu)
    {
        snprintf(out, VIEW_HINT_BYTES, "on the CPU: no such shader");
    }
}

static bool has_rotations(const pose_edit* in)
{
    bool has_any = false;
    for (uint32_t i = 0; i < in->count; ++i)
    {
        const float* degrees = in->edits[i].degrees;
        has_any = has_any || degrees[0] != 0.0f || degrees[1] != 0.0f || degrees[2] != 0.0f;
    }
    return has_any;
}

// What a texture shows in another way than the other viewports, so that distances mean little.
static const char* describe_texture(const view_app* in, uint32_t index)
{
    if (has_rotations(&in->edit))
    {
        return "no pose edits: a texture has clips only";
    }
    if (in->playback.next_clip != PELT_NONE)
    {
        return in->settings.skinnings[index] == SKINNING_VERTEX_TEXTURE
                   ? "the fade blends vertices, not the pose"
                   : "the fade blends joints in model space";
    }
    return "";
}

uint32_t view_hints_write(char out[VIEW_HINT_MAX][VIEW_HINT_BYTES], const view_app* in,
                          uint32_t view)
{
    const viewport* shown = &in->model->views[view];
    uint32_t count = 0;
    if (shown->lacks_centers)
    {
        snprintf(out[count++], VIEW_HINT_BYTES, "%s",
                 app_needs_centers(in) ? "LBS until centers of rotation are solved"
                                       : "LBS: there are no centers of rotation");
    }
    describe_skinning(out[count], in, view);
    count += out[count][0] != '\0' ? 1 : 0;
    if (shown->is_from_bake)
    {
        snprintf(out[count], VIEW_HINT_BYTES, "%s", describe_texture(in, view));
        count += out[count][0] != '\0' ? 1 : 0;
    }
    return count;
}
