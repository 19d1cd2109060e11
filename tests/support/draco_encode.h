// SPDX-License-Identifier: MIT
// libdraco's encoder for tests, and what a bitstream states about its precision.
#ifndef PELT_DRACO_ENCODE_H
#define PELT_DRACO_ENCODE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A skinned mesh. Its attributes get the unique ids 0, 1 and 2.
typedef struct draco_source
{
    uint32_t vertex_count, face_count;
    const float* positions;  ///< 3 per vertex
    const uint8_t* joints;   ///< 4 per vertex
    const float* weights;    ///< 4 per vertex
    const uint16_t* indices; ///< 3 per face
    int is_edgebreaker;      ///< else sequential
    int quantization;        ///< bits of positions and weights; 0: floats as they are
} draco_source;

/// @return size; 0: it failed or does not fit
size_t draco_encode(void* out, size_t room, const draco_source* source);

/// Width of a quantization step of the attribute with this id; 0: floats as they are.
/// @param is_position  else of any other type
/// @return negative: not readable
double draco_step(const void* bytes, size_t size, uint32_t id, int is_position);

#ifdef __cplusplus
}
#endif

#endif
