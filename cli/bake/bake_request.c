// SPDX-License-Identifier: MIT
#include "bake_request.h"

#include "method_list.h"
#include "output.h"
#include "requests/pose_request.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const arg_option bake_request_options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .value = "DIR",
     .help = "folder to write into, created if missing; or DIR/NAME.json, for another name than "
             "that of the input"},
    {.name = "clip",
     .kind = ARG_TEXT,
     .value = "NAME",
     .may_repeat = true,
     .help = "clip to bake, may be repeated; default all"},
    {.name = "encoding",
     .kind = ARG_CHOICE,
     .value = "ENCODING",
     .choice_name = pelt_encoding_name,
     .choice_count = PELT_ENCODING_COUNT,
     .help = "how motions are stored; default qt, or local where qt is off by more than 1 % of the "
             "height; with --max-error or --max-bytes, the better of the two; one of"},
    {.name = "bits",
     .kind = ARG_TEXT,
     .value = "N",
     .help = "qt: bits of a key, 64, 96 (default) or 128; of a value, local: 2 to 24, matrix and "
             "dq: 8, 16 or 32, vertex: 4 to 16, default 16; auto: the fewest for --max-error, or "
             "the most for --max-bytes"},
    {.name = "rate",
     .kind = ARG_TEXT,
     .value = "HZ",
     .help = "samples per second; keys: those of the source; auto: for each clip what takes the "
             "fewest bytes, for --max-error or --max-bytes. Default auto with one of these, "
             "otherwise and with @samples keys"},
    {.name = "max-error",
     .kind = ARG_TEXT,
     .value = "LENGTH",
     .help = "largest error of a vertex, as 0.1mm, 0.5cm, 0.002m, or relative to the height as "
             "0.1mm/m; 0.1mm@samples holds at samples only, not between"},
    {.name = "max-bytes",
     .kind = ARG_TEXT,
     .value = "N",
     .help = "largest texture in bytes, as 50000, 64k, 1M or 64KiB"},
    {.name = "socket",
     .kind = ARG_TEXT,
     .value = "NODE",
     .may_repeat = true,
     .help = "node to which something can be attached, may be repeated"},
    {.name = "method",
     .kind = ARG_CHOICE,
     .value = "METHOD",
     .choice_name = method_list_gpu_name,
     .choice_count = PELT_METHOD_COUNT,
     .help = "skinning method by which the error is measured, and vertices are baked; default that "
             "of the file, or else lbs; one of"},
    {.name = "format",
     .kind = ARG_CHOICE,
     .value = "FORMAT",
     .choice_name = pelt_texture_format_name,
     .choice_count = PELT_TEXTURE_FORMAT_COUNT,
     .help = "file of the texture; default ktx2; one of"},
    {.name = "texel",
     .kind = ARG_CHOICE,
     .value = "FORMAT",
     .choice_name = pelt_texel_name,
     .choice_count = PELT_TEXEL_COUNT,
     .help = "of the texture, default what fits the encoding; one of"},
    {.name = "max-size",
     .kind = ARG_COUNT,
     .value = "N",
     .minimum = 16,
     .maximum = 65536,
     .help = "largest side of the texture, in texels; default 4096"},
    {.name = "bake-layout",
     .kind = ARG_CHOICE,
     .value = "LAYOUT",
     .choice_name = pelt_bake_layout_name,
     .choice_count = PELT_BAKE_LAYOUT_COUNT,
     .help = "of the texture; default modern; one of"},
    {.name = "padded",
     .kind = ARG_FLAG,
     .help = "with --bake-layout thesis: sides of the texture are powers of two"},
    {.name = "max-memory",
     .kind = ARG_TEXT,
     .value = "N",
     .help = "memory that baking may take, as 2000M or 2GiB; default 320 MB and 128 times the size "
             "of keys and vertices"},
    {.name = "force",
     .kind = ARG_FLAG,
     .help = "write the bake even if its error is above 1 % of the height, and leave out animated "
             "morph targets where the encoding stores joints"},
    {.name = "exact",
     .kind = ARG_FLAG,
     .help = "measure errors with the same digits on every machine; several times slower"},
    {.name = "openvat",
     .kind = ARG_FLAG,
     .help = "with --encoding vertex: also the textures of OpenVAT, for its importers"},
    {0},
};

