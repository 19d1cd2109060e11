// SPDX-License-Identifier: MIT
// Options of a command as a table: parsing, help, and guesses at mistyped names.
#include "args.h"

#include "terminal.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const arg_option args_output_file[] = {
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .value = "FILE",
     .help = "write the report to this file instead of the standard output"},
    {0},
};

const arg_option args_common[] = {
    {.name = "json", .kind = ARG_FLAG, .help = "print JSON instead of a table"},
    {.name = "threads",
     .kind = ARG_COUNT,
     .value = "N",
     .maximum = 1024,
     .help = "number of threads; 0, the default, is one per core"},
    {.name = "depfile",
     .kind = ARG_TEXT,
     .value = "FILE",
     .help = "write the files that were read as a rule for make and ninja"},
    {.name = "help", .letter = 'h', .kind = ARG_FLAG, .help = "print this help"},
    {0},
};

// "lbs, dqs, mix"; empty for an option without choices.
static void join_choices(char* out, size_t size, const arg_option* option)
{
    size_t used = 0;
    out[0] = '\0';
    const char* name;
    for (uint32_t i = option->choice_first; (name = args_choice_name(option, i)) != NULL; ++i)
    {
        used += used < size
                    ? (size_t)snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "", name)
                    : 0;
    }
}

// ---------------------------------------------------------------------------------------------
// Settings

static const arg_setting* look_up(const args* arguments, const char* name)
{
    for (uint32_t i = 0; i < arguments->setting_count; ++i)
    {
        if (strcmp(arguments->settings[i].option->name, name) == 0)
        {
            return &arguments->settings[i];
        }
    }
    return NULL;
}

bool args_knows(const args* arguments, const char* name)
{
    return look_up(arguments, name) != NULL;
}

const arg_setting* args_get(const args* arguments, const char* name)
{
    const arg_setting* setting = look_up(arguments, name);
    if (setting == NULL)
    {
        pelt_assert_failed(name, __FILE__, __LINE__);
        abort();
    }
    return setting;
}

bool args_is_set(const args* arguments, const char* name)
{
    return args_get(arguments, name)->is_set;
}

const char* args_text(const args* arguments, const char* name, const char* otherwise)
{
    const arg_setting* setting = args_get(arguments, name);
    return setting->is_set ? setting->text : otherwise;
}

float args_number(const args* arguments, const char* name, float otherwise)
{
    const arg_setting* setting = args_get(arguments, name);
    return setting->is_set ? (float)setting->number : otherwise;
}

bool args_is_span(const args* arguments, const char* name)
{
    const arg_setting* setting = args_get(arguments, name);
    return setting->is_set && setting->number < setting->end;
}

uint32_t args_choice(const args* arguments, const char* name)
{
    const arg_setting* setting = args_get(arguments, name);
    return setting->is_set ? setting->choice : setting->option->choice_first;
}

const char* args_choice_name(const arg_option* option, uint32_t choice)
{
    if (option->choices != NULL)
    {
        return option->choices[choice];
    }
    return choice < option->choice_count ? option->choice_name(choice) : NULL;
}

void args_join_names(char* out, size_t size, const char* (*name)(uint32_t), uint32_t first,
                     uint32_t count)
{
    const arg_option option = {.choice_name = name, .choice_first = first, .choice_count = count};
    join_choices(out, size, &option);
}

