// SPDX-License-Identifier: MIT
// Scenes and surfaces as glTF 2.0, as GLB or as JSON with the buffer as a data URI.
#define _POSIX_C_SOURCE 200809L // open_memstream

#include "gltf_write.h"
#include "../writers.h"

#include <stdlib.h>
#include <string.h>

static void encode_triple(char* out, const uint8_t* bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = (uint32_t)bytes[0] << 16;
    bits |= count > 1 ? (uint32_t)bytes[1] << 8 : 0;
    bits |= count > 2 ? (uint32_t)bytes[2] : 0;
    out[0] = digits[bits >> 18];
    out[1] = digits[bits >> 12 & 63];
    out[2] = count > 1 ? digits[bits >> 6 & 63] : '=';
    out[3] = count > 2 ? digits[bits & 63] : '=';
}

json_t* pelti_gltf_data_uri(const char* type, const uint8_t* bytes, size_t size)
{
    size_t head_size = strlen("data:;base64,") + strlen(type);
    if (size > SIZE_MAX / 2 - head_size)
    {
        return NULL;
    }
    size_t text_size = head_size + (size + 2) / 3 * 4;
    char* text = pelt_allocate(text_size + 1, 1);
    if (text == NULL)
    {
        return NULL;
    }
    char* end = text + snprintf(text, text_size + 1, "data:%s;base64,", type);
    for (size_t i = 0; i < size; i += 3, end += 4)
    {
        encode_triple(end, bytes + i, size - i < 3 ? size - i : 3);
    }
    json_t* uri = json_stringn_nocheck(text, text_size);
    pelt_release(text);
    return uri;
}

void pelti_gltf_close_buffer(pelti_gltf_document* document, const pelti_gltf_target* target)
{
    if (target->home == PELTI_GLTF_HOME_NONE)
    {
        return;
    }
    json_t* buffers = pelti_gltf_list_of(document, "buffers");
    if (document->buffer == json_array_size(buffers))
    {
        pelti_gltf_push(document, buffers, json_object());
    }
    json_t* buffer = json_array_get(buffers, document->buffer);
    pelti_gltf_set(document, buffer, "byteLength", json_integer((json_int_t)document->size));
    if (target->home == PELTI_GLTF_HOME_URI)
    {
        pelti_gltf_set(
            document, buffer, "uri",
            pelti_gltf_data_uri("application/octet-stream", document->bytes, document->size));
        return;
    }
    json_object_del(buffer, "uri");
}

// ---------------------------------------------------------------------------------------------

enum
{
    GLB_MAGIC = 0x46546c67,  // "glTF"
    GLB_JSON = 0x4e4f534a,   // "JSON"
    GLB_BINARY = 0x004e4942, // "BIN"
    GLB_HEADER_SIZE = 12,
    CHUNK_HEADER_SIZE = 8,
};

static void write_word(FILE* stream, uint32_t value)
{
    uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                        (uint8_t)(value >> 24)};
    fwrite(bytes, 1, sizeof bytes, stream);
}

static size_t padded(size_t size)
{
    return size + (4 - size % 4) % 4;
}

typedef struct glb_chunk
{
    uint32_t type;
    char filler; // up to a multiple of four
    const void* bytes;
    size_t size;
} glb_chunk;

static void write_chunk(FILE* stream, const glb_chunk* chunk)
{
    write_word(stream, (uint32_t)padded(chunk->size));
    write_word(stream, chunk->type);
    fwrite(chunk->bytes, 1, chunk->size, stream);
    for (size_t i = chunk->size; i < padded(chunk->size); ++i)
    {
        fputc(chunk->filler, stream);
    }
}

static pelt_result write_glb(FILE* stream, const pelti_gltf_document* document, const char* text,
                             pelti_gltf_home home, pelt_error* error)
{
    glb_chunk json = {GLB_JSON, ' ', text, strlen(text)};
    glb_chunk binary = {GLB_BINARY, '\0', document->bytes, document->size};
    bool has_binary = home == PELTI_GLTF_HOME_CHUNK;

    uint64_t size = GLB_HEADER_SIZE + CHUNK_HEADER_SIZE + (uint64_t)padded(json.size);
    size += has_binary ? CHUNK_HEADER_SIZE + (uint64_t)padded(binary.size) : 0;
    size += document->chunks_size;
    if (size > UINT32_MAX)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "a GLB file holds at most 4294967295 bytes, not %llu: write .gltf",
                              (unsigned long long)size);
    }
    write_word(stream, GLB_MAGIC);
    write_word(stream, 2);
    write_word(stream, (uint32_t)size);
    write_chunk(stream, &json);
    if (has_binary)
    {
        write_chunk(stream, &binary);
    }
    if (document->chunks_size > 0)
    {
        fwrite(document->chunks, 1, document->chunks_size, stream);
    }
    return PELT_OK;
}

