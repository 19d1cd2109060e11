// SPDX-License-Identifier: MIT
// The suites for a libpelt_io that is a reader of plain glTF, listed as in suites.h.
SUITE(matrix_decompose)
SUITE(gltf_read)
SUITE(gltf_scene)
SUITE(gltf_material)
SUITE(reader_only)
