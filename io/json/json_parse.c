// SPDX-License-Identifier: MIT
// A JSON parser (RFC 8259). The children of an open array or object wait on a stack; when it is
// closed they move to their final location in one piece, so that each is found by its index.
#include "json_parse.h"
#include "../text_parse.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef struct parser
{
    const char* text;
    const char* at;
    const char* end;
    const char* wrong;
    pelt_arena* arena;
    char* strings; // as long as the text: no string grows when it is decoded
    pelti_json* stack;
    size_t stack_count, stack_capacity;
    uint32_t depth, max_depth;
    bool is_verbatim;
} parser;

static bool fail(parser* p, const char* what)
{
    p->wrong = what;
    return false;
}

static bool push(parser* p, pelti_json value)
{
    if (p->stack_count == p->stack_capacity)
    {
        size_t capacity = 2 * p->stack_capacity + 256;
        pelti_json* stack = pelt_allocate(capacity, sizeof *stack);
        if (stack == NULL)
        {
            return false;
        }
        if (p->stack_count > 0)
        {
            memcpy(stack, p->stack, p->stack_count * sizeof *stack);
        }
        pelt_release(p->stack);
        p->stack = stack;
        p->stack_capacity = capacity;
    }
    p->stack[p->stack_count++] = value;
    return true;
}

static void skip_space(parser* p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\r' || *p->at == '\t'))
    {
        p->at++;
    }
}

static bool take(parser* p, char c)
{
    bool is_there = p->at < p->end && *p->at == c;
    p->at += is_there;
    return is_there;
}

// ---------------------------------------------------------------------------------------------
// Numbers

// There is room in the text: something else follows, or its end.
static bool keep_digits(pelti_json* out, parser* p, const char* start, const pelti_number* number)
{
    size_t size = (size_t)(p->at - start);
    if (size > PELTI_NUMBER_MAX)
    {
        return fail(p, "a number of more than 512 characters");
    }
    char* text = p->strings;
    memcpy(text, start, size);
    text[size] = '\0';
    p->strings += size + 1;
    out->count = (uint32_t)size;
    out->as.string = text;
    return number->is_integer || number->has_point || number->has_exponent ||
           fail(p, "an integer of more than 64 bits");
}

// Most numbers of a file are indices: up to nine digits and nothing else.
static bool parse_index(pelti_json* out, parser* p)
{
    const char *at = p->at, *end = p->end;
    uint32_t value = 0, count = 0;
    for (; at < end && *at >= '0' && *at <= '9' && count < 9; ++at, ++count)
    {
        value = 10 * value + (uint32_t)(*at - '0');
    }
    bool is_whole = count > 0 && at < end && (*at == ',' || *at == '}' || *at == ']');
    bool has_zero = count > 1 && *p->at == '0';
    if (!is_whole || has_zero || p->is_verbatim)
    {
        return false;
    }
    p->at = at;
    *out = (pelti_json){.type = PELTI_JSON_NUMBER, .as.number = value};
    return true;
}

static bool parse_number(pelti_json* out, parser* p)
{
    if (parse_index(out, p))
    {
        return true;
    }
    const char* start = p->at;
    pelti_number number = pelti_number_parse(start, p->end);
    p->at = number.end;
    if (number.has_plus || number.whole_digits == 0 || (number.has_zero && number.whole_digits > 1))
    {
        return fail(p, "a value is missing or not a number");
    }
    if (number.has_point && number.fraction_digits == 0)
    {
        return fail(p, "a decimal point without digits");
    }
    if (number.has_exponent && number.exponent_digits == 0)
    {
        return fail(p, "an exponent without digits");
    }
    if (number.is_too_long)
    {
        return fail(p, "a number of more than 512 characters");
    }
    *out = (pelti_json){.type = PELTI_JSON_NUMBER, .as.number = number.value};
    if (fabs(number.value) > DBL_MAX)
    {
        return fail(p, "a number that is too large");
    }
    return !p->is_verbatim || keep_digits(out, p, start, &number);
}

// ---------------------------------------------------------------------------------------------
// Strings

static bool take_hex(parser* p, uint32_t* out)
{
    *out = 0;
    for (int i = 0; i < 4; ++i, p->at++)
    {
        char c = p->at < p->end ? *p->at : 0;
        int digit = pelti_hex_digit(c);
        if (digit < 0)
        {
            return fail(p, "\\u without four hexadecimal digits");
        }
        *out = *out << 4 | (uint32_t)digit;
    }
    return true;
}

static bool take_code(parser* p, uint32_t* code)
{
    if (!take_hex(p, code))
    {
        return false;
    }
    if (*code >= 0xD800 && *code < 0xDC00)
    {
        uint32_t low = 0;
        if (!take(p, '\\') || !take(p, 'u') || !take_hex(p, &low) || low < 0xDC00 || low > 0xDFFF)
        {
            return fail(p, "half of a pair of surrogates");
        }
        *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    }
    return ((*code != 0 || p->is_verbatim) && !(*code >= 0xDC00 && *code <= 0xDFFF)) ||
           fail(p, "\\u0000 or half of a pair of surrogates");
}

