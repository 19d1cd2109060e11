// SPDX-License-Identifier: MIT
// The methods of a command: --method and the related options.
#include "method_list.h"

#include "output.h"
#include "terminal.h"

#include <string.h>

enum
{
    NAMES_SIZE = 64, // of all methods with commas between
};

static const char* const cor_names[] = {"auto", "compute", NULL};

const arg_option method_list_options[] = {
    {.name = "mix",
     .kind = ARG_TEXT,
     .value = "F",
     .help = "for method mix: 0 is lbs, 1 is dqs; pelt render takes several with commas between; "
             "default the factors in the file, or else 0.5"},
    {.name = "correct-distance",
     .kind = ARG_NUMBER,
     .value = "F",
     .maximum = 1.0,
     .help = "push vertices that have moved away from their bones back, from 0, not at all, to 1, "
             "to their distance at rest: bends under dqs and mix do not bulge; default 0"},
    {.name = "convention",
     .kind = ARG_CHOICE,
     .value = "NAME",
     .choice_name = pelt_convention_name,
     .choice_count = PELT_CONVENTION_COUNT,
     .help = "deform like another program: sign rule, pivot of scale and normals; default pelt; one"
             " of"},
    {.name = "sign-rule",
     .kind = ARG_CHOICE,
     .value = "RULE",
     .choice_name = pelt_sign_rule_name,
     .choice_count = PELT_SIGN_RULE_COUNT,
     .help = "which of q and -q enters a blend; default that of the convention; one of"},
    {.name = "dqs",
     .kind = ARG_CHOICE,
     .value = "VARIANT",
     .choice_name = pelt_dqs_variant_name,
     .choice_count = PELT_DQS_VARIANT_COUNT,
     .help = "variant of method dqs; default antipodal; one of"},
    {.name = "lms",
     .kind = ARG_CHOICE,
     .value = "VARIANT",
     .choice_name = pelt_lms_variant_name,
     .choice_count = PELT_LMS_VARIANT_COUNT,
     .help =
         "variant of method lms: logarithms relative to the mean motion of a vertex's joints, or"
         " to the bind pose; default relative; one of"},
    {.name = "cor",
     .kind = ARG_CHOICE,
     .value = "SOURCE",
     .choices = cor_names,
     .help =
         "centers for method crs: auto uses those of the file and computes missing ones, compute"
         " computes all, as the following options imply; default auto; one of"},
    {0},
};

const char* method_list_normal_name(uint32_t rule)
{
    return rule < PELT_NORMAL_RULE_COUNT ? pelt_normal_rule_name((pelt_normal_rule)rule)
                                         : "recompute";
}

pelt_method method_list_gpu_method(uint32_t index)
{
    uint32_t method = 0;
    for (; method < PELT_METHOD_COUNT; ++method)
    {
        bool has_shaders = pelt_method_info((pelt_method)method)->gpu_joint_floats > 0;
        if (has_shaders && index-- == 0)
        {
            break;
        }
    }
    return (pelt_method)method;
}

const char* method_list_gpu_name(uint32_t index)
{
    pelt_method method = method_list_gpu_method(index);
    return method != PELT_METHOD_COUNT ? pelt_method_name(method) : NULL;
}

uint32_t method_list_with(size_t member)
{
    uint32_t methods = 0;
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        const char* traits = (const char*)pelt_method_info((pelt_method)i);
        methods |= (uint32_t) * (const bool*)(traits + member) << i;
    }
    return methods;
}

pelt_deform_options method_list_by(const method_list* in, pelt_method method)
{
    pelt_deform_options how = in->methods[0];
    how.method = method;
    return how;
}

void method_list_attach_mix(pelt_frame* frame, const pelt_scene* scene, const method_list* in)
{
    for (uint32_t i = 0; i < scene->mesh_count && in->mix.count > 0; ++i)
    {
        frame->mix_factors[i] = NULL;
    }
}

// Whether meshes differ in the method that the file names for them.
static bool is_by_mesh(const method_list* in)
{
    return (in->file_methods & (in->file_methods - 1)) != 0;
}

const char* method_list_name(const method_list* in, uint32_t index)
{
    return is_by_mesh(in) ? "file" : pelt_method_name(in->methods[index].method);
}

