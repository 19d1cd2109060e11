// SPDX-License-Identifier: MIT
// The JSON of glTF files, against the C library for numbers and jansson for what is JSON at all.
#include "json/json_parse.h"

#include "test.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// Parse a copy of exactly the right size, so that ASan sees the first byte too far.
static const pelti_json* parse(const char* text, size_t size, pelt_arena* arena)
{
    pelti_json_failure failure;
    char* exact = malloc(size ? size : 1);
    memcpy(exact, text, size);
    const pelti_json* value = pelti_json_parse(exact, size, 256, arena, &failure);
    bool is_explained = (value != NULL) == (failure.wrong == NULL) && failure.offset <= size;
    free(exact);
    return is_explained ? value : NULL;
}

static int check_number(const char* text)
{
    pelt_arena* arena = pelt_arena_create();
    const pelti_json* value = parse(text, strlen(text), arena);
    double expected = strtod(text, NULL);
    ENSURE(pelti_json_is(value, PELTI_JSON_NUMBER));
    if (memcmp(&value->as.number, &expected, sizeof expected) != 0)
    {
        printf("  %s became %.17g\n", text, value->as.number);
        return 1;
    }
    pelt_arena_destroy(arena);
    return 0;
}

static int numbers_are_those_of_the_c_library(void)
{
    static const char* const texts[] = {"0",     "-0",     "0.1",    "-1.5e3",  "1E-7",
                                        "1e22",  "1e23",   "5e-324", "1e-400",  "9007199254740993",
                                        "1e308", "0.5e+1", "0e9999", "123e-45", "4294967295"};
    static const char* const formats[] = {"%.17g", "%.9g", "%.6f", "%.3e"};
    test_random random = {3};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
    {
        ENSURE(check_number(texts[i]) == 0);
    }
    for (int i = 0; i < 20000; ++i)
    {
        char text[512];
        double size = pow(10.0, (double)test_uniform(&random, -12.0f, 12.0f));
        double number = size * (double)test_uniform(&random, -1.0f, 1.0f);
        snprintf(text, sizeof text, formats[i % 4], number);
        ENSURE(check_number(text) == 0);
    }
    return 0;
}

static int strings_are_decoded(void)
{
    static const struct
    {
        const char *text, *expected;
    } cases[] = {
        {"\"\"", ""},
        {"\"a\\n\\\"\\\\\\/\\b\\f\\r\\t\"", "a\n\"\\/\b\f\r\t"},
        {"\"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\"", "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"},
        {"\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\x7F\"",
         "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\x7F"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        pelt_arena* arena = pelt_arena_create();
        const pelti_json* value = parse(cases[i].text, strlen(cases[i].text), arena);
        ENSURE(pelti_json_string(value) != NULL);
        ENSURE(strcmp(pelti_json_string(value), cases[i].expected) == 0);
        pelt_arena_destroy(arena);
    }
    return 0;
}

static int members_and_elements_are_found(void)
{
    static const char text[] = " {\"a\": [1, [], {}, null, true], \"b\": false, \"a\": [7]} ";
    pelt_arena* arena = pelt_arena_create();
    const pelti_json* root = parse(text, strlen(text), arena);
    const pelti_json* a = pelti_json_get(root, "a");
    ENSURE(root != NULL && root->count == 3 && pelti_json_size(a) == 1);
    ENSURE(pelti_json_at(a, 0)->as.number == 7.0 && pelti_json_at(a, 1) == NULL);
    ENSURE(pelti_json_is(pelti_json_get(root, "b"), PELTI_JSON_FALSE));
    ENSURE(pelti_json_get(root, "c") == NULL && pelti_json_get(a, "a") == NULL);
    ENSURE(pelti_json_size(root) == 0 && pelti_json_get(NULL, "a") == NULL);
    pelt_arena_destroy(arena);
    return 0;
}

// Forty members are searched otherwise than three; the last of a name counts in both.
static int large_objects_are_searched(void)
{
    char text[2048] = "{\"m7\":-1", name[8];
    for (int i = 39; i >= 0; --i)
    {
        snprintf(text + strlen(text), sizeof text - strlen(text), ",\"m%d\":%d", i, i);
    }
    strcat(text, ",\"m9\":99}");
    pelt_arena* arena = pelt_arena_create();
    const pelti_json* root = parse(text, strlen(text), arena);
    for (int i = 0; i < 40; ++i)
    {
        snprintf(name, sizeof name, "m%d", i);
        const pelti_json* value = pelti_json_get(root, name);
        ENSURE(value != NULL && value->as.number == (i == 9 ? 99 : i));
    }
    ENSURE(!pelti_json_get(root, "m") && !pelti_json_get(root, "a") && !pelti_json_get(root, "z"));
    pelt_arena_destroy(arena);
    return 0;
}

static int check_same_verdict(const char* text, size_t size)
{
    pelt_arena* arena = pelt_arena_create();
    json_t* other = json_loadb(text, size, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
    bool is_json = parse(text, size, arena) != NULL;
    if (is_json != (other != NULL))
    {
        printf("  %.*s is %sJSON\n", (int)size, text, is_json ? "" : "not ");
        return 1;
    }
    json_decref(other);
    pelt_arena_destroy(arena);
    return 0;
}

static int what_is_json_is_agreed_upon(void)
{
    static const char sound[] =
        "{\"a\\u00e9\":[1,-2.5e3,0.25,true,false,null,\"\xC3\xA9\\n\"],\"b\":{\"c\":[[],{}]}}";
    static const char letters[] = "{}[]\",:.-+eE0159 \\untrfals\x01\x80\xC3\xED\xA0\xF4\x90";
    test_random random = {11};
    char text[sizeof sound];
    for (size_t size = 0; size < sizeof sound; ++size)
    {
        ENSURE(check_same_verdict(sound, size) == 0);
    }
    for (int round = 0; round < 30000; ++round)
    {
        memcpy(text, sound, sizeof sound);
        for (int i = 0; i <= round % 3; ++i)
        {
            size_t at = (size_t)test_uniform(&random, 0.0f, (float)sizeof sound - 1.01f);
            size_t letter = (size_t)test_uniform(&random, 0.0f, (float)sizeof letters - 1.01f);
            text[at] = letters[letter];
        }
        ENSURE(check_same_verdict(text, sizeof sound - 1) == 0);
    }
    return 0;
}

static int depth_is_limited(void)
{
    char text[600];
    pelt_arena* arena = pelt_arena_create();
    memset(text, '[', 300);
    memset(text + 300, ']', 300);
    ENSURE(parse(text, 600, arena) == NULL && parse(text + 44, 512, arena) != NULL);
    pelt_arena_destroy(arena);
    return 0;
}

void test_json_parse(void);

void test_json_parse(void)
{
    RUN(numbers_are_those_of_the_c_library);
    RUN(strings_are_decoded);
    RUN(members_and_elements_are_found);
    RUN(large_objects_are_searched);
    RUN(what_is_json_is_agreed_upon);
    RUN(depth_is_limited);
}