static bool take_escape(parser* p, char** out)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char c = p->at < p->end ? *p->at++ : 0;
    const char* name = c != 0 ? strchr(names, c) : NULL;
    if (name != NULL)
    {
        *(*out)++ = values[name - names];
        return true;
    }
    uint32_t code;
    if (c != 'u')
    {
        return fail(p, "a backslash before something that needs none");
    }
    if (!take_code(p, &code))
    {
        return false;
    }
    *out += pelti_utf8_put(*out, code);
    return true;
}

// A character of several bytes, checked: writers of JSON refuse what is not UTF-8.
static bool take_multibyte(parser* p, char** out)
{
    size_t size = pelti_utf8_size(p->at, p->end);
    if (size == 0)
    {
        return fail(p, "text that is not UTF-8");
    }
    memcpy(*out, p->at, size);
    *out += size;
    p->at += size;
    return true;
}

// Copy characters without an escape, which most are.
static char* take_plain(parser* p, char* out)
{
    const char *at = p->at, *end = p->end;
    while (at < end && *at != '"' && *at != '\\' && (uint8_t)*at >= 0x20 && (uint8_t)*at < 0x80)
    {
        *out++ = *at++;
    }
    p->at = at;
    return out;
}

static bool parse_string(pelti_json* out, parser* p)
{
    char* text = p->strings;
    *out = (pelti_json){.type = PELTI_JSON_STRING, .as.string = text};
    for (;;)
    {
        text = take_plain(p, text);
        uint8_t c = p->at < p->end ? (uint8_t)*p->at : '"';
        if (c == '"')
        {
            break;
        }
        if (c < 0x20)
        {
            return fail(p, "a control character in a string");
        }
        p->at += c == '\\';
        if (!(c == '\\' ? take_escape(p, &text) : take_multibyte(p, &text)))
        {
            return false;
        }
    }
    if (!take(p, '"'))
    {
        return fail(p, "a string without its end");
    }
    out->count = (uint32_t)(text - p->strings);
    *text++ = '\0';
    p->strings = text;
    return true;
}

// ---------------------------------------------------------------------------------------------
// Values

static bool parse_value(pelti_json* out, parser* p);

// Move the values on the stack above `base` to their final location.
static bool close_list(pelti_json* out, parser* p, size_t base, pelti_json_type type)
{
    size_t count = p->stack_count - base;
    pelti_json* values = pelt_arena_alloc(p->arena, count, sizeof *values);
    if (values == NULL)
    {
        return false;
    }
    if (count > 0)
    {
        memcpy(values, p->stack + base, count * sizeof *values);
    }
    p->stack_count = base;
    if (type == PELTI_JSON_OBJECT && !p->is_verbatim)
    {
        pelti_json_sort(values, count / 2);
    }
    count = type == PELTI_JSON_OBJECT ? count / 2 : count;
    *out = (pelti_json){.type = type, .count = (uint32_t)count, .as.values = values};
    return true;
}

static bool parse_key(parser* p)
{
    pelti_json key;
    skip_space(p);
    size_t start = (size_t)(p->at - p->text);
    if (!take(p, '"'))
    {
        return fail(p, "a member without a name in quotes");
    }
    if (!parse_string(&key, p))
    {
        return false;
    }
    if (p->is_verbatim && strlen(key.as.string) != key.count)
    {
        return fail(p, "\\u0000 in a name");
    }
    key.count = (uint32_t)start;
    if (!push(p, key))
    {
        return false;
    }
    skip_space(p);
    return take(p, ':') || fail(p, "a name without a colon after it");
}

static bool parse_list(pelti_json* out, parser* p, pelti_json_type type)
{
    char end = type == PELTI_JSON_OBJECT ? '}' : ']';
    size_t base = p->stack_count;
    if (++p->depth > p->max_depth)
    {
        return fail(p, "too many levels, one inside the other,");
    }
    skip_space(p);
    bool is_done = take(p, end);
    while (!is_done)
    {
        pelti_json value;
        if ((type == PELTI_JSON_OBJECT && !parse_key(p)) || !parse_value(&value, p) ||
            !push(p, value))
        {
            return false;
        }
        skip_space(p);
        is_done = take(p, end);
        if (!is_done && !take(p, ','))
        {
            return fail(p, type == PELTI_JSON_OBJECT ? "neither ',' nor '}' after a member"
                                                     : "neither ',' nor ']' after an element");
        }
    }
    p->depth--;
    return close_list(out, p, base, type);
}

static bool parse_word(pelti_json* out, parser* p)
{
    static const char* const words[] = {"null", "false", "true"};
    for (int i = 0; i < 3; ++i)
    {
        size_t length = strlen(words[i]);
        if ((size_t)(p->end - p->at) >= length && memcmp(p->at, words[i], length) == 0)
        {
            p->at += length;
            *out = (pelti_json){.type = (pelti_json_type)i};
            return true;
        }
    }
    return fail(p, "a word that is neither null, true nor false");
}

