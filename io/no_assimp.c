// SPDX-License-Identifier: MIT
// Replaces io/assimp in a build without it: formats that only assimp reads are refused with a
// message.
#include "readers.h"

static pelt_result refuse(const char* path, pelt_error* error)
{
    return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                          "%s: this build of pelt has no assimp and reads no such file; convert it "
                          "to glTF",
                          path);
}

pelt_result pelti_assimp_check(const pelti_blob* head, const char* path, pelt_error* error)
{
    (void)head;
    return refuse(path, error);
}

pelt_result pelti_read_assimp(pelt_scene** out, const pelt_source* source,
                              const pelt_load_options* options, pelt_error* error)
{
    (void)out, (void)options;
    return refuse(source->path, error);
}

pelt_result pelti_read_isolated(pelt_scene** out, const pelt_source* source,
                                const pelt_load_options* options, pelt_error* error)
{
    (void)out, (void)options;
    return refuse(source->path, error);
}
