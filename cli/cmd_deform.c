// SPDX-License-Identifier: MIT
// pelt deform: pose a character and write its deformed mesh.
#include "centres.h"
#include "commands.h"
#include "mesh_file.h"
#include "message.h"
#include "output.h"
#include "posed.h"
#include "source.h"

static const char* const method_names[] = {"lbs", "dqs", "mix", "crs", "lms", "sbs", NULL};
static const char* const sign_rule_names[] = {"heaviest", "running", "first", NULL};
static const char* const dqs_names[] = {"antipodal", "basic", "optimized", NULL};
static const char* const cor_names[] = {"auto", "compute", NULL};

_Static_assert(sizeof method_names / sizeof method_names[0] == PELT_METHOD_COUNT + 1,
               "one name per method, in the order of pelt_method");

static const arg_option options[] = {
    {.name = "method",
     .kind = ARG_CHOICE,
     .value = "METHOD",
     .choices = method_names,
     .help = "how joints blend, default lbs; one of"},
    {.name = "mix",
     .kind = ARG_NUMBER,
     .value = "F",
     .maximum = 1.0,
     .help = "for method mix: 0 is lbs, 1 is dqs; default 0.5"},
    {.name = "sign-rule",
     .kind = ARG_CHOICE,
     .value = "RULE",
     .choices = sign_rule_names,
     .help = "which of q and -q enters a blend, default heaviest; one of"},
    {.name = "dqs",
     .kind = ARG_CHOICE,
     .value = "VARIANT",
     .choices = dqs_names,
     .help = "variant of method dqs, default antipodal; one of"},
    {.name = "cor",
     .kind = ARG_CHOICE,
     .value = "SOURCE",
     .choices = cor_names,
     .help =
         "centres for method crs: the mesh's own and computed where it has none, or all computed"
         " anew, as the following options imply; default auto; one of"},
    {0},
};

static pelt_deform_options deform_options(const args* arguments)
{
    pelt_deform_options out = {
        .method = (pelt_method)args_choice(arguments, "method"),
        .sign_rule = (pelt_sign_rule)args_choice(arguments, "sign-rule"),
        .dqs_variant = (pelt_dqs_variant)args_choice(arguments, "dqs"),
        .mix = args_number(arguments, "mix", 0.5f),
    };
    return out;
}

// An option that cannot have an effect is a mistake of thought: better said than swallowed.
static int refuse_unused(const args* arguments, pelt_method method)
{
    const struct
    {
        const char* option;
        pelt_method method;
    } owners[] = {
        {args_is_set(arguments, "mix") ? "mix" : NULL, PELT_METHOD_MIX},
        {args_is_set(arguments, "dqs") ? "dqs" : NULL, PELT_METHOD_DQS},
        {args_is_set(arguments, "cor") ? "cor" : centres_find_given(arguments), PELT_METHOD_CRS},
    };
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; ++i)
    {
        if (owners[i].option != NULL && method != owners[i].method)
        {
            return message_usage("--%s has no effect on method %s; it goes with --method %s",
                                 owners[i].option, pelt_method_name(method),
                                 pelt_method_name(owners[i].method));
        }
    }
    return EXIT_DONE;
}

// Options of the solver ask for solving, unless the command line says otherwise.
static centres_source source_of_centres(const args* arguments)
{
    return args_is_set(arguments, "cor")           ? (centres_source)args_choice(arguments, "cor")
           : centres_find_given(arguments) != NULL ? CENTRES_COMPUTE
                                                   : CENTRES_AUTO;
}

typedef struct deform_job
{
    const args* arguments;
    mesh_file file;
    pelt_deform_options how;
    pelt_cor_options cor;
    pelt_scene* scene;
    pelt_frame frame;
    posed pose;
    centres centres;
} deform_job;

static int report(const deform_job* job)
{
    if (!args_is_set(job->arguments, "json"))
    {
        return EXIT_DONE;
    }
    json_t* summary = json_object();
    json_object_set_new(summary, "input", output_string(job->arguments->operands[0]));
    json_object_set_new(summary, "method", output_string(pelt_method_name(job->how.method)));
    if (job->how.method == PELT_METHOD_MIX)
    {
        json_object_set_new(summary, "mix", output_float(job->how.mix));
    }
    if (job->how.method == PELT_METHOD_CRS)
    {
        bool is_computed = job->centres.computed_count > 0;
        json_object_set_new(summary, "cor",
                            is_computed ? centres_describe(&job->centres) : json_null());
    }
    posed_describe(summary, &job->pose);
    mesh_file_describe(summary, &job->file, job->scene, &job->frame);
    return output_json(summary, NULL);
}

static int deform_frame(deform_job* job)
{
    if (job->how.method == PELT_METHOD_CRS)
    {
        int code =
            centres_create(&job->centres, job->scene, source_of_centres(job->arguments), &job->cor);
        if (code != EXIT_DONE)
        {
            return code;
        }
        centres_lend(&job->frame, &job->centres);
    }
    pelt_frame_update(&job->frame, job->scene, &job->pose.pose, &job->how);

    int code = mesh_file_save(&job->file, job->scene, &job->frame);
    code = code == EXIT_DONE ? report(job) : code;
    centres_destroy(&job->centres);
    return code;
}

static int deform_scene(deform_job* job)
{
    int code = posed_choose(&job->pose, job->scene, job->arguments);
    code = code == EXIT_DONE ? posed_create(&job->pose, job->scene, job->arguments) : code;
    if (code != EXIT_DONE)
    {
        return code;
    }
    code = pelt_frame_create(&job->frame, job->scene) == PELT_OK ? EXIT_DONE : message_memory();
    if (code == EXIT_DONE)
    {
        code = deform_frame(job);
        pelt_frame_destroy(&job->frame);
    }
    posed_destroy(&job->pose);
    return code;
}

static int run(const args* arguments)
{
    deform_job job = {.arguments = arguments, .how = deform_options(arguments)};
    int code = mesh_file_choose(&job.file, arguments);
    code = code == EXIT_DONE ? refuse_unused(arguments, job.how.method) : code;
    code = code == EXIT_DONE ? centres_choose(&job.cor, arguments) : code;
    code = code == EXIT_DONE ? source_load_mesh(&job.scene, arguments->operands[0]) : code;
    if (code == EXIT_DONE)
    {
        code = deform_scene(&job);
        pelt_scene_destroy(job.scene);
    }
    return code;
}

const args_command cmd_deform = {
    .name = "deform",
    .summary = "pose a character and write its deformed mesh",
    .operands = "INPUT",
    .description =
        "Writes the mesh in the pose that --clip, --time and --pose ask for, or else in the one\n"
        "that the input stores. With --json a summary goes to the standard output.\n"
        "Methods: lbs linear blend, dqs dual quaternions, mix between the two, crs centres of\n"
        "rotation, lms log-matrix blend, sbs spherical blend.",
    .example = "pelt deform character.glb --clip Walk --time 0.4 --method dqs -o walk.obj",
    .min_operands = 1,
    .max_operands = 1,
    .tables = {options, centres_options, posed_options, mesh_file_options, args_common},
    .run = run,
};
