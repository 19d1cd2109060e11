// SPDX-License-Identifier: MIT
// Meshes: one for each material of a geometry that a model shows, and their instances.
#include "../mesh/vertex_join.h"
#include "fbx_read.h"

#include <string.h>

// The geometry of one model.
typedef struct mesh_source
{
    pelti_fbx* f;
    uint32_t model, geometry;
    const char* name;
    pelt_mat34 geometric;
    pelti_fbx_surface surface;
    pelti_fbx_skin_source skin;
    pelti_fbx_blend_shapes* shapes; // NULL: none
    uint32_t* materials;            // objects, in the order of the model
    uint32_t material_count;
    uint32_t skin_index; // in the scene, or PELT_NONE
} mesh_source;

// The triangles of one material.
typedef struct mesh_part
{
    const uint32_t* triangles; // indices of the surface's triangles
    uint32_t triangle_count;
    uint32_t material;
    uint32_t corner_count;
    uint32_t* corners; // corners of the surface that are used
    uint32_t* local;   // by corner of the surface: its index in corners
    uint32_t* sources; // by vertex: corner of the part
    uint32_t* joined;  // by corner of the part: vertex
    uint32_t vertex_count;
    uint32_t* points; // by vertex: point of the surface
} mesh_part;

// =============================================================================================
// The mesh of one material: equal corners become one vertex.

// ---------------------------------------------------------------------------------------------
// Vertices

static void list_corners(const mesh_source* s, mesh_part* p)
{
    for (uint32_t i = 0; i < 3 * p->triangle_count; ++i)
    {
        uint32_t corner = s->surface.triangles[3 * (size_t)p->triangles[i / 3] + i % 3];
        if (p->local[corner] == PELT_NONE)
        {
            p->local[corner] = p->corner_count;
            p->corners[p->corner_count++] = corner;
        }
    }
}

// The elements of the used corners, packed.
static void* pick(const mesh_source* s, const mesh_part* p, const void* values, size_t size)
{
    unsigned char* out = pelti_fbx_alloc(&s->f->file, p->corner_count, size);
    for (uint32_t i = 0; i < p->corner_count && out != NULL; ++i)
    {
        memcpy(out + i * size, (const unsigned char*)values + p->corners[i] * size, size);
    }
    return out;
}

