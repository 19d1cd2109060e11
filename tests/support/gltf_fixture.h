// SPDX-License-Identifier: MIT
// A small skinned glTF with a morph target and a clip, to be changed in one value by each test.
#ifndef PELT_GLTF_FIXTURE_H
#define PELT_GLTF_FIXTURE_H

#include "readers.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

// The binary chunk. Accessor i reads member i.
typedef struct fixture_bin
{
    float positions[4][3];
    uint8_t joints[4][4];
    float weights[4][4];
    uint16_t indices[8]; // six are used
    float binds[2][16];
    float times[2];
    float rotates[2][4];
    float shape[4][3];
    uint8_t spare[512];
} fixture_bin;

typedef struct fixture
{
    char json[8192];
    fixture_bin bin;
} fixture;

static const char fixture_start_of_json[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"name\":\"stage\",\"nodes\":[0,1]}]"
    ","
    "\"nodes\":[{\"name\":\"body\",\"mesh\":0,\"skin\":0,\"translation\":[5,5,5]},"
    "{\"name\":\"root\",\"children\":[2]},"
    "{\"name\":\"tip\",\"translation\":[0,1,0],\"rotation\":[0,0,0,1],\"scale\":[1,1,1]}],"
    "\"skins\":[{\"name\":\"bones\",\"joints\":[1,2],\"inverseBindMatrices\":4}],"
    "\"meshes\":[{\"name\":\"skin\",\"weights\":[0.25],\"extras\":{\"targetNames\":[\"smile\"]},"
    "\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"indices\":3,"
    "\"material\":0,\"mode\":4,\"targets\":[{\"POSITION\":7}]}]}],"
    "\"materials\":[{\"name\":\"paint\",\"doubleSided\":true,\"pbrMetallicRoughness\":{"
    "\"baseColorFactor\":[1,0.5,0.25,1],\"roughnessFactor\":0.5,\"metallicFactor\":0,"
    "\"baseColorTexture\":{\"index\":0}}}],"
    "\"textures\":[{\"source\":0}],\"images\":[{\"uri\":\"paint.png\"}],"
    "\"animations\":[{\"name\":\"wave\",\"channels\":["
    "{\"sampler\":0,\"target\":{\"node\":2,\"path\":\"rotation\"}},"
    "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"weights\"}}],"
    "\"samplers\":[{\"input\":5,\"output\":6},"
    "{\"input\":5,\"output\":5,\"interpolation\":\"STEP\"}]}],"
    "\"accessors\":[";

static const struct
{
    size_t offset;
    int component, count;
    const char* type;
} fixture_accessors[] = {
    {offsetof(fixture_bin, positions), 5126, 4, "VEC3"},
    {offsetof(fixture_bin, joints), 5121, 4, "VEC4"},
    {offsetof(fixture_bin, weights), 5126, 4, "VEC4"},
    {offsetof(fixture_bin, indices), 5123, 6, "SCALAR"},
    {offsetof(fixture_bin, binds), 5126, 2, "MAT4"},
    {offsetof(fixture_bin, times), 5126, 2, "SCALAR"},
    {offsetof(fixture_bin, rotates), 5126, 2, "VEC4"},
    {offsetof(fixture_bin, shape), 5126, 4, "VEC3"},
};

static void fixture_write_json(char* out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "%s", fixture_start_of_json);
    for (int i = 0; i < 8; ++i)
    {
        used += (size_t)snprintf(out + used, size - used,
                                 "%s{\"bufferView\":0,\"byteOffset\":%zu,\"componentType\":%d,"
                                 "\"count\":%d,\"type\":\"%s\"}",
                                 i > 0 ? "," : "", fixture_accessors[i].offset,
                                 fixture_accessors[i].component, fixture_accessors[i].count,
                                 fixture_accessors[i].type);
    }
    snprintf(out + used, size - used,
             "],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],"
             "\"buffers\":[{\"byteLength\":%zu}]}",
             sizeof(fixture_bin), sizeof(fixture_bin));
}

// A square of two triangles; the lower half follows the root, the upper one the tip.
static void fixture_start(fixture* f)
{
    *f = (fixture){.bin = {.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}},
                           .joints = {{0}, {0}, {1, 0}, {1, 0}},
                           .weights = {{1}, {1}, {0.75f, 0.25f}, {1}},
                           .indices = {0, 1, 2, 2, 1, 3, 9, 9},
                           .times = {0.5f, 1.5f},
                           .rotates = {{0, 0, 0, 1}, {0, 0, 1, 0}},
                           .shape = {{0, 0, 1}}}};
    for (int i = 0; i < 16; i += 5)
    {
        f->bin.binds[0][i] = f->bin.binds[1][i] = 1.0f;
    }
    f->bin.binds[1][13] = -1.0f;
    fixture_write_json(f->json, sizeof f->json);
}

