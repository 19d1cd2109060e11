// SPDX-License-Identifier: MIT
// Broken and hostile FBX files, in this process: a sentence, or a scene that is valid all the same.
#include "failing_heap.h"
#include "fbx_fixture.h"

#include "pelt/io.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// What a changed file gives is all right, whatever it is.
static int is_answered(const void* bytes, size_t size)
{
    // A copy of its own size, so that a sanitizer sees a step past its end.
    void* copy = malloc(size + (size == 0));
    ENSURE(copy != NULL);
    memcpy(copy, bytes, size);
    pelt_error error;
    pelt_scene* scene = fbx_read_bytes(copy, size, &error);
    free(copy);
    ENSURE(scene != NULL || strstr(error.message, "folder/test.fbx") != NULL);
    ENSURE(scene != NULL || strchr(error.message, '\n') == NULL);
    ENSURE(scene == NULL || pelt_scene_validate(scene, NULL) == PELT_OK);
    pelt_scene_destroy(scene);
    return 0;
}

static int text_rounds(void)
{
    return test_is_full_sweep() ? 6000 : 2000;
}

static int check_changes(const char* bytes, size_t size, int rounds, uint64_t seed)
{
    char* copy = malloc(size);
    test_random random = {seed};
    ENSURE(copy != NULL);
    for (int round = 0; round < rounds; ++round)
    {
        memcpy(copy, bytes, size);
        for (int i = 0; i < 1 + round % 5; ++i)
        {
            size_t at = (size_t)test_uniform(&random, 0.0f, (float)size - 1.0f);
            copy[at] = (char)test_uniform(&random, 0.0f, 255.9f);
        }
        ENSURE(is_answered(copy, size) == 0);
    }
    free(copy);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Text

static int a_text_cut_off_anywhere_is_answered(void)
{
    const char* text = fbx_everything();
    for (size_t size = 0; size < strlen(text); ++size)
    {
        ENSURE(is_answered(text, size) == 0);
    }
    return 0;
}

static int wrong_letters_are_answered(void)
{
    const char* text = fbx_everything();
    return check_changes(text, strlen(text), text_rounds(), 5);
}

// Digits change into other digits: the file stays well formed, its numbers lie.
static int wrong_numbers_are_answered(void)
{
    const char* text = fbx_everything();
    size_t size = strlen(text);
    char* copy = malloc(size);
    test_random random = {11};
    ENSURE(copy != NULL);
    for (int round = 0; round < text_rounds(); ++round)
    {
        memcpy(copy, text, size);
        for (int i = 0; i < 3;)
        {
            size_t at = (size_t)test_uniform(&random, 0.0f, (float)size - 1.0f);
            if (copy[at] >= '0' && copy[at] <= '9')
            {
                copy[at] = "0123456789-e"[(int)test_uniform(&random, 0.0f, 11.9f)];
                ++i;
            }
        }
        ENSURE(is_answered(copy, size) == 0);
    }
    free(copy);
    return 0;
}

static int deep_nesting_is_refused(void)
{
    enum
    {
        DEPTH = 100000
    };
    char* text = malloc(3 * DEPTH + 1);
    ENSURE(text != NULL);
    for (int i = 0; i < DEPTH; ++i)
    {
        memcpy(text + 3 * i, "a:{", 4);
    }
    pelt_error error;
    ENSURE(fbx_read(text, &error) == NULL && strstr(error.message, "deep") != NULL);
    free(text);
    return 0;
}

// The file has doubles, a scene floats.
static int transforms_beyond_float_are_refused(void)
{
    pelt_error error;
    ENSURE(fbx_read(fbx_text("Model: 1, \"Model::far\", \"Null\" {\nProperties70: {\n"
                             "P: \"Lcl Translation\", \"\", \"\", \"A\",1e300,0,0\n}\n}\n",
                             "C: \"OO\",1,0\n"),
                    &error) == NULL);
    ENSURE(strstr(error.message, "the transform of node \"far\" is not finite") != NULL);
    return 0;
}

static int models_in_a_circle_are_left_out(void)
{
    pelt_error error;
    pelt_scene* scene = fbx_read(
        fbx_text("Model: 1, \"Model::a\", \"Null\" {\n}\nModel: 2, \"Model::b\", \"Null\" {\n}\n"
                 "Model: 3, \"Model::c\", \"Null\" {\n}\nModel: 4, \"Model::d\", \"Null\" {\n}\n",
                 "C: \"OO\",1,2\nC: \"OO\",2,1\nC: \"OO\",3,3\nC: \"OO\",4,0\n"),
        &error);
    ENSURE(scene != NULL && scene->node_count == 1 && scene->repair_count == 1);
    ENSURE(strcmp(scene->nodes[0].name, "d") == 0);
    pelt_scene_destroy(scene);
    return 0;
}

// One curve of many keys that rotates as many models: the work is the product, the file the sum.
static int work_is_bounded_by_the_size_of_the_file(void)
{
    enum
    {
        COUNT = 600,
        ROOM = 400000
    };
    char* text = malloc(ROOM);
    ENSURE(text != NULL);
    size_t at = (size_t)snprintf(text, ROOM,
                                 "FBXHeaderExtension: {\nFBXVersion: 7500\n}\nObjects: {\n"
                                 "AnimationStack: 1, \"\", \"\" {\n}\n"
                                 "AnimationLayer: 2, \"\", \"\" {\n}\n"
                                 "AnimationCurve: 3, \"\", \"\" {\nKeyTime: *1 {\na: 0");
    for (int i = 1; i < COUNT; ++i)
    {
        at += (size_t)snprintf(text + at, ROOM - at, ",%lld", i * FBX_SECOND);
    }
    at += (size_t)snprintf(text + at, ROOM - at, "\n}\nKeyValueFloat: *1 {\na: 0");
    for (int i = 1; i < COUNT; ++i)
    {
        at += (size_t)snprintf(text + at, ROOM - at, ",%d", i % 2 * 170);
    }
    at += (size_t)snprintf(text + at, ROOM - at, "\n}\nKeyAttrFlags: *1 {\na: 8\n}\n}\n");
    for (int i = 0; i < COUNT; ++i)
    {
        at += (size_t)snprintf(
            text + at, ROOM - at,
            "Model: %d, \"\", \"\" {\n}\nAnimationCurveNode: %d, \"\", \"\" {\n}\n", 1000 + i,
            2000 + i);
    }
    at += (size_t)snprintf(text + at, ROOM - at, "}\nConnections: {\nC: \"OO\",2,1\n");
    for (int i = 0; i < COUNT; ++i)
    {
        at += (size_t)snprintf(text + at, ROOM - at,
                               "C: \"OO\",%d,0\nC: \"OO\",%d,2\nC: \"OP\",%d,%d, \"Lcl Rotation\"\n"
                               "C: \"OP\",3,%d, \"d|X\"\n",
                               1000 + i, 2000 + i, 2000 + i, 1000 + i, 2000 + i);
    }
    snprintf(text + at, ROOM - at, "}\n");
    pelt_error error;
    ENSURE(fbx_read(text, &error) == NULL && strstr(error.message, "work") != NULL);
    free(text);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Binary

// A node with one array that claims more than there is.
static size_t put_array(unsigned char* out, uint32_t count, uint32_t encoding, uint32_t stored)
{
    static const unsigned char header[] = "Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0";
    size_t at = sizeof header - 1;
    memcpy(out, header, at);
    uint32_t numbers[3] = {(uint32_t)(at + 13 + 1 + 13 + 4), 1, 13 + 4};
    memcpy(out + at, numbers, 12);
    out[at + 12] = 1;
    out[at + 13] = 'V';
    out[at + 14] = 'd';
    uint32_t array[3] = {count, encoding, stored};
    memcpy(out + at + 15, array, 12);
    memset(out + at + 27, 0x55, 4 + 13);
    memset(out + at + 31, 0, 13);
    return at + 31 + 13;
}

static int arrays_that_claim_too_much_are_refused(void)
{
    unsigned char file[256];
    pelt_error error;
    static const uint32_t claims[][3] = {{UINT32_MAX, 0, 4}, {UINT32_MAX, 1, 4},
                                         {1000, 1, 4},       {2, 0, 4},
                                         {1, 2, 4},          {1, 1, UINT32_MAX}};
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; ++i)
    {
        size_t size = put_array(file, claims[i][0], claims[i][1], claims[i][2]);
        ENSURE(fbx_read_bytes(file, size, &error) == NULL);
        ENSURE(strstr(error.message, "folder/test.fbx") != NULL);
    }
    return 0;
}

enum
{
    PAGE = 1 << 20,
    PAGE_PACKED = 1 << 12,
};

// A file in the binary form, put together record by record. Records name their ends, so those that
// are open wait on a stack.
typedef struct binary_file
{
    unsigned char* bytes;
    size_t size;
    size_t open[8];
    int depth;
} binary_file;

static void put(binary_file* b, const void* bytes, size_t size)
{
    memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
}

static void begin_record(binary_file* b, const char* name)
{
    unsigned char header[13] = {[12] = (unsigned char)strlen(name)};
    b->open[b->depth++] = b->size;
    put(b, header, 13);
    put(b, name, strlen(name));
}

static void put_value(binary_file* b, char type, const void* bytes, size_t size)
{
    put(b, &type, 1);
    put(b, bytes, size);
    uint32_t header[3], length = b->bytes[b->open[b->depth - 1] + 12];
    memcpy(header, b->bytes + b->open[b->depth - 1], 12);
    header[1]++;
    header[2] = (uint32_t)(b->size - b->open[b->depth - 1]) - 13 - length;
    memcpy(b->bytes + b->open[b->depth - 1], header, 12);
}

static void put_word(binary_file* b, const char* word)
{
    char value[64];
    uint32_t length = (uint32_t)strlen(word);
    memcpy(value, &length, 4);
    memcpy(value + 4, word, length);
    put_value(b, 'S', value, 4 + length);
}

static void put_id(binary_file* b, int64_t id)
{
    put_value(b, 'L', &id, sizeof id);
}

// Zeros by deflate, without a header; flushed, so that it may be repeated, or at the end.
static size_t pack_zeros(unsigned char out[PAGE_PACKED], size_t count, int flush)
{
    static unsigned char zeros[PAGE];
    z_stream stream = {
        .next_in = zeros, .avail_in = (uInt)count, .next_out = out, .avail_out = PAGE_PACKED};
    deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    deflate(&stream, flush);
    deflateEnd(&stream);
    return stream.total_out;
}

// Zeros, a thousandth of their size in the file. One page many times over: to pack all of it takes
// a second for 256 MB.
static void put_packed_zeros(binary_file* b, char type, uint32_t count)
{
    size_t whole = (size_t)count * (type == 'd' ? 8 : 4), page_count = whole / PAGE;
    unsigned char page[PAGE_PACKED], rest[PAGE_PACKED];
    size_t page_size = pack_zeros(page, PAGE, Z_FULL_FLUSH);
    size_t rest_size = pack_zeros(rest, whole % PAGE, Z_FINISH);
    size_t stored = 2 + page_count * page_size + rest_size + 4;
    unsigned char* packed = malloc(12 + stored);
    const uint32_t header[3] = {count, 1, (uint32_t)stored};
    memcpy(packed, header, 12);
    memcpy(packed + 12, "\x78\xda", 2);
    unsigned char* at = packed + 14;
    for (size_t i = 0; i < page_count; ++i, at += page_size)
    {
        memcpy(at, page, page_size);
    }
    memcpy(at, rest, rest_size);
    // Adler-32 of zeros: their number above 1.
    size_t above = whole % 65521;
    const unsigned char sum[4] = {(unsigned char)(above >> 8), (unsigned char)above, 0, 1};
    memcpy(at + rest_size, sum, 4);
    put_value(b, type, packed, 12 + stored);
    free(packed);
}

static void end_record(binary_file* b, bool has_children)
{
    static const unsigned char nothing[13];
    put(b, nothing, has_children ? 13 : 0);
    uint32_t end = (uint32_t)b->size;
    memcpy(b->bytes + b->open[--b->depth], &end, 4);
}

static void put_link(binary_file* b, int64_t child, int64_t parent)
{
    begin_record(b, "C");
    put_word(b, "OO");
    put_id(b, child);
    put_id(b, parent);
    end_record(b, false);
}

static void put_mesh(binary_file* b, int64_t id, uint32_t number_count, uint32_t corner_count)
{
    begin_record(b, "Geometry");
    put_id(b, id);
    put_word(b, "g");
    put_word(b, "Mesh");
    begin_record(b, "Vertices");
    put_packed_zeros(b, 'd', number_count);
    end_record(b, false);
    begin_record(b, "PolygonVertexIndex");
    put_packed_zeros(b, 'i', corner_count);
    end_record(b, false);
    end_record(b, true);
    begin_record(b, "Model");
    put_id(b, id + 1);
    put_word(b, "m");
    put_word(b, "Mesh");
    end_record(b, false);
}

// Meshes of nothing but zeros.
static int check_bomb(uint32_t mesh_count, uint32_t number_count, uint32_t corner_count)
{
    binary_file b = {.bytes = calloc(4 << 20, 1)};
    put(&b, "Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0", 27);
    begin_record(&b, "Objects");
    for (uint32_t i = 0; i < mesh_count; ++i)
    {
        put_mesh(&b, 1 + 2 * i, number_count, corner_count);
    }
    end_record(&b, true);
    begin_record(&b, "Connections");
    for (uint32_t i = 0; i < mesh_count; ++i)
    {
        put_link(&b, 1 + 2 * i, 2 + 2 * i);
        put_link(&b, 2 + 2 * i, 0);
    }
    end_record(&b, true);
    b.size += 13;
    pelt_error error = {{0}};
    pelt_scene* scene = fbx_read_bytes(b.bytes, b.size, &error);
    bool is_refused = scene == NULL && (strstr(error.message, "memory") != NULL ||
                                        strstr(error.message, "work") != NULL);
    pelt_scene_destroy(scene);
    free(b.bytes);
    // A small one passes: what is refused is the size, not the form.
    ENSURE(is_refused == (number_count > 1000));
    return 0;
}

static int arrays_that_unpack_to_gigabytes_are_refused(void)
{
    ENSURE(check_bomb(1, 999, 3) == 0);
    ENSURE(check_bomb(1, 32 << 20, 3) == 0);
    ENSURE(check_bomb(40, 1 << 20, 3) == 0);
    ENSURE(check_bomb(1, 1 << 20, 6 << 20) == 0);
    return 0;
}

static pelti_blob read_model(const char* name)
{
    pelti_blob blob = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", test_models_folder(), name);
    pelti_blob_read(&blob, path, NULL);
    return blob;
}

static const char* const models[] = {
    "ufbx_blender_half_skinned/blender_293_half_skinned_7400_binary.fbx",
    "ufbx_maya_game_sausage/maya_game_sausage_7500_binary_deform.fbx",
    "ufbx_maya_transformed_skin/maya_transformed_skin_7700_ascii.fbx",
};

static int real_files_cut_off_are_answered(void)
{
    for (size_t i = 0; i < sizeof models / sizeof models[0]; ++i)
    {
        pelti_blob file = read_model(models[i]);
        ENSURE(file.data != NULL);
        for (size_t cut = 0; cut < 300; ++cut)
        {
            ENSURE(is_answered(file.data, file.size * cut / 300) == 0);
        }
        pelti_blob_release(&file);
    }
    return 0;
}

static int real_files_with_wrong_bytes_are_answered(void)
{
    for (size_t i = 0; i < sizeof models / sizeof models[0]; ++i)
    {
        pelti_blob file = read_model(models[i]);
        ENSURE(file.data != NULL);
        ENSURE(check_changes((const char*)file.data, file.size, 600, 3 + i) == 0);
        pelti_blob_release(&file);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Memory

static pelt_result read_once(const void* context)
{
    const pelti_blob* file = context;
    pelt_scene* scene;
    pelt_error error;
    const pelt_source source = {.path = "folder/test.fbx", .bytes = file->data, .size = file->size};
    pelt_result result = pelti_read_fbx(&scene, &source, NULL, &error);
    pelt_scene_destroy(scene);
    return result;
}

static int failed_allocations_are_results_and_leave_nothing_behind(void)
{
    const char* text = fbx_everything();
    const pelti_blob file = {(uint8_t*)text, strlen(text)};
    ENSURE(failing_heap_check(read_once, &file, 4000) == 0);
    return 0;
}

static int failed_allocations_in_real_files_are_results(void)
{
    for (size_t i = 0; i < sizeof models / sizeof models[0]; ++i)
    {
        pelti_blob file = read_model(models[i]);
        ENSURE(file.data != NULL);
        ENSURE(failing_heap_check(read_once, &file, 4000) == 0);
        pelti_blob_release(&file);
    }
    return 0;
}

static void run_real_files(void)
{
    RUN_ON_MODELS(real_files_cut_off_are_answered);
    RUN_ON_MODELS(real_files_with_wrong_bytes_are_answered);
    RUN_ON_MODELS(failed_allocations_in_real_files_are_results);
}

void test_fbx_hostile(void)
{
    RUN(a_text_cut_off_anywhere_is_answered);
    RUN(wrong_letters_are_answered);
    RUN(wrong_numbers_are_answered);
    RUN(deep_nesting_is_refused);
    RUN(transforms_beyond_float_are_refused);
    RUN(models_in_a_circle_are_left_out);
    RUN(work_is_bounded_by_the_size_of_the_file);
    RUN(arrays_that_claim_too_much_are_refused);
    RUN(arrays_that_unpack_to_gigabytes_are_refused);
    RUN(failed_allocations_are_results_and_leave_nothing_behind);
    run_real_files();
}
