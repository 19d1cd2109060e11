// SPDX-License-Identifier: MIT
// Write-back: what is added can be read, and nothing else of the file has changed.
#define _POSIX_C_SOURCE 200809L
#include "pelt/io.h"

#include "model_files.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------------------
// Files

typedef struct bytes
{
    char* data;
    size_t size;
} bytes;

static bytes read_all(const char* path)
{
    bytes out = {0};
    FILE* file = fopen(path, "rb");
    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
    {
        out.size = (size_t)ftell(file);
        rewind(file);
        out.data = malloc(out.size + 1);
        out.size = fread(out.data, 1, out.size, file);
        out.data[out.size] = 0;
    }
    if (file != NULL)
    {
        fclose(file);
    }
    return out;
}

static uint32_t word_at(const char* data)
{
    uint32_t word = 0;
    for (int i = 3; i >= 0; --i)
    {
        word = word << 8 | (uint8_t)data[i];
    }
    return word;
}

// The JSON of a .gltf or a GLB by the book.
static json_t* read_json(const char* path)
{
    bytes file = read_all(path);
    bool is_glb = file.size > 20 && memcmp(file.data, "glTF", 4) == 0;
    const char* text = is_glb ? file.data + 20 : file.data;
    size_t size = is_glb ? word_at(file.data + 12) : file.size;
    json_t* root = file.data != NULL ? json_loadb(text, size, JSON_ALLOW_NUL, NULL) : NULL;
    free(file.data);
    return root;
}

static bool write_all(const char* path, const char* text, size_t size)
{
    return pelt_save_bytes(path, text, size, NULL) == PELT_OK;
}

static void put_word(char* out, size_t value)
{
    for (int i = 0; i < 4; ++i)
    {
        out[i] = (char)(value >> (8 * i));
    }
}

// A GLB with chunk after chunk; names of four characters, contents a multiple of four.
static size_t put_chunk(char* out, size_t size, const char* type, const char* data, size_t length)
{
    put_word(out + size, length);
    memcpy(out + size + 4, type, 4);
    memcpy(out + size + 8, data, length);
    size += 8 + length;
    memcpy(out, "glTF\2\0\0", 8);
    put_word(out + 8, size);
    return size;
}

// ---------------------------------------------------------------------------------------------
// A folder with a small file that has a bit of everything
//
// Points come first, so that mesh 0 is the second primitive. Numbers are awkward, names unknown.

#define COMMON                                                                                     \
    "\"asset\":{\"version\":\"2.0\",\"generator\":\"by "                                           \
    "hand\",\"extras\":{\"pi\":3.141592653589793}},"                                               \
    "\"extensionsUsed\":[\"ACME_unknown\"],\"extensions\":{\"ACME_unknown\":{\"big\":"             \
    "9007199254740993,"                                                                            \
    "\"small\":1e-300,\"list\":[null,true,\"\\u0001\\u00e9\"]}},"                                  \
    "\"meshes\":[{\"primitives\":[{\"mode\":0,\"attributes\":{\"POSITION\":0}},"                   \
    "{\"attributes\":{\"POSITION\":0,\"_OLD\":1},\"extras\":[0.1]},{\"attributes\":{\"POSITION\":" \
    "0}}],"                                                                                        \
    "\"name\":\"m\"}],"                                                                            \
    "\"nodes\":[{\"mesh\":0,\"translation\":[0.1,1e10,-0.0]}],\"scenes\":[{\"nodes\":[0]}],"       \
    "\"scene\":0,"                                                                                 \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","       \
    "\"min\":[0,"                                                                                  \
    "0,0],\"max\":[0,0,0]},{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":"         \
    "\"VEC3\"}],"                                                                                  \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"                                          \
    "\"images\":[{\"uri\":\"there.png\"},{\"uri\":\"missing.png\"}],"

static const char external[] =
    "{" COMMON "\"buffers\":[{\"byteLength\":36,\"uri\":\"some%20data.bin\",\"name\":\"b\"}]}";
static const char chunked[] = "{" COMMON "\"buffers\":[{\"name\":\"b\",\"byteLength\":36}]}";