void method_list_write_name(char out[METHOD_LIST_NAME_SIZE], const method_list* in, uint32_t index)
{
    const pelt_deform_options* how = &in->methods[index];
    bool has_factor = in->mix.count > 1 && pelt_method_info(how->method)->has_mix_factor;
    snprintf(out, METHOD_LIST_NAME_SIZE, has_factor ? "%s %.4g" : "%s", method_list_name(in, index),
             (double)how->mix);
}

// "dqs, mix" of bits 1 << method.
static void write_names(char* out, size_t size, uint32_t methods)
{
    size_t length = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < PELT_METHOD_COUNT && length < size; ++i)
    {
        if ((methods >> i & 1u) != 0)
        {
            length += (size_t)snprintf(out + length, size - length, "%s%s", length > 0 ? ", " : "",
                                       pelt_method_name((pelt_method)i));
        }
    }
}

bool method_list_has(const method_list* in, uint32_t methods)
{
    uint32_t found = in->file_methods;
    for (uint32_t i = 0; i < in->count; ++i)
    {
        found |= 1u << in->methods[i].method;
    }
    return (found & methods) != 0;
}

int method_list_find(pelt_method* out, const char* name, const char* option)
{
    *out = pelt_method_find(name);
    char names[NAMES_SIZE];
    args_join_names(names, sizeof names, pelt_method_name, 0, PELT_METHOD_COUNT);
    return *out != PELT_METHOD_COUNT
               ? EXIT_DONE
               : message_usage("%s cannot be \"%s\"; the choices are %s", option, name, names);
}

void method_list_add(method_list* inout, const pelt_deform_options* how)
{
    inout->rule_count = inout->rule_count > 0 ? inout->rule_count : 1;
    for (uint32_t i = 0; i < inout->rule_count; ++i)
    {
        uint32_t rule = inout->rules[i];
        pelt_deform_options* added = &inout->methods[inout->count++];
        *added = *how;
        added->normal_rule =
            rule < PELT_NORMAL_RULE_COUNT ? (pelt_normal_rule)rule : PELT_NORMAL_STANDARD;
    }
}

bool method_list_is_recomputed(const method_list* in, uint32_t index)
{
    return in->rules[index % in->rule_count] == PELT_NORMAL_RULE_COUNT;
}

const char* method_list_rule_name(const method_list* in, uint32_t index)
{
    return method_list_normal_name(in->rules[index % in->rule_count]);
}

bool method_list_lacks_rule(const method_list* in, uint32_t index)
{
    const pelt_deform_options* how = &in->methods[index];
    return !pelt_method_info(how->method)->has_derivatives &&
           how->normal_rule != PELT_NORMAL_STANDARD;
}

bool method_list_needs_factors(const method_list* in)
{
    bool is_needed = in->needs_factors;
    for (uint32_t i = 0; i < in->count; ++i)
    {
        is_needed = is_needed || in->methods[i].normal_rule != PELT_NORMAL_STANDARD;
    }
    return is_needed;
}

uint32_t method_list_columns(const method_list* in)
{
    bool is_grid = in->rule_count > 1 && in->count > in->rule_count;
    return is_grid ? in->rule_count : in->count;
}

// ---------------------------------------------------------------------------------------------
// The command line

// The first word of a list. @return what follows its comma, or NULL
static const char* take_word(char* out, size_t size, const char* list)
{
    size_t length = strcspn(list, ",");
    snprintf(out, size, "%.*s", (int)length, list);
    return list[length] == ',' ? list + length + 1 : NULL;
}

static int add_rule(method_list* inout, const char* name)
{
    uint32_t rule = 0;
    while (rule < METHOD_LIST_RULE_MAX && strcmp(method_list_normal_name(rule), name) != 0)
    {
        ++rule;
    }
    if (rule == METHOD_LIST_RULE_MAX)
    {
        char names[NAMES_SIZE];
        args_join_names(names, sizeof names, method_list_normal_name, 0, METHOD_LIST_RULE_MAX);
        return message_usage("--normals cannot be \"%s\"; the choices are %s", name, names);
    }
    for (uint32_t i = 0; i < inout->rule_count; ++i)
    {
        if (inout->rules[i] == rule)
        {
            return message_usage("--normals names %s twice", name);
        }
    }
    inout->rules[inout->rule_count++] = rule;
    return EXIT_DONE;
}

