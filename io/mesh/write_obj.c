// SPDX-License-Identifier: MIT
// Wavefront OBJ: text, one object per instance, indices from 1 through the whole file.
#define _POSIX_C_SOURCE 200809L

#include "../writers.h"

#include "../name_list.h"

#include <locale.h>
#include <string.h>

// Elements written so far: OBJ counts positions, UVs and normals separately, and meshes without UVs
// or normals do not advance those counts.
typedef struct obj_base
{
    uint64_t position, uv, normal;
} obj_base;

// Names end at white space in this format.
static void write_name(FILE* stream, const char* name)
{
    bool is_empty = name == NULL || name[0] == '\0';
    for (const char* c = is_empty ? "mesh" : name; *c != '\0'; ++c)
    {
        unsigned char byte = (unsigned char)*c;
        fputc(byte <= ' ' || byte == 0x7f ? '_' : byte, stream);
    }
}

static void write_vertices(FILE* stream, const pelt_mesh* mesh, const pelt_surface* surface)
{
    // Nine digits reproduce every float exactly.
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        pelt_vec3 p = surface->positions[v];
        fprintf(stream, "v %.9g %.9g %.9g\n", (double)p.x, (double)p.y, (double)p.z);
    }
    for (uint32_t v = 0; mesh->uvs != NULL && v < mesh->vertex_count; ++v)
    {
        // V of OBJ starts at the bottom edge of the image, V of pelt at the top edge.
        pelt_vec2 t = mesh->uvs[v];
        fprintf(stream, "vt %.9g %.9g\n", (double)t.x, (double)(1.0f - t.y));
    }
    for (uint32_t v = 0; surface->normals != NULL && v < mesh->vertex_count; ++v)
    {
        pelt_vec3 n = surface->normals[v];
        fprintf(stream, "vn %.9g %.9g %.9g\n", (double)n.x, (double)n.y, (double)n.z);
    }
}

static void write_corner(FILE* stream, uint32_t vertex, obj_base base, bool has_uv, bool has_normal)
{
    unsigned long long position = base.position + vertex + 1;
    unsigned long long uv = base.uv + vertex + 1;
    unsigned long long normal = base.normal + vertex + 1;

    if (has_uv && has_normal)
    {
        fprintf(stream, " %llu/%llu/%llu", position, uv, normal);
    }
    else if (has_uv)
    {
        fprintf(stream, " %llu/%llu", position, uv);
    }
    else if (has_normal)
    {
        fprintf(stream, " %llu//%llu", position, normal);
    }
    else
    {
        fprintf(stream, " %llu", position);
    }
}

static void write_faces(FILE* stream, const pelt_mesh* mesh, obj_base base, bool has_normal)
{
    bool has_uv = mesh->uvs != NULL;
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3)
    {
        fputc('f', stream);
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            write_corner(stream, mesh->indices[i + corner], base, has_uv, has_normal);
        }
        fputc('\n', stream);
    }
}

// Per mesh, the first one of its name, which represents all: marked when an object has it.
typedef struct obj_names
{
    uint32_t* first_of; // meshes without a name share one more than there are
    bool* is_taken;     // by that number
} obj_names;

static void destroy_names(obj_names* names)
{
    pelt_release(names->first_of);
    pelt_release(names->is_taken);
}

static pelt_result create_names(obj_names* out, const pelt_scene* scene)
{
    uint32_t count = scene->mesh_count;
    pelti_name_list list = {0};
    *out = (obj_names){.first_of = pelt_allocate(count, sizeof *out->first_of),
                       .is_taken = pelt_allocate((size_t)count + 1, sizeof *out->is_taken)};
    if (out->first_of == NULL || out->is_taken == NULL ||
        pelti_name_list_create(&list, count > 0 ? &scene->meshes[0].name : NULL,
                               sizeof *scene->meshes, count) != PELT_OK)
    {
        destroy_names(out);
        return PELT_ERROR_MEMORY;
    }
    memset(out->is_taken, 0, ((size_t)count + 1) * sizeof *out->is_taken);
    for (uint32_t i = 0; i < count; ++i)
    {
        const char* name = scene->meshes[i].name;
        out->first_of[i] = name != NULL ? pelti_name_list_find(&list, name) : count;
    }
    pelti_name_list_destroy(&list);
    return PELT_OK;
}

static void write_objects(FILE* stream, const pelt_scene* scene, const pelt_surface* surfaces,
                          const obj_names* names)
{
    obj_base base = {0};
    fputs("# pelt " PELT_VERSION_STRING "; meters, Y up\n", stream);

    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        fputs("o ", stream);
        write_name(stream, mesh->name);
        bool* is_taken = &names->is_taken[names->first_of[scene->instances[i].mesh]];
        if (*is_taken)
        {
            fprintf(stream, ".%u", (unsigned)i);
        }
        *is_taken = true;
        fputc('\n', stream);

        write_vertices(stream, mesh, &surfaces[i]);
        write_faces(stream, mesh, base, surfaces[i].normals != NULL);

        base.position += mesh->vertex_count;
        base.uv += mesh->uvs != NULL ? mesh->vertex_count : 0;
        base.normal += surfaces[i].normals != NULL ? mesh->vertex_count : 0;
    }
}

pelt_result pelti_write_obj(FILE* stream, const pelt_scene* scene, const pelt_surface* surfaces,
                            pelt_error* error)
{
    obj_names names;
    if (create_names(&names, scene) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    // The program may run in a locale with a decimal comma.
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (plain != (locale_t)0)
    {
        locale_t previous = uselocale(plain);
        write_objects(stream, scene, surfaces, &names);
        uselocale(previous);
        freelocale(plain);
    }
    destroy_names(&names);
    return plain != (locale_t)0 ? PELT_OK : pelt_error_memory(error);
}
