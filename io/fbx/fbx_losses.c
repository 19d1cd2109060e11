// SPDX-License-Identifier: MIT
// What an FBX holds that a scene has no place for.
#include "../losses.h"
#include "fbx_read.h"

#include <string.h>

typedef enum loss_kind
{
    LOSS_NORMAL_TEXTURE,
    LOSS_TRANSPARENCY_TEXTURE,
    LOSS_TEXTURE,
    LOSS_UVS,
    LOSS_COLORS,
    LOSS_LAYER,
    LOSS_CAMERA,
    LOSS_LIGHT,
    LOSS_CONSTRAINT,
    LOSS_COUNT
} loss_kind;

// The alpha of the base texture is kept, though a file may call it another texture.
static void count_textures(pelti_loss* kinds, const pelti_fbx* f, const pelti_fbx_object* material)
{
    bool is_alpha_kept = pelti_fbx_has_alpha_texture(f, material);
    for (uint32_t link = material->first_child; link != PELT_NONE; link = f->links[link].next_child)
    {
        const pelti_fbx_value* property = f->links[link].property;
        if (f->objects[f->links[link].child].kind != PELTI_FBX_TEXTURE ||
            pelti_fbx_is_base(property))
        {
            continue;
        }
        bool is_transparency = pelti_fbx_is_transparency(property);
        loss_kind kind = is_transparency                 ? LOSS_TRANSPARENCY_TEXTURE
                         : pelti_fbx_is_relief(property) ? LOSS_NORMAL_TEXTURE
                                                         : LOSS_TEXTURE;
        kinds[kind].count += !is_transparency || !is_alpha_kept;
    }
}

static uint32_t count_children(const pelti_fbx_node* node, const char* name)
{
    uint32_t count = 0;
    const pelti_fbx_node* child = node != NULL ? node->first_child : NULL;
    for (; child != NULL; child = child->next)
    {
        count += strcmp(child->name, name) == 0;
    }
    return count;
}

// All but the first are left out.
static uint32_t further(uint32_t count)
{
    return count > 1 ? count - 1 : 0;
}

static void count_layers(pelti_loss* kinds, const pelti_fbx* f, const pelti_fbx_object* stack)
{
    uint32_t link = stack->first_child, count = 0;
    while (pelti_fbx_next_child(f, &link, PELTI_FBX_LAYER) != PELT_NONE)
    {
        count++;
    }
    kinds[LOSS_LAYER].count += further(count);
}

static void count_object(pelti_loss* kinds, const pelti_fbx* f, const pelti_fbx_object* object)
{
    switch (object->kind)
    {
    case PELTI_FBX_MODEL:
        kinds[LOSS_CAMERA].count += pelti_fbx_is_subtype(object, "Camera");
        kinds[LOSS_LIGHT].count += pelti_fbx_is_subtype(object, "Light");
        break;
    case PELTI_FBX_MATERIAL:
        count_textures(kinds, f, object);
        break;
    case PELTI_FBX_GEOMETRY:
        kinds[LOSS_UVS].count += further(count_children(object->node, "LayerElementUV"));
        kinds[LOSS_COLORS].count += further(count_children(object->node, "LayerElementColor"));
        break;
    case PELTI_FBX_STACK:
        count_layers(kinds, f, object);
        break;
    default:
        break;
    }
}

pelt_result pelti_fbx_list_losses(pelti_fbx* f)
{
    pelti_loss kinds[LOSS_COUNT] = {
        [LOSS_NORMAL_TEXTURE] = {"normal texture", "normal textures", 0},
        [LOSS_TRANSPARENCY_TEXTURE] = {"transparency texture", "transparency textures", 0},
        [LOSS_TEXTURE] = {"texture other than color and normals",
                          "textures other than color and normals", 0},
        [LOSS_UVS] = {"additional UV set", "additional UV sets", 0},
        [LOSS_COLORS] = {"additional set of vertex colors", "additional sets of vertex colors", 0},
        [LOSS_LAYER] = {"additional animation layer", "additional animation layers", 0},
        [LOSS_CAMERA] = {"camera", "cameras", 0},
        [LOSS_LIGHT] = {"light", "lights", 0},
        [LOSS_CONSTRAINT] = {"constraint", "constraints", 0},
    };
    for (uint32_t i = 0; i < f->object_count; ++i)
    {
        count_object(kinds, f, &f->objects[i]);
    }
    // Nothing else asks for these objects.
    kinds[LOSS_CONSTRAINT].count =
        count_children(pelti_fbx_child(&f->file.root, "Objects"), "Constraint");
    return pelti_losses_add(f->scene, f->arena, kinds, LOSS_COUNT) ? PELT_OK
                                                                   : pelt_error_memory(f->error);
}
