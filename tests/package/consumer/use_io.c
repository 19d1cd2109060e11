// SPDX-License-Identifier: MIT
// A program of somebody else, with files: use_io FILE VERTICES.
#include <pelt/io.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
    pelt_scene* scene;
    pelt_error error;
    if (argc != 3 || pelt_load(&scene, argv[1], NULL, &error) != PELT_OK)
    {
        fprintf(stderr, "%s\n", argc == 3 ? error.message : "usage: use_io FILE VERTICES");
        return 1;
    }
    unsigned long count = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        count += scene->meshes[i].vertex_count;
    }
    pelt_scene_destroy(scene);
    printf("%lu vertices\n", count);
    return count == strtoul(argv[2], NULL, 10) ? 0 : 1;
}
