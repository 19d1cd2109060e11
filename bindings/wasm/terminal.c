// SPDX-License-Identifier: MIT
// Replaces cli/terminal.c and the reports of requests, since there is no terminal: messages become
// the sentence of the error, progress goes to JavaScript.
#include "../../cli/terminal.h"
#include "../../cli/args.h"
#include "../../cli/requests/cor_request.h"
#include "../../cli/requests/ddm_request.h"
#include "../../cli/requests/mix_request.h"
#include "web.h"

#include <stdarg.h>
#include <stdio.h>

#define SET_SENTENCE(format)                                                                       \
    do                                                                                             \
    {                                                                                              \
        va_list list_;                                                                             \
        va_start(list_, format);                                                                   \
        vsnprintf(web_error.message, sizeof web_error.message, format, list_);                     \
        va_end(list_);                                                                             \
    } while (0)

void message_note(const char* format, ...)
{
    SET_SENTENCE(format);
}

int message_usage(const char* format, ...)
{
    SET_SENTENCE(format);
    return EXIT_USAGE;
}

int message_error(pelt_result result, const pelt_error* error)
{
    web_error = *error;
    return result == PELT_OK ? EXIT_DONE : EXIT_INPUT;
}

int message_memory(void)
{
    pelt_error_memory(&web_error);
    return EXIT_INPUT;
}

const char* message_plural(uint64_t count, const char* one, const char* many)
{
    return count == 1 ? one : many;
}

void progress_begin(const char* label)
{
    (void)label;
    web_progress(0.0f, NULL);
}

void progress_show(float part)
{
    web_progress(part, NULL);
}

void progress_end(void)
{
    web_progress(1.0f, NULL);
}

int cor_request_add(cor_report* out, pelt_scene* inout, pelt_prepare_scope scope,
                    const pelt_cor_options* options, pelt_arena* arena)
{
    pelt_result result = pelt_scene_add_cors(inout, scope, options, &out->found, arena, &web_error);
    return result == PELT_OK ? EXIT_DONE : EXIT_INPUT;
}

int ddm_request_add(pelt_scene* inout, const pelt_ddm_options* options, pelt_arena* arena)
{
    pelt_result result =
        pelt_scene_add_ddm(inout, PELT_PREPARE_MISSING, options, NULL, arena, &web_error);
    return result == PELT_OK ? EXIT_DONE : EXIT_INPUT;
}

int mix_request_add(mix_report* out, pelt_scene* inout, const mix_request* request,
                    pelt_arena* arena)
{
    pelt_result result =
        pelt_scene_add_mix_factors(inout, &request->options, &out->found, arena, &web_error);
    return result == PELT_OK ? EXIT_DONE : EXIT_INPUT;
}

int args_unknown_name(const char* kind, const char* word, const char* const* names, uint32_t count)
{
    (void)names, (void)count;
    return message_usage("there is no %s \"%s\"", kind, word);
}
