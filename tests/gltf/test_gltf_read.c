// SPDX-License-Identifier: MIT
// glTF containers, buffers and accessors. Files are built here; expected values follow the
// specification.
#define _POSIX_C_SOURCE 200809L
#include "gltf_fixture.h"
#include "scratch.h"

static const char positions_accessor[] =
    "{\"bufferView\":0,\"byteOffset\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}";

static int a_file_becomes_its_scene(void)
{
    fixture f;
    pelt_error error;
    fixture_start(&f);
    pelt_scene* s = fixture_load(&f, &error);
    ENSURE(s != NULL && strcmp(s->name, "stage") == 0 && s->repair_count == 0);
    ENSURE(s->node_count == 3 && s->nodes[2].parent == 1 && s->nodes[1].parent == PELT_NONE);
    ENSURE(strcmp(s->nodes[2].name, "tip") == 0 && s->nodes[2].rest.translation.y == 1.0f);

    const pelt_mesh* mesh = &s->meshes[0];
    ENSURE(s->mesh_count == 1 && mesh->vertex_count == 4 && mesh->index_count == 6);
    ENSURE(mesh->indices[5] == 3 && mesh->positions[3].y == 1.0f && mesh->normals == NULL);
    ENSURE(mesh->weights.joint_count == 2 && mesh->weights.influence_count == 5);
    ENSURE_NEAR(mesh->weights.influences[2].weight, 0.75, 0.0);
    ENSURE(mesh->weights.influences[2].joint == 1 && mesh->weights.influences[3].slot == 1);
    ENSURE(mesh->morph_count == 1 && strcmp(mesh->morphs[0].name, "smile") == 0);
    ENSURE(mesh->morph_weights[0] == 0.25f && mesh->morphs[0].positions[0].z == 1.0f);

    ENSURE(s->skin_count == 1 && s->skins[0].joints[1] == 2);
    ENSURE(s->skins[0].inverse_binds[1].m[1][3] == -1.0f);
    ENSURE(s->instance_count == 1 && s->instances[0].skin == 0 && s->morph_weight_count == 1);
    ENSURE(s->material_count == 1 && strcmp(s->materials[0].textures[0].image, "paint.png") == 0);
    ENSURE(s->materials[0].is_double_sided && s->materials[0].base_color.z == 0.25f);

    const pelt_clip* clip = &s->clips[0];
    ENSURE(s->clip_count == 1 && clip->track_count == 2 && clip->duration == 1.5f);
    ENSURE(clip->tracks[0].path == PELT_PATH_ROTATION && clip->tracks[0].times[0] == 0.5f);
    ENSURE(clip->tracks[1].path == PELT_PATH_MORPH &&
           clip->tracks[1].interpolation == PELT_INTERPOLATION_STEP);
    pelt_scene_destroy(s);
    return 0;
}

