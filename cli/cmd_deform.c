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
static const char* const cor_names[] = {"auto", "full", NULL};

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
     .help = "centres for method crs: the mesh's own where it has them, or always computed,"
             " which is slow; default auto; one of"},
    {.name = "sigma",
     .kind = ARG_NUMBER,
     .value = "S",
     .minimum = 1e-6,
     .maximum = 1e6,
     .help = "for computed centres: width of the kernel; default 0.1; implies --cor full"},
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
static void note_unused(const args* arguments, pelt_method method)
{
    static const struct
    {
        const char* option;
        pelt_method method;
    } owners[] = {
        {"mix", PELT_METHOD_MIX},
        {"dqs", PELT_METHOD_DQS},
        {"cor", PELT_METHOD_CRS},
        {"sigma", PELT_METHOD_CRS},
    };
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; ++i)
    {
        if (args_is_set(arguments, owners[i].option) && method != owners[i].method)
        {
            message_note("--%s has no effect on method %s", owners[i].option,
                         pelt_method_name(method));
        }
    }
}

static int report(const args* arguments, const pelt_scene* scene, const pelt_frame* frame,
                  const posed* pose, const mesh_file* file)
{
    if (!args_is_set(arguments, "json"))
    {
        return EXIT_DONE;
    }
    json_t* summary = json_object();
    pelt_method method = (pelt_method)args_choice(arguments, "method");
    json_object_set_new(summary, "input", output_string(arguments->operands[0]));
    json_object_set_new(summary, "method", output_string(pelt_method_name(method)));
    if (method == PELT_METHOD_MIX)
    {
        json_object_set_new(summary, "mix", output_float(args_number(arguments, "mix", 0.5f)));
    }
    posed_describe(summary, pose);
    mesh_file_describe(summary, file, scene, frame);
    return output_json(summary, NULL);
}

static int deform_frame(const args* arguments, const pelt_scene* scene, pelt_frame* frame,
                        const posed* pose, const mesh_file* file)
{
    pelt_deform_options how = deform_options(arguments);
    centres own = {0};
    if (how.method == PELT_METHOD_CRS)
    {
        bool is_full = args_choice(arguments, "cor") == 1 || args_is_set(arguments, "sigma");
        int code = centres_create(&own, frame, scene, is_full ? CENTRES_FULL : CENTRES_AUTO,
                                  args_number(arguments, "sigma", 0.0f));
        if (code != EXIT_DONE)
        {
            return code;
        }
    }
    pelt_frame_update(frame, scene, &pose->pose, &how);
    centres_destroy(&own);

    int code = mesh_file_save(file, scene, frame);
    return code == EXIT_DONE ? report(arguments, scene, frame, pose, file) : code;
}

static int deform_scene(const args* arguments, const pelt_scene* scene, const mesh_file* file)
{
    posed pose;
    int code = posed_choose(&pose, scene, arguments);
    code = code == EXIT_DONE ? posed_create(&pose, scene, arguments) : code;
    if (code != EXIT_DONE)
    {
        return code;
    }
    pelt_frame frame;
    code = pelt_frame_create(&frame, scene) == PELT_OK ? EXIT_DONE : message_memory();
    if (code == EXIT_DONE)
    {
        code = deform_frame(arguments, scene, &frame, &pose, file);
        pelt_frame_destroy(&frame);
    }
    posed_destroy(&pose);
    return code;
}

static int run(const args* arguments)
{
    mesh_file file;
    int code = mesh_file_choose(&file, arguments);
    if (code != EXIT_DONE)
    {
        return code;
    }
    note_unused(arguments, (pelt_method)args_choice(arguments, "method"));

    pelt_scene* scene;
    code = source_load_mesh(&scene, arguments->operands[0]);
    if (code == EXIT_DONE)
    {
        code = deform_scene(arguments, scene, &file);
        pelt_scene_destroy(scene);
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
    .tables = {options, posed_options, mesh_file_options, args_common},
    .run = run,
};
