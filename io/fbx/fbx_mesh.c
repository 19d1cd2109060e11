// SPDX-License-Identifier: MIT
// Meshes: one for each material of a geometry that a model shows, and their instances.
#include "fbx_mesh.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Meshes and instances

typedef struct mesh_list
{
    pelt_mesh* meshes;
    pelt_instance* instances;
    uint32_t mesh_capacity, shape_capacity, instance_capacity;
    pelt_skin* skins;
    uint32_t* shown;      // by geometry: the first model that showed it, + 1
    uint32_t* first_mesh; // by geometry: and its meshes
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
    uint32_t node = f->places[f->models[model].place].node;
    list->instances[scene->instance_count++] =
        (pelt_instance){mesh, skin, node, scene->morph_weight_count};
    scene->morph_weight_count += list->meshes[mesh].morph_count;
    return PELT_OK;
}

static uint32_t slot_of(const pelti_fbx_mesh_source* s, uint32_t triangle)
{
    const uint32_t* materials = s->surface.materials;
    uint32_t slot = materials != NULL ? materials[s->surface.polygon_of_triangle[triangle]] : 0;
    return slot < s->material_count ? slot : s->material_count;
}

// Triangles by material, each in the order of the file. first[] has two more than materials.
static void sort_triangles(const pelti_fbx_mesh_source* s, uint32_t* order, uint32_t* first)
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

static pelt_result write_parts(const pelti_fbx_mesh_source* s, mesh_list* list)
{
    pelti_fbx* f = s->f;
    uint32_t parts = s->material_count + 1, corner_count = s->surface.corner_count;
    uint32_t* order = pelti_fbx_take(&f->file, s->surface.triangle_count, sizeof *order);
    uint32_t* first = pelti_fbx_take(&f->file, (size_t)parts + 1, sizeof *first);
    pelti_fbx_part p = {.corners = pelti_fbx_take(&f->file, corner_count, sizeof *p.corners),
                        .local = pelti_fbx_take(&f->file, corner_count, sizeof *p.local)};
    if (order == NULL || first == NULL || p.corners == NULL || p.local == NULL)
    {
        return PELT_ERROR_MEMORY;
    }
    sort_triangles(s, order, first);
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < parts && result == PELT_OK; ++i)
    {
        p.triangles = order + first[i];
        p.triangle_count = first[i + 1] - first[i];
        p.material = i < s->material_count ? s->materials[i] : PELT_NONE;
        if (p.triangle_count == 0)
        {
            continue;
        }
        result = pelti_fbx_charge(&f->file, corner_count);
        if (result != PELT_OK)
        {
            return result;
        }
        uint32_t mesh = f->scene->mesh_count;
        void *meshes = list->meshes, *shapes = f->shapes_of_mesh;
        bool has_room =
            pelti_fbx_grow(&f->file, &meshes, &list->mesh_capacity, mesh, sizeof *list->meshes) &&
            pelti_fbx_grow(&f->file, &shapes, &list->shape_capacity, mesh,
                           sizeof *f->shapes_of_mesh);
        list->meshes = meshes;
        f->shapes_of_mesh = shapes;
        if (!has_room)
        {
            return PELT_ERROR_MEMORY;
        }
        p.corner_count = 0;
        memset(p.local, 0xff, corner_count * sizeof *p.local);
        f->shapes_of_mesh[mesh] = s->shapes;
        result = pelti_fbx_write_mesh(&list->meshes[mesh], s, &p);
        f->scene->mesh_count++;
        if (result == PELT_OK)
        {
            result = add_instance(f, list, mesh, s->skin_index, s->model);
        }
    }
    return result;
}

// ---------------------------------------------------------------------------------------------
// Models

static pelt_result list_materials(pelti_fbx_mesh_source* s)
{
    pelti_fbx* f = s->f;
    const pelti_fbx_object* model = &f->objects[f->models[s->model].object];
    uint32_t count = 0, link = model->first_child;
    while (pelti_fbx_next_child(f, &link, PELTI_FBX_MATERIAL) != PELT_NONE)
    {
        count++;
    }
    s->materials = pelti_fbx_take(&f->file, count, sizeof *s->materials);
    link = model->first_child;
    for (uint32_t i = 0; i < count && s->materials != NULL; ++i)
    {
        uint32_t material = pelti_fbx_next_child(f, &link, PELTI_FBX_MATERIAL);
        s->materials[i] = f->material_of_object[material];
    }
    s->material_count = count;
    return s->materials != NULL ? pelti_fbx_charge(&f->file, count) : PELT_ERROR_MEMORY;
}

static pelt_result read_parts(pelti_fbx_mesh_source* s, mesh_list* list)
{
    pelti_fbx* f = s->f;
    pelt_result result =
        pelti_fbx_read_surface(&s->surface, f, s->geometry, &s->geometric, s->name);
    if (result != PELT_OK || s->surface.triangle_count == 0)
    {
        return result;
    }
    pelti_fbx_shapes* shapes = pelti_fbx_take(&f->file, 1, sizeof *shapes);
    result =
        shapes != NULL ? pelti_fbx_find_shapes(shapes, f, s->geometry, s->name) : PELT_ERROR_MEMORY;
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

// Models that share a geometry share its meshes, when they look the same.
static bool is_shown(const pelti_fbx* f, const mesh_list* list, const pelti_fbx_mesh_source* s)
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
    pelti_fbx_mesh_source s = {.f = f,
                               .model = model,
                               .geometry = geometry,
                               .name = object->name,
                               .geometric = pelti_fbx_geometric(f, object)};
    pelt_result result = PELT_OK;
    if (is_shown(f, list, &s))
    {
        uint32_t first = list->first_mesh[geometry];
        for (uint32_t i = 0; i < list->mesh_count[geometry] && result == PELT_OK; ++i)
        {
            result = add_instance(f, list, first + i, PELT_NONE, model);
        }
        return result;
    }
    uint32_t first = f->scene->mesh_count;
    result = list_materials(&s);
    if (result != PELT_OK)
    {
        return result;
    }
    result = read_parts(&s, list);
    list->shown[geometry] = model + 1;
    list->first_mesh[geometry] = first;
    list->mesh_count[geometry] = f->scene->mesh_count - first;
    return result;
}

static pelt_result make_list(pelti_fbx* f, mesh_list* list)
{
    // A skin belongs to a geometry as one model shows it.
    uint32_t shows = 0;
    for (uint32_t i = 0; i < f->link_count; ++i)
    {
        shows += f->objects[f->links[i].child].kind == PELTI_FBX_GEOMETRY;
    }
    list->skins = pelt_arena_alloc(f->arena, shows, sizeof *list->skins);
    list->shown = pelti_fbx_take(&f->file, f->object_count, sizeof *list->shown);
    list->first_mesh = pelti_fbx_take(&f->file, f->object_count, sizeof *list->first_mesh);
    list->mesh_count = pelti_fbx_take(&f->file, f->object_count, sizeof *list->mesh_count);
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
            // Lines and curves are geometries too.
            bool is_mesh = pelti_fbx_is_subtype(&f->objects[geometry], "Mesh");
            result = is_mesh ? read_model(f, &list, m, geometry) : PELT_OK;
        }
    }
    return result == PELT_OK ? finish_list(f, &list) : result;
}
