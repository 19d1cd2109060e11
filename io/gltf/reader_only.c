// SPDX-License-Identifier: MIT
// Replaces everything that needs other libraries, in a build without them: plain glTF and GLB are
// read, all other formats are refused with a message.
#include "gltf_read.h"

static pelt_result refuse(const char* path, pelt_error* error)
{
    return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                          "%s: this build of pelt reads glTF and GLB only; convert it", path);
}

// Formats that this build cannot read need not be told apart.
bool pelti_fbx_is_binary(const pelti_blob* blob)
{
    (void)blob;
    return false;
}

bool pelti_fbx_is_text(const pelti_blob* blob)
{
    (void)blob;
    return false;
}

pelt_result pelti_read_fbx(pelt_scene** out, const pelt_source* source,
                           const pelt_load_options* options, pelt_error* error)
{
    (void)out, (void)options;
    return refuse(source->path, error);
}

pelt_result pelti_gltf_decompress(pelti_gltf_bytes* out, pelti_gltf* g, const pelti_json* extension,
                                  const pelti_json_path* at)
{
    (void)out, (void)extension;
    pelti_gltf_fail(
        g, at,
        "this build of pelt has no meshoptimizer; \"npx @gltf-transform/cli copy IN.glb "
        "OUT.glb\" removes the compression");
    return PELT_ERROR_UNSUPPORTED;
}
