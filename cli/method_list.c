// SPDX-License-Identifier: MIT
// How the joints of a command's input blend: --method and the options that go with it.
#include "method_list.h"

#include "output.h"
#include "terminal.h"

#include <string.h>

enum
{
    NAMES_SIZE = 64, // of all methods with commas between
};

const char* const method_list_names[] = {"lbs", "dqs", "mix", "crs", "lms", "sbs", NULL};
static const char* const convention_names[] = {"pelt", "blender", "maya", "usd", "ogre", NULL};
static const char* const sign_rule_names[] = {"heaviest", "running", "first", "hierarchy", NULL};
static const char* const dqs_names[] = {"antipodal", "basic", "optimized", NULL};
static const char* const lms_names[] = {"relative", "published", NULL};
// Those of pelt_normal_rule, and one that is no rule of the library.
const char* const method_list_normal_names[] = {"standard", "accurate", "paper", "recompute", NULL};
static const char* const cor_names[] = {"auto", "compute", NULL};

_Static_assert(sizeof method_list_names / sizeof method_list_names[0] == PELT_METHOD_COUNT + 1,
               "one name per method, in the order of pelt_method");
_Static_assert(sizeof method_list_normal_names / sizeof method_list_normal_names[0] ==
                   METHOD_LIST_RULE_MAX + 1,
               "one name per rule, in the order of pelt_normal_rule");
_Static_assert(sizeof convention_names / sizeof convention_names[0] == PELT_CONVENTION_COUNT + 1,
               "one name per convention, in the order of pelt_convention");

const arg_option method_list_options[] = {
    {.name = "mix",
     .kind = ARG_NUMBER,
     .value = "F",
     .maximum = 1.0,
     .help = "for method mix: 0 is lbs, 1 is dqs; default the factors in the file, or else 0.5"},
    {.name = "correct-distance",
     .kind = ARG_NUMBER,
     .value = "F",
     .maximum = 1.0,
     .help = "push vertices that have moved away from their bones back, from 0, not at all, to 1, "
             "to their distance at rest: bends under dqs and mix do not bulge; default 0"},
    {.name = "convention",
     .kind = ARG_CHOICE,
     .value = "NAME",
     .choices = convention_names,
     .help = "deform like another program: sign rule, pivot of scale and normals; default pelt; one"
             " of"},
    {.name = "sign-rule",
     .kind = ARG_CHOICE,
     .value = "RULE",
     .choices = sign_rule_names,
     .help = "which of q and -q enters a blend; default that of the convention; one of"},
    {.name = "dqs",
     .kind = ARG_CHOICE,
     .value = "VARIANT",
     .choices = dqs_names,
     .help = "variant of method dqs; default antipodal; one of"},
    {.name = "lms",
     .kind = ARG_CHOICE,
     .value = "VARIANT",
     .choices = lms_names,
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

pelt_deform_options method_list_by(const method_list* in, pelt_method method)
{
    pelt_deform_options how = in->methods[0];
    how.method = method;
    return how;
}

void method_list_attach_mix(pelt_frame* frame, const pelt_scene* scene, const method_list* in)
{
    for (uint32_t i = 0; i < scene->mesh_count && in->is_mix_given; ++i)
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
                                       method_list_names[i]);
        }
    }
}

bool method_list_has(const method_list* in, pelt_method method)
{
    if ((in->file_methods >> method & 1u) != 0)
    {
        return true;
    }
    for (uint32_t i = 0; i < in->count; ++i)
    {
        if (in->methods[i].method == method)
        {
            return true;
        }
    }
    return false;
}

int method_list_find(pelt_method* out, const char* name, const char* option)
{
    *out = pelt_method_find(name);
    return *out != PELT_METHOD_COUNT
               ? EXIT_DONE
               : message_usage("%s cannot be \"%s\"; the choices are lbs, dqs, mix, crs, lms, sbs",
                               option, name);
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
    return method_list_normal_names[in->rules[index % in->rule_count]];
}