// When its buffer cannot grow, json_dumps() drops names of members silently.
char* pelti_gltf_text(const json_t* root, size_t flags)
{
    size_t size = json_dumpb(root, NULL, 0, flags);
    char* text = size > 0 ? pelt_allocate(size + 1, 1) : NULL;
    if (text == NULL || json_dumpb(root, text, size, flags) != size)
    {
        pelt_release(text);
        return NULL;
    }
    text[size] = '\0';
    return text;
}

pelt_result pelti_gltf_write(FILE* stream, const pelti_gltf_document* document,
                             const pelti_gltf_target* target, pelt_error* error)
{
    if (document->is_out_of_memory)
    {
        return pelt_error_memory(error);
    }
    bool is_glb = target->format == PELT_FORMAT_GLB;
    size_t layout = is_glb ? JSON_COMPACT : JSON_INDENT(1);
    char* text = pelti_gltf_text(document->root, layout | JSON_REAL_PRECISION(target->digits));
    if (text == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = PELT_OK;
    if (is_glb)
    {
        result = write_glb(stream, document, text, target->home, error);
    }
    else
    {
        fputs(text, stream);
        fputc('\n', stream);
    }
    pelt_release(text);
    return result;
}

pelt_result pelti_write_to_memory(pelt_source* out,
                                  pelt_result (*write)(FILE* stream, const void* user,
                                                       pelt_error* error),
                                  const void* user, pelt_error* error)
{
    *out = (pelt_source){0};
    char* text = NULL;
    size_t size = 0;
    FILE* stream = open_memstream(&text, &size);
    if (stream == NULL)
    {
        return pelt_error_memory(error);
    }
    pelt_result result = write(stream, user, error);
    bool is_whole = ferror(stream) == 0;
    // Where glibc has no memory for the final text, it says so by the pointer alone.
    is_whole = fclose(stream) == 0 && is_whole && text != NULL;
    // The caller releases what comes from the hooks.
    void* bytes = result == PELT_OK && is_whole ? pelt_allocate(size + 1, 1) : NULL;
    if (bytes != NULL)
    {
        memcpy(bytes, text, size);
        *out = (pelt_source){.bytes = bytes, .size = size};
    }
    else if (result == PELT_OK)
    {
        result = pelt_error_memory(error);
    }
    free(text);
    return result;
}

// ---------------------------------------------------------------------------------------------
static pelti_gltf_target target_of(const pelti_gltf_document* document, pelt_format format)
{
    pelti_gltf_home home = format == PELT_FORMAT_GLB ? PELTI_GLTF_HOME_CHUNK : PELTI_GLTF_HOME_URI;
    return (pelti_gltf_target){
        .format = format, .home = document->size > 0 ? home : PELTI_GLTF_HOME_NONE, .digits = 9};
}

static pelt_result finish(FILE* stream, pelti_gltf_document* document, pelt_format format,
                          pelt_error* error)
{
    pelti_gltf_target target = target_of(document, format);
    pelti_gltf_close_buffer(document, &target);
    pelt_result result = pelti_gltf_write(stream, document, &target, error);
    pelti_gltf_destroy(document);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Surfaces

static pelt_result check_mesh(const pelt_mesh* mesh, pelt_error* error)
{
    if (mesh->vertex_count == 0 || mesh->positions == NULL)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "mesh \"%s\" has no vertices: glTF cannot hold it",
                              mesh->name != NULL ? mesh->name : "");
    }
    return PELT_OK;
}

// A node of its own at the root, because the surface is in model space.
static void add_surface(pelti_gltf_document* document, const pelt_mesh* mesh, json_t* primitive)
{
    json_t *meshes = pelti_gltf_list_of(document, "meshes"), *out = json_object();
    json_t *primitives = json_array(), *node = json_object();
    uint32_t index = (uint32_t)json_array_size(meshes);

    pelti_gltf_push(document, primitives, primitive);
    pelti_gltf_set_name(document, out, mesh->name);
    pelti_gltf_set(document, out, "primitives", primitives);
    pelti_gltf_push(document, meshes, out);

    pelti_gltf_set_name(document, node, mesh->name);
    pelti_gltf_set(document, node, "mesh", json_integer(index));
    pelti_gltf_push(document, pelti_gltf_list_of(document, "nodes"), node);
    json_t* scene = json_array_get(pelti_gltf_list_of(document, "scenes"), 0);
    if (index == 0)
    {
        pelti_gltf_set(document, scene, "nodes", json_array());
    }
    pelti_gltf_push(document, json_object_get(scene, "nodes"), json_integer(index));
}

// @param next  the first addition of this instance or a later one; moves behind its own
static json_t* make_primitive(pelti_gltf_document* document, const pelt_mesh* mesh,
                              const pelti_gltf_surfaces* what, uint32_t instance, uint32_t* next)
{
    json_t* out = pelti_gltf_primitive(document, mesh);
    for (; *next < what->addition_count && what->additions[*next].mesh == instance; ++*next)
    {
        const pelt_addition* addition = &what->additions[*next];
        pelti_gltf_array array = pelti_gltf_array_of(addition, mesh->vertex_count);
        pelti_gltf_set(document, json_object_get(out, "attributes"), addition->name,
                       json_integer(pelti_gltf_add_array(document, &array)));
    }
    return out;
}

