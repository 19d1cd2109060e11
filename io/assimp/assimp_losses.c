// SPDX-License-Identifier: MIT
// What assimp has found in a file that a scene has no place for.
#include "assimp_scene.h"

#ifdef PELT_WITH_ASSIMP

#include "../load_report.h"

#include <assimp/material.h>

static uint32_t count_textures(const struct aiMaterial* material, enum aiTextureType type)
{
    return aiGetMaterialTextureCount(material, type);
}

// Height maps are what OBJ and Collada have for relief. The first base color is kept, and its
// alpha with it.
static void count_material(pelti_loss* normals, pelti_loss* others, const pelt_material* kept,
                           const struct aiMaterial* material)
{
    uint32_t relief = count_textures(material, aiTextureType_NORMALS) +
                      count_textures(material, aiTextureType_HEIGHT) +
                      count_textures(material, aiTextureType_NORMAL_CAMERA);
    uint32_t all = 0;
    for (int type = aiTextureType_DIFFUSE; type <= AI_TEXTURE_TYPE_MAX; ++type)
    {
        bool is_kept = type == aiTextureType_OPACITY && kept->alpha_mode == PELT_ALPHA_BLEND;
        all += is_kept ? 0 : count_textures(material, (enum aiTextureType)type);
    }
    all -= kept->texture != NULL && all > relief ? 1 : 0;
    normals->count += relief;
    others->count += all - relief;
}

static uint32_t count_further(void* const* sets, uint32_t room)
{
    uint32_t count = 0;
    for (uint32_t i = 1; i < room; ++i)
    {
        count += sets[i] != NULL;
    }
    return count;
}

pelt_result pelti_assimp_list_losses(pelti_assimp* a)
{
    const struct aiScene* source = a->source;
    pelti_loss losses[] = {
        {"normal texture", "normal textures", 0},
        {"texture other than color and normals", "textures other than color and normals", 0},
        {"additional UV set", "additional UV sets", 0},
        {"additional set of vertex colors", "additional sets of vertex colors", 0},
        {"camera", "cameras", source->mNumCameras},
        {"light", "lights", source->mNumLights},
    };
    for (uint32_t i = 0; i < source->mNumMaterials; ++i)
    {
        count_material(&losses[0], &losses[1], &a->scene->materials[i], source->mMaterials[i]);
    }
    for (uint32_t i = 0; i < source->mNumMeshes; ++i)
    {
        const struct aiMesh* mesh = source->mMeshes[i];
        losses[2].count +=
            count_further((void* const*)mesh->mTextureCoords, AI_MAX_NUMBER_OF_TEXTURECOORDS);
        losses[3].count += count_further((void* const*)mesh->mColors, AI_MAX_NUMBER_OF_COLOR_SETS);
    }
    return pelti_losses_add(a->scene, a->arena, losses, sizeof losses / sizeof losses[0])
               ? PELT_OK
               : pelt_error_memory(a->error);
}

#endif