static int chunks_may_come_in_any_order(void)
{
    fixture f;
    pelt_error error;
    fixture_start(&f);
    pelti_blob file = {.data = malloc(64 + sizeof f)};
    memcpy(file.data, "glTF\2\0\0\0", 8);
    file.size = 12 + fixture_put_chunk(file.data + 12, "odd!", "abcd", 4);
    file.size += fixture_put_chunk(file.data + file.size, "BIN\0", &f.bin, sizeof f.bin);
    // Padded with zeros, as some writers do, and followed by something else.
    file.size += fixture_put_chunk(file.data + file.size, "JSON", f.json, strlen(f.json) + 1);
    fixture_put_u32(file.data + 8, file.size);
    file.data[file.size++] = 'x';
    pelt_scene* s = fixture_read(&file, &error);
    free(file.data);
    ENSURE(s != NULL && s->meshes[0].vertex_count == 4 && s->repair_count == 2);
    pelt_scene_destroy(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Buffers

static void encode_base64(char* out, const uint8_t* data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3)
    {
        uint32_t bits = (uint32_t)data[i] << 16;
        bits |= i + 1 < size ? (uint32_t)data[i + 1] << 8 : 0;
        bits |= i + 2 < size ? data[i + 2] : 0;
        *out++ = digits[bits >> 18];
        *out++ = digits[bits >> 12 & 63];
        *out++ = i + 1 < size ? digits[bits >> 6 & 63] : '=';
        *out++ = i + 2 < size ? digits[bits & 63] : '=';
    }
    *out = '\0';
}

static int data_uris_hold_the_bytes(void)
{
    fixture f;
    pelt_error error;
    char uri[2048] = "\"buffers\":[{\"uri\":\"data:application/octet-stream;base64,";
    fixture_start(&f);
    encode_base64(uri + strlen(uri), (const uint8_t*)&f.bin, sizeof f.bin);
    strcat(uri, "\",");
    fixture_change(&f, "\"buffers\":[{", uri);
    pelti_blob file = {(uint8_t*)f.json, strlen(f.json)};
    pelt_scene* s = fixture_read(&file, &error);
    ENSURE(s != NULL && s->meshes[0].positions[3].x == 1.0f);
    ENSURE(s->clips[0].tracks[0].values[6] == 1.0f);
    pelt_scene_destroy(s);
    return 0;
}

static int files_are_found_below_the_folder(void)
{
    fixture f;
    pelt_error error = {{0}};
    pelt_scene* s = NULL;
    char folder[SCRATCH_PATH], path[2 * SCRATCH_PATH];
    ENSURE(scratch_make(folder));
    fixture_start(&f);
    fixture_change(&f, "\"buffers\":[{", "\"buffers\":[{\"uri\":\"./the%20data.bin\",");
    ENSURE(scratch_write(folder, "the data.bin", &f.bin, sizeof f.bin));
    // Found to be glTF by its content, behind a mark and spaces, whatever its name.
    char text[sizeof f.json + 8];
    int size = snprintf(text, sizeof text, "\xEF\xBB\xBF \n%s", f.json);
    ENSURE(scratch_write(folder, "scene.txt", text, (size_t)size));
    snprintf(path, sizeof path, "%s/scene.txt", folder);
    ENSURE(pelt_load(&s, path, NULL, &error) == PELT_OK && s->meshes[0].vertex_count == 4);
    pelt_scene_destroy(s);

    ENSURE(scratch_write(folder, "the data.bin", &f.bin, 100));
    ENSURE(pelt_load(&s, path, NULL, &error) == PELT_ERROR_DATA && s == NULL);
    ENSURE(strstr(error.message, "only 100 bytes") != NULL);
    snprintf(text, sizeof text, "%s/the data.bin", folder);
    ENSURE(scratch_remove(text));
    ENSURE(pelt_load(&s, path, NULL, &error) == PELT_ERROR_READ);
    ENSURE(pelt_load(&s, folder, NULL, &error) == PELT_ERROR_READ);
    ENSURE(strstr(error.message, "a folder") != NULL);
    ENSURE(scratch_remove(path) && scratch_remove(folder));
    return 0;
}

static int names_of_files_are_utf8(void)
{
    fixture f;
    pelt_error error = {{0}};
    pelt_scene* s = NULL;
    char folder[SCRATCH_PATH], path[2 * SCRATCH_PATH], data[2 * SCRATCH_PATH];
    ENSURE(scratch_make(folder));
    fixture_start(&f);
    fixture_change(&f, "\"buffers\":[{", "\"buffers\":[{\"uri\":\"m%C3%A9shes-\u30c7.bin\",");
    fixture_change(&f, "\"name\":\"stage\",", "");
    ENSURE(scratch_write(folder, "m\u00e9shes-\u30c7.bin", &f.bin, sizeof f.bin));
    ENSURE(scratch_write(folder, "\u017b\u00f3\u0142w.gltf", f.json, strlen(f.json)));
    snprintf(path, sizeof path, "%s/\u017b\u00f3\u0142w.gltf", folder);
    snprintf(data, sizeof data, "%s/m\u00e9shes-\u30c7.bin", folder);
    ENSURE(pelt_load(&s, path, NULL, &error) == PELT_OK && s->meshes[0].vertex_count == 4);
    ENSURE(strcmp(s->name, "\u017b\u00f3\u0142w.gltf") == 0);
    pelt_scene_destroy(s);
    ENSURE(scratch_remove(data) && scratch_remove(path) && scratch_remove(folder));
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Accessors

static int normalized_integers_follow_the_formulas(void)
{
    static const struct
    {
        int component, stride;
        bool is_normalized;
        uint8_t bytes[12];
        float expected[3];
    } cases[] = {
        {5120, 4, true, {0x80, 0x81, 0x7f}, {-1.0f, -1.0f, 1.0f}},
        {5121, 4, true, {0, 51, 255}, {0.0f, 0.2f, 1.0f}},
        {5122, 8, true, {0, 0x80, 1, 0x80, 0xff, 0x7f}, {-1.0f, -1.0f, 1.0f}},
        {5123, 8, true, {0, 0, 0x33, 0x33, 0xff, 0xff}, {0.0f, 0.2f, 1.0f}},
        {5120, 4, false, {0x80, 0x81, 0x7f}, {-128.0f, -127.0f, 127.0f}},
        {5121, 4, false, {0, 51, 255}, {0.0f, 51.0f, 255.0f}},
        {5122, 8, false, {0, 0x80, 1, 0x80, 0xff, 0x7f}, {-32768.0f, -32767.0f, 32767.0f}},
        {5123, 8, false, {0, 0, 0x33, 0x33, 0xff, 0xff}, {0.0f, 13107.0f, 65535.0f}},
        {5125, 12, false, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {1.0f, 256.0f, 65536.0f}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        fixture f;
        pelt_error error;
        char accessor[200], view[160];
        fixture_start(&f);
        memcpy(f.bin.spare + 2 + cases[i].stride, cases[i].bytes, 12); // not aligned
        snprintf(accessor, sizeof accessor,
                 "{\"bufferView\":1,\"byteOffset\":2,\"componentType\":%d,\"normalized\":%s,"
                 "\"count\":4,\"type\":\"VEC3\"}",
                 cases[i].component, cases[i].is_normalized ? "true" : "false");
        snprintf(view, sizeof view,
                 "},{\"buffer\":0,\"byteOffset\":%zu,\"byteStride\":%d,\"byteLength\":64}],"
                 "\"buffers\":[",
                 offsetof(fixture_bin, spare), cases[i].stride);
        fixture_change(&f, positions_accessor, accessor);
        fixture_change(&f, "}],\"buffers\":[", view);
        pelt_scene* s = fixture_load(&f, &error);
        ENSURE(s != NULL);
        const float* expected = cases[i].expected;
        ENSURE_POINT(s->meshes[0].positions[1],
                     pelt_vec3_make(expected[0], expected[1], expected[2]), 0.0);
        pelt_scene_destroy(s);
    }
    return 0;
}

static int sparse_accessors_change_their_base(void)
{
    for (int has_base = 0; has_base < 2; ++has_base)
    {
        fixture f;
        pelt_error error;
        char accessor[320];
        size_t spare = offsetof(fixture_bin, spare);
        static const float value[3] = {7.0f, 8.0f, 9.0f};
        fixture_start(&f);
        f.bin.spare[0] = 3;
        memcpy(f.bin.spare + 4, value, sizeof value);
        snprintf(accessor, sizeof accessor,
                 "{%s\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":{\"count\":1,"
                 "\"indices\":{\"bufferView\":0,\"byteOffset\":%zu,\"componentType\":5121},"
                 "\"values\":{\"bufferView\":0,\"byteOffset\":%zu}}}",
                 has_base ? "\"bufferView\":0," : "", spare, spare + 4);
        fixture_change(&f, positions_accessor, accessor);
        pelt_scene* s = fixture_load(&f, &error);
        ENSURE(s != NULL);
        ENSURE_POINT(s->meshes[0].positions[3], pelt_vec3_make(7.0f, 8.0f, 9.0f), 0.0);
        ENSURE(s->meshes[0].positions[1].x == (has_base ? 1.0f : 0.0f));
        pelt_scene_destroy(s);
        f.bin.spare[0] = 4;
        ENSURE(fixture_load(&f, &error) == NULL && strstr(error.message, "sparse index 0"));
    }
    return 0;
}

void test_gltf_read(void);

void test_gltf_read(void)
{
    RUN(a_file_becomes_its_scene);
    RUN(chunks_may_come_in_any_order);
    RUN(data_uris_hold_the_bytes);
    RUN(files_are_found_below_the_folder);
    RUN(names_of_files_are_utf8);
    RUN(normalized_integers_follow_the_formulas);
    RUN(sparse_accessors_change_their_base);
}
