// SPDX-License-Identifier: MIT
// Files: what pelt reads and writes. Link libpelt_io.
#ifndef PELT_IO_H
#define PELT_IO_H

#include "pelt.h"

#ifdef __cplusplus
extern "C" {
#endif

// Every writer makes the file appear whole or not at all: it writes beside the target and
// renames. The path "-" is the standard output; that, devices and pipes are written in place.

typedef enum pelt_format
{
    PELT_FORMAT_UNKNOWN = 0,
    PELT_FORMAT_OBJ, ///< Wavefront, text: positions, UVs, normals
    PELT_FORMAT_PLY, ///< binary little-endian: positions, normals, UVs, colours
} pelt_format;

/// By the extension of a file name, upper or lower case.
PELT_API pelt_format pelt_format_of(const char* path);

/// Write the surfaces of a scene: each instance as one object (OBJ), or all as one mesh (PLY).
/// In a PLY file all vertices have the same columns: normals only when no surface lacks them,
/// UVs and colours (sRGB) when any mesh has them, zero and white elsewhere.
/// @param surfaces  one per instance, positions required; normals where NULL are left out
PELT_API pelt_result pelt_save_surfaces(const char* path, pelt_format format,
                                        const pelt_scene* scene, const pelt_surface* surfaces,
                                        pelt_error* error);

/// Write bytes that the caller has put together, a report for instance, with the same promise.
PELT_API pelt_result pelt_save_bytes(const char* path, const void* bytes, size_t size,
                                     pelt_error* error);

/// Remove what writers on any thread have written so far and not yet renamed: for the handler
/// of a signal that ends the program, and safe to call there. The writers must not go on.
PELT_API void pelt_save_abort(void);

/// Read joint changes from JSON, an object with one member per joint:
///
///     { "elbow": { "axis": [0, 0, 1], "degrees": 120 },
///       "hip":   { "translate": [0, -0.1, 0], "space": "model", "scale": 1.5 } }
///
/// Members: `axis` with `degrees`; `translate`, three numbers in metres; `scale`, a number or
/// three; `space`, "joint" (default) or "model". An array of such values applies them in turn.
///
/// @param out    overrides in the order of the text; free with pelt_release()
/// @param count  how many
PELT_API pelt_result pelt_overrides_parse(pelt_override** out, uint32_t* count, const char* json,
                                          const pelt_scene* scene, pelt_error* error);

#ifdef __cplusplus
}
#endif

#endif
