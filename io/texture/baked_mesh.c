// SPDX-License-Identifier: MIT
// The mesh that a bake moves, as a GLB file: written, and read for the slots of its vertices.
#include "../gltf_write/gltf_write.h"
#include "baked_file.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Writing

// Whether an instance of the bake fits that of the scene, by its numbers of vertices and joints.
static bool is_baked(const pelt_baked* baked, const pelt_scene* scene, uint32_t index)
{
    const pelt_instance* own = &scene->instances[index];
    const pelt_mesh* mesh = &scene->meshes[own->mesh];
    const pelt_baked_instance* instance = &baked->instances[index];
    uint32_t joints = own->skin != PELT_NONE ? scene->skins[own->skin].joint_count : 1;
    bool has_motion = baked->encoding == PELT_ENCODING_VERTEX ? instance->vertex_ids != NULL
                                                              : instance->joint_count >= joints;
    return has_motion && mesh->vertex_count == instance->vertex_count &&
           pelt_baked_digest(mesh->positions, mesh->vertex_count) == instance->digest;
}

pelt_result pelti_baked_check_scene(const pelt_baked* baked, const pelt_scene* scene,
                                    pelt_error* error)
{
    pelt_result result = pelti_gltf_check_scene(scene, error);
    if (result == PELT_OK && scene->instance_count != baked->instance_count)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "the scene has %u instances and the bake %u: it is not the one that "
                              "was baked",
                              scene->instance_count, baked->instance_count);
    }
    for (uint32_t i = 0; i < scene->instance_count && result == PELT_OK; ++i)
    {
        const char* name = scene->meshes[scene->instances[i].mesh].name;
        result =
            is_baked(baked, scene, i)
                ? PELT_OK
                : pelt_error_set(error, PELT_ERROR_DATA,
                                 "mesh \"%.100s\" of instance %u is not the one that was baked",
                                 name != NULL ? name : "", i);
    }
    return result;
}

typedef struct mesh_writer
{
    const pelt_baked* baked;
    const pelt_scene* scene;
    const pelti_openvat* openvat; // NULL: none
    pelt_arena* arena;
    pelt_addition* additions;
    uint32_t count;
} mesh_writer;

// Zeroed values of an attribute of an instance. NULL: out of memory
static float* add_attribute(mesh_writer* w, uint32_t instance, const char* name, uint32_t width)
{
    uint32_t vertex_count = w->baked->instances[instance].vertex_count;
    float* values = pelt_arena_alloc(w->arena, vertex_count, width * sizeof *values);
    w->additions[w->count++] = (pelt_addition){.mesh = instance,
                                               .vertex_count = vertex_count,
                                               .name = name,
                                               .width = width,
                                               .values = values};
    return values;
}

// Slots as floats.
static bool add_ids(mesh_writer* w, uint32_t instance)
{
    const pelt_baked_instance* own = &w->baked->instances[instance];
    float* values = add_attribute(w, instance, PELT_VERTEX_ID_ATTRIBUTE, 1);
    for (uint32_t v = 0; values != NULL && v < own->vertex_count; ++v)
    {
        values[v] = (float)own->vertex_ids[v];
    }
    return values != NULL;
}

// glTF has no second set of UVs without a first.
static bool add_uvs(mesh_writer* w, uint32_t instance)
{
    const pelt_baked_instance* own = &w->baked->instances[instance];
    const pelt_mesh* mesh = &w->scene->meshes[w->scene->instances[instance].mesh];
    bool has_first = mesh->uvs != NULL || add_attribute(w, instance, "TEXCOORD_0", 2) != NULL;
    float* values = has_first ? add_attribute(w, instance, "TEXCOORD_1", 2) : NULL;
    for (uint32_t v = 0; values != NULL && v < own->vertex_count; ++v)
    {
        pelt_vec2 uv = pelti_openvat_uv(w->openvat, own->vertex_ids[v]);
        values[2 * (size_t)v] = uv.x;
        values[2 * (size_t)v + 1] = uv.y;
    }
    return values != NULL;
}

