// SPDX-License-Identifier: MIT
// Options of a command as a table, from which the command line is parsed and the help is printed.
#ifndef PELT_ARGS_H
#define PELT_ARGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum
{
    ARGS_TABLE_MAX = 10,
    ARGS_OPTION_MAX = 48,
    ARGS_OPERAND_MAX = 256,
    ARGS_REPEAT_MAX = 256,
};

typedef enum arg_kind
{
    ARG_FLAG = 0, ///< takes no value
    ARG_TEXT,
    ARG_NUMBER, ///< finite, from minimum to maximum
    ARG_COUNT,  ///< whole, from minimum to maximum
    ARG_SPAN,   ///< a finite number, or two as in A:B with A < B
    ARG_CHOICE, ///< one of a list
} arg_kind;

/// One row. A table ends with a row without a name.
typedef struct arg_option
{
    const char* name; ///< without dashes
    char letter;      ///< of the short form, or 0
    arg_kind kind;
    const char* value; ///< what the help calls the value
    const char* help;  ///< one line
    /// Names to choose from, for ARG_CHOICE and for lists of them in ARG_TEXT: an array that ends
    /// with NULL, or a function such as pelt_method_name() for the indices from choice_first to
    /// choice_count - 1, or to the first NULL.
    const char* const* choices;
    const char* (*choice_name)(uint32_t choice);
    uint32_t choice_first, choice_count;
    double minimum, maximum; ///< ARG_NUMBER, ARG_COUNT
    bool has_off;            ///< ARG_NUMBER: the word "off" is allowed, and gives -1
    bool may_repeat;         ///< ARG_TEXT: see args_list()
    bool takes_many;         ///< with may_repeat: all words up to the next option are values
} arg_option;

/// The values of one option on the command line; the last one counts, unless the option may repeat.
typedef struct arg_setting
{
    const arg_option* option;
    bool is_set;
    const char* text;
    double number;
    double end; ///< ARG_SPAN: B of A:B; else the number itself
    uint32_t choice;
} arg_setting;

/// One of the values of an option that may repeat.
typedef struct arg_repeat
{
    const arg_option* option;
    const char* text;
} arg_repeat;

typedef struct args
{
    arg_setting settings[ARGS_OPTION_MAX];
    uint32_t setting_count;
    arg_repeat repeats[ARGS_REPEAT_MAX];
    uint32_t repeat_count;
    const char* operands[ARGS_OPERAND_MAX];
    uint32_t operand_count;
} args;

typedef struct args_command
{
    const char* name;
    const char* summary;     ///< one line in the list of commands
    const char* operands;    ///< "INPUT", "[NAME]" ...
    const char* description; ///< paragraphs for its help
    const char* example;     ///< a command line
    uint32_t min_operands, max_operands;
    bool may_replace_input; ///< -o may name the input: the output is the same character
    const arg_option* tables[ARGS_TABLE_MAX]; ///< as many as are not NULL
    int (*run)(const args* arguments);        ///< returns the exit code
} args_command;

/// Options that most commands share, as tables of one row.
extern const arg_option args_output_file[];
extern const arg_option args_common[]; ///< --json, --threads, --depfile, --help

/// Read what follows the command's name.
/// @return EXIT_DONE, or EXIT_USAGE after a sentence on stderr
int args_parse(args* out, const args_command* command, int count, char** words);

/// Whether an option is in the command's tables.
bool args_knows(const args* arguments, const char* name);

/// The setting of an option that is in the command's tables.
const arg_setting* args_get(const args* arguments, const char* name);
bool args_is_set(const args* arguments, const char* name);
const char* args_text(const args* arguments, const char* name, const char* otherwise);
float args_number(const args* arguments, const char* name, float otherwise);
/// Whether an ARG_SPAN is a moment or has a length.
bool args_is_span(const args* arguments, const char* name);
uint32_t args_choice(const args* arguments, const char* name); ///< the first when not set

/// Write names with ", " between them.
/// @param first, count  name(first) to name(count - 1), or to the first NULL
void args_join_names(char* out, size_t size, const char* (*name)(uint32_t), uint32_t first,
                     uint32_t count);

/// The name of a choice of an option; NULL past the last.
const char* args_choice_name(const arg_option* option, uint32_t choice);

/// All values of an option that may repeat, in their order.
/// @return how many, up to ARGS_REPEAT_MAX
uint32_t args_list(const char* out[ARGS_REPEAT_MAX], const args* arguments, const char* name);

/// A length such as "0.1mm", "0.5cm" or "0.002m"; with "/m" behind it, relative to a height.
/// @param end  what follows it in the text
/// @return false: there is none, or it is not above 0
bool args_read_length(double* meters, bool* is_relative, const char** end, const char* text);

void args_print_help(FILE* stream, const args_command* command);

/// Names close to a mistyped one, "a or b"; "" if none is.
typedef struct args_near
{
    char names[128];
} args_near;

args_near args_find_near(const char* word, const char* const* names, uint32_t count);

/// A message about a name that the input does not have, with similar names, or else all.
/// @param kind  "clip": the kind of the name, in the singular
/// @return EXIT_USAGE
int args_unknown_name(const char* kind, const char* word, const char* const* names, uint32_t count);

#endif