// ---------------------------------------------------------------------------------------------
// Values

// The text after one of several suffixes; *factor is that of the suffix.
typedef struct unit
{
    const char* name;
    double factor;
} unit;

static bool read_unit(double* factor, const char** text, const unit* units)
{
    for (; units->name != NULL; ++units)
    {
        size_t length = strlen(units->name);
        if (strncmp(*text, units->name, length) == 0)
        {
            *factor = units->factor;
            *text += length;
            return true;
        }
    }
    return false;
}

static int choose_error(pelt_bake_options* out, const char* text)
{
    const char* rest = "";
    bool is_valid = args_read_length(&out->max_error, &out->is_relative, &rest, text);
    out->scope = strcmp(rest, "@samples") == 0 ? PELT_BAKE_AT_SAMPLES : PELT_BAKE_EVERYWHERE;
    is_valid = is_valid && (*rest == '\0' || out->scope == PELT_BAKE_AT_SAMPLES);
    return is_valid ? EXIT_DONE
                    : message_usage("--max-error needs a length such as 0.1mm, 0.5cm or 0.002m, or "
                                    "0.1mm/m of the height, with @samples behind it if it may be "
                                    "larger between samples, not \"%s\"",
                                    text);
}

static int choose_bytes(size_t* out, const char* option, const char* text)
{
    static const unit units[] = {
        {"kB", 1e3},        {"KiB", 1024.0}, {"k", 1e3},  {"MB", 1e6},
        {"MiB", 1048576.0}, {"M", 1e6},      {"GB", 1e9}, {"GiB", 1073741824.0},
        {"G", 1e9},         {"", 1.0},       {0}};
    char* end;
    double factor = 0.0, number = strtod(text, &end);
    const char* rest = end;
    bool is_valid = end != text && number > 0.0 && read_unit(&factor, &rest, units) &&
                    *rest == '\0' && number * factor >= 1.0 && number * factor < 1e15;
    *out = is_valid ? (size_t)(number * factor) : 0;
    return is_valid ? EXIT_DONE
                    : message_usage("--%s needs a size such as 50000, 64k, 1M or 64KiB, not \"%s\"",
                                    option, text);
}

static int choose_bits(pelt_bake_options* out, const args* arguments)
{
    const char* text = args_text(arguments, "bits", NULL);
    const char* budget = out->max_error > 0.0 ? "max-error" : "max-bytes";
    bool has_budget = out->max_error > 0.0 || out->max_bytes > 0;
    bool is_auto = text != NULL && strcmp(text, "auto") == 0;
    out->has_budget = has_budget;
    if (text == NULL || is_auto)
    {
        return is_auto && !has_budget
                   ? message_usage("--bits auto needs --max-error or --max-bytes")
                   : EXIT_DONE;
    }
    char* end;
    long bits = strtol(text, &end, 10);
    bool is_number = *end == '\0' && bits > 0 && bits < UINT16_MAX;
    if (!is_number || !pelt_encoding_has_bits(out->encoding, (uint32_t)bits))
    {
        return message_usage("--bits must be %s, or auto, with --encoding %s, not %s",
                             pelt_encoding_bits_of(out->encoding).text,
                             pelt_encoding_name(out->encoding), text);
    }
    out->bits = (uint32_t)bits;
    return has_budget ? message_usage("--%s finds the bits, and --bits %s sets them; leave one out",
                                      budget, text)
                      : EXIT_DONE;
}

// @param text  NULL: not given
static int choose_rate(pelt_bake_options* out, const char* text)
{
    if (text == NULL)
    {
        // At samples alone any rate has the same error.
        bool is_free = out->has_budget && out->scope == PELT_BAKE_EVERYWHERE;
        out->timing = is_free ? PELT_BAKE_AUTO : PELT_BAKE_KEYS;
        return EXIT_DONE;
    }
    if (strcmp(text, "keys") == 0)
    {
        return EXIT_DONE;
    }
    if (strcmp(text, "auto") == 0)
    {
        out->timing = PELT_BAKE_AUTO;
        return out->has_budget ? EXIT_DONE
                               : message_usage("--rate auto needs --max-error or --max-bytes, to "
                                               "know how few samples are enough");
    }
    char* end;
    double rate = strtod(text, &end);
    out->timing = PELT_BAKE_RATE;
    out->rate = (float)rate;
    return end != text && *end == '\0' && rate >= 1e-3 && rate <= 1e4
               ? EXIT_DONE
               : message_usage("--rate must be keys, auto, or a number of Hz from 0.001 to 10000, "
                               "not \"%s\"",
                               text);
}

