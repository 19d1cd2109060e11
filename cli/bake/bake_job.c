// SPDX-License-Identifier: MIT
#include "bake_job.h"

#include "bake_error_plot.h"
#include "clock.h"
#include "output.h"
#include "terminal.h"

#include <string.h>

const char* const bake_texel_names[] = {"auto", "rgba32ui", "rgba16ui", "rgba8ui", NULL};

// ---------------------------------------------------------------------------------------------
// Names

void bake_job_name(char out[BAKE_NAME_MAX], const char* input)
{
    const char* slash = strrchr(input, '/');
    const char* name = slash != NULL ? slash + 1 : input;
    bool is_rig = strncmp(input, "rig:", 4) == 0;
    if (is_rig)
    {
        name = input + 4;
    }
    const char* dot = strrchr(name, '.');
    size_t length = is_rig ? strcspn(name, "?") : dot != NULL ? (size_t)(dot - name) : strlen(name);
    snprintf(out, BAKE_NAME_MAX, "%.*s", (int)length, name);
    if (out[0] == '\0' || strcmp(input, "-") == 0)
    {
        snprintf(out, BAKE_NAME_MAX, "character");
    }
}

void bake_job_path(char out[BAKE_PATH_MAX], const bake_job* in, const char* ending)
{
    size_t folder = strlen(in->folder);
    const char* between = folder > 0 && in->folder[folder - 1] == '/' ? "" : "/";
    int length = snprintf(out, BAKE_PATH_MAX, "%s%s%s%s", in->folder, between, in->name, ending);
    PELT_ASSERT(length < BAKE_PATH_MAX);
}

uint32_t bake_job_endings(const char* out[8], const bake_job* in)
{
    static const char* const textures[PELT_TEXTURE_FORMAT_COUNT] = {".ktx2", ".png", ".exr", ".dds",
                                                                    ".raw"};
    uint32_t count = 0;
    out[count++] = ".json";
    out[count++] = textures[in->format];
    out[count++] = ".glb";
    out[count++] = "_error.svg";
    if (in->has_openvat)
    {
        out[count++] = "_vat.png";
        out[count++] = "-remap_info.json";
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// The work

static bool show_part(float part, void* user)
{
    (void)user;
    progress_show(part);
    return true;
}

// A budget that cannot be met is a matter of the input, not of this build.
static int refuse_bake(pelt_result result, const pelt_error* error)
{
    int code = message_error(result, error);
    return result == PELT_ERROR_UNSUPPORTED ? EXIT_INPUT : code;
}

static int bake(bake_job* inout)
{
    pelt_error error = {0};
    pelt_bake_options options = inout->bake;
    options.progress = show_part;
    double start = clock_seconds();
    progress_begin("baking");
    pelt_result result = pelt_bake(&inout->baked, inout->scene, &options, &error);
    progress_end();
    inout->bake_seconds = clock_seconds() - start;
    return refuse_bake(result, &error);
}

static int measure(bake_job* inout)
{
    pelt_error error = {0};
    pelt_measure_options options = inout->measure;
    options.progress = show_part;
    double start = clock_seconds();
    progress_begin("measuring");
    pelt_result result =
        pelt_baked_measure(&inout->report, inout->baked, inout->scene, &options, &error);
    progress_end();
    inout->measure_seconds = clock_seconds() - start;
    return message_error(result, &error);
}

int bake_job_run(bake_job* inout)
{
    char path[BAKE_PATH_MAX];
    bake_job_path(path, inout, ".glb");
    int code = bake(inout);
    code = code == EXIT_DONE ? measure(inout) : code;
    return code == EXIT_DONE
               ? packed_scene_create(&inout->written, inout->scene, inout->input, path)
               : code;
}

void bake_job_destroy(bake_job* in)
{
    packed_scene_destroy(&in->written);
    pelt_bake_report_destroy(&in->report);
    pelt_baked_destroy(in->baked);
    in->baked = NULL;
}

int bake_job_save(const bake_job* in)
{
    char path[BAKE_PATH_MAX], plot_path[BAKE_PATH_MAX];
    text_stream plot = {0};
    output_folder folder;
    bake_job_path(path, in, ".json");
    bake_job_path(plot_path, in, "_error.svg");
    int code = bake_error_plot_draw(&plot, in);
    if (code != EXIT_DONE)
    {
        return code;
    }
    code = output_folder_make(&folder, in->folder);
    if (code == EXIT_DONE)
    {
        pelt_error error = {0};
        const pelt_file companion = {plot_path, plot.text, plot.size};
        const pelt_save_baked_options options = {.format = in->format,
                                                 .scene = &in->written.scene,
                                                 .has_openvat = in->has_openvat,
                                                 .companion = &companion};
        code = message_error(pelt_save_baked(path, in->baked, &options, &error), &error);
        if (code != EXIT_DONE)
        {
            output_folder_unmake(&folder);
        }
    }
    text_stream_free(&plot);
    return code;
}
