// SPDX-License-Identifier: MIT
#include "bake_mesh.h"

#include <stdlib.h>

pelt_result bake_mesh_create(pelt_gl_mesh* out, pelt_gl* gl, const pelt_baked* baked,
                             const pelt_scene* scene, uint32_t instance, pelt_error* error)
{
    const pelt_mesh* mesh = &scene->meshes[scene->instances[instance].mesh];
    const pelt_gl_mesh_options options = {.vertex_ids = baked->instances[instance].vertex_ids};
    bool is_morphed = options.vertex_ids == NULL && mesh->morph_weights != NULL &&
                      pelt_morph_is_active(mesh, mesh->morph_weights);
    pelt_result result = pelt_gl_mesh_create(out, gl, mesh, &options, error);
    if (result != PELT_OK || !is_morphed)
    {
        return result;
    }
    pelt_vec3* both = calloc(2 * (size_t)mesh->vertex_count, sizeof *both);
    const pelt_surface rest = {.positions = both,
                               .normals = mesh->normals != NULL ? both + mesh->vertex_count : NULL};
    if (both == NULL)
    {
        pelt_gl_mesh_destroy(out);
        return pelt_error_memory(error);
    }
    pelt_morph_apply(&rest, mesh, NULL, (pelt_range){0, mesh->vertex_count});
    pelt_gl_mesh_update(out, &rest);
    free(both);
    return PELT_OK;
}