static const float values[9] = {1, 2, 3, 4, 5, 6, 7, 8, 0.1f};

typedef struct scratch_folder
{
    char folder[64], other[80], gltf[96], glb[96];
} scratch_folder;

static bool make_folder(scratch_folder* p)
{
    char path[128], glb[4096], zeros[40] = {0};
    strcpy(p->folder, "/tmp/pelt_test_XXXXXX");
    if (mkdtemp(p->folder) == NULL)
    {
        return false;
    }
    snprintf(p->other, sizeof p->other, "%s/other", p->folder);
    snprintf(p->gltf, sizeof p->gltf, "%s/in.gltf", p->folder);
    snprintf(p->glb, sizeof p->glb, "%s/in.glb", p->folder);
    mkdir(p->other, 0700);
    snprintf(path, sizeof path, "%s/some data.bin", p->folder);
    bool is_good = write_all(path, zeros, 40) && write_all(p->gltf, external, sizeof external - 1);
    snprintf(path, sizeof path, "%s/there.png", p->folder);
    is_good = is_good && write_all(path, "\x89PNG\r\n\x1a\n", 8);

    char text[2048];
    size_t length = (sizeof chunked - 1 + 3) / 4 * 4;
    memset(text, ' ', sizeof text);
    memcpy(text, chunked, sizeof chunked - 1);
    size_t size = put_chunk(glb, 12, "JSON", text, length);
    size = put_chunk(glb, size, "ACME", "12345678", 8);
    size = put_chunk(glb, size, "BIN\0", zeros, 36);
    return is_good && write_all(p->glb, glb, size);
}

static void remove_folder(const scratch_folder* p)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", p->folder);
    if (system(command) != 0)
    {
        printf("  cannot remove %s\n", p->folder);
    }
}

// ---------------------------------------------------------------------------------------------
// Comparing

static void restore(json_t* after, const json_t* before, const char* member)
{
    for (size_t i = 0; i < json_array_size(after); ++i)
    {
        json_t* value = json_object_get(json_array_get(before, i), member);
        json_t* item = json_array_get(after, i);
        if (value != NULL)
        {
            json_object_set(item, member, value);
        }
        else
        {
            json_object_del(item, member);
        }
    }
}

// Take out of `after` what additions put in: attribute, extras, and the ends of the lists.
static void undo(json_t* after, const json_t* before, const char* attribute)
{
    static const char* const lists[] = {"accessors", "bufferViews", "buffers"};
    for (size_t i = 0; i < 3; ++i)
    {
        json_t* list = json_object_get(after, lists[i]);
        size_t count = json_array_size(json_object_get(before, lists[i]));
        while (json_array_size(list) > count)
        {
            json_array_remove(list, json_array_size(list) - 1);
        }
        if (json_object_get(before, lists[i]) == NULL)
        {
            json_object_del(after, lists[i]);
        }
    }
    size_t i, k;
    json_t *mesh, *primitive;
    json_array_foreach(json_object_get(after, "meshes"), i, mesh)
    {
        json_array_foreach(json_object_get(mesh, "primitives"), k, primitive)
        {
            json_object_del(json_object_get(primitive, "attributes"), attribute);
            json_t* extras = json_object_get(primitive, "extras");
            if (json_object_del(extras, "pelt_cor") == 0 && json_object_size(extras) == 0)
            {
                json_object_del(primitive, "extras");
            }
        }
    }
    // Buffers grow, move between file and text, and files are embedded.
    restore(json_object_get(after, "buffers"), json_object_get(before, "buffers"), "byteLength");
    restore(json_object_get(after, "buffers"), json_object_get(before, "buffers"), "uri");
    const char* const members[] = {"uri", "bufferView", "mimeType"};
    for (size_t m = 0; m < 3; ++m)
    {
        restore(json_object_get(after, "images"), json_object_get(before, "images"), members[m]);
    }
}

// Equal in value and in the order of members.
static bool is_same_json(const json_t* a, const json_t* b, bool is_ordered)
{
    char* text_a = json_dumps(a, JSON_REAL_PRECISION(17));
    char* text_b = json_dumps(b, JSON_REAL_PRECISION(17));
    bool is_same = json_equal(a, b) && (!is_ordered || strcmp(text_a, text_b) == 0);
    free(text_a);
    free(text_b);
    return is_same;
}

