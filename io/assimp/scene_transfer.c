// SPDX-License-Identifier: MIT
// Arrays and strings follow each other in the order of pelt_scene_visit(). Reader and writer visit
// them in the same order, so no addresses are needed: a pointer only says whether there is an
// array.
#include "scene_transfer.h"

#include <string.h>

enum
{
    ALIGNMENT = 16, // of arrays
};

static size_t padding_at(size_t at)
{
    return (ALIGNMENT - at % ALIGNMENT) % ALIGNMENT;
}

// ---------------------------------------------------------------------------------------------
// Writing

typedef struct writer
{
    FILE* stream; // NULL: count only
    size_t at;
} writer;

static void put_bytes(writer* w, const void* bytes, size_t size)
{
    if (w->stream != NULL && size > 0)
    {
        (void)!fwrite(bytes, 1, size, w->stream);
    }
    w->at += size;
}

static void* put_array(const void* array, size_t count, size_t size, void* user)
{
    static const char zeros[ALIGNMENT];
    writer* w = user;
    put_bytes(w, zeros, padding_at(w->at));
    put_bytes(w, array, count * size);
    return (void*)array;
}

static const char* put_string(const char* text, void* user)
{
    put_bytes(user, text, strlen(text) + 1);
    return text;
}

static void put_scene(writer* w, pelt_scene* scene)
{
    put_array(scene, 1, sizeof *scene, w);
    pelt_scene_visit(scene, &(pelt_scene_visitor){put_array, put_string, w});
}

size_t pelti_scene_size(pelt_scene* scene)
{
    writer w = {0};
    put_scene(&w, scene);
    return w.at;
}

void pelti_scene_write(FILE* stream, pelt_scene* scene)
{
    put_scene(&(writer){.stream = stream}, scene);
}

// ---------------------------------------------------------------------------------------------
// Reading

typedef struct reader
{
    char* bytes;
    size_t size, at;
    bool is_broken; // nothing more is taken
} reader;

static char* take_bytes(reader* r, size_t size)
{
    if (r->is_broken || size > r->size - r->at)
    {
        r->is_broken = true;
        return NULL;
    }
    char* bytes = r->bytes + r->at;
    r->at += size;
    return bytes;
}

static void* take_array(const void* array, size_t count, size_t size, void* user)
{
    (void)array;
    reader* r = user;
    bool is_countable = size == 0 || count <= SIZE_MAX / size;
    take_bytes(r, padding_at(r->at));
    return take_bytes(r, is_countable ? count * size : SIZE_MAX);
}

static const char* take_string(const char* text, void* user)
{
    (void)text;
    reader* r = user;
    size_t rest = r->is_broken ? 0 : r->size - r->at;
    const char* end = rest > 0 ? memchr(r->bytes + r->at, '\0', rest) : NULL;
    return take_bytes(r, end != NULL ? (size_t)(end - (r->bytes + r->at)) + 1 : SIZE_MAX);
}

// Malicious bytes may hold a bool that is neither true nor false, which must not be read as one.
static void clean_flag(bool* flag)
{
    uint8_t byte;
    memcpy(&byte, flag, sizeof byte);
    *flag = byte != 0;
}

static void clean_flags(pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        clean_flag((bool*)&scene->meshes[i].has_method);
    }
    for (uint32_t i = 0; i < scene->material_count; ++i)
    {
        clean_flag((bool*)&scene->materials[i].is_double_sided);
        clean_flag((bool*)&scene->materials[i].is_unlit);
    }
}

pelt_scene* pelti_scene_read(void* bytes, size_t size)
{
    PELT_ASSERT(bytes != NULL && (uintptr_t)bytes % ALIGNMENT == 0);

    reader r = {.bytes = bytes, .size = size};
    pelt_scene* scene = take_array(bytes, 1, sizeof *scene, &r);
    if (scene != NULL)
    {
        scene->arena = NULL;
        pelt_scene_visit(scene, &(pelt_scene_visitor){take_array, take_string, &r});
    }
    if (r.is_broken || r.at != size)
    {
        return NULL;
    }
    clean_flags(scene);
    return scene;
}