uint32_t args_list(const char* out[ARGS_REPEAT_MAX], const args* arguments, const char* name)
{
    const arg_option* option = args_get(arguments, name)->option;
    uint32_t count = 0;
    for (uint32_t i = 0; i < arguments->repeat_count; ++i)
    {
        if (arguments->repeats[i].option == option)
        {
            out[count++] = arguments->repeats[i].text;
        }
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Values

static int read_number(arg_setting* setting, const char* text)
{
    const arg_option* option = setting->option;
    char* end;
    double number = strtod(text, &end);
    if (option->has_off && strcmp(text, "off") == 0)
    {
        setting->number = -1.0;
        return EXIT_DONE;
    }
    bool is_whole = option->kind == ARG_COUNT;
    bool is_number = end != text && *end == '\0' && isfinite(number);
    bool has_range = option->minimum < option->maximum;
    double minimum = has_range ? option->minimum : (double)-FLT_MAX;
    double maximum = has_range ? option->maximum : (double)FLT_MAX;

    if (!is_number || (is_whole && number != floor(number)))
    {
        return message_usage("--%s needs a %snumber%s, not \"%s\"", option->name,
                             is_whole ? "whole " : "finite ", option->has_off ? " or off" : "",
                             text);
    }
    if (number < minimum || number > maximum)
    {
        return message_usage("--%s must be from %g to %g, not %s", option->name, minimum, maximum,
                             text);
    }
    setting->number = number;
    setting->end = number;
    return EXIT_DONE;
}

static int read_span(arg_setting* setting, const char* text)
{
    const char* colon = strchr(text, ':');
    if (colon == NULL)
    {
        return read_number(setting, text);
    }
    char first[64];
    snprintf(first, sizeof first, "%.*s", (int)(colon - text), text);
    TRY(read_number(setting, first));
    double begin = setting->number;
    TRY(read_number(setting, colon + 1));
    setting->number = begin;
    if (begin >= setting->end)
    {
        return message_usage("--%s needs A:B with A before B, not %s", setting->option->name, text);
    }
    return EXIT_DONE;
}

static int read_choice(arg_setting* setting, const char* text)
{
    const char* name;
    for (uint32_t i = setting->option->choice_first;
         (name = args_choice_name(setting->option, i)) != NULL; ++i)
    {
        if (strcmp(name, text) == 0)
        {
            setting->choice = i;
            return EXIT_DONE;
        }
    }
    char list[256];
    join_choices(list, sizeof list, setting->option);
    return message_usage("--%s cannot be \"%s\"; the choices are %s", setting->option->name, text,
                         list);
}

static int read_value(arg_setting* setting, const char* text)
{
    setting->is_set = true;
    setting->text = text;
    switch (setting->option->kind)
    {
    case ARG_NUMBER:
    case ARG_COUNT:
        return read_number(setting, text);
    case ARG_SPAN:
        return read_span(setting, text);
    case ARG_CHOICE:
        return read_choice(setting, text);
    case ARG_FLAG:
    case ARG_TEXT:
        break;
    }
    if (setting->option->kind == ARG_TEXT && text[0] == '\0')
    {
        return message_usage("the value of --%s is empty", setting->option->name);
    }
    return EXIT_DONE;
}

bool args_read_length(double* meters, bool* is_relative, const char** end, const char* text)
{
    static const struct
    {
        const char* name;
        double factor;
    } units[] = {{"mm", 1e-3}, {"cm", 1e-2}, {"um", 1e-6}, {"m", 1.0}};
    char* rest;
    double number = strtod(text, &rest);
    bool is_number = rest != text && number > 0.0 && isfinite(number);
    for (size_t i = 0; i < sizeof units / sizeof units[0] && is_number; ++i)
    {
        size_t length = strlen(units[i].name);
        if (strncmp(rest, units[i].name, length) == 0)
        {
            *meters = number * units[i].factor;
            *is_relative = strncmp(rest + length, "/m", 2) == 0;
            *end = rest + length + (*is_relative ? 2 : 0);
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Words

typedef struct words
{
    char** list;
    int count;
    int next;
} words;

static int unknown_option(const args* arguments, const args_command* command, const char* word)
{
    const char* names[ARGS_OPTION_MAX];
    for (uint32_t i = 0; i < arguments->setting_count; ++i)
    {
        names[i] = arguments->settings[i].option->name;
    }
    char bare[64];
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word + strspn(word, "-"), "="),
             word + strspn(word, "-"));
    args_near near = args_find_near(bare, names, arguments->setting_count);
    if (bare[0] != '\0' && bare[1] != '\0' && near.names[0] != '\0')
    {
        return message_usage("%s has no option %s; did you mean --%s?", command->name, word,
                             near.names);
    }
    return message_usage("%s has no option %s; see pelt help %s", command->name, word,
                         command->name);
}

static arg_setting* find_setting(args* arguments, const char* word)
{
    bool is_long = word[1] == '-';
    size_t length = is_long ? strcspn(word + 2, "=") : 1;
    for (uint32_t i = 0; i < arguments->setting_count; ++i)
    {
        const arg_option* option = arguments->settings[i].option;
        bool is_match =
            is_long ? strlen(option->name) == length && strncmp(option->name, word + 2, length) == 0
                    : option->letter != '\0' && option->letter == word[1];
        if (is_match)
        {
            return &arguments->settings[i];
        }
    }
    return NULL;
}

static int take_value(args* arguments, arg_setting* setting, const char* text)
{
    int code = read_value(setting, text);
    if (code != EXIT_DONE || !setting->option->may_repeat)
    {
        return code;
    }
    if (arguments->repeat_count == ARGS_REPEAT_MAX)
    {
        return message_usage("--%s is given too often: %d times is the most", setting->option->name,
                             ARGS_REPEAT_MAX);
    }
    arguments->repeats[arguments->repeat_count++] = (arg_repeat){setting->option, text};
    return EXIT_DONE;
}

// The value after the name: "--name=value", "--name value", "-nvalue" or "-n value".
static int read_option(args* arguments, const args_command* command, words* rest, const char* word)
{
    arg_setting* setting = find_setting(arguments, word);
    if (setting == NULL)
    {
        return unknown_option(arguments, command, word);
    }

    const char* attached = word[1] == '-' ? strchr(word, '=') : word[2] != '\0' ? word + 1 : NULL;
    if (setting->option->kind == ARG_FLAG)
    {
        setting->is_set = true;
        return attached == NULL ? EXIT_DONE
                                : message_usage("--%s takes no value", setting->option->name);
    }
    if (attached != NULL)
    {
        return take_value(arguments, setting, attached + 1);
    }
    // A following option means that the value was forgotten.
    bool is_missing = rest->next == rest->count || strncmp(rest->list[rest->next], "--", 2) == 0;
    if (is_missing)
    {
        return message_usage("--%s needs a value: --%s %s", setting->option->name,
                             setting->option->name, setting->option->value);
    }
    int code = take_value(arguments, setting, rest->list[rest->next++]);
    while (code == EXIT_DONE && setting->option->takes_many && rest->next < rest->count &&
           (rest->list[rest->next][0] != '-' || strcmp(rest->list[rest->next], "-") == 0))
    {
        code = take_value(arguments, setting, rest->list[rest->next++]);
    }
    return code;
}

static int read_operand(args* arguments, const args_command* command, const char* word)
{
    if (arguments->operand_count == command->max_operands)
    {
        return message_usage("%s: unexpected argument \"%s\"; see pelt help %s", command->name,
                             word, command->name);
    }
    arguments->operands[arguments->operand_count++] = word;
    return EXIT_DONE;
}

static void collect_options(args* out, const args_command* command)
{
    for (uint32_t table = 0; table < ARGS_TABLE_MAX && command->tables[table] != NULL; ++table)
    {
        for (const arg_option* row = command->tables[table]; row->name != NULL; ++row)
        {
            PELT_ASSERT(out->setting_count < ARGS_OPTION_MAX);
            out->settings[out->setting_count++].option = row;
        }
    }
}

int args_parse(args* out, const args_command* command, int count, char** list)
{
    *out = (args){0};
    collect_options(out, command);

    words rest = {.list = list, .count = count};
    bool has_options = true;
    while (rest.next < rest.count)
    {
        const char* word = rest.list[rest.next++];
        if (has_options && strcmp(word, "--") == 0)
        {
            has_options = false;
            continue;
        }
        bool is_option = has_options && word[0] == '-' && word[1] != '\0';
        TRY(is_option ? read_option(out, command, &rest, word) : read_operand(out, command, word));
    }
    if (out->operand_count < command->min_operands && !args_is_set(out, "help"))
    {
        return message_usage("%s needs %s; see pelt help %s", command->name, command->operands,
                             command->name);
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// Help

enum
{
    HELP_COLUMN = 29,
    HELP_WIDTH = 80,
};

// Print words from one column on, with line breaks where a line would be too long.
static void print_wrapped(FILE* stream, const char* text)
{
    size_t column = HELP_COLUMN;
    while (*text != '\0')
    {
        size_t length = strcspn(text, " ");
        bool is_first = column == HELP_COLUMN;
        if (!is_first && column + 1 + length > HELP_WIDTH)
        {
            fprintf(stream, "\n%*s", HELP_COLUMN, "");
            column = HELP_COLUMN;
            is_first = true;
        }
        fprintf(stream, "%s%.*s", is_first ? "" : " ", (int)length, text);
        column += length + (is_first ? 0 : 1);
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', stream);
}

static void print_option(FILE* stream, const arg_option* option)
{
    char left[64];
    char letter[8] = "    ";
    if (option->letter != '\0')
    {
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    }
    bool is_flag = option->kind == ARG_FLAG;
    snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, is_flag ? "" : " ",
             is_flag ? "" : option->value);
    fprintf(stream, "  %-26s ", left);

    char list[256], text[640];
    join_choices(list, sizeof list, option);
    snprintf(text, sizeof text, "%s%s%s", option->help, list[0] != '\0' ? " " : "", list);
    print_wrapped(stream, text);
}

void args_print_help(FILE* stream, const args_command* command)
{
    fprintf(stream, "pelt %s: %s\n\nusage: pelt %s %s [options]\n\n%s\n\noptions:\n", command->name,
            command->summary, command->name, command->operands, command->description);
    for (uint32_t table = 0; table < ARGS_TABLE_MAX && command->tables[table] != NULL; ++table)
    {
        for (const arg_option* row = command->tables[table]; row->name != NULL; ++row)
        {
            print_option(stream, row);
        }
    }
    fprintf(stream, "\nexample: %s\n", command->example);
}

// ---------------------------------------------------------------------------------------------
// Mistyped names

enum
{
    WORD_MAX = 48,
};

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// Letters to insert, delete or replace (Levenshtein distance), of words cut to WORD_MAX.
static uint32_t edit_distance(const char* a, const char* b)
{
    size_t a_length = strlen(a) < WORD_MAX ? strlen(a) : WORD_MAX;
    size_t b_length = strlen(b) < WORD_MAX ? strlen(b) : WORD_MAX;
    uint32_t row[WORD_MAX + 1];

    for (size_t j = 0; j <= b_length; ++j)
    {
        row[j] = (uint32_t)j;
    }
    for (size_t i = 1; i <= a_length; ++i)
    {
        uint32_t diagonal = row[0];
        row[0] = (uint32_t)i;
        for (size_t j = 1; j <= b_length; ++j)
        {
            uint32_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[b_length];
}

args_near args_find_near(const char* word, const char* const* names, uint32_t count)
{
    args_near near = {{0}};
    size_t used = 0;
    // A third of the letters may be wrong, and at least two.
    uint32_t limit = strlen(word) > 6 ? (uint32_t)strlen(word) / 3 : 2;

    for (uint32_t distance = 0; distance <= limit; ++distance)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            bool is_prefix = word[0] != '\0' && strncmp(names[i], word, strlen(word)) == 0;
            uint32_t found = is_prefix ? 0 : edit_distance(word, names[i]);
            if (found == distance && used + strlen(names[i]) + 5 < sizeof near.names)
            {
                used += (size_t)snprintf(near.names + used, sizeof near.names - used, "%s%s",
                                         used > 0 ? " or " : "", names[i]);
            }
        }
        // If one name is close, more distant ones are left out.
        if (used > 0)
        {
            break;
        }
    }
    return near;
}

int args_unknown_name(const char* kind, const char* word, const char* const* names, uint32_t count)
{
    args_near near = args_find_near(word, names, count);
    if (near.names[0] != '\0')
    {
        return message_usage("unknown %s \"%s\"; did you mean %s?", kind, word, near.names);
    }
    char list[400] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        if (used + strlen(names[i]) + 3 < sizeof list)
        {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "",
                                     names[i]);
        }
    }
    return count > 0 ? message_usage("unknown %s \"%s\"; the %ss are %s", kind, word, kind, list)
                     : message_usage("unknown %s \"%s\": the input has no %ss", kind, word, kind);
}