static bool loses_nothing(const char* path, const char* source, const char* attribute)
{
    json_t *before = read_json(source), *after = read_json(path);
    undo(after, before, attribute);
    // An uri that went away comes back last.
    bool is_ordered = pelt_format_of(path) == pelt_format_of(source);
    bool is_same = before != NULL && is_same_json(before, after, is_ordered);
    json_decref(before);
    json_decref(after);
    return is_same;
}

static const char* uri_of(const json_t* root, const char* list, size_t index)
{
    const json_t* item = json_array_get(json_object_get(root, list), index);
    return json_string_value(json_object_get(item, "uri"));
}

static bool is_data(const char* uri)
{
    return uri != NULL && strncmp(uri, "data:", 5) == 0;
}

// ---------------------------------------------------------------------------------------------

// The addition is there again, at its own mesh and no other.
static int check_centers(const char* path)
{
    pelt_scene* scene = NULL;
    pelt_error error = {{0}};
    if (pelt_load(&scene, path, NULL, &error) != PELT_OK)
    {
        printf("  %s\n", error.message);
        return 1;
    }
    ENSURE(scene->mesh_count == 2 && scene->meshes[0].cors == NULL);
    ENSURE(scene->meshes[1].cors != NULL);
    ENSURE(memcmp(scene->meshes[1].cors, values, sizeof values) == 0);
    pelt_scene_destroy(scene);
    return 0;
}

static int additions_change_nothing_else_in_any_container(void)
{
    static const char* const names[] = {"out.gltf", "out.glb", "other/out.gltf", "other/out.glb"};
    scratch_folder p;
    ENSURE(make_folder(&p));
    const char* const sources[] = {p.gltf, p.glb};
    pelt_addition addition = {
        .mesh = 1, .vertex_count = 3, .name = "_PELT_COR", .width = 3, .values = values};
    for (size_t i = 0; i < 8; ++i)
    {
        char path[160];
        snprintf(path, sizeof path, "%s/%s", p.folder, names[i % 4]);
        ENSURE(pelt_save_additions(path, sources[i / 4], &addition, 1, NULL) == PELT_OK);
        ENSURE(loses_nothing(path, sources[i / 4], addition.name));
        ENSURE(check_centers(path) == 0);
    }
    ENSURE(pelt_save_additions(p.glb, p.glb, &addition, 1, NULL) == PELT_OK);
    ENSURE(pelt_save_additions(p.gltf, p.gltf, &addition, 1, NULL) == PELT_OK);
    ENSURE(check_centers(p.glb) == 0 && check_centers(p.gltf) == 0);
    remove_folder(&p);
    return 0;
}

static int named_files_stay_names_only_where_they_can_be_found(void)
{
    scratch_folder p;
    char path[160];
    ENSURE(make_folder(&p));
    pelt_addition addition = {
        .mesh = 0, .vertex_count = 3, .name = "_NEW", .width = 1, .values = values};
    for (size_t i = 0; i < 2; ++i)
    {
        snprintf(path, sizeof path, "%s/out.gltf", i == 0 ? p.folder : p.other);
        ENSURE(pelt_save_additions(path, p.gltf, &addition, 1, NULL) == PELT_OK);
        json_t* root = read_json(path);
        ENSURE(is_data(uri_of(root, "images", 0)) == (i == 1));
        ENSURE(is_data(uri_of(root, "buffers", 0)) == (i == 1));
        ENSURE(is_data(uri_of(root, "buffers", 1)));
        ENSURE(strcmp(uri_of(root, "images", 1), "missing.png") == 0);
        json_decref(root);
    }
    remove_folder(&p);
    return 0;
}