// The scene with UV sets other than the first moved up by one, for textures of OpenVAT in the
// second. NULL: out of memory
static const pelt_scene* move_uvs(mesh_writer* w)
{
    const pelt_scene* from = w->scene;
    pelt_scene* out = pelt_arena_alloc(w->arena, 1, sizeof *out);
    pelt_mesh* meshes = pelt_arena_alloc(w->arena, from->mesh_count, sizeof *meshes);
    pelt_material* materials = pelt_arena_alloc(w->arena, from->material_count, sizeof *materials);
    if (out == NULL || meshes == NULL || materials == NULL)
    {
        return NULL;
    }
    for (uint32_t i = 0; i < from->mesh_count; ++i)
    {
        meshes[i] = from->meshes[i];
        meshes[i].more_uvs[0] = NULL;
        for (uint32_t k = 1; k < PELT_MAX_UV_SETS - 1; ++k)
        {
            meshes[i].more_uvs[k] = from->meshes[i].more_uvs[k - 1];
        }
    }
    for (uint32_t i = 0; i < from->material_count * PELT_SLOT_COUNT; ++i)
    {
        pelt_material* material = &materials[i / PELT_SLOT_COUNT];
        uint32_t slot = i % PELT_SLOT_COUNT;
        *material = slot == 0 ? from->materials[i / PELT_SLOT_COUNT] : *material;
        material->textures[slot].uv_set += material->textures[slot].uv_set > 0;
    }
    *out = *from;
    out->meshes = meshes;
    out->materials = materials;
    return out;
}

// Each instance at rest: its motion transforms from this space to model space, independent of its
// node.
static pelt_result write_rest(FILE* stream, mesh_writer* w, const pelt_source* source,
                              pelt_error* error)
{
    enum
    {
        ADDITIONS = 3, // of an instance, at most
    };
    const pelt_scene* scene = w->scene;
    uint32_t count = scene->instance_count;
    pelt_surface* surfaces = pelt_arena_alloc(w->arena, count, sizeof *surfaces);
    w->additions = pelt_arena_alloc(w->arena, count, ADDITIONS * sizeof *w->additions);
    bool has_memory = surfaces != NULL && w->additions != NULL;
    for (uint32_t i = 0; i < count && has_memory; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        surfaces[i] = (pelt_surface){.positions = (pelt_vec3*)mesh->positions,
                                     .normals = (pelt_vec3*)mesh->normals,
                                     .tangents = (pelt_vec4*)mesh->tangents};
        has_memory = add_ids(w, i) && (w->openvat == NULL || add_uvs(w, i));
    }
    const pelt_scene* written = w->openvat != NULL && source == NULL ? move_uvs(w) : scene;
    has_memory = has_memory && written != NULL;
    const pelti_gltf_surfaces what = {PELT_FORMAT_GLB, written, surfaces, w->additions, w->count};
    const pelti_baked_mesh_copy copy = {w->baked, scene, w->additions, w->count,
                                        w->openvat != NULL};
    return !has_memory      ? pelt_error_memory(error)
           : source != NULL ? pelti_baked_write_copy(stream, &copy, source, error)
                            : pelti_gltf_write_surfaces(stream, &what, error);
}