static pelt_result join_corners(const mesh_source* s, mesh_part* p)
{
    const pelti_fbx_surface* from = &s->surface;
    const pelti_join_array all[] = {
        {from->corners, sizeof *from->corners},   {from->normals, sizeof *from->normals},
        {from->tangents, sizeof *from->tangents}, {from->binormals, sizeof *from->binormals},
        {from->colors, sizeof *from->colors},     {from->uvs[0], sizeof *from->uvs[0]},
        {from->uvs[1], sizeof *from->uvs[0]},     {from->uvs[2], sizeof *from->uvs[0]},
        {from->uvs[3], sizeof *from->uvs[0]},     {from->uvs[4], sizeof *from->uvs[0]},
        {from->uvs[5], sizeof *from->uvs[0]},     {from->uvs[6], sizeof *from->uvs[0]},
        {from->uvs[7], sizeof *from->uvs[0]}};
    pelti_join_array arrays[sizeof all / sizeof all[0]];
    pelti_join_input input = {.vertex_count = p->corner_count, .arrays = arrays};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
    {
        if (all[i].data != NULL)
        {
            void* picked = pick(s, p, all[i].data, all[i].size);
            if (picked == NULL)
            {
                return PELT_ERROR_MEMORY;
            }
            arrays[input.array_count++] = (pelti_join_array){picked, all[i].size};
        }
    }
    p->sources = pelti_fbx_alloc(&s->f->file, p->corner_count, sizeof *p->sources);
    p->joined = pelti_fbx_alloc(&s->f->file, p->corner_count, sizeof *p->joined);
    if (p->sources == NULL || p->joined == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    return pelti_join_vertices(p->sources, p->joined, &p->vertex_count, &input) == PELT_OK
               ? PELT_OK
               : pelt_error_memory(s->f->error);
}

// ---------------------------------------------------------------------------------------------
// Attributes

static uint32_t corner_of(const mesh_part* p, uint32_t vertex)
{
    return p->corners[p->sources[vertex]];
}

// Attribute values by vertex; NULL stays NULL.
static bool copy_corners(const void** out, const mesh_source* s, const mesh_part* p,
                         const void* values, size_t size)
{
    if (values == NULL)
    {
        return true;
    }
    unsigned char* copy = pelt_arena_alloc(s->f->arena, p->vertex_count, size);
    for (uint32_t v = 0; v < p->vertex_count && copy != NULL; ++v)
    {
        memcpy(copy + v * size, (const unsigned char*)values + corner_of(p, v) * size, size);
    }
    *out = copy;
    return copy != NULL;
}

static bool is_zero(pelt_vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

static pelt_result write_normals(const mesh_source* s, const mesh_part* p, pelt_mesh* out)
{
    if (s->surface.normals == NULL)
    {
        return PELT_OK;
    }
    pelt_vec3* normals = pelt_arena_alloc(s->f->arena, p->vertex_count, sizeof *normals);
    if (normals == NULL)
    {
        return pelt_error_memory(s->f->error);
    }
    uint32_t bad = 0;
    for (uint32_t v = 0; v < p->vertex_count; ++v)
    {
        pelt_vec3 n = s->surface.normals[corner_of(p, v)];
        bad += is_zero(n);
        normals[v] = is_zero(n) ? pelt_vec3_make(0.0f, 1.0f, 0.0f) : n;
    }
    if (bad == p->vertex_count)
    {
        return pelti_fbx_repair(s->f, "mesh %s: left out its normals, which are all zero",
                                out->name);
    }
    out->normals = normals;
    return bad == 0 ? PELT_OK
                    : pelti_fbx_repair(s->f, "mesh %s: %u %s zero; set to point up", out->name, bad,
                                       pelti_plural(bad, "normal is", "normals are"));
}

static pelt_result write_tangents(const mesh_source* s, const mesh_part* p, pelt_mesh* out)
{
    if (out->normals == NULL || s->surface.tangents == NULL || s->surface.binormals == NULL)
    {
        return PELT_OK;
    }
    pelt_vec4* tangents = pelt_arena_alloc(s->f->arena, p->vertex_count, sizeof *tangents);
    for (uint32_t v = 0; v < p->vertex_count && tangents != NULL; ++v)
    {
        pelt_vec3 t = s->surface.tangents[corner_of(p, v)];
        pelt_vec3 b = s->surface.binormals[corner_of(p, v)];
        t = is_zero(t) ? pelt_vec3_make(1.0f, 0.0f, 0.0f) : t;
        float handedness = pelt_vec3_dot(pelt_vec3_cross(out->normals[v], t), b);
        tangents[v] = (pelt_vec4){t.x, t.y, t.z, handedness < 0.0f ? -1.0f : 1.0f};
    }
    out->tangents = tangents;
    return tangents != NULL ? PELT_OK : pelt_error_memory(s->f->error);
}

static pelt_result write_positions(const mesh_source* s, mesh_part* p, pelt_mesh* out)
{
    pelt_vec3* positions = pelt_arena_alloc(s->f->arena, p->vertex_count, sizeof *positions);
    float* factors = s->skin.mix_factors != NULL
                         ? pelt_arena_alloc(s->f->arena, p->vertex_count, sizeof *factors)
                         : NULL;
    p->points = pelti_fbx_alloc(&s->f->file, p->vertex_count, sizeof *p->points);
    if (positions == NULL || p->points == NULL || (s->skin.mix_factors != NULL && factors == NULL))
    {
        return pelt_error_memory(s->f->error);
    }
    for (uint32_t v = 0; v < p->vertex_count; ++v)
    {
        p->points[v] = s->surface.corners[corner_of(p, v)];
        positions[v] = s->surface.points[p->points[v]];
        if (factors != NULL)
        {
            factors[v] = s->skin.mix_factors[p->points[v]];
        }
    }
    out->vertex_count = p->vertex_count;
    out->positions = positions;
    out->mix_factors = factors;
    return PELT_OK;
}

static pelt_result write_indices(const mesh_source* s, const mesh_part* p, pelt_mesh* out)
{
    uint32_t* indices =
        pelt_arena_alloc(s->f->arena, 3 * (size_t)p->triangle_count, sizeof *indices);
    for (uint32_t i = 0; i < 3 * p->triangle_count && indices != NULL; ++i)
    {
        uint32_t corner = s->surface.triangles[3 * (size_t)p->triangles[i / 3] + i % 3];
        indices[i] = p->joined[p->local[corner]];
    }
    out->indices = indices;
    out->index_count = 3 * p->triangle_count;
    return indices != NULL ? PELT_OK : pelt_error_memory(s->f->error);
}

static pelt_result write_attributes(const mesh_source* s, mesh_part* p, pelt_mesh* out)
{
    const pelti_fbx_surface* from = &s->surface;
    const void *uvs[PELT_MAX_UV_SETS] = {NULL}, *colors = NULL;
    PELT_TRY(write_positions(s, p, out));
    PELT_TRY(write_normals(s, p, out));
    PELT_TRY(write_tangents(s, p, out));
    PELT_TRY(write_indices(s, p, out));
    bool is_ok = copy_corners(&colors, s, p, from->colors, sizeof *from->colors);
    for (uint32_t i = 0; i < PELT_MAX_UV_SETS && is_ok; ++i)
    {
        is_ok = copy_corners(&uvs[i], s, p, from->uvs[i], sizeof *from->uvs[i]);
        *(i == 0 ? &out->uvs : &out->more_uvs[i - 1]) = uvs[i];
    }
    if (!is_ok)
    {
        return pelt_error_memory(s->f->error);
    }
    out->colors = colors;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------

static pelt_result write_mesh(pelt_mesh* out, const mesh_source* s, mesh_part* p)
{
    pelti_fbx* f = s->f;
    *out = (pelt_mesh){.name = pelt_arena_string(f->arena, s->name), .material = p->material};
    list_corners(s, p);
    if (out->name == NULL)
    {
        return pelt_error_memory(f->error);
    }
    PELT_TRY(join_corners(s, p));
    PELT_TRY(write_attributes(s, p, out));
    if (s->skin.object != PELT_NONE)
    {
        out->has_method = s->skin.has_method;
        out->method = s->skin.method;
        PELT_TRY(pelti_fbx_write_weights(f, out, &s->skin, p->points, p->vertex_count));
    }
    if (s->shapes != NULL)
    {
        PELT_TRY(pelti_fbx_write_morphs(f, out, s->shapes, p->points, s->surface.point_count,
                                        &s->geometric));
    }
    return PELT_OK;
}

// =============================================================================================
// Meshes and instances

// ---------------------------------------------------------------------------------------------

typedef struct mesh_list
{
    pelt_mesh* meshes;
    pelt_instance* instances;
    uint32_t mesh_capacity, shape_capacity, instance_capacity;
    pelt_skin* skins;
    uint32_t* shown;      // by geometry: the first model that showed it, plus 1
    uint32_t* first_mesh; // by geometry: its meshes in the scene
    uint32_t* mesh_count;
} mesh_list;

static pelt_result add_instance(pelti_fbx* f, mesh_list* list, uint32_t mesh, uint32_t skin,
                                uint32_t model)
{
    pelt_scene* scene = f->scene;
    void* instances = list->instances;
    if (!pelti_fbx_grow(&f->file, &instances, &list->instance_capacity, scene->instance_count,
                        sizeof *list->instances))
    {
        return PELT_ERROR_MEMORY;
    }
    list->instances = instances;
    uint32_t node = f->model_nodes[f->models[model].first].node;
    list->instances[scene->instance_count++] =
        (pelt_instance){mesh, skin, node, scene->morph_weight_count};
    scene->morph_weight_count += list->meshes[mesh].morph_count;
    return PELT_OK;
}

static uint32_t slot_of(const mesh_source* s, uint32_t triangle)
{
    const uint32_t* materials = s->surface.materials;
    uint32_t slot = materials != NULL ? materials[s->surface.polygon_of_triangle[triangle]] : 0;
    return slot < s->material_count ? slot : s->material_count;
}

// Sort triangles by material, in file order within a material. first[] has material_count + 2
// entries.
static void sort_triangles(const mesh_source* s, uint32_t* order, uint32_t* first)
{
    uint32_t count = s->material_count + 1;
    for (uint32_t t = 0; t < s->surface.triangle_count; ++t)
    {
        first[slot_of(s, t) + 1]++;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        first[i + 1] += first[i];
    }
    for (uint32_t t = 0; t < s->surface.triangle_count; ++t)
    {
        order[first[slot_of(s, t)]++] = t;
    }
    memmove(first + 1, first, count * sizeof *first);
    first[0] = 0;
}

static pelt_result write_parts(const mesh_source* s, mesh_list* list)
{
    pelti_fbx* f = s->f;
    uint32_t parts = s->material_count + 1, corner_count = s->surface.corner_count;
    uint32_t* order = pelti_fbx_alloc(&f->file, s->surface.triangle_count, sizeof *order);
    uint32_t* first = pelti_fbx_alloc(&f->file, (size_t)parts + 1, sizeof *first);
    mesh_part p = {.corners = pelti_fbx_alloc(&f->file, corner_count, sizeof *p.corners),
                   .local = pelti_fbx_alloc(&f->file, corner_count, sizeof *p.local)};
    if (order == NULL || first == NULL || p.corners == NULL || p.local == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    sort_triangles(s, order, first);
    for (uint32_t i = 0; i < parts; ++i)
    {
        p.triangles = order + first[i];
        p.triangle_count = first[i + 1] - first[i];
        p.material = i < s->material_count ? s->materials[i] : PELT_NONE;
        if (p.triangle_count == 0)
        {
            continue;
        }
        PELT_TRY(pelti_fbx_charge(&f->file, corner_count));
        uint32_t mesh = f->scene->mesh_count;
        void *meshes = list->meshes, *shapes = f->blend_shapes_of_mesh;
        bool has_room =
            pelti_fbx_grow(&f->file, &meshes, &list->mesh_capacity, mesh, sizeof *list->meshes) &&
            pelti_fbx_grow(&f->file, &shapes, &list->shape_capacity, mesh,
                           sizeof *f->blend_shapes_of_mesh);
        list->meshes = meshes;
        f->blend_shapes_of_mesh = shapes;
        if (!has_room)
        {
            return PELT_ERROR_MEMORY;
        }
        p.corner_count = 0;
        memset(p.local, 0xff, corner_count * sizeof *p.local);
        f->blend_shapes_of_mesh[mesh] = s->shapes;
        PELT_TRY(write_mesh(&list->meshes[mesh], s, &p));
        f->scene->mesh_count++;
        PELT_TRY(add_instance(f, list, mesh, s->skin_index, s->model));
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Models

static pelt_result list_materials(mesh_source* s)
{
    pelti_fbx* f = s->f;
    const pelti_fbx_object* model = &f->objects[f->models[s->model].object];
    uint32_t count = 0, link = model->first_child;
    while (pelti_fbx_next_child(f, &link, PELTI_FBX_MATERIAL) != PELT_NONE)
    {
        count++;
    }
    s->materials = pelti_fbx_alloc(&f->file, count, sizeof *s->materials);
    link = model->first_child;
    for (uint32_t i = 0; i < count && s->materials != NULL; ++i)
    {
        uint32_t material = pelti_fbx_next_child(f, &link, PELTI_FBX_MATERIAL);
        s->materials[i] = f->material_of_object[material];
    }
    s->material_count = count;
    return s->materials != NULL ? pelti_fbx_charge(&f->file, count) : PELT_ERROR_MEMORY;
}

static pelt_result read_parts(mesh_source* s, mesh_list* list)
{
    pelti_fbx* f = s->f;
    pelt_result result =
        pelti_fbx_read_surface(&s->surface, f, s->geometry, &s->geometric, s->name);
    if (result != PELT_OK || s->surface.triangle_count == 0)
    {
        return result;
    }
    pelti_fbx_blend_shapes* shapes = pelti_fbx_alloc(&f->file, 1, sizeof *shapes);
    result = shapes != NULL ? pelti_fbx_find_blend_shapes(shapes, f, s->geometry, s->name)
                            : PELT_ERROR_MEMORY;
    s->shapes = shapes != NULL && shapes->count > 0 ? shapes : NULL;
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelti_fbx_read_skin(&s->skin, f, s->geometry, s->model, s->surface.point_count);
    s->skin_index = PELT_NONE;
    if (result == PELT_OK && s->skin.object != PELT_NONE)
    {
        s->skin_index = f->scene->skin_count++;
        result = pelti_fbx_write_skin(f, &list->skins[s->skin_index], &s->skin, s->model);
    }
    return result == PELT_OK ? write_parts(s, list) : result;
}

// Models with the same geometry and the same materials share its meshes.
static bool is_shown(const pelti_fbx* f, const mesh_list* list, const mesh_source* s)
{
    uint32_t other = list->shown[s->geometry];
    if (other == 0 || list->mesh_count[s->geometry] == 0 ||
        list->meshes[list->first_mesh[s->geometry]].weights.vertex_count > 0)
    {
        return false;
    }
    const pelti_fbx_object* a = &f->objects[f->models[other - 1].object];
    const pelti_fbx_object* b = &f->objects[f->models[s->model].object];
    pelt_mat34 geometric = pelti_fbx_geometric(f, a);
    uint32_t a_link = a->first_child, b_link = b->first_child, left, right;
    do
    {
        left = pelti_fbx_next_child(f, &a_link, PELTI_FBX_MATERIAL);
        right = pelti_fbx_next_child(f, &b_link, PELTI_FBX_MATERIAL);
    } while (left == right && left != PELT_NONE);
    return left == right && memcmp(&geometric, &s->geometric, sizeof geometric) == 0;
}

static pelt_result read_model(pelti_fbx* f, mesh_list* list, uint32_t model, uint32_t geometry)
{
    const pelti_fbx_object* object = &f->objects[f->models[model].object];
    mesh_source s = {.f = f,
                     .model = model,
                     .geometry = geometry,
                     .name = object->name,
                     .geometric = pelti_fbx_geometric(f, object)};
    if (is_shown(f, list, &s))
    {
        uint32_t first = list->first_mesh[geometry];
        for (uint32_t i = 0; i < list->mesh_count[geometry]; ++i)
        {
            PELT_TRY(add_instance(f, list, first + i, PELT_NONE, model));
        }
        return PELT_OK;
    }
    uint32_t first = f->scene->mesh_count;
    PELT_TRY(list_materials(&s));
    PELT_TRY(read_parts(&s, list));
    list->shown[geometry] = model + 1;
    list->first_mesh[geometry] = first;
    list->mesh_count[geometry] = f->scene->mesh_count - first;
    return PELT_OK;
}

static pelt_result make_list(pelti_fbx* f, mesh_list* list)
{
    // A skin depends on the model that shows the geometry, so it is not shared.
    uint32_t shows = 0;
    for (uint32_t i = 0; i < f->link_count; ++i)
    {
        shows += f->objects[f->links[i].child].kind == PELTI_FBX_GEOMETRY;
    }
    list->skins = pelt_arena_alloc(f->arena, shows, sizeof *list->skins);
    list->shown = pelti_fbx_alloc(&f->file, f->object_count, sizeof *list->shown);
    list->first_mesh = pelti_fbx_alloc(&f->file, f->object_count, sizeof *list->first_mesh);
    list->mesh_count = pelti_fbx_alloc(&f->file, f->object_count, sizeof *list->mesh_count);
    return list->skins != NULL && list->shown != NULL && list->first_mesh != NULL &&
                   list->mesh_count != NULL
               ? PELT_OK
               : pelt_error_memory(f->error);
}

static pelt_result finish_list(pelti_fbx* f, const mesh_list* list)
{
    pelt_scene* scene = f->scene;
    pelt_mesh* meshes = pelt_arena_alloc(f->arena, scene->mesh_count, sizeof *meshes);
    pelt_instance* instances = pelt_arena_alloc(f->arena, scene->instance_count, sizeof *instances);
    if (meshes == NULL || instances == NULL)
    {
        return pelt_error_memory(f->error);
    }
    if (scene->mesh_count > 0)
    {
        memcpy(meshes, list->meshes, scene->mesh_count * sizeof *meshes);
        memcpy(instances, list->instances, scene->instance_count * sizeof *instances);
    }
    scene->meshes = meshes;
    scene->instances = instances;
    scene->skins = list->skins;
    return PELT_OK;
}

pelt_result pelti_fbx_read_meshes(pelti_fbx* f)
{
    mesh_list list = {0};
    pelt_result result = make_list(f, &list);
    for (uint32_t m = 0; m < f->model_count && result == PELT_OK; ++m)
    {
        uint32_t link = f->objects[f->models[m].object].first_child;
        uint32_t geometry = pelti_fbx_next_child(f, &link, PELTI_FBX_GEOMETRY);
        for (; geometry != PELT_NONE && result == PELT_OK;
             geometry = pelti_fbx_next_child(f, &link, PELTI_FBX_GEOMETRY))
        {
            // Lines and curves are geometries as well.
            bool is_mesh = pelti_fbx_is_subtype(&f->objects[geometry], "Mesh");
            result = is_mesh ? read_model(f, &list, m, geometry) : PELT_OK;
        }
    }
    return result == PELT_OK ? finish_list(f, &list) : result;
}