// A file names what it likes; only pictures from below its folder travel with the output.
static int what_is_copied_as_a_picture_is_one_and_lies_below_the_folder(void)
{
    scratch_folder p;
    char path[160], elsewhere[] = "/tmp/pelt_secret_XXXXXX";
    ENSURE(make_folder(&p));
    int descriptor = mkstemp(elsewhere);
    ENSURE(descriptor >= 0 && close(descriptor) == 0);
    snprintf(path, sizeof path, "%s/there.png", p.folder);
    for (size_t i = 0; i < 2; ++i)
    {
        remove(path);
        ENSURE(write_all(elsewhere, "\x89PNG\r\n\x1a\n", 8));
        ENSURE(i == 0 ? write_all(path, "root:x:0:0", 10) : symlink(elsewhere, path) == 0);
        char out[160];
        snprintf(out, sizeof out, "%s/out.gltf", p.other);
        ENSURE(pelt_save_additions(out, p.gltf, NULL, 0, NULL) == PELT_OK);
        json_t* root = read_json(out);
        ENSURE(strcmp(uri_of(root, "images", 0), "there.png") == 0);
        json_decref(root);
    }
    remove(elsewhere);
    remove_folder(&p);
    return 0;
}

static int a_buffer_that_is_a_link_out_of_the_folder_is_refused(void)
{
    scratch_folder p;
    char path[160], out[160];
    pelt_error error = {{0}};
    pelt_scene* scene;
    ENSURE(make_folder(&p));
    snprintf(path, sizeof path, "%s/some data.bin", p.folder);
    remove(path);
    ENSURE(symlink("/etc/passwd", path) == 0);
    snprintf(out, sizeof out, "%s/out.gltf", p.other);
    ENSURE(pelt_save_additions(out, p.gltf, NULL, 0, &error) == PELT_ERROR_DATA);
    ENSURE(strstr(error.message, "link") != NULL && access(out, F_OK) != 0);
    ENSURE(pelt_load(&scene, p.gltf, NULL, &error) == PELT_ERROR_DATA);
    ENSURE(strstr(error.message, "/buffers/0/uri") && strstr(error.message, "link"));
    remove_folder(&p);
    return 0;
}

static int adding_nothing_copies_every_chunk(void)
{
    scratch_folder p;
    char path[160];
    ENSURE(make_folder(&p));
    snprintf(path, sizeof path, "%s/out.glb", p.folder);
    ENSURE(pelt_save_additions(path, p.glb, NULL, 0, NULL) == PELT_OK);
    json_t *before = read_json(p.glb), *after = read_json(path);
    ENSURE(is_same_json(before, after, true));
    bytes file = read_all(path);
    ENSURE(word_at(file.data + 8) == file.size);
    size_t json_size = word_at(file.data + 12), bin = 20 + json_size;
    ENSURE(word_at(file.data + bin) == 36 && memcmp(file.data + bin + 4, "BIN", 4) == 0);
    ENSURE(memcmp(file.data + bin + 44, "\10\0\0\0ACME12345678", 16) == 0);
    ENSURE(file.size == bin + 60);
    free(file.data);
    json_decref(before);
    json_decref(after);
    remove_folder(&p);
    return 0;
}

static int an_attribute_of_the_same_name_is_replaced(void)
{
    scratch_folder p;
    char path[160];
    ENSURE(make_folder(&p));
    snprintf(path, sizeof path, "%s/out.glb", p.folder);
    pelt_addition two[] = {
        {.mesh = 0, .vertex_count = 3, .name = "_OLD", .width = 1, .values = values},
        {.mesh = 1, .vertex_count = 3, .name = "_OLD", .width = 1, .values = values}};
    ENSURE(pelt_save_additions(path, p.glb, two, 2, NULL) == PELT_OK);
    json_t* root = read_json(path);
    json_t* mesh = json_array_get(json_object_get(root, "meshes"), 0);
    for (size_t i = 0; i < 3; ++i)
    {
        json_t* primitive = json_array_get(json_object_get(mesh, "primitives"), i);
        json_t* index = json_object_get(json_object_get(primitive, "attributes"), "_OLD");
        // Both are the same numbers, so they are one accessor; the points have none.
        ENSURE(i == 0 ? index == NULL : json_integer_value(index) == 2);
    }
    json_decref(root);
    remove_folder(&p);
    return 0;
}

static const float others[9] = {9, 8, 7, 6, 5, 4, 3, 2, 0.3f};