// Replace the first `from` in the JSON. The test program is wrong when there is none.
static void fixture_change(fixture* f, const char* from, const char* to)
{
    char* found = strstr(f->json, from);
    if (found == NULL || strlen(f->json) + strlen(to) >= sizeof f->json)
    {
        printf("  the fixture has no %s\n", from);
        abort();
    }
    size_t rest = strlen(found + strlen(from)) + 1;
    memmove(found + strlen(to), found + strlen(from), rest);
    memcpy(found, to, strlen(to));
}

// Add two compressed views, of positions at the start of the spare bytes and indices 128 bytes
// after it, whose plain bytes are nowhere.
static inline void fixture_pack_views(fixture* f, size_t position_size, size_t index_size,
                                      const char* mode)
{
    char views[640], indices[64];
    size_t offset = offsetof(fixture_bin, spare);
    snprintf(views, sizeof views,
             "},{\"buffer\":1,\"byteLength\":48,\"byteStride\":12,\"extensions\":{"
             "\"EXT_meshopt_compression\":{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,"
             "\"byteStride\":12,\"count\":4,\"mode\":\"ATTRIBUTES\"}}},{\"buffer\":1,"
             "\"byteLength\":12,\"extensions\":{\"KHR_meshopt_compression\":{\"buffer\":0,"
             "\"byteOffset\":%zu,\"byteLength\":%zu,\"byteStride\":2,\"count\":6,"
             "\"mode\":\"%s\"}}}],\"buffers\":[{",
             offset, position_size, offset + 128, index_size, mode);
    fixture_change(f, "}],\"buffers\":[{", views);
    char* end = strrchr(f->json, ']');
    strcpy(end, ",{\"byteLength\":60,\"extensions\":{\"EXT_meshopt_compression\":{"
                "\"fallback\":true}}}]}");
    fixture_change(f, "{\"bufferView\":0,\"byteOffset\":0,", "{\"bufferView\":1,");
    snprintf(indices, sizeof indices, "{\"bufferView\":0,\"byteOffset\":%zu,",
             offsetof(fixture_bin, indices));
    fixture_change(f, indices, "{\"bufferView\":2,");
    memset(f->bin.positions, 0, sizeof f->bin.positions);
    memset(f->bin.indices, 0, sizeof f->bin.indices);
}

static void fixture_put_u32(uint8_t* out, size_t value)
{
    for (int i = 0; i < 4; ++i)
    {
        out[i] = (uint8_t)(value >> (8 * i));
    }
}

static size_t fixture_put_chunk(uint8_t* out, const char* type, const void* data, size_t size)
{
    fixture_put_u32(out, size);
    memcpy(out + 4, type, 4);
    memcpy(out + 8, data, size);
    return 8 + size;
}

// The fixture as a GLB file; free its data.
static inline pelti_blob fixture_glb(const fixture* f)
{
    pelti_blob file = {.data = malloc(20 + 8 + sizeof *f)};
    memcpy(file.data, "glTF\2\0\0\0", 8);
    file.size = 12 + fixture_put_chunk(file.data + 12, "JSON", f->json, strlen(f->json));
    file.size += fixture_put_chunk(file.data + file.size, "BIN\0", &f->bin, sizeof f->bin);
    fixture_put_u32(file.data + 8, file.size);
    return file;
}

// What is read must be valid; NULL represents a refusal, whose sentence is in *error.
static pelt_scene* fixture_read(const pelti_blob* file, pelt_error* error)
{
    pelt_scene* scene = NULL;
    *error = (pelt_error){{0}};
    // A copy of exactly the right size, so that ASan sees the first byte too far.
    pelti_blob exact = {.data = malloc(file->size ? file->size : 1), .size = file->size};
    memcpy(exact.data, file->data, file->size);
    const pelt_source source = {.path = "folder/test.glb", .bytes = exact.data, .size = exact.size};
    pelt_result result = pelti_read_gltf(&scene, &source, NULL, error);
    free(exact.data);
    if (result == PELT_OK && pelt_scene_validate(scene, error) != PELT_OK)
    {
        printf("  an invalid scene: %s\n", error->message);
        abort();
    }
    return scene;
}

static inline pelt_scene* fixture_load(const fixture* f, pelt_error* error)
{
    pelti_blob file = fixture_glb(f);
    pelt_scene* scene = fixture_read(&file, error);
    free(file.data);
    return scene;
}

// The fixture with one change.
static inline pelt_scene* fixture_load_changed(const char* from, const char* to, pelt_error* error)
{
    fixture f;
    fixture_start(&f);
    fixture_change(&f, from, to);
    return fixture_load(&f, error);
}

static inline bool fixture_has_repair(const pelt_scene* scene, const char* words)
{
    for (uint32_t i = 0; i < scene->repair_count; ++i)
    {
        if (strstr(scene->repairs[i].message, words) != NULL)
        {
            return true;
        }
    }
    return false;
}

#endif
