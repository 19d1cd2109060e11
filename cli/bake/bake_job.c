// SPDX-License-Identifier: MIT
#include "bake_job.h"

#include "bake_error_plot.h"
#include "clock.h"
#include "output.h"
#include "output_file.h"
#include "terminal.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Names

bool bake_job_name(char out[BAKE_NAME_MAX], const char* input)
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
    // The JSON file names the others, and readers accept neither paths nor control characters
    // there.
    char before[BAKE_NAME_MAX];
    memcpy(before, out, BAKE_NAME_MAX);
    terminal_text_clean(out);
    for (char* at = out + strcspn(out, "?\\:"); *at != '\0'; at += strcspn(at, "?\\:"))
    {
        *at = '_';
    }
    return strcmp(out, before) == 0;
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

// A budget that cannot be met is an error of the input, not of this build.
static int refuse_bake(pelt_result result, const pelt_error* error)
{
    int code = message_error(result, error);
    return result == PELT_ERROR_UNSUPPORTED ? EXIT_INPUT : code;
}

static int bake(bake_job* inout)
{
    pelt_error error = {0};
    pelt_bake_options options = inout->bake;
    options.progress = progress_part;
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
    options.progress = progress_part;
    double start = clock_seconds();
    progress_begin("measuring");
    pelt_result result =
        pelt_baked_measure(&inout->report, inout->baked, inout->scene, &options, &error);
    progress_end();
    inout->measure_seconds = clock_seconds() - start;
    return message_error(result, &error);
}

// The limit of the error: above 1 % of the height, the bake is refused unless it is forced.
static double allowed_error(const bake_job* in)
{
    double height = (double)in->baked->height_meters;
    double budget = in->bake.max_error * (in->bake.is_relative ? height : 1.0);
    return fmax(0.01 * height, in->bake.has_budget ? budget : 0.0);
}

static double found_error(const bake_job* in)
{
    const pelt_bake_error* error = &in->report.error;
    bool is_at_keys = in->bake.max_error > 0.0 && in->bake.scope == PELT_BAKE_AT_SAMPLES;
    return is_at_keys ? error->max_at_keys : error->max;
}

static bool is_good(const bake_job* in)
{
    return in->is_forced || found_error(in) <= allowed_error(in);
}

static int bake_and_measure(bake_job* inout)
{
    TRY(bake(inout));
    return measure(inout);
}

static int bake_local_instead(bake_job* inout)
{
    double percent = 100.0 * found_error(inout) / (double)inout->baked->height_meters;
    const char* name = pelt_encoding_name(inout->bake.encoding);
    bake_job_destroy(inout);
    inout->bake.encoding = PELT_ENCODING_LOCAL;
    TRY(bake_and_measure(inout));
    if (is_good(inout))
    {
        message_note("chose encoding local: %s is off by %.3g %% of the height between keys", name,
                     percent);
    }
    return EXIT_DONE;
}

static int refuse_error(const bake_job* in)
{
    const pelt_bake_error* error = &in->report.error;
    double found = found_error(in);
    if (is_good(in))
    {
        return EXIT_DONE;
    }
    const char* other = in->may_take_local ? " or more --bits"
                        : in->bake.encoding == PELT_ENCODING_LOCAL
                            ? ", more --bits or --encoding qt"
                            : ", more --bits or --encoding local";
    message_note("the bake is off by up to %.3g mm, %.3g %% of the height, in clip %s at %.2f s: "
                 "a higher --rate%s may help; --force writes it all the same",
                 1e3 * found, 100.0 * found / (double)in->baked->height_meters,
                 in->baked->clips[in->report.worst_clip].name, (double)error->worst_time, other);
    return EXIT_INPUT;
}

static int add_losses(bake_job* inout)
{
    char what[128];
    snprintf(what, sizeof what, "animated morph targets, which move vertices by at most %.3g mm",
             1e3 * inout->report.morph_max);
    return inout->report.morph_max > 0.0 ? packed_scene_add_loss(&inout->written, what) : EXIT_DONE;
}

int bake_job_run(bake_job* inout)
{
    char path[BAKE_PATH_MAX];
    bake_job_path(path, inout, ".glb");
    int code = bake_and_measure(inout);
    if (code == EXIT_DONE && inout->may_take_local && !is_good(inout))
    {
        code = bake_local_instead(inout);
    }
    code = code == EXIT_DONE ? refuse_error(inout) : code;
    if (code == EXIT_DONE)
    {
        // Keep everything in a glTF file.
        bool is_copy = inout->source != NULL && output_file_holds_scene(inout->scene->format);
        code = is_copy ? packed_scene_create_copy(&inout->written, inout->scene)
                       : packed_scene_create(&inout->written, inout->scene, inout->input, path);
    }
    return code == EXIT_DONE ? add_losses(inout) : code;
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
    TRY(bake_error_plot_draw(&plot, in));
    int code = output_folder_make(&folder, in->folder);
    if (code == EXIT_DONE)
    {
        pelt_error error = {0};
        const pelt_file companion = {plot_path, plot.text, plot.size};
        const pelt_save_baked_options options = {.format = in->format,
                                                 .scene = &in->written.scene,
                                                 .source = in->source,
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
