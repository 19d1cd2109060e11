// SPDX-License-Identifier: MIT
// Broken and hostile glTF files: a sentence, or a scene that is valid all the same.
#include "gltf_fixture.h"
#include "test.h"

#include <jansson.h>

// What a changed file gives is all right, whatever it is: a valid scene or a sentence.
static int is_answered(const pelti_blob* file)
{
    pelt_error error;
    pelt_scene* scene = fixture_read(file, &error);
    ENSURE(scene != NULL || strstr(error.message, "folder/test.glb") != NULL);
    pelt_scene_destroy(scene);
    return 0;
}

static int a_file_cut_off_anywhere_is_refused(void)
{
    fixture f;
    pelt_error error;
    fixture_start(&f);
    pelti_blob file = fixture_glb(&f);
    for (size_t size = 0; size < file.size; ++size)
    {
        pelti_blob part = {file.data, size};
        ENSURE(fixture_read(&part, &error) == NULL && error.message[0] != '\0');
        // A length that agrees with the cut: the chunks do not.
        if (size >= 12)
        {
            pelti_blob copy = {malloc(size), size};
            memcpy(copy.data, file.data, size);
            fixture_put_u32(copy.data + 8, size);
            ENSURE(fixture_read(&copy, &error) == NULL && error.message[0] != '\0');
            free(copy.data);
        }
    }
    free(file.data);
    return 0;
}

