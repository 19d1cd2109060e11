// SPDX-License-Identifier: MIT
// Compressed buffer views of glTF, encoded here by meshoptimizer itself.
#include "gltf_fixture.h"

#include <meshoptimizer.h>

static pelt_result load_result(const fixture* f, pelt_error* error)
{
    pelt_scene* scene = NULL;
    pelti_blob file = fixture_glb(f);
    const pelt_source source = {.path = "folder/test.glb", .bytes = file.data, .size = file.size};
    pelt_result result = pelti_read_gltf(&scene, &source, NULL, error);
    free(file.data);
    pelt_scene_destroy(scene);
    return result;
}

static int compressed_views_are_decoded(void)
{
    static const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
    static const char* const modes[] = {"TRIANGLES", "INDICES"};
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        pelt_error error;
        fixture_start(&f);
        uint8_t* out = f.bin.spare;
        size_t position_size = meshopt_encodeVertexBuffer(out, 128, f.bin.positions, 4, 12);
        size_t index_size = i == 0 ? meshopt_encodeIndexBuffer(out + 128, 128, indices, 6)
                                   : meshopt_encodeIndexSequence(out + 128, 128, indices, 6);
        fixture_pack_views(&f, position_size, index_size, modes[i]);
        pelt_scene* s = fixture_load(&f, &error);
        ENSURE(s != NULL && s->meshes[0].positions[3].y == 1.0f);
        ENSURE(s->meshes[0].indices[3] == 2 && s->meshes[0].indices[5] == 3);
        pelt_scene_destroy(s);

        f.bin.spare[0] = 0x51; // no codec at all
        ENSURE(load_result(&f, &error) == PELT_ERROR_DATA);
        ENSURE(strstr(error.message, "are broken") != NULL);
        fixture_change(&f, "\"count\":4,\"mode\"", "\"count\":40000000,\"mode\"");
        ENSURE(fixture_load(&f, &error) == NULL && strstr(error.message, "cannot come") != NULL);
    }
    return 0;
}

// The positions of the fixture as MeshoptEncoder.encodeVertexBufferLevel() of meshoptimizer 1.3
// writes them in version 1 of its codec. Older libraries do not know that: it is not the
// file's fault.
static int later_codecs_are_decoded_or_not_supported(void)
{
    static const uint8_t packed[40] = {0xa1, 0xfa, 0xea, 0xaa, 0, 0,    0xff,     0, 0,
                                       0x7f, 0x7e, 0x7f, 0,    0, 0x7f, [37] = 1, 1, 0};
    fixture f;
    pelt_error error;
    uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
    fixture_start(&f);
    memcpy(f.bin.spare, packed, sizeof packed);
    size_t size = meshopt_encodeIndexBuffer(f.bin.spare + 128, 128, indices, 6);
    fixture_pack_views(&f, sizeof packed, size, "TRIANGLES");
    pelt_scene* s = fixture_load(&f, &error);
    if (s != NULL)
    {
        ENSURE_POINT(s->meshes[0].positions[3], pelt_vec3_make(1, 1, 0), 0.0f);
        pelt_scene_destroy(s);
        return 0;
    }
    ENSURE(load_result(&f, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(strstr(error.message, "version 1") != NULL);
    ENSURE(strstr(error.message, "npx gltfpack -noq") != NULL);
    return 0;
}

// A direction in octahedral coordinates, four times, read as positions.
static int filters_give_unit_vectors_back(void)
{
    static const float direction[4] = {0.6f, 0.0f, 0.8f, 0.0f};
    fixture f;
    pelt_error error;
    char view[320];
    int16_t packed[4];
    fixture_start(&f);
    meshopt_encodeFilterOct(packed, 1, 8, 16, direction);
    int16_t all[4][4];
    for (int i = 0; i < 4; ++i)
    {
        memcpy(all[i], packed, sizeof packed);
    }
    size_t size = meshopt_encodeVertexBuffer(f.bin.spare, 256, all, 4, 8);
    snprintf(view, sizeof view,
             "},{\"buffer\":0,\"byteLength\":32,\"byteStride\":8,\"extensions\":{"
             "\"EXT_meshopt_compression\":{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,"
             "\"byteStride\":8,\"count\":4,\"mode\":\"ATTRIBUTES\",\"filter\":\"OCTAHEDRAL\"}}}],"
             "\"buffers\":[{",
             offsetof(fixture_bin, spare), size);
    fixture_change(&f, "}],\"buffers\":[{", view);
    fixture_change(&f, "\"accessors\":[",
                   "\"accessors\":[{\"bufferView\":1,\"componentType\":5122,\"normalized\":true,"
                   "\"count\":4,\"type\":\"VEC3\"},");
    // Accessor 0 is the new one: read it as positions, and let the others move up.
    fixture_change(&f, "\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"indices\":3",
                   "\"JOINTS_0\":2,\"WEIGHTS_0\":3},\"indices\":4");
    fixture_change(&f, "\"inverseBindMatrices\":4", "\"inverseBindMatrices\":5");
    fixture_change(&f, "\"targets\":[{\"POSITION\":7}]", "\"targets\":[{\"POSITION\":8}]");
    fixture_change(&f, "\"input\":5,\"output\":6", "\"input\":6,\"output\":7");
    fixture_change(&f, "\"input\":5,\"output\":5", "\"input\":6,\"output\":6");
    pelt_scene* s = fixture_load(&f, &error);
    ENSURE(s != NULL);
    // 16 bits per component.
    ENSURE_POINT(s->meshes[0].positions[2], pelt_vec3_make(0.6f, 0.0f, 0.8f), 1e-4);
    pelt_scene_destroy(s);
    return 0;
}

void test_gltf_meshopt(void);

void test_gltf_meshopt(void)
{
    RUN(compressed_views_are_decoded);
    RUN(later_codecs_are_decoded_or_not_supported);
    RUN(filters_give_unit_vectors_back);
}
