// SPDX-License-Identifier: MIT
// The pelt program: finds the command, sets the library up for it, and runs it.
#define _XOPEN_SOURCE 700

#include "commands/commands.h"
#include "depfile.h"
#include "help_json.h"
#include "output.h"
#include "signal_cleanup.h"
#include "terminal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

// In the order of the pipeline: inspect a character, prepare it, deform it, draw it, write it, move
// it to the GPU; then what pelt brings along.
static const args_command* const commands[] = {
    &cmd_info, &cmd_doctor,  &cmd_enhance, &cmd_deform,    &cmd_render, &cmd_compare,
    &cmd_view, &cmd_convert, &cmd_bake,    &cmd_unbake,    &cmd_batch,  &cmd_shaders,
    &cmd_rig,  &cmd_demo,    &cmd_bench,   &cmd_reproduce,
};

enum
{
    COMMAND_COUNT = sizeof commands / sizeof commands[0],
};

static void print_overview(FILE* stream)
{
    fputs("pelt deforms skinned characters.\n\nusage: pelt COMMAND [INPUT] [options]\n\n"
          "commands:\n",
          stream);
    for (uint32_t i = 0; i < COMMAND_COUNT; ++i)
    {
        fprintf(stream, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
    }
    fputs("  help     show the help of a command\n\n"
          "INPUT is a file (.glb, .gltf, .fbx, .dae and more), - for the standard input, or a\n"
          "built-in character such as rig:human; pelt rig lists them.\n"
          "Exit codes: 0 done, 1 usage, 2 bad input, 3 not in this build, 4 cannot write.\n"
          "Start with: pelt demo\n",
          stream);
}

const args_command* command_find(const char* name)
{
    for (uint32_t i = 0; i < COMMAND_COUNT; ++i)
    {
        if (strcmp(commands[i]->name, name) == 0)
        {
            return commands[i];
        }
    }
    return NULL;
}

static int unknown_command(const char* name)
{
    const char* names[COMMAND_COUNT];
    for (uint32_t i = 0; i < COMMAND_COUNT; ++i)
    {
        names[i] = commands[i]->name;
    }
    args_near near = args_find_near(name, names, COMMAND_COUNT);
    return near.names[0] != '\0'
               ? message_usage("unknown command \"%s\"; did you mean %s?", name, near.names)
               : message_usage("unknown command \"%s\"; pelt help lists all", name);
}

static int run_help(int count, char** words)
{
    if (count == 0)
    {
        print_overview(stdout);
        return EXIT_DONE;
    }
    if (strcmp(words[0], "--json") == 0)
    {
        return help_json_print(commands, COMMAND_COUNT);
    }
    const args_command* command = command_find(words[0]);
    if (command == NULL)
    {
        return unknown_command(words[0]);
    }
    args_print_help(stdout, command);
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// Setting up

static void log_message(pelt_log_level level, const char* message, void* user)
{
    (void)user;
    message_note("%s%s", level == PELT_LOG_WARNING ? "warning: " : "", message);
}

// Otherwise the result would overwrite the input.
static int refuse_replacing_input(const args_command* command, const args* arguments)
{
    bool has_output = args_knows(arguments, "output");
    const char* path = has_output ? args_text(arguments, "output", NULL) : NULL;
    for (uint32_t i = 0; i < arguments->operand_count && path != NULL; ++i)
    {
        if (!command->may_replace_input && output_is_same_file(path, arguments->operands[i]))
        {
            return message_usage(
                "-o %s is the input itself, which %s would overwrite; give another name", path,
                command->name);
        }
    }
    return EXIT_DONE;
}

static int run_command(const args_command* command, int count, char** words)
{
    args arguments;
    TRY(args_parse(&arguments, command, count, words));
    if (args_is_set(&arguments, "help"))
    {
        args_print_help(stdout, command);
        return EXIT_DONE;
    }
    TRY(refuse_replacing_input(command, &arguments));

    pelt_pool* pool = pelt_pool_create((uint32_t)args_number(&arguments, "threads", 0.0f));
    if (pool == NULL)
    {
        return message_memory();
    }
    pelt_hooks hooks = {
        .log = log_message, .opened = depfile_add, .run = pelt_pool_run, .run_user = pool};
    pelt_hooks_set(&hooks);
    depfile_begin(&arguments);
    int code = command->run(&arguments);
    if (code == EXIT_DONE)
    {
        message_print_later();
    }
    pelt_hooks_set(&(pelt_hooks){0});
    code = depfile_end(code);
    pelt_pool_destroy(pool);
    return code;
}

static int dispatch(int count, char** words)
{
    const char* name = count > 1 ? words[1] : "help";
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
    {
        puts("pelt " PELT_VERSION_STRING);
        return EXIT_DONE;
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
    {
        return run_help(count > 2 ? count - 2 : 0, words + 2);
    }
    if (name[0] == '-')
    {
        return message_usage("the command comes before the options: pelt COMMAND %s", name);
    }
    const args_command* command = command_find(name);
    return command != NULL ? run_command(command, count - 2, words + 2) : unknown_command(name);
}

int main(int count, char** words)
{
    signal_cleanup_install(progress_interrupt);
    // A limit on file sizes is an error of the write that exceeds it, like a full disk.
    signal(SIGXFSZ, SIG_IGN);
    output_json_watch();
    int code = dispatch(count, words);
    errno = 0;
    bool is_lost = fflush(stdout) != 0 || ferror(stdout) != 0;
    if (is_lost && code == EXIT_DONE)
    {
        message_note("cannot write to the standard output: %s", strerror(errno != 0 ? errno : EIO));
        code = EXIT_WRITE;
    }
    return code;
}
