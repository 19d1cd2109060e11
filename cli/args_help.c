// SPDX-License-Identifier: MIT
// The help of a command, printed from its table of options.
#include "args.h"

#include <string.h>

enum
{
    HELP_COLUMN = 29,
    HELP_WIDTH = 80,
};

// Words from one column on, going on below where a line would become too long.
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

    char text[512];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", option->help);
    for (uint32_t i = 0; option->kind == ARG_CHOICE && option->choices[i] != NULL; ++i)
    {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i == 0 ? " " : ", ",
                                 option->choices[i]);
    }
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
