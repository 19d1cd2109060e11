// SPDX-License-Identifier: MIT
// pelt enhance INPUT --cor --normals -o OUTPUT, by the library.
#include <pelt/io.h>
#include <pelt/prepare.h>

#include <stdio.h>

static pelt_result enhance(const char* output, const char* input, pelt_error* error)
{
    pelt_scene* scene;
    pelt_source source;
    pelt_result result = pelt_load_keep(&scene, &source, input, NULL, error);
    if (result != PELT_OK)
    {
        return result;
    }
    const pelt_scene_normal_options normals = {.max_joints = 4};
    PELT_TRY_OR(cleanup, result,
                pelt_scene_add_cors(scene, PELT_PREPARE_ALL, NULL, NULL, scene->arena, error));
    PELT_TRY_OR(cleanup, result,
                pelt_scene_add_normal_factors(scene, PELT_PREPARE_ALL, &normals, NULL, scene->arena,
                                              error));
    result = pelt_save_enhanced(output, &source, scene, error);
cleanup:
    pelt_source_release(&source);
    pelt_scene_destroy(scene);
    return result;
}

int main(int argc, char** argv)
{
    pelt_error error = {"usage: enhance INPUT OUTPUT"};
    if (argc == 3 && enhance(argv[2], argv[1], &error) == PELT_OK)
    {
        return 0;
    }
    fprintf(stderr, "%s\n", error.message);
    return 1;
}