bool method_list_lacks_rule(const method_list* in, uint32_t index)
{
    const pelt_deform_options* how = &in->methods[index];
    bool is_plain = how->method == PELT_METHOD_LMS || how->method == PELT_METHOD_SBS;
    return is_plain && how->normal_rule != PELT_NORMAL_STANDARD;
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
    while (rule < METHOD_LIST_RULE_MAX && strcmp(method_list_normal_names[rule], name) != 0)
    {
        ++rule;
    }
    if (rule == METHOD_LIST_RULE_MAX)
    {
        return message_usage("--normals cannot be \"%s\"; the choices are standard, accurate, "
                             "paper, recompute",
                             name);
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

// Of normals: by the convention, unless the command line says otherwise.
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
        .mix = args_number(arguments, "mix", 0.5f),
        .distance_correction = args_number(arguments, "correct-distance", 0.0f),
    };
    pelt_convention_apply(&how, (pelt_convention)args_choice(arguments, "convention"));
    if (args_is_set(arguments, "sign-rule"))
    {
        how.sign_rule = (pelt_sign_rule)args_choice(arguments, "sign-rule");
    }
    int code = method_list_find(&how.method, name, "--method");
    if (code == EXIT_DONE && method_list_has(inout, how.method))
    {
        return message_usage("--method names %s twice", name);
    }
    if (code == EXIT_DONE)
    {
        method_list_add(inout, &how);
    }
    return code;
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

// Panels that cannot differ are a mistake of thought as well.
static int refuse_equal_rules(const method_list* in)
{
    static const pelt_method plain[] = {PELT_METHOD_LMS, PELT_METHOD_SBS};
    for (size_t i = 0; in->rule_count > 1 && i < sizeof plain / sizeof plain[0]; ++i)
    {
        if (method_list_has(in, plain[i]))
        {
            return message_usage(
                "method %s has only standard normals; leave it out, or give one rule "
                "with --normals",
                pelt_method_name(plain[i]));
        }
    }
    return EXIT_DONE;
}

// An option that cannot have an effect is a mistake of thought: better said than swallowed.
static int refuse_unused(const method_list* in, const args* arguments, uint32_t also)
{
    const struct
    {
        const char* option;
        pelt_method method;
    } owners[] = {
        {args_is_set(arguments, "mix") ? "mix" : NULL, PELT_METHOD_MIX},
        {args_is_set(arguments, "dqs") ? "dqs" : NULL, PELT_METHOD_DQS},
        {args_is_set(arguments, "lms") ? "lms" : NULL, PELT_METHOD_LMS},
        {args_is_set(arguments, "cor") ? "cor" : cor_request_find_given(arguments),
         PELT_METHOD_CRS},
    };
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; ++i)
    {
        pelt_method method = owners[i].method;
        bool is_used = method_list_has(in, method) || (also >> method & 1u) != 0;
        if (owners[i].option != NULL && !is_used)
        {
            char names[NAMES_SIZE] = "lbs";
            if (in->file_methods != 0)
            {
                write_names(names, sizeof names, in->file_methods);
            }
            return message_usage("--%s has no effect on method %s; it goes with --method %s",
                                 owners[i].option, args_text(arguments, "method", names),
                                 pelt_method_name(method));
        }
    }
    return EXIT_DONE;
}

static int refuse_idle(const method_list* in, const args* arguments, uint32_t also)
{
    int code = refuse_equal_rules(in);
    return code == EXIT_DONE ? refuse_unused(in, arguments, also) : code;
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
                         .is_mix_given = args_is_set(arguments, "mix"),
                         .cor_scope = scope_of_cors(arguments)};
    int code = read_rules(out, arguments);
    if (code != EXIT_DONE)
    {
        return code;
    }
    code = read_methods(out, arguments);
    if (code != EXIT_DONE)
    {
        return code;
    }
    code = args_is_set(arguments, "method") ? refuse_idle(out, arguments, also) : EXIT_DONE;
    return code == EXIT_DONE ? cor_request_choose(&out->cor, arguments) : code;
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

// Take over what the skinned meshes of a scene name, lbs where one names nothing. A scene that
// names nothing leaves the list as it is.
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