// ---------------------------------------------------------------------------------------------
// Files

static bool ends_with(const char* text, const char* ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length > tail && strcmp(text + length - tail, ending) == 0;
}

static int refuse_replacing_input(const bake_job* in)
{
    const char* endings[8];
    uint32_t count = bake_job_endings(endings, in);
    for (uint32_t i = 0; i < count; ++i)
    {
        char path[BAKE_PATH_MAX];
        bake_job_path(path, in, endings[i]);
        if (output_is_same_file(path, in->input))
        {
            return message_usage("%s is the input itself, which bake would overwrite; give another "
                                 "folder, or another name by -o DIR/NAME.json",
                                 path);
        }
    }
    return EXIT_DONE;
}

static int choose_files(bake_job* out, const args* arguments)
{
    const char* path = args_text(arguments, "output", NULL);
    if (path == NULL || strcmp(path, "-") == 0)
    {
        return message_usage("%s", path == NULL ? "missing output folder: give -o DIR"
                                                : "a bake is several files and needs a folder: "
                                                  "give -o DIR");
    }
    const char* slash = strrchr(path, '/');
    bool is_file = ends_with(path, ".json");
    size_t folder = !is_file ? strlen(path) : slash != NULL ? (size_t)(slash - path) : 0;
    if (folder + BAKE_NAME_MAX + 32 > BAKE_PATH_MAX)
    {
        return message_usage("the name of the output folder is too long");
    }
    bool is_root = is_file && slash == path;
    snprintf(out->folder, sizeof out->folder, "%.*s", (int)folder, path);
    if (folder == 0)
    {
        snprintf(out->folder, sizeof out->folder, "%s", is_root ? "/" : ".");
    }
    if (!bake_job_name(out->name, is_file ? path : out->input) && is_file)
    {
        return message_usage("-o %s: the name of a bake goes into its JSON file and may have no "
                             "'\\', ':' or '?', nor bytes that are not UTF-8; %s.json would do",
                             path, out->name);
    }
    TRY(refuse_replacing_input(out));
    return output_folder_check(out->folder);
}

int bake_request_choose(bake_job* out, const args* arguments)
{
    pelt_bake_options* bake = &out->bake;
    out->format = (pelt_texture_format)args_choice(arguments, "format");
    out->has_openvat = args_is_set(arguments, "openvat");
    bake->encoding = (pelt_encoding)args_choice(arguments, "encoding");
    bake->texel = (pelt_texel)args_choice(arguments, "texel");
    bake->layout = (pelt_bake_layout)args_choice(arguments, "bake-layout");
    if (bake->layout == PELT_BAKE_LAYOUT_THESIS && !args_is_set(arguments, "encoding"))
    {
        bake->encoding = PELT_ENCODING_DQ;
    }
    bake->max_size = (uint32_t)args_number(arguments, "max-size", 0.0f);
    bake->is_padded = args_is_set(arguments, "padded");
    out->is_forced = bake->has_no_morphs = args_is_set(arguments, "force");
    if (bake->is_padded && bake->layout != PELT_BAKE_LAYOUT_THESIS)
    {
        return message_usage(
            "--padded is for textures of another layout: it needs --bake-layout thesis");
    }
    if (out->has_openvat && bake->encoding != PELT_ENCODING_VERTEX)
    {
        return message_usage("--openvat has textures of vertices: it needs --encoding vertex");
    }
    const char* length = args_text(arguments, "max-error", NULL);
    const char* bytes = args_text(arguments, "max-bytes", NULL);
    const char* memory = args_text(arguments, "max-memory", NULL);
    int code = length != NULL ? choose_error(bake, length) : EXIT_DONE;
    code = code == EXIT_DONE && bytes != NULL ? choose_bytes(&bake->max_bytes, "max-bytes", bytes)
                                              : code;
    code = code == EXIT_DONE && memory != NULL
               ? choose_bytes(&bake->max_memory, "max-memory", memory)
               : code;
    code = code == EXIT_DONE ? choose_bits(bake, arguments) : code;
    bool is_open = bake->layout == PELT_BAKE_LAYOUT_MODERN && !args_is_set(arguments, "encoding");
    bake->finds_encoding = is_open && bake->has_budget;
    out->may_take_local = is_open && !bake->has_budget && !args_is_set(arguments, "bits");
    code = code == EXIT_DONE ? choose_rate(bake, args_text(arguments, "rate", NULL)) : code;
    return code == EXIT_DONE ? choose_files(out, arguments) : code;
}

