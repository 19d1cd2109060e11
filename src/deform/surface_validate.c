// SPDX-License-Identifier: MIT
// Results that left the range of float, found before they are used.
#include "../base/exact.h"

#include "../../include/pelt/pelt.h"

typedef struct attribute_array
{
    const char* what;
    const float* values; // or NULL
    uint32_t width;
    uint32_t stride; // bytes; 0: packed
} attribute_array;

// The first vertex with a number that is not finite, or vertex_count.
static uint32_t find_broken(const attribute_array* array, uint32_t vertex_count)
{
    size_t bytes = array->stride > 0 ? array->stride : array->width * sizeof(float);
    uint32_t vertex = 0;
    for (; array->values != NULL && vertex < vertex_count; ++vertex)
    {
        const float* value =
            (const float*)(const void*)((const char*)array->values + bytes * vertex);
        for (uint32_t i = 0; i < array->width; ++i)
        {
            if (!isfinite(value[i]))
            {
                return vertex;
            }
        }
    }
    return vertex_count;
}

pelt_result pelt_surfaces_validate(const pelt_surface* surfaces, const pelt_scene* scene,
                                   pelt_error* error)
{
    PELT_ASSERT(surfaces != NULL || scene->instance_count == 0);

    for (uint32_t instance = 0; instance < scene->instance_count; ++instance)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[instance].mesh];
        const pelt_surface* surface = &surfaces[instance];
        const attribute_array arrays[] = {
            {"position", (const float*)surface->positions, 3, surface->position_stride},
            {"normal", (const float*)surface->normals, 3, surface->normal_stride},
            {"tangent", (const float*)surface->tangents, 4, surface->tangent_stride}};
        for (int i = 0; i < 3; ++i)
        {
            uint32_t vertex = find_broken(&arrays[i], mesh->vertex_count);
            if (vertex < mesh->vertex_count)
            {
                return pelt_error_set(error, PELT_ERROR_DATA,
                                      "the %s of vertex %u of instance %u (mesh \"%s\") is beyond "
                                      "the range of float; make the numbers of the pose or of the "
                                      "model smaller",
                                      arrays[i].what, vertex, instance,
                                      mesh->name != NULL ? mesh->name : "");
            }
        }
    }
    return PELT_OK;
}