static bool has_centers(const char* path, const float* first, const float* second)
{
    pelt_scene* scene = NULL;
    bool is_good = pelt_load(&scene, path, NULL, NULL) == PELT_OK && scene->mesh_count == 2;
    const float* expected[] = {first, second};
    for (size_t i = 0; i < 2 && is_good; ++i)
    {
        const pelt_vec3* cors = scene->meshes[i].cors;
        is_good = cors != NULL && memcmp(cors, expected[i], sizeof values) == 0;
    }
    pelt_scene_destroy(scene);
    return is_good;
}

// Both meshes have the same numbers at first, and so share an accessor.
static int replacing_does_not_let_files_grow(void)
{
    static const char* const names[] = {"out.gltf", "out.glb", "other/out.gltf", "other/out.glb"};
    scratch_folder p;
    ENSURE(make_folder(&p));
    const char* const sources[] = {p.gltf, p.glb};
    pelt_addition same[] = {
        {.mesh = 0, .vertex_count = 3, .name = "_PELT_COR", .width = 3, .values = values},
        {.mesh = 1, .vertex_count = 3, .name = "_PELT_COR", .width = 3, .values = values}};
    pelt_addition new[] = {same[0], same[1]};
    new[0].values = new[1].values = others;
    for (size_t i = 0; i < 8; ++i)
    {
        char path[160];
        snprintf(path, sizeof path, "%s/%s", p.folder, names[i % 4]);
        ENSURE(pelt_save_additions(path, sources[i / 4], same, 2, NULL) == PELT_OK);
        ENSURE(has_centers(path, values, values));
        bytes before = read_all(path);
        ENSURE(pelt_save_additions(path, path, new, 2, NULL) == PELT_OK);
        ENSURE(has_centers(path, others, others));
        bytes after = read_all(path);
        ENSURE(before.size == after.size && memcmp(before.data, after.data, before.size) != 0);
        ENSURE(pelt_save_additions(path, path, same, 2, NULL) == PELT_OK);
        free(after.data);
        after = read_all(path);
        ENSURE(before.size == after.size && memcmp(before.data, after.data, before.size) == 0);
        free(before.data);
        free(after.data);
    }
    remove_folder(&p);
    return 0;
}

static int what_is_used_elsewhere_is_not_overwritten(void)
{
    scratch_folder p;
    char path[160];
    ENSURE(make_folder(&p));
    snprintf(path, sizeof path, "%s/out.glb", p.folder);
    pelt_addition both[] = {
        {.mesh = 0, .vertex_count = 3, .name = "_PELT_COR", .width = 3, .values = values},
        {.mesh = 1, .vertex_count = 3, .name = "_PELT_COR", .width = 3, .values = values}};
    ENSURE(pelt_save_additions(path, p.glb, both, 2, NULL) == PELT_OK);
    both[1].values = others;
    // The accessor is still the first mesh's.
    ENSURE(pelt_save_additions(path, path, &both[1], 1, NULL) == PELT_OK);
    ENSURE(has_centers(path, values, others));
    // Now each has its own, and they change sides; then they are the same again.
    both[0].values = others;
    both[1].values = values;
    ENSURE(pelt_save_additions(path, path, both, 2, NULL) == PELT_OK);
    ENSURE(has_centers(path, others, values));
    both[0].values = values;
    ENSURE(pelt_save_additions(path, path, both, 2, NULL) == PELT_OK);
    ENSURE(has_centers(path, values, values));

    // _OLD lies in the view of POSITION.
    pelt_addition old = {
        .mesh = 0, .vertex_count = 3, .name = "_OLD", .width = 3, .values = others};
    ENSURE(pelt_save_additions(path, p.glb, &old, 1, NULL) == PELT_OK);
    pelt_scene* scene = NULL;
    ENSURE(pelt_load(&scene, path, NULL, NULL) == PELT_OK);
    ENSURE_POINT(scene->meshes[0].positions[0], pelt_vec3_make(0, 0, 0), 0.0f);
    pelt_scene_destroy(scene);
    remove_folder(&p);
    return 0;
}