// The rule of normals follows from the convention, unless the command line says otherwise.
static int read_rules(method_list* inout, const args* arguments)
{
    pelt_convention convention = (pelt_convention)args_choice(arguments, "convention");
    const char* usual = pelt_convention_recomputes(convention) ? "recompute" : "standard";
    const char* list = args_text(arguments, "normals", usual);
    int code = EXIT_DONE;
    while (code == EXIT_DONE && list != NULL)
    {
        char name[32];
        list = take_word(name, sizeof name, list);
        code = add_rule(inout, name);
    }
    return code;
}

static int add_method(method_list* inout, const args* arguments, const char* name)
{
    pelt_deform_options how = {
        .dqs_variant = (pelt_dqs_variant)args_choice(arguments, "dqs"),
        .lms_variant = (pelt_lms_variant)args_choice(arguments, "lms"),
        .mix = inout->mix.count > 0 ? inout->mix.factors[0] : 0.5f,
        .distance_correction = args_number(arguments, "correct-distance", 0.0f),
    };
    pelt_convention_apply(&how, (pelt_convention)args_choice(arguments, "convention"));
    if (args_is_set(arguments, "sign-rule"))
    {
        how.sign_rule = (pelt_sign_rule)args_choice(arguments, "sign-rule");
    }
    TRY(method_list_find(&how.method, name, "--method"));
    if (method_list_has(inout, 1u << how.method))
    {
        return message_usage("--method names %s twice", name);
    }
    method_list_add(inout, &how);
    for (uint32_t i = 1; i < inout->mix.count && pelt_method_info(how.method)->has_mix_factor; ++i)
    {
        how.mix = inout->mix.factors[i];
        method_list_add(inout, &how);
    }
    return EXIT_DONE;
}

static int read_methods(method_list* inout, const args* arguments)
{
    const char* list = args_text(arguments, "method", "lbs");
    int code = EXIT_DONE;
    while (code == EXIT_DONE && list != NULL)
    {
        char name[32];
        list = take_word(name, sizeof name, list);
        code = add_method(inout, arguments, name);
    }
    return code;
}

// Reject several rules for a method that supports only one: their panels would be equal.
static int refuse_equal_rules(const method_list* in)
{
    for (uint32_t i = 0; in->rule_count > 1 && i < PELT_METHOD_COUNT; ++i)
    {
        const pelt_method_traits* method = pelt_method_info((pelt_method)i);
        if (!method->has_derivatives && method_list_has(in, 1u << i))
        {
            return message_usage(
                "method %s has only standard normals; leave it out, or give one rule "
                "with --normals",
                method->name);
        }
    }
    return EXIT_DONE;
}

// Reject options that have no effect with the chosen methods.
static int refuse_unused(const method_list* in, const args* arguments, uint32_t also)
{
    const struct
    {
        const char* option;
        uint32_t methods; // bits 1 << method
    } owners[] = {
        {args_is_set(arguments, "mix") ? "mix" : NULL, METHOD_LIST_WITH(has_mix_factor)},
        {args_is_set(arguments, "dqs") ? "dqs" : NULL, METHOD_LIST_WITH(has_dqs_variant)},
        {args_is_set(arguments, "lms") ? "lms" : NULL, METHOD_LIST_WITH(has_lms_variant)},
        {args_is_set(arguments, "cor") ? "cor" : cor_request_find_given(arguments),
         METHOD_LIST_WITH(needs_centers)},
        {ddm_request_find_given(arguments), METHOD_LIST_WITH(needs_smoothing)},
    };
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; ++i)
    {
        bool is_used = method_list_has(in, owners[i].methods) || (also & owners[i].methods) != 0;
        if (owners[i].option != NULL && !is_used)
        {
            char names[NAMES_SIZE] = "lbs", owner_names[NAMES_SIZE];
            if (in->file_methods != 0)
            {
                write_names(names, sizeof names, in->file_methods);
            }
            write_names(owner_names, sizeof owner_names, owners[i].methods);
            return message_usage("--%s has no effect on method %s; it goes with --method %s",
                                 owners[i].option, args_text(arguments, "method", names),
                                 owner_names);
        }
    }
    return EXIT_DONE;
}

