// SPDX-License-Identifier: MIT
// The bit format of an animation texture: packed numbers, and the words that describe them.
// docs/texture_format.md is normative.
#ifndef PELTI_BAKED_TEXELS_H
#define PELTI_BAKED_TEXELS_H

#include "../../include/pelt/bake.h"

enum
{
    PELTI_BAKE_MAGIC = 0x544C4550, ///< "PELT"
    PELTI_BAKE_VERSION = 1,
    PELTI_BAKE_HEADER_WORDS = 12,
    PELTI_BAKE_JOINT_WORDS = 4,
    PELTI_BAKE_CLIP_WORDS = 4,
    PELTI_BAKE_RUN_WORDS = 8,
    PELTI_CLIP_WRAPS = 1,
    PELTI_CLIP_LOOPS = 2,
    PELTI_RUN_HELD = 1,
    PELTI_VERTEX_SHARED = 1 << 16, ///< one range for all vertices
    PELTI_WIDTH_MAX = 24,          ///< of a quantized component: what float counts exactly
    PELTI_WIDTH_FLOAT = 31,        ///< a component of whole floats
    PELTI_PATH_WIDTH_MAX = 15,
    PELTI_RECORD_BITS = 20, ///< of the bit offset of a joint's values in a key
};

/// Flags of a record, above the bit offset of its values.
enum
{
    PELTI_RECORD_MATRIX = 1 << 20,
    PELTI_RECORD_DUAL = 2 << 20,
    PELTI_RECORD_KIND = 3 << 20,
    PELTI_RECORD_REFERENCE = 1 << 22,
    PELTI_RECORD_ROTATION = 1 << 23,
    PELTI_RECORD_POSITION = 1 << 24,
    PELTI_RECORD_UNIFORM = 1 << 25,
    PELTI_RECORD_SYMMETRIC = 2 << 25,
    PELTI_RECORD_STRETCH = 3 << 25,
    PELTI_RECORD_ROTATION_PATH = 1 << 27,
    PELTI_RECORD_POSITION_PATH = 1 << 28,
    PELTI_RECORD_ROTATION_AXES = 1 << 29,
    PELTI_RECORD_POSITION_AXES = 1 << 30,
};

/// @param width  0 to 32
uint32_t pelti_bits_read(const uint32_t* words, size_t bit, uint32_t width);

/// The bits must be 0 before.
void pelti_bits_write(uint32_t* words, size_t bit, uint32_t width, uint32_t value);

float pelti_word_float(uint32_t word);
uint32_t pelti_float_word(float value);

/// A component of a key: a constant, a float, or one of 2^width steps from low to low + range.
typedef struct pelti_component
{
    uint32_t width;
    float low, range;
} pelti_component;

/// Bits that a component takes in a key.
uint32_t pelti_component_bits(uint32_t word);
pelti_component pelti_component_read(uint32_t word, float scale);
float pelti_component_value(const pelti_component* component, uint32_t value);

/// The word of a component that covers low to high.
/// @param width  0: constant, halfway; 1 to PELTI_WIDTH_MAX, or PELTI_WIDTH_FLOAT
uint32_t pelti_component_word(float low, float high, uint32_t width, float scale);

/// The nearest step.
uint32_t pelti_component_quantize(const pelti_component* component, float value);

/// A component of a path: steps of a range that is centered at 0.
typedef struct pelti_path
{
    uint32_t width;
    float range;
} pelti_path;

pelti_path pelti_path_read(uint32_t word, int axis, float scale);
float pelti_path_value(const pelti_path* path, uint32_t value);
uint32_t pelti_path_quantize(const pelti_path* path, float value);

/// The bits of one axis in a path word, for values up to +-largest.
uint32_t pelti_path_bits(float largest, uint32_t width, float scale);

/// Axis times tan(angle / 4) of a unit quaternion with w >= 0, and back.
pelt_vec3 pelti_quat_to_vector(pelt_quat q);
pelt_quat pelti_quat_from_vector(pelt_vec3 v);

/// A unit vector from its octahedral map, two numbers of a width.
pelt_vec3 pelti_octahedral_value(uint32_t x, uint32_t y, uint32_t width);

/// The nearest of the four neighboring codes.
/// @param normal  a vector without a direction counts as +z
/// @param width   1 to 16
void pelti_octahedral_quantize(uint32_t* x, uint32_t* y, pelt_vec3 normal, uint32_t width);

uint32_t pelti_reference_word(pelt_quat q);
pelt_quat pelti_reference_read(uint32_t word);

#endif
