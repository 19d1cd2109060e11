// SPDX-License-Identifier: MIT
// JSON that is read by pelt and written by jansson, against jansson alone.
#include "json/json_tree.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

static pelt_result read(json_t** out, const char* text, bool has_unique_names, pelt_error* error)
{
    pelti_json_text source = {"text", text, strlen(text), has_unique_names};
    return pelti_json_tree(out, &source, error);
}

static char* dump(json_t* value)
{
    char* text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    json_decref(value);
    return text;
}

// Order and kinds of all values, integers to the last digit, the last of two members at the
// position of the first.
static int a_text_comes_back_as_jansson_has_it(void)
{
    static const char* const texts[] = {
        "{}",
        "[]",
        "[0, 1, -1, 9007199254740993, -9223372036854775808, 9223372036854775807]",
        "[0.0, -0.0, 1.0, 1e0, 0.1, 1E-7, 2.5e+3, 5e-324, 1.7976931348623157e308, 1e-400]",
        "[true, false, null, [[], {}]]",
        "[\"\", \"a\\u0000b\", \"\\u00e9\\ud83d\\ude00\xC3\xA9\", \"\\n\\/\\\\\\\"\"]",
        "{\"z\": 1, \"a\": 2, \"z\": {\"b\": 3}}",
        "{\"\\u00e9\": 0}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
    {
        json_t* tree;
        ENSURE(read(&tree, texts[i], false, NULL) == PELT_OK);
        char* got = dump(tree);
        char* expected = dump(json_loads(texts[i], JSON_ALLOW_NUL, NULL));
        if (strcmp(got, expected) != 0)
        {
            printf("  %s became %s\n", texts[i], got);
            return 1;
        }
        free(got);
        free(expected);
    }
    return 0;
}

// jansson makes the integer 0 of it, which is another float.
static int a_negative_zero_keeps_its_sign(void)
{
    json_t* tree;
    ENSURE(read(&tree, "[-0, -0.0, 0]", false, NULL) == PELT_OK);
    char* got = dump(tree);
    ENSURE(strcmp(got, "[-0.0, -0.0, 0]") == 0);
    free(got);
    return 0;
}

// Objects of many members are sorted for other readers, and must not be here.
static int members_keep_their_order(void)
{
    char text[1024] = "{\"m99\": 0", name[16];
    for (int i = 98; i > 40; --i)
    {
        snprintf(text + strlen(text), sizeof text - strlen(text), ", \"m%d\": 0", i);
    }
    strcat(text, "}");
    json_t* tree;
    ENSURE(read(&tree, text, true, NULL) == PELT_OK && json_object_size(tree) == 59);
    const char* key;
    json_t* value;
    int next = 99;
    json_object_foreach(tree, key, value)
    {
        snprintf(name, sizeof name, "m%d", next--);
        ENSURE(strcmp(key, name) == 0);
    }
    json_decref(tree);
    return 0;
}

static int what_cannot_be_kept_is_refused_with_its_path(void)
{
    static const char* const wrong[][2] = {
        {"", "line 1, column 1"},
        {"{\n  \"a\": }", "line 2, column 8"},
        {"[9223372036854775808]", "64 bits"},
        {"[-9223372036854775809]", "64 bits"},
        {"[1e999]", "too large"},
        {"{\"a\\u0000\": 1}", "name"},
        {"{\"a\": 1,\n \"a\": 2}", "duplicate name at line 2, column 2"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
    {
        json_t* tree;
        pelt_error error = {{0}};
        ENSURE(read(&tree, wrong[i][0], true, &error) == PELT_ERROR_DATA && tree == NULL);
        if (strncmp(error.message, "text: ", 6) != 0 || strstr(error.message, wrong[i][1]) == NULL)
        {
            printf("  %s: %s\n", wrong[i][0], error.message);
            return 1;
        }
    }
    // Long, though it is nothing: no buffer is for that many digits.
    char text[800] = "[0e";
    memset(text + 3, '0', 700);
    strcpy(text + 703, "]");
    json_t* tree;
    ENSURE(read(&tree, text, false, NULL) == PELT_ERROR_DATA);
    return 0;
}

void test_json_tree(void)
{
    RUN(a_text_comes_back_as_jansson_has_it);
    RUN(a_negative_zero_keeps_its_sign);
    RUN(members_keep_their_order);
    RUN(what_cannot_be_kept_is_refused_with_its_path);
}
