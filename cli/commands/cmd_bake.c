// SPDX-License-Identifier: MIT
// pelt bake: the clips of a character as an animation texture, with its error.
#include "bake/bake_report.h"
#include "bake/bake_request.h"
#include "commands.h"
#include "requests/clip_request.h"
#include "requests/cor_request.h"
#include "requests/ddm_request.h"
#include "source.h"
#include "terminal.h"

#include <string.h>

static void print_wrote(const bake_job* in)
{
    const char* endings[8];
    char path[BAKE_PATH_MAX], list[256] = "";
    size_t used = 0;
    uint32_t count = bake_job_endings(endings, in);
    for (uint32_t i = 1; i < count; ++i)
    {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 i + 1 == count ? " and " : ", ", endings[i]);
    }
    bake_job_path(path, in, endings[0]);
    message_note("wrote %s%s: %u %s in %zu bytes", path, list, in->baked->clip_count,
                 message_plural(in->baked->clip_count, "clip", "clips"),
                 pelt_baked_bytes(in->baked));
}

// The text for the standard output, made before files are written: nothing needs memory after that.
static int prepare_summary(output* out, const bake_job* in, bool is_json)
{
    if (is_json)
    {
        return output_json_prepare(out, bake_report_describe(in), NULL);
    }
    TRY(output_open(out, NULL));
    bool is_whole = bake_report_print(out->stream, in);
    return is_whole && text_stream_close(&out->content) ? EXIT_DONE : output_fail(out);
}

static int save(const bake_job* in, bool is_json)
{
    output summary = {0};
    TRY(prepare_summary(&summary, in, is_json));
    TRY(output_discard_on(&summary, bake_job_save(in)));
    print_wrote(in);
    bake_report_note_choice(in);
    packed_scene_print_lost(&in->written, "");
    bake_report_note_chords(in);
    return output_deliver(&summary);
}

// What the method needs and meshes lack.
static int prepare_scene(pelt_scene* inout, const bake_job* job, pelt_arena* arena)
{
    cor_report cors;
    const pelt_cor_options defaults = {0};
    const pelt_method_traits* method = pelt_method_info(job->measure.deform.method);
    TRY(method->needs_smoothing ? ddm_request_add(inout, &(pelt_ddm_options){0}, arena)
                                : EXIT_DONE);
    return method->needs_centers
               ? cor_request_add(&cors, inout, PELT_PREPARE_MISSING, &defaults, arena)
               : EXIT_DONE;
}

static int bake_scene(bake_job* job, const args* arguments, pelt_arena* arena)
{
    pelt_scene prepared = *job->scene;
    TRY(bake_request_find(job, arguments, arena));
    TRY(prepare_scene(&prepared, job, arena));
    job->scene = &prepared;
    int code = bake_job_run(job);
    code = code == EXIT_DONE ? save(job, args_is_set(arguments, "json")) : code;
    bake_job_destroy(job);
    return code;
}

static int run(const args* arguments)
{
    bake_job job = {.input = arguments->operands[0]};
    TRY(bake_request_choose(&job, arguments));
    pelt_scene* scene;
    pelt_source source;
    TRY(source_load_mesh_keep(&scene, &source, job.input));
    pelt_arena* arena = pelt_arena_create();
    int code = clip_request_add(NULL, scene, arguments);
    job.scene = scene;
    job.source = source.bytes != NULL ? &source : NULL;
    code = code != EXIT_DONE ? code
           : arena != NULL   ? bake_scene(&job, arguments, arena)
                             : message_memory();
    pelt_arena_destroy(arena);
    pelt_scene_destroy(scene);
    pelt_source_release(&source);
    return code;
}

const args_command cmd_bake = {
    .name = "bake",
    .summary = "bake clips into an animation texture, for crowds",
    .operands = "INPUT",
    .description =
        "Bakes all clips, or those given by --clip, into one texture that shaders decode without\n"
        "help from the CPU. Writes the texture, a JSON file for programs on the CPU, the mesh as\n"
        "a GLB file, and a plot of the error over time; all of them, or none. Then prints by how\n"
        "far vertices are off for each clip, in millimeters: at most, at keys, for 99 of 100, as\n"
        "root mean square; the largest angle of normals in degrees; and where the largest error\n"
        "is. With --max-error it finds the smallest texture that keeps the error at every vertex\n"
        "and between keys: the encoding, local or qt, the rate of each clip, and the bits. What "
        "is\n"
        "given by --encoding or --rate is not searched. With --max-bytes it finds the smallest "
        "error.",
    .example = "pelt bake character.glb --max-error 0.1mm/m -o baked",
    .min_operands = 1,
    .max_operands = 1,
    .tables = {bake_request_options, clip_request_options, args_common},
    .run = run,
};
