// SPDX-License-Identifier: MIT
// The tables of commands and options as JSON.
#include "help_json.h"
#include "output.h"

#include <jansson.h>

static json_t* describe_option(const arg_option* option)
{
    json_t* choices = json_array();
    const char* name = args_choice_name(option, option->choice_first);
    for (uint32_t i = option->choice_first; name != NULL; name = args_choice_name(option, ++i))
    {
        json_array_append_new(choices, output_string(name));
    }
    const char letter[2] = {option->letter, '\0'};
    json_t* value = option->kind == ARG_FLAG ? json_null() : output_string(option->value);
    // A text with choices is a list of them with commas in between.
    return json_pack("{s:s, s:s, s:o, s:s, s:b, s:o}", "name", option->name, "letter", letter,
                     "value", value, "help", option->help, "is_list",
                     option->kind == ARG_TEXT && json_array_size(choices) > 0, "choices", choices);
}

static json_t* describe_command(const args_command* command)
{
    json_t* options = json_array();
    for (uint32_t t = 0; t < ARGS_TABLE_MAX && command->tables[t] != NULL; ++t)
    {
        for (const arg_option* row = command->tables[t]; row->name != NULL; ++row)
        {
            json_array_append_new(options, describe_option(row));
        }
    }
    return json_pack("{s:s, s:s, s:s, s:o}", "name", command->name, "summary", command->summary,
                     "operands", command->operands, "options", options);
}

int help_json_print(const args_command* const* commands, uint32_t count)
{
    json_t* list = json_array();
    for (uint32_t i = 0; i < count; ++i)
    {
        json_array_append_new(list, describe_command(commands[i]));
    }
    return output_json(json_pack("{s:o}", "commands", list), NULL);
}