static int refuse_idle(const method_list* in, const args* arguments, uint32_t also)
{
    TRY(refuse_equal_rules(in));
    return refuse_unused(in, arguments, also);
}

// Options of the solver ask for solving, unless the command line says otherwise.
static pelt_prepare_scope scope_of_cors(const args* arguments)
{
    if (args_is_set(arguments, "cor"))
    {
        return (pelt_prepare_scope)args_choice(arguments, "cor");
    }
    return cor_request_find_given(arguments) != NULL ? PELT_PREPARE_ALL : PELT_PREPARE_MISSING;
}

int method_list_choose(method_list* out, const args* arguments, uint32_t also)
{
    *out = (method_list){.is_rule_given = args_is_set(arguments, "normals"),
                         .cor_scope = scope_of_cors(arguments)};
    TRY(mix_list_choose(&out->mix, arguments));
    TRY(read_rules(out, arguments));
    TRY(read_methods(out, arguments));
    if (out->mix.count > 1 && !args_is_set(arguments, "method"))
    {
        return message_usage("several factors of --mix need --method mix");
    }
    if (args_is_set(arguments, "method"))
    {
        TRY(refuse_idle(out, arguments, also));
    }
    TRY(ddm_request_choose(&out->ddm, arguments));
    return cor_request_choose(&out->cor, arguments);
}

// ---------------------------------------------------------------------------------------------
// The file

static bool is_skinned(const pelt_scene* scene, const pelt_instance* instance)
{
    return instance->skin != PELT_NONE && scene->meshes[instance->mesh].weights.first != NULL;
}

static pelt_method method_of(const pelt_mesh* mesh)
{
    return mesh->has_method ? mesh->method : PELT_METHOD_LBS;
}

// Use the methods that the skinned meshes of a scene name, and lbs for others. If no mesh names
// one, the list does not change.
static void choose_by_file(method_list* inout, const pelt_scene* scene)
{
    uint32_t methods = 0;
    pelt_method first = PELT_METHOD_LBS;
    bool is_said = false;
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        if (is_skinned(scene, &scene->instances[i]))
        {
            first = methods == 0 ? method_of(mesh) : first;
            methods |= 1u << method_of(mesh);
            is_said = is_said || mesh->has_method;
        }
    }
    if (!is_said)
    {
        return;
    }
    inout->file_methods = methods;
    for (uint32_t i = 0; i < inout->count; ++i)
    {
        inout->methods[i].method = first;
    }
}

int method_list_settle(method_list* inout, const args* arguments, uint32_t also,
                       const pelt_scene* scene)
{
    if (args_is_set(arguments, "method"))
    {
        return EXIT_DONE;
    }
    choose_by_file(inout, scene);
    return refuse_idle(inout, arguments, also);
}

void method_list_attach_methods(pelt_frame* frame, const pelt_scene* scene, const method_list* in)
{
    for (uint32_t i = 0; i < scene->mesh_count && is_by_mesh(in); ++i)
    {
        frame->methods[i] = method_of(&scene->meshes[i]);
    }
}

void method_list_note_file(const method_list* in)
{
    char names[NAMES_SIZE];
    write_names(names, sizeof names, in->file_methods);
    if (is_by_mesh(in))
    {
        message_note("the file specifies %s for different meshes; --method overrides it", names);
    }
    else if (in->file_methods > 1u << PELT_METHOD_LBS)
    {
        message_note("the file specifies %s; --method overrides it", names);
    }
}

json_t* method_list_describe_file(const method_list* in, const pelt_scene* scene)
{
    if (!is_by_mesh(in))
    {
        return json_null();
    }
    json_t* out = json_array();
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        bool has_weights = mesh->weights.first != NULL;
        json_array_append_new(out, has_weights ? output_string(pelt_method_name(method_of(mesh)))
                                               : json_null());
    }
    return out;
}