static int wrong_bytes_are_answered(void)
{
    fixture f;
    test_random random = {7};
    fixture_start(&f);
    pelti_blob file = fixture_glb(&f);
    for (int round = 0; round < 4000; ++round)
    {
        size_t at[3];
        uint8_t was[3];
        for (int i = 0; i < 3; ++i)
        {
            at[i] = (size_t)test_uniform(&random, 0.0f, (float)file.size - 1.0f);
            was[i] = file.data[at[i]];
            file.data[at[i]] = (uint8_t)test_uniform(&random, 0.0f, 255.9f);
        }
        ENSURE(is_answered(&file) == 0);
        for (int i = 2; i >= 0; --i)
        {
            file.data[at[i]] = was[i];
        }
    }
    free(file.data);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Every value of the JSON, replaced one after another by others

static const char* const replacements[] = {
    "null", "true",  "-1",  "0",    "1",          "2",
    "255",  "1e300", "0.5", "\"\"", "4294967295", "9223372036854775807",
    "[]",   "{}",    "[0]", "[{}]", "\"SCALAR\"", "18014398509481984.0",
};

enum
{
    REPLACEMENT_COUNT = sizeof replacements / sizeof replacements[0],
};

static int load_root(const json_t* root, const fixture* f)
{
    fixture changed = *f;
    char* text = json_dumps(root, JSON_COMPACT);
    ENSURE(text != NULL && strlen(text) < sizeof changed.json);
    strcpy(changed.json, text);
    free(text);
    pelti_blob file = fixture_glb(&changed);
    int failed = is_answered(&file);
    free(file.data);
    return failed;
}

static int replace_in(const json_t* root, json_t* value, const fixture* f);

static int replace_members(const json_t* root, json_t* object, const fixture* f)
{
    const char* name;
    json_t* member;
    void* next;
    json_object_foreach_safe(object, next, name, member)
    {
        json_incref(member);
        for (int i = 0; i < REPLACEMENT_COUNT; ++i)
        {
            json_object_set_new(object, name, json_loads(replacements[i], JSON_DECODE_ANY, NULL));
            ENSURE(load_root(root, f) == 0);
        }
        json_object_set_new(object, name, member);
        ENSURE(replace_in(root, member, f) == 0);
    }
    return 0;
}

static int replace_elements(const json_t* root, json_t* array, const fixture* f)
{
    for (size_t k = 0; k < json_array_size(array); ++k)
    {
        json_t* element = json_incref(json_array_get(array, k));
        for (int i = 0; i < REPLACEMENT_COUNT; ++i)
        {
            json_array_set_new(array, k, json_loads(replacements[i], JSON_DECODE_ANY, NULL));
            ENSURE(load_root(root, f) == 0);
        }
        json_array_set_new(array, k, element);
        ENSURE(replace_in(root, element, f) == 0);
    }
    return 0;
}

static int replace_in(const json_t* root, json_t* value, const fixture* f)
{
    return json_is_object(value)  ? replace_members(root, value, f)
           : json_is_array(value) ? replace_elements(root, value, f)
                                  : 0;
}

static int wrong_types_everywhere_are_answered(void)
{
    fixture f;
    fixture_start(&f);
    // Members that the fixture does not use otherwise.
    fixture_change(&f, "{\"bufferView\":0,\"byteOffset\":0,",
                   "{\"normalized\":false,\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":0,"
                   "\"componentType\":5121},\"values\":{\"bufferView\":0}},\"bufferView\":0,"
                   "\"byteOffset\":0,");
    fixture_change(&f, "{\"buffer\":0,", "{\"byteOffset\":0,\"byteStride\":0,\"buffer\":0,");
    json_t* root = json_loads(f.json, 0, NULL);
    ENSURE(root != NULL && replace_in(root, root, &f) == 0);
    json_decref(root);
    return 0;
}

// ---------------------------------------------------------------------------------------------

static int what_is_wrong_is_named(void)
{
    static const struct
    {
        const char *from, *to, *words;
    } cases[] = {
        {"\"version\":\"2.0\"", "\"version\":\"1.0\"", "/asset: pelt reads glTF 2.0"},
        {"\"version\":\"2.0\"", "\"version\":\"3.1\"", "not version 3.1"},
        {"\"asset\"", "\"a\"", "no version"},
        {"\"children\":[2]", "\"children\":[1]", "/nodes/1: this node is its own ancestor"},
        {"\"children\":[2]", "\"children\":[9]", "/nodes/1/children/0: 9 is no index into /nodes"},
        {"\"children\":[2]", "\"children\":[2,2]", "also a child of node 1"},
        {"\"count\":4", "\"count\":400", "/meshes/0/primitives/0/attributes/POSITION: accessor 0"},
        {"\"count\":4", "\"count\":4294967295", "POSITION: accessor 0"},
        {"\"count\":4", "\"count\":9223372036854775807", "POSITION/count: this must be"},
        {"\"byteOffset\":0", "\"byteOffset\":9007199254740992", "POSITION: accessor 0"},
        {"\"byteOffset\":0", "\"byteOffset\":-4", "byteOffset: this must be a whole number"},
        {"\"bufferView\":0", "\"bufferView\":1", "1 is no index into /bufferViews"},
        {"\"count\":6", "\"count\":8", "/meshes/0/primitives/0/indices: index 6 is 9"},
        {"\"count\":2", "\"count\":1", "1 matrices for 2 joints"},
        {"\"joints\":[1,2]", "\"joints\":[]", "/skins/0/joints: a skin needs joints"},
        {"\"mode\":4", "\"mode\":7", "7 is no mode"},
        {"\"POSITION\":7", "\"POSITION\":5", "/targets/0/POSITION: accessor 5"},
        {"\"weights\":[0.25]", "\"weights\":[0.25,1]", "/meshes/0/weights"},
        {"\"STEP\"", "\"BEZIER\"", "no interpolation \"BEZIER\""},
        {"\"output\":6", "\"output\":7", "accessor 7 has 4 elements of 3 components"},
        {"\"sampler\":1", "\"sampler\":2", "its sampler must be one of 2"},
        {"\"scale\":[1,1,1]", "\"scale\":[1,1,1e39]", "/nodes/2/scale"},
        {"\"buffers\":[{", "\"buffers\":[{\"uri\":\"../x.bin\",", "below the folder"},
        {"\"buffers\":[{", "\"buffers\":[{\"uri\":\"%2E%2e/x.bin\",", "below the folder"},
        {"\"buffers\":[{", "\"buffers\":[{\"uri\":\"a/..%2fx\",", "below the folder"},
        {"\"buffers\":[{", "\"buffers\":[{\"uri\":\"/etc/passwd\",", "below the folder"},
        {"\"buffers\":[{", "\"buffers\":[{\"uri\":\"%2fetc/passwd\",", "below the folder"},
        {"\"buffers\":[{", "\"buffers\":[{\"uri\":\"file:x.bin\",", "below the folder"},
        {"\"buffers\":[{", "\"buffers\":[{\"uri\":\"a\\\\..\\\\x\",", "below the folder"},
        {"\"buffers\":[{", "\"buffers\":[{\"uri\":\"data:,abc\",", "not base64"},
        {"\"buffers\":[{", "\"buffers\":[{\"uri\":\"data:;base64,A!==\",", "not base64"},
        {"\"buffers\":[{", "\"buffers\":[{\"uri\":\"data:;base64,AAAA\",", "only 3 bytes"},
        {"\"scene\":0", "\"extensionsRequired\":[\"XX_shape\"]", "XX_shape, which pelt does not"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        pelt_error error;
        pelt_scene* scene = fixture_load_changed(cases[i].from, cases[i].to, &error);
        if (scene != NULL || strstr(error.message, cases[i].words) == NULL)
        {
            printf("  case %zu, %s: \"%s\"\n", i, cases[i].to, error.message);
            return 1;
        }
    }
    return 0;
}

static int zeros_out_of_nothing_are_not_made(void)
{
    pelt_error error;
    fixture f;
    fixture_start(&f);
    fixture_change(&f, "{\"bufferView\":0,\"byteOffset\":0,\"componentType\":5126,\"count\":4",
                   "{\"componentType\":5126,\"count\":4000000000");
    ENSURE(fixture_load(&f, &error) == NULL);
    ENSURE(strstr(error.message, "far more memory") != NULL);
    return 0;
}

static int positions_that_are_not_finite_are_refused(void)
{
    pelt_error error;
    fixture f;
    fixture_start(&f);
    f.bin.positions[3][1] = NAN;
    ENSURE(fixture_load(&f, &error) == NULL);
    ENSURE(strstr(error.message, "POSITION: the position of vertex 3 is not finite") != NULL);
    return 0;
}

// ---------------------------------------------------------------------------------------------

// Far outside, a mix of finite motions would not be finite.
static int mix_factors_are_brought_between_0_and_1(void)
{
    static const float factors[4] = {7e34f, -3.0f, 0.5f, 1.0f}, expected[4] = {1.0f, 0, 0.5f, 1.0f};
    fixture f;
    pelt_error error;
    char accessor[160];
    fixture_start(&f);
    memcpy(f.bin.spare, factors, sizeof factors);
    snprintf(accessor, sizeof accessor,
             ",{\"bufferView\":0,\"byteOffset\":%zu,\"componentType\":5126,\"count\":4,"
             "\"type\":\"SCALAR\"}],\"bufferViews\"",
             offsetof(fixture_bin, spare));
    fixture_change(&f, "],\"bufferViews\"", accessor);
    fixture_change(&f, "\"JOINTS_0\":1", "\"JOINTS_0\":1,\"_PELT_MIX\":8");
    pelt_scene* scene = fixture_load(&f, &error);
    ENSURE(scene != NULL && scene->meshes[0].mix_factors != NULL);
    ENSURE(memcmp(scene->meshes[0].mix_factors, expected, sizeof expected) == 0);
    ENSURE(fixture_has_repair(scene, "2 factors of _PELT_MIX"));
    pelt_scene_destroy(scene);
    return 0;
}

static int method_of_a_mesh_is_one_of_pelts_or_left_out(void)
{
    static const struct
    {
        const char* extras;
        bool is_taken;
        const char* repair; // NULL: none is needed
    } cases[] = {
        {"{\"pelt_skinning\":{\"method\":\"dqs\"}}", true, NULL},
        {"{\"pelt_cor\":{}}", false, NULL},
        {"7", false, NULL},
        {"{\"pelt_skinning\":{\"method\":\"DQS\"}}", false, "pelt_skinning was ignored: \"DQS\""},
        {"{\"pelt_skinning\":{\"method\":\"\"}}", false, "pelt_skinning was ignored: \"\""},
        {"{\"pelt_skinning\":{\"method\":1}}", false, "pelt_skinning was ignored: \"\""},
        {"{\"pelt_skinning\":{}}", false, "pelt_skinning was ignored: \"\""},
        {"{\"pelt_skinning\":[\"dqs\"]}", false, "pelt_skinning was ignored: \"\""},
        {"{\"pelt_skinning\":null}", false, "pelt_skinning was ignored: \"\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        fixture f;
        pelt_error error;
        char members[160];
        fixture_start(&f);
        snprintf(members, sizeof members, "{\"extras\":%s,\"attributes\":", cases[i].extras);
        fixture_change(&f, "{\"attributes\":", members);
        pelt_scene* scene = fixture_load(&f, &error);
        ENSURE(scene != NULL && scene->meshes[0].has_method == cases[i].is_taken);
        ENSURE(!cases[i].is_taken || scene->meshes[0].method == PELT_METHOD_DQS);
        ENSURE(cases[i].repair != NULL ? fixture_has_repair(scene, cases[i].repair)
                                       : !fixture_has_repair(scene, "pelt_skinning"));
        pelt_scene_destroy(scene);
    }
    return 0;
}

void test_gltf_hostile(void);

void test_gltf_hostile(void)
{
    RUN(a_file_cut_off_anywhere_is_refused);
    RUN(wrong_bytes_are_answered);
    RUN(wrong_types_everywhere_are_answered);
    RUN(what_is_wrong_is_named);
    RUN(zeros_out_of_nothing_are_not_made);
    RUN(positions_that_are_not_finite_are_refused);
    RUN(mix_factors_are_brought_between_0_and_1);
    RUN(method_of_a_mesh_is_one_of_pelts_or_left_out);
}
