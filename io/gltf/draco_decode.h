// SPDX-License-Identifier: MIT
// Meshes of Draco, decoded by libdraco: the C interface of draco_decode.cpp.
#ifndef PELTI_DRACO_DECODE_H
#define PELTI_DRACO_DECODE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pelti_draco pelti_draco;

typedef enum pelti_draco_status
{
    PELTI_DRACO_OK = 0,
    PELTI_DRACO_BROKEN,  ///< not a triangle mesh of Draco, or damaged
    PELTI_DRACO_COUNTS,  ///< other counts than expected
    PELTI_DRACO_LIMITS,  ///< attributes would take more memory than allowed
    PELTI_DRACO_MISSING, ///< no such attribute, or one of another width
    PELTI_DRACO_MEMORY,
} pelti_draco_status;

/// Component types of Draco attributes as the caller needs them, numbered as in glTF.
typedef enum pelti_draco_component
{
    PELTI_DRACO_S8 = 5120,
    PELTI_DRACO_U8 = 5121,
    PELTI_DRACO_S16 = 5122,
    PELTI_DRACO_U16 = 5123,
    PELTI_DRACO_U32 = 5125,
    PELTI_DRACO_F32 = 5126,
} pelti_draco_component;

/// What a compressed mesh must have. Counts are compared before anything of their size is
/// allocated.
typedef struct pelti_draco_expectation
{
    uint32_t face_count, point_count;
    size_t memory; ///< most bytes for the values of all attributes
} pelti_draco_expectation;

/// Decode a mesh. No exception leaves these functions.
/// @param out  free with pelti_draco_destroy(); NULL on failure
pelti_draco_status pelti_draco_create(pelti_draco** out, const void* bytes, size_t size,
                                      const pelti_draco_expectation* expected);
void pelti_draco_destroy(pelti_draco* draco);

/// @param out  3 * face_count indices; they may be past the last point
void pelti_draco_faces(uint32_t* out, const pelti_draco* draco);

/// Values of one attribute for every point.
/// @param out  point_count * width components
/// @param id   unique id of the attribute
pelti_draco_status pelti_draco_values(void* out, const pelti_draco* draco, uint32_t id,
                                      uint32_t width, pelti_draco_component component);

#ifdef __cplusplus
}
#endif

#endif
