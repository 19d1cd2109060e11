// SPDX-License-Identifier: MIT
// Units and axes. Assimp leaves those of FBX to its user, as metadata; Collada's are in its root
// node already, and the other formats state none.
#include "assimp_scene.h"

#ifdef PELT_WITH_ASSIMP

#include <string.h>

static const struct aiMetadataEntry* find_entry(const struct aiScene* source, const char* key)
{
    const struct aiMetadata* data = source->mMetaData;
    for (uint32_t i = 0; data != NULL && i < data->mNumProperties; ++i)
    {
        if (strcmp(data->mKeys[i].data, key) == 0 && data->mValues[i].mData != NULL)
        {
            return &data->mValues[i];
        }
    }
    return NULL;
}

// FBX states it in centimetres.
float pelti_assimp_unit(const struct aiScene* source)
{
    const struct aiMetadataEntry* entry = find_entry(source, "UnitScaleFactor");
    if (entry == NULL)
    {
        return 1.0f;
    }
    double unit = entry->mType == AI_FLOAT    ? (double)*(const float*)entry->mData
                  : entry->mType == AI_DOUBLE ? *(const double*)entry->mData
                                              : 1.0;
    // What float can hold, with room for the coordinates.
    bool is_good = unit > 1e-12 && unit < 1e12;
    return (float)((is_good ? unit : 1.0) / 100.0);
}

static int integer_of(const struct aiScene* source, const char* key, int otherwise)
{
    const struct aiMetadataEntry* entry = find_entry(source, key);
    return entry != NULL && entry->mType == AI_INT32 ? *(const int32_t*)entry->mData : otherwise;
}

// FBX names the axes that point right, up and to the viewer: X, Y and Z of pelt.
pelt_mat34 pelti_assimp_axes(const struct aiScene* source)
{
    static const char* const axes[3][2] = {
        {"CoordAxis", "CoordAxisSign"}, {"UpAxis", "UpAxisSign"}, {"FrontAxis", "FrontAxisSign"}};
    pelt_mat3 turn = {0};
    for (int i = 0; i < 3; ++i)
    {
        int axis = integer_of(source, axes[i][0], i);
        int sign = integer_of(source, axes[i][1], 1);
        if (axis < 0 || axis > 2)
        {
            return pelt_mat34_identity();
        }
        turn.m[i][axis] = sign < 0 ? -1.0f : 1.0f;
    }
    // The same axis twice says nothing.
    if (pelt_mat3_determinant(&turn) == 0.0f)
    {
        return pelt_mat34_identity();
    }
    return pelt_mat34_make(&turn, pelt_vec3_make(0.0f, 0.0f, 0.0f));
}

#endif