pelt_result pelti_gltf_write_surfaces(FILE* stream, const pelti_gltf_surfaces* what,
                                      pelt_error* error)
{
    const pelt_scene* scene = what->scene;
    uint32_t next = 0;
    pelti_gltf_document document = {.root = json_object()};
    pelti_gltf_add_header(&document, scene->name);
    pelti_gltf_add_materials(&document, scene);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        pelt_mesh shown = scene->meshes[scene->instances[i].mesh];
        shown.positions = what->surfaces[i].positions;
        shown.normals = what->surfaces[i].normals;
        shown.tangents = what->surfaces[i].tangents;
        shown.cors = NULL;
        shown.mix_factors = NULL;
        shown.normal_factors = NULL;
        shown.bounds = NULL;
        shown.weights = (pelt_weights){0};
        shown.has_method = false;
        shown.morph_count = 0;
        pelt_result result = check_mesh(&shown, error);
        if (result != PELT_OK)
        {
            pelti_gltf_destroy(&document);
            return result;
        }
        add_surface(&document, &shown, make_primitive(&document, &shown, what, i, &next));
    }
    return finish(stream, &document, what->format, error);
}

pelt_result pelti_write_glb(FILE* stream, const pelt_scene* scene, const pelt_surface* surfaces,
                            pelt_error* error)
{
    const pelti_gltf_surfaces what = {PELT_FORMAT_GLB, scene, surfaces, NULL, 0};
    return pelti_gltf_write_surfaces(stream, &what, error);
}

pelt_result pelti_write_gltf(FILE* stream, const pelt_scene* scene, const pelt_surface* surfaces,
                             pelt_error* error)
{
    const pelti_gltf_surfaces what = {PELT_FORMAT_GLTF, scene, surfaces, NULL, 0};
    return pelti_gltf_write_surfaces(stream, &what, error);
}

// ---------------------------------------------------------------------------------------------
// Scenes

pelt_result pelti_gltf_check_scene(const pelt_scene* scene, pelt_error* error)
{
    pelt_result result = pelt_scene_validate(scene, error);
    for (uint32_t i = 0; i < scene->mesh_count && result == PELT_OK; ++i)
    {
        result = check_mesh(&scene->meshes[i], error);
    }
    for (uint32_t i = 0; i < scene->skin_count && result == PELT_OK; ++i)
    {
        if (scene->skins[i].joint_count == 0)
        {
            const char* name = scene->skins[i].name;
            result = pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                                    "skin \"%s\" has no joints: glTF cannot hold it",
                                    name != NULL ? name : "");
        }
    }
    return result;
}

pelt_result pelti_gltf_write_scene(FILE* stream, pelt_format format, const pelt_scene* scene,
                                   pelt_error* error)
{
    pelti_gltf_layout layout;
    if (pelti_gltf_layout_create(&layout, scene) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    pelti_gltf_document document = {.root = json_object()};
    pelti_gltf_add_header(&document, scene->name);
    pelti_gltf_add_nodes(&document, scene, &layout);
    pelti_gltf_add_materials(&document, scene);
    pelti_gltf_add_meshes(&document, scene, &layout);
    pelti_gltf_add_skins(&document, scene, &layout);
    pelti_gltf_add_clips(&document, scene, &layout);
    pelti_gltf_layout_destroy(&layout);
    return finish(stream, &document, format, error);
}

static pelt_result write_scene_glb(FILE* stream, const void* user, pelt_error* error)
{
    return pelti_gltf_write_scene(stream, PELT_FORMAT_GLB, user, error);
}

pelt_result pelt_scene_to_glb(pelt_source* out, const pelt_scene* scene, pelt_error* error)
{
    PELT_ASSERT(out != NULL && scene != NULL);
    *out = (pelt_source){0};
    PELT_TRY(pelti_gltf_check_scene(scene, error));
    return pelti_write_to_memory(out, write_scene_glb, scene, error);
}

pelt_result pelt_save_scene(const char* path, pelt_format format, const pelt_scene* scene,
                            pelt_error* error)
{
    PELT_ASSERT(path != NULL && scene != NULL);

    if (format != PELT_FORMAT_GLB && format != PELT_FORMAT_GLTF)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "%s: pelt writes scenes as .glb or .gltf", path);
    }
    pelt_result result = pelti_gltf_check_scene(scene, error);
    pelti_file file;
    if (result == PELT_OK)
    {
        result = pelti_file_open(&file, path, error);
    }
    if (result != PELT_OK)
    {
        return result;
    }
    result = pelti_gltf_write_scene(file.stream, format, scene, error);
    if (result != PELT_OK)
    {
        pelti_file_discard(&file);
        return result;
    }
    return pelti_file_commit(&file, error);
}