static int extras_join_those_of_the_file(void)
{
    scratch_folder p;
    char path[160];
    ENSURE(make_folder(&p));
    snprintf(path, sizeof path, "%s/out.glb", p.folder);
    pelt_addition first = {.mesh = 1, .extras = "{\"pelt\": {\"sigma\": 0.5}, \"kept\": 1}"};
    pelt_addition second = {.mesh = 1, .extras = "{\"pelt\": 2}"};
    ENSURE(pelt_save_additions(path, p.glb, &first, 1, NULL) == PELT_OK);
    ENSURE(pelt_save_additions(path, path, &second, 1, NULL) == PELT_OK);
    json_t* root = read_json(path);
    json_t* mesh = json_array_get(json_object_get(root, "meshes"), 0);
    json_t* primitive = json_array_get(json_object_get(mesh, "primitives"), 2);
    json_t* extras = json_object_get(primitive, "extras");
    ENSURE(json_integer_value(json_object_get(extras, "pelt")) == 2);
    ENSURE(json_integer_value(json_object_get(extras, "kept")) == 1);
    json_decref(root);
    // Those of mesh 0 are an array, which nothing can join.
    second.mesh = 0;
    ENSURE(pelt_save_additions(path, path, &second, 1, NULL) == PELT_OK);
    root = read_json(path);
    mesh = json_array_get(json_object_get(root, "meshes"), 0);
    extras = json_object_get(json_array_get(json_object_get(mesh, "primitives"), 1), "extras");
    ENSURE(json_array_size(extras) == 1);
    json_decref(root);
    second.mesh = 1;
    second.extras = "[1]";
    ENSURE(pelt_save_additions(path, path, &second, 1, NULL) == PELT_ERROR_DATA);
    second.extras = "{";
    ENSURE(pelt_save_additions(path, path, &second, 1, NULL) == PELT_ERROR_DATA);
    remove_folder(&p);
    return 0;
}