// ---------------------------------------------------------------------------------------------
// By the scene

static int find_clips(bake_job* inout, const args* arguments, pelt_arena* arena)
{
    const char* names[ARGS_REPEAT_MAX];
    uint32_t count = args_list(names, arguments, "clip"), found = 0;
    uint32_t* clips = pelt_arena_alloc(arena, count, sizeof *clips);
    if (clips == NULL)
    {
        return message_memory();
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t clip, k = 0;
        TRY(pose_request_find_clip(&clip, inout->scene, names[i]));
        while (k < found && clips[k] != clip)
        {
            ++k;
        }
        clips[k] = clip;
        found += k == found;
    }
    inout->bake.clips = clips;
    inout->bake.clip_count = found;
    return EXIT_DONE;
}

static int unknown_node(const pelt_scene* scene, const char* name, pelt_arena* arena)
{
    const char** names = pelt_arena_alloc(arena, scene->node_count, sizeof *names);
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->node_count && names != NULL; ++i)
    {
        if (scene->nodes[i].name != NULL && scene->nodes[i].name[0] != '\0')
        {
            names[count++] = scene->nodes[i].name;
        }
    }
    return names != NULL ? args_unknown_name("node", name, names, count) : message_memory();
}

static int find_sockets(bake_job* inout, const args* arguments, pelt_arena* arena)
{
    const char* names[ARGS_REPEAT_MAX];
    uint32_t count = args_list(names, arguments, "socket");
    uint32_t* sockets = pelt_arena_alloc(arena, count, sizeof *sockets);
    if (sockets == NULL)
    {
        return message_memory();
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        sockets[i] = pelt_scene_find_node(inout->scene, names[i]);
        if (sockets[i] == PELT_NONE)
        {
            return unknown_node(inout->scene, names[i], arena);
        }
    }
    inout->bake.sockets = sockets;
    inout->bake.socket_count = count;
    return EXIT_DONE;
}

// The method that all skinned meshes name, if it is one of those that shaders have.
static pelt_method find_method(const pelt_scene* scene)
{
    pelt_method method = PELT_METHOD_COUNT;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        if (mesh->weights.first == NULL)
        {
            continue;
        }
        bool is_other = method != PELT_METHOD_COUNT && mesh->method != method;
        if (!mesh->has_method || is_other || pelt_method_info(mesh->method)->gpu_joint_floats == 0)
        {
            return PELT_METHOD_LBS;
        }
        method = mesh->method;
    }
    return method != PELT_METHOD_COUNT ? method : PELT_METHOD_LBS;
}

static int refuse_still(const bake_job* in)
{
    for (uint32_t i = 0; i < in->scene->clip_count; ++i)
    {
        if (in->scene->clips[i].track_count > 0)
        {
            return EXIT_DONE;
        }
    }
    message_note("%s has no clip to bake; pelt info lists what it has", in->input);
    return EXIT_INPUT;
}

int bake_request_find(bake_job* inout, const args* arguments, pelt_arena* arena)
{
    bool is_given = args_is_set(arguments, "method");
    inout->measure.deform.method = is_given
                                       ? method_list_gpu_method(args_choice(arguments, "method"))
                                       : find_method(inout->scene);
    inout->measure.deform.mix = 0.5f;
    inout->measure.deform.is_exact = args_is_set(arguments, "exact");
    inout->bake.deform = inout->measure.deform;
    TRY(refuse_still(inout));
    TRY(find_clips(inout, arguments, arena));
    return find_sockets(inout, arguments, arena);
}
