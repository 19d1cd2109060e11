// SPDX-License-Identifier: MIT
// Stanford PLY, binary little-endian: all instances as one mesh.
#include "../writers.h"

#include "pelt/color.h"

#include <string.h>

// Every vertex of a PLY file has the same columns. Normals are written only if all surfaces have
// them, because a zero normal is drawn black; UVs and colors if any mesh has them, and the others
// get zero and white.
typedef struct ply_layout
{
    uint64_t vertex_count, triangle_count;
    bool has_normals, has_uvs, has_colors;
} ply_layout;

static ply_layout find_layout(const pelt_scene* scene, const pelt_surface* surfaces)
{
    ply_layout layout = {.has_normals = scene->instance_count > 0};
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        layout.vertex_count += mesh->vertex_count;
        layout.triangle_count += mesh->index_count / 3;
        layout.has_normals = layout.has_normals && surfaces[i].normals != NULL;
        layout.has_uvs = layout.has_uvs || mesh->uvs != NULL;
        layout.has_colors = layout.has_colors || mesh->colors != NULL;
    }
    return layout;
}

static void write_header(FILE* stream, const ply_layout* layout)
{
    fputs("ply\nformat binary_little_endian 1.0\n"
          "comment pelt " PELT_VERSION_STRING "; meters, Y up\n",
          stream);
    fprintf(stream, "element vertex %llu\n", (unsigned long long)layout->vertex_count);
    fputs("property float x\nproperty float y\nproperty float z\n", stream);
    if (layout->has_normals)
    {
        fputs("property float nx\nproperty float ny\nproperty float nz\n", stream);
    }
    if (layout->has_uvs)
    {
        fputs("property float s\nproperty float t\n", stream);
    }
    if (layout->has_colors)
    {
        fputs("property uchar red\nproperty uchar green\nproperty uchar blue\n"
              "property uchar alpha\n",
              stream);
    }
    fprintf(stream, "element face %llu\n", (unsigned long long)layout->triangle_count);
    fputs("property list uchar uint vertex_indices\nend_header\n", stream);
}

// A row under construction, byte by byte, which does not depend on the byte order of the machine.
typedef struct ply_row
{
    unsigned char bytes[48];
    size_t size;
} ply_row;

static void put_uint(ply_row* row, uint32_t value)
{
    for (uint32_t shift = 0; shift < 32; shift += 8)
    {
        row->bytes[row->size++] = (unsigned char)(value >> shift);
    }
}

static void put_float(ply_row* row, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_uint(row, bits);
}

static void put_vec3(ply_row* row, pelt_vec3 v)
{
    put_float(row, v.x);
    put_float(row, v.y);
    put_float(row, v.z);
}

static unsigned char unit_to_byte(float value)
{
    return value > 0.0f ? (unsigned char)(fminf(value, 1.0f) * 255.0f + 0.5f) : 0;
}

// Programs that read bytes from a PLY file show them as they are, so they must be sRGB, while the
// scene is linear.
static void put_color(ply_row* row, pelt_vec4 color)
{
    row->bytes[row->size++] = pelt_srgb_from_linear(color.x);
    row->bytes[row->size++] = pelt_srgb_from_linear(color.y);
    row->bytes[row->size++] = pelt_srgb_from_linear(color.z);
    row->bytes[row->size++] = unit_to_byte(color.w);
}

static void write_vertices(FILE* stream, const pelt_mesh* mesh, const pelt_surface* surface,
                           const ply_layout* layout)
{
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        ply_row row = {.size = 0};
        put_vec3(&row, surface->positions[v]);
        if (layout->has_normals)
        {
            put_vec3(&row, surface->normals[v]);
        }
        if (layout->has_uvs)
        {
            // T of PLY starts at the bottom edge of the image, V of pelt at the top edge.
            put_float(&row, mesh->uvs != NULL ? mesh->uvs[v].x : 0.0f);
            put_float(&row, mesh->uvs != NULL ? 1.0f - mesh->uvs[v].y : 0.0f);
        }
        if (layout->has_colors)
        {
            pelt_vec4 white = {1.0f, 1.0f, 1.0f, 1.0f};
            put_color(&row, mesh->colors != NULL ? mesh->colors[v] : white);
        }
        fwrite(row.bytes, 1, row.size, stream);
    }
}

static void write_faces(FILE* stream, const pelt_mesh* mesh, uint32_t first_vertex)
{
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3)
    {
        ply_row row = {.bytes = {3}, .size = 1};
        put_uint(&row, first_vertex + mesh->indices[i]);
        put_uint(&row, first_vertex + mesh->indices[i + 1]);
        put_uint(&row, first_vertex + mesh->indices[i + 2]);
        fwrite(row.bytes, 1, row.size, stream);
    }
}

pelt_result pelti_write_ply(FILE* stream, const pelt_scene* scene, const pelt_surface* surfaces,
                            pelt_error* error)
{
    ply_layout layout = find_layout(scene, surfaces);
    if (layout.vertex_count > UINT32_MAX)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "a PLY file holds at most 4294967295 vertices, not %llu: write .obj",
                              (unsigned long long)layout.vertex_count);
    }
    write_header(stream, &layout);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        write_vertices(stream, mesh, &surfaces[i], &layout);
    }
    uint32_t first_vertex = 0;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        write_faces(stream, mesh, first_vertex);
        first_vertex += mesh->vertex_count;
    }
    return PELT_OK;
}
