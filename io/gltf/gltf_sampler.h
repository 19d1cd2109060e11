// SPDX-License-Identifier: MIT
// The numbers of a glTF sampler, which are those of OpenGL, for reader and writer.
#ifndef PELT_GLTF_SAMPLER_H
#define PELT_GLTF_SAMPLER_H

#include "pelt/pelt.h"

enum
{
    PELTI_GLTF_NEAREST = 9728,
    PELTI_GLTF_LINEAR = 9729,
    PELTI_GLTF_REPEAT = 10497,
    PELTI_GLTF_CLAMP = 33071,
    PELTI_GLTF_MIRROR = 33648,
    PELTI_GLTF_FILTER_COUNT = 6,
};

/// The two settings that `minFilter` combines.
static const struct
{
    uint32_t code;
    pelt_texture_filter filter;
    pelt_texture_mips mips;
} pelti_gltf_filters[PELTI_GLTF_FILTER_COUNT] = {
    {9987, PELT_TEXTURE_LINEAR, PELT_MIPS_LINEAR},
    {9986, PELT_TEXTURE_NEAREST, PELT_MIPS_LINEAR},
    {9985, PELT_TEXTURE_LINEAR, PELT_MIPS_NEAREST},
    {9984, PELT_TEXTURE_NEAREST, PELT_MIPS_NEAREST},
    {PELTI_GLTF_LINEAR, PELT_TEXTURE_LINEAR, PELT_MIPS_NONE},
    {PELTI_GLTF_NEAREST, PELT_TEXTURE_NEAREST, PELT_MIPS_NONE},
};

#endif