static bool parse_value(pelti_json* out, parser* p)
{
    skip_space(p);
    if (take(p, '{'))
    {
        return parse_list(out, p, PELTI_JSON_OBJECT);
    }
    if (take(p, '['))
    {
        return parse_list(out, p, PELTI_JSON_ARRAY);
    }
    if (take(p, '"'))
    {
        return parse_string(out, p);
    }
    bool is_word = p->at < p->end && *p->at >= 'a' && *p->at <= 'z';
    return is_word ? parse_word(out, p) : parse_number(out, p);
}

static const pelti_json* parse(parser* p, pelti_json_failure* failure)
{
    size_t size = (size_t)(p->end - p->text);
    pelti_json* root = pelt_arena_alloc(p->arena, 1, sizeof *root);
    // Values are counted in 32 bits.
    bool is_good = root != NULL && (size < UINT32_MAX || fail(p, "more than 4 GB"));
    p->strings = is_good ? pelt_arena_alloc(p->arena, size + 1, 1) : NULL;
    is_good = p->strings != NULL && parse_value(root, p);
    if (is_good)
    {
        skip_space(p);
        is_good = p->at == p->end || fail(p, "more text after the end");
    }
    pelt_release(p->stack);
    *failure = (pelti_json_failure){(size_t)(p->at - p->text), p->wrong};
    return is_good ? root : NULL;
}

static parser parser_of(const char* text, size_t size, uint32_t max_depth, pelt_arena* arena)
{
    return (parser){
        .text = text, .at = text, .end = text + size, .arena = arena, .max_depth = max_depth};
}

const pelti_json* pelti_json_parse(const char* text, size_t size, uint32_t max_depth,
                                   pelt_arena* arena, pelti_json_failure* failure)
{
    parser p = parser_of(text, size, max_depth, arena);
    return parse(&p, failure);
}

const pelti_json* pelti_json_parse_verbatim(const char* text, size_t size, uint32_t max_depth,
                                            pelt_arena* arena, pelti_json_failure* failure)
{
    parser p = parser_of(text, size, max_depth, arena);
    p.is_verbatim = true;
    return parse(&p, failure);
}

pelti_json_position pelti_json_position_of(const char* text, size_t offset)
{
    size_t line = 1, start = 0;
    for (size_t i = 0; i < offset; ++i)
    {
        line += text[i] == '\n';
        start = text[i] == '\n' ? i + 1 : start;
    }
    return (pelti_json_position){line, offset - start + 1};
}

// ---------------------------------------------------------------------------------------------
enum
{
    LINEAR_COUNT = 32,
};

bool pelti_json_is(const pelti_json* value, pelti_json_type type)
{
    return value != NULL && value->type == type;
}

static int by_name(const void* a, const void* b)
{
    const pelti_json *x = a, *y = b;
    int order = strcmp(x->as.string, y->as.string);
    // Names lie in memory in the order of the text.
    return order != 0 ? order : (x->as.string > y->as.string) - (x->as.string < y->as.string);
}

void pelti_json_sort(pelti_json* members, size_t count)
{
    if (count > LINEAR_COUNT)
    {
        qsort(members, count, 2 * sizeof *members, by_name);
    }
}

// The last member with that name, or where it would be.
static uint32_t search(const pelti_json* object, const char* name)
{
    uint32_t low = 0, high = object->count;
    while (high - low > 1)
    {
        uint32_t middle = low + (high - low) / 2;
        bool is_past = strcmp(object->as.values[2 * middle].as.string, name) > 0;
        low = is_past ? low : middle;
        high = is_past ? middle : high;
    }
    return high;
}

const pelti_json* pelti_json_get(const pelti_json* object, const char* name)
{
    uint32_t count = pelti_json_is(object, PELTI_JSON_OBJECT) ? object->count : 0;
    bool is_sorted = count > LINEAR_COUNT;
    count = is_sorted ? search(object, name) : count;
    for (uint32_t i = count; i > (is_sorted ? count - 1 : 0); --i)
    {
        const char* key = object->as.values[2 * i - 2].as.string;
        bool is_alike = key[0] == name[0] && (key[0] == '\0' || key[1] == name[1]);
        if (is_alike && strcmp(key, name) == 0)
        {
            return &object->as.values[2 * i - 1];
        }
    }
    return NULL;
}

size_t pelti_json_size(const pelti_json* array)
{
    return pelti_json_is(array, PELTI_JSON_ARRAY) ? array->count : 0;
}

const pelti_json* pelti_json_at(const pelti_json* array, size_t index)
{
    return index < pelti_json_size(array) ? &array->as.values[index] : NULL;
}

const char* pelti_json_string(const pelti_json* value)
{
    return pelti_json_is(value, PELTI_JSON_STRING) ? value->as.string : NULL;
}