pelt_result pelti_baked_write_mesh(FILE* stream, const pelt_baked* baked, const pelt_scene* scene,
                                   const pelt_source* source, const pelti_openvat* openvat,
                                   pelt_error* error)
{
    if (baked->encoding != PELT_ENCODING_VERTEX && source != NULL)
    {
        const pelti_baked_mesh_copy copy = {.baked = baked, .scene = scene};
        return pelti_baked_write_copy(stream, &copy, source, error);
    }
    if (baked->encoding != PELT_ENCODING_VERTEX)
    {
        pelt_scene still = *scene;
        still.clip_count = 0;
        return pelti_gltf_write_scene(stream, PELT_FORMAT_GLB, &still, error);
    }
    mesh_writer w = {
        .baked = baked, .scene = scene, .openvat = openvat, .arena = pelt_arena_create()};
    pelt_result result =
        w.arena != NULL ? write_rest(stream, &w, source, error) : pelt_error_memory(error);
    pelt_arena_destroy(w.arena);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Reading

// The attributes of the primitive of an instance: primitives are in their order.
typedef struct mesh_part
{
    const pelti_json* attributes;
    pelti_json_path at;
} mesh_part;

static pelt_result check_positions(pelti_gltf* g, const mesh_part* part,
                                   const pelt_baked_instance* instance)
{
    float* positions;
    uint32_t width;
    PELT_TRY(pelti_gltf_attribute_of(&positions, &width, g, part->attributes, "POSITION", 3, 3,
                                     instance->vertex_count, &part->at));
    bool is_same =
        positions != NULL &&
        pelt_baked_digest((const pelt_vec3*)positions, instance->vertex_count) == instance->digest;
    return is_same
               ? PELT_OK
               : pelti_gltf_fail(g, &part->at,
                                 "the positions of mesh \"%.60s\" are not those that were baked",
                                 instance->name);
}

static pelt_result read_ids(pelt_baked_instance* inout, pelti_gltf* g, const mesh_part* part,
                            uint32_t limit)
{
    float* values;
    uint32_t width;
    void* memory = NULL;
    pelti_json_path at = pelti_json_member(&part->at, PELT_VERTEX_ID_ATTRIBUTE);
    pelt_result result =
        pelti_gltf_attribute_of(&values, &width, g, part->attributes, PELT_VERTEX_ID_ATTRIBUTE, 1,
                                1, inout->vertex_count, &part->at);
    if (result == PELT_OK && values == NULL)
    {
        return pelti_gltf_fail(g, &at, "this attribute is missing");
    }
    result = result == PELT_OK ? pelti_gltf_alloc(&memory, g, inout->vertex_count, sizeof(uint32_t))
                               : result;
    uint32_t* ids = memory;
    for (uint32_t v = 0; v < inout->vertex_count && result == PELT_OK; ++v)
    {
        bool is_slot =
            values[v] >= 0.0f && values[v] < (float)limit && values[v] == floorf(values[v]);
        ids[v] = is_slot ? (uint32_t)values[v] : 0;
        result = is_slot ? PELT_OK
                         : pelti_gltf_fail(g, &at, "vertex %u is at %g; there are slots 0 to %u", v,
                                           (double)values[v], limit - 1);
    }
    inout->vertex_ids = ids;
    return result;
}

static pelt_result read_part(pelti_gltf* g, const pelt_baked* baked, uint32_t index,
                             const mesh_part* part)
{
    if (index >= baked->instance_count)
    {
        return pelti_gltf_fail(g, &part->at,
                               "there are more primitives than the bake has meshes, "
                               "%u",
                               baked->instance_count);
    }
    pelt_baked_instance* instance = (pelt_baked_instance*)&baked->instances[index];
    PELT_TRY(check_positions(g, part, instance));
    return read_ids(instance, g, part, baked->vertex_count);
}

static pelt_result read_parts(pelti_gltf* g, const pelt_baked* baked)
{
    const pelti_json_path list = {.member = "meshes"};
    uint32_t index = 0;
    for (uint32_t m = 0; m < g->lists[PELTI_GLTF_MESHES].count; ++m)
    {
        pelti_json_path mesh = pelti_json_element(&list, m);
        pelti_json_path primitives_at = pelti_json_member(&mesh, "primitives");
        const pelti_json* primitives = NULL;
        PELT_TRY(pelti_gltf_get_array(&primitives, g, pelti_gltf_item(g, PELTI_GLTF_MESHES, m),
                                      "primitives", &mesh));
        for (size_t p = 0; p < pelti_json_size(primitives); ++p)
        {
            pelti_json_path primitive = pelti_json_element(&primitives_at, p);
            mesh_part part = {.at = pelti_json_member(&primitive, "attributes")};
            PELT_TRY(pelti_gltf_get_object(&part.attributes, g, pelti_json_at(primitives, p),
                                           "attributes", &primitive));
            // Others are not part of the bake: points, lines, and primitives outside of the scene.
            if (pelti_json_get(part.attributes, PELT_VERTEX_ID_ATTRIBUTE) != NULL)
            {
                PELT_TRY(read_part(g, baked, index++, &part));
            }
        }
    }
    return index < baked->instance_count
               ? pelti_gltf_fail(g, &list,
                                 "%u primitives have the attribute %s, and the bake has %u meshes",
                                 index, PELT_VERTEX_ID_ATTRIBUTE, baked->instance_count)
               : PELT_OK;
}

static pelt_result open_and_read(pelti_gltf* g, const pelti_blob* file, const pelt_baked* baked)
{
    void* tables[2] = {NULL};
    pelt_result result = pelti_gltf_open(g, file);
    if (result == PELT_OK)
    {
        result = pelti_gltf_alloc_scratch(&tables[0], g, g->lists[PELTI_GLTF_BUFFERS].count,
                                          sizeof *g->buffers);
    }
    if (result == PELT_OK)
    {
        result = pelti_gltf_alloc_scratch(&tables[1], g, g->lists[PELTI_GLTF_BUFFER_VIEWS].count,
                                          sizeof *g->views);
    }
    if (result == PELT_OK)
    {
        g->buffers = tables[0];
        g->views = tables[1];
        result = read_parts(g, baked);
        pelti_gltf_release_buffers(g);
    }
    return result;
}

pelt_result pelti_baked_read_mesh(pelti_baked_reader* r)
{
    const pelti_json_path at = {.member = "mesh"};
    const char *name = NULL, *path = NULL;
    pelti_blob file = {0};
    PELT_TRY(pelti_baked_need_text(&name, r, r->g.root, "mesh", NULL));
    PELT_TRY(pelti_baked_read_file(&file, &path, r, name, &at));
    // Its own buffers are inside the file; it may not name other files.
    const pelt_source source = pelti_source_named(&(pelt_source){.bytes = file.data});
    pelti_gltf before = r->g;
    r->g.path = path;
    r->g.source = &source;
    pelt_result result = open_and_read(&r->g, &file, r->baked);
    r->g.path = before.path;
    r->g.source = before.source;
    pelti_blob_release(&file);
    return result;
}
