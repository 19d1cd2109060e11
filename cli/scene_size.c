// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L

#include "scene_size.h"

#include "message.h"

#include <unistd.h>

enum
{
    // Films have crowds of this size; whoever has more should know.
    MANY_VERTICES = 10000000,
    MANY_TIMES = 10, // as many as the meshes have
};

typedef struct instance_sums
{
    uint64_t vertex_count;
    double bytes; // of deformed surfaces
} instance_sums;

static instance_sums sum_instances(const pelt_scene* scene)
{
    instance_sums sums = {0};
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        size_t size = sizeof *mesh->positions + (mesh->normals ? sizeof *mesh->normals : 0) +
                      (mesh->tangents ? sizeof *mesh->tangents : 0);
        sums.vertex_count += mesh->vertex_count;
        sums.bytes += (double)size * mesh->vertex_count;
    }
    return sums;
}

static uint64_t count_own(const pelt_scene* scene)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        count += scene->meshes[i].vertex_count;
    }
    return count;
}

// In bytes; 0: unknown
static double machine_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (double)pages * (double)size : 0.0;
}

int scene_size_check(const pelt_scene* scene, const char* input)
{
    instance_sums sums = sum_instances(scene);
    uint64_t own = count_own(scene);
    double memory = machine_memory();
    if (sums.vertex_count > UINT32_MAX || (memory > 0.0 && sums.bytes > memory))
    {
        message_note(
            "%s: its %u instances have %llu vertices, which take %.1f GB when deformed: too "
            "many for a mesh file or for this machine; put fewer into the scene",
            input, scene->instance_count, (unsigned long long)sums.vertex_count, 1e-9 * sums.bytes);
        return EXIT_INPUT;
    }
    if (sums.vertex_count > MANY_VERTICES && sums.vertex_count > MANY_TIMES * own)
    {
        message_note("%s: %u instances of meshes with %llu vertices are deformed one by one, %llu "
                     "vertices in all, which take %.1f GB",
                     input, scene->instance_count, (unsigned long long)own,
                     (unsigned long long)sums.vertex_count, 1e-9 * sums.bytes);
    }
    return EXIT_DONE;
}