static int what_cannot_be_added_is_said_and_leaves_nothing(void)
{
    scratch_folder p;
    char path[160], bad[160];
    pelt_error error;
    ENSURE(make_folder(&p));
    snprintf(path, sizeof path, "%s/out.glb", p.folder);
    snprintf(bad, sizeof bad, "%s/bad.glb", p.folder);
    pelt_addition addition = {
        .mesh = 0, .vertex_count = 3, .name = "NEW", .width = 1, .values = values};
    ENSURE(pelt_save_additions(path, p.glb, &addition, 1, &error) == PELT_ERROR_ARGUMENT);
    addition = (pelt_addition){.name = "POSITION"};
    ENSURE(pelt_save_additions(path, p.glb, &addition, 1, &error) == PELT_ERROR_ARGUMENT);
    addition =
        (pelt_addition){.mesh = 2, .vertex_count = 3, .name = "_NEW", .width = 1, .values = values};
    ENSURE(pelt_save_additions(path, p.glb, &addition, 1, &error) == PELT_ERROR_ARGUMENT);
    addition = (pelt_addition){.vertex_count = 4, .name = "_NEW", .width = 1, .values = values};
    ENSURE(pelt_save_additions(path, p.glb, &addition, 1, &error) == PELT_ERROR_DATA);
    ENSURE(pelt_save_additions(bad, "/tmp/pelt_no_such.glb", NULL, 0, &error) == PELT_ERROR_READ);
    const float huge[6] = {0, 1, 2, 3, INFINITY, NAN};
    addition = (pelt_addition){.vertex_count = 3, .name = "_NEW", .width = 2, .values = huge};
    ENSURE(pelt_save_additions(path, p.glb, &addition, 1, &error) == PELT_ERROR_DATA);
    ENSURE(strstr(error.message, "_NEW of vertex 2 of mesh 0") != NULL);

    bytes file = read_all(p.glb);
    for (size_t size = 0; size < file.size; ++size)
    {
        ENSURE(write_all(bad, file.data, size));
        ENSURE(pelt_save_additions(path, bad, NULL, 0, &error) == PELT_ERROR_DATA);
    }
    free(file.data);
    const char* const texts[] = {
        "[]",
        "{\"meshes\":3}",
        "{\"accessors\":[1]}",
        "{\"meshes\":[{}",
        "{\"meshes\":[{\"primitives\":{}}]}",
        "{\"buffers\":[{\"uri\":\"../x\",\"byteLength\":1}]}",
        "{\"buffers\":[{\"uri\":\"data:;base64,AA==\",\"byteLength\":9}]}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
    {
        ENSURE(write_all(bad, texts[i], strlen(texts[i])));
        ENSURE(pelt_save_additions(path, bad, NULL, 0, &error) == PELT_ERROR_DATA);
    }
    snprintf(bad, sizeof bad, "%s/out.obj", p.folder);
    ENSURE(pelt_save_additions(bad, p.glb, NULL, 0, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(access(path, F_OK) != 0 && access(bad, F_OK) != 0);
    remove_folder(&p);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Real characters

// Something for each mesh; all of these have triangles only.
static uint32_t make_additions(pelt_addition* out, const char* path, uint32_t room,
                               const float* numbers)
{
    json_t *root = read_json(path), *mesh;
    size_t i;
    uint32_t count = 0;
    json_array_foreach(json_object_get(root, "meshes"), i, mesh)
    {
        size_t primitives = json_array_size(json_object_get(mesh, "primitives"));
        for (size_t k = 0; k < primitives && count < room; ++k, ++count)
        {
            json_t* primitive = json_array_get(json_object_get(mesh, "primitives"), k);
            json_t* position =
                json_object_get(json_object_get(primitive, "attributes"), "POSITION");
            json_t* accessor = json_array_get(json_object_get(root, "accessors"),
                                              (size_t)json_integer_value(position));
            json_t* vertices = json_object_get(accessor, "count");
            out[count] = (pelt_addition){.mesh = count,
                                         .vertex_count = (uint32_t)json_integer_value(vertices),
                                         .name = "_PELT_TEST",
                                         .width = 3,
                                         .values = numbers};
        }
    }
    json_decref(root);
    return count;
}

// With PELT_KEEP the files stay there, "Fox/Fox.glb" as "Fox_Fox.glb", for gltf_validate.sh.
static void name_output(char* out, size_t size, const char* source)
{
    const char* folder = getenv("PELT_KEEP");
    if (folder == NULL)
    {
        snprintf(out, size, "/tmp/pelt_test_models.%s", strrchr(source, '.') + 1);
        return;
    }
    const char* model = source + strlen(test_models_folder()) + 1;
    int start = snprintf(out, size, "%s/%s", folder, model);
    char* slash = start > 0 ? strrchr(out, '/') : NULL;
    if (slash != NULL)
    {
        *slash = '_';
    }
}

static int check_character(const char* source, const float* numbers)
{
    char path[1024];
    pelt_addition additions[64];
    name_output(path, sizeof path, source);
    uint32_t count = make_additions(additions, source, 64, numbers);
    pelt_result result = pelt_save_additions(path, source, additions, count, NULL);
    bool is_good = count > 0 && result == PELT_OK && loses_nothing(path, source, "_PELT_TEST");
    if (getenv("PELT_KEEP") == NULL)
    {
        remove(path);
    }
    if (!is_good)
    {
        printf("  in %s\n", source);
    }
    return !is_good;
}

// As pelt enhance does it, each mesh alone.
static uint32_t add_centers(pelt_addition* out, pelt_vec3** cors, const pelt_scene* scene,
                            uint32_t room)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->mesh_count && count < room; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        if (mesh->weights.vertex_count == 0)
        {
            continue;
        }
        // Whole triangles: this is about files.
        pelt_cor_options options = {.epsilon = -1.0f};
        cors[i] = malloc(mesh->vertex_count * sizeof *cors[i]);
        if (pelt_cor_solve(&cors[i], &(pelt_cor_input){1, &mesh}, &options, NULL, NULL) != PELT_OK)
        {
            return 0;
        }
        out[count++] = (pelt_addition){.mesh = i,
                                       .vertex_count = mesh->vertex_count,
                                       .name = "_PELT_COR",
                                       .width = 3,
                                       .values = &cors[i][0].x,
                                       .extras = "{\"pelt_cor\": {\"sigma\": 0.1}}"};
    }
    return count;
}

static bool is_same_but_centers(const pelt_scene* a, const pelt_scene* b, pelt_vec3* const* cors)
{
    bool is_same = a->mesh_count == b->mesh_count && a->node_count == b->node_count &&
                   a->clip_count == b->clip_count && a->repair_count == b->repair_count;
    for (uint32_t i = 0; i < a->mesh_count && is_same; ++i)
    {
        const pelt_mesh *x = &a->meshes[i], *y = &b->meshes[i];
        size_t size = x->vertex_count * sizeof(pelt_vec3);
        is_same = x->vertex_count == y->vertex_count && x->index_count == y->index_count &&
                  x->weights.influence_count == y->weights.influence_count &&
                  memcmp(x->positions, y->positions, size) == 0 &&
                  (cors[i] == NULL ? y->cors == NULL
                                   : y->cors != NULL && memcmp(y->cors, cors[i], size) == 0);
    }
    return is_same;
}

static int check_enhanced(const char* source, const pelt_scene* before)
{
    char path[1024];
    pelt_addition additions[64];
    pelt_vec3* cors[64] = {NULL};
    uint32_t count = before->mesh_count <= 64 ? add_centers(additions, cors, before, 64) : 0;
    snprintf(path, sizeof path, "/tmp/pelt_test_enhanced.%s", strrchr(source, '.') + 1);
    pelt_scene* after = NULL;
    bool is_good = count == 0 || // nothing skinned
                   (pelt_save_additions(path, source, additions, count, NULL) == PELT_OK &&
                    loses_nothing(path, source, "_PELT_COR") &&
                    pelt_load(&after, path, NULL, NULL) == PELT_OK &&
                    is_same_but_centers(before, after, cors));
    pelt_scene_destroy(after);
    remove(path);
    for (size_t i = 0; i < 64; ++i)
    {
        free(cors[i]);
    }
    if (!is_good)
    {
        printf("  in %s\n", source);
    }
    return !is_good;
}

static int every_skinned_character_keeps_its_centers(void)
{
    glob_t found;
    ENSURE(model_files_find(&found, "glb gltf"));
    int failures = 0, enhanced = 0;
    for (size_t i = 0; i < found.gl_pathc; ++i)
    {
        pelt_scene* scene = NULL;
        if (test_takes_model(found.gl_pathv[i]) &&
            pelt_load(&scene, found.gl_pathv[i], NULL, NULL) == PELT_OK)
        {
            failures += check_enhanced(found.gl_pathv[i], scene);
            enhanced++;
        }
        pelt_scene_destroy(scene);
    }
    globfree(&found);
    ENSURE(enhanced > 0);
    return failures;
}

static int every_character_loses_nothing(void)
{
    glob_t found;
    float* numbers = calloc(3 * 200000, sizeof *numbers);
    ENSURE(model_files_find(&found, "glb gltf"));
    int failures = 0;
    for (size_t i = 0; i < found.gl_pathc; ++i)
    {
        failures +=
            test_takes_model(found.gl_pathv[i]) && check_character(found.gl_pathv[i], numbers);
    }
    globfree(&found);
    free(numbers);
    return failures;
}

void test_gltf_additions(void)
{
    RUN(additions_change_nothing_else_in_any_container);
    RUN(named_files_stay_names_only_where_they_can_be_found);
    RUN(what_is_copied_as_a_picture_is_one_and_lies_below_the_folder);
    RUN(a_buffer_that_is_a_link_out_of_the_folder_is_refused);
    RUN(adding_nothing_copies_every_chunk);
    RUN(an_attribute_of_the_same_name_is_replaced);
    RUN(replacing_does_not_let_files_grow);
    RUN(what_is_used_elsewhere_is_not_overwritten);
    RUN(extras_join_those_of_the_file);
    RUN(what_cannot_be_added_is_said_and_leaves_nothing);
    RUN_ON_MODELS(every_character_loses_nothing);
    RUN_ON_MODELS(every_skinned_character_keeps_its_centers);
}
