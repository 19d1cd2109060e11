// SPDX-License-Identifier: MIT
// popen and mkdtemp are POSIX.
#define _XOPEN_SOURCE 700
#include "pelt/gpu.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int text_begins_with_its_version(void)
{
    char* text;
    ENSURE(pelt_shader_source(&text, &(pelt_shader_desc){0}, NULL) == PELT_OK);
    ENSURE(strncmp(text, "#version 330 core\n", 18) == 0);
    pelt_release(text);
    pelt_shader_desc es = {.language = PELT_GLSL_ES_300};
    ENSURE(pelt_shader_source(&text, &es, NULL) == PELT_OK);
    ENSURE(strncmp(text, "#version 300 es\n", 16) == 0);
    pelt_release(text);
    return 0;
}

// Only the first lines tell the languages apart: one library serves both.
static int languages_share_their_text(void)
{
    char *desktop, *embedded;
    pelt_shader_desc es = {.language = PELT_GLSL_ES_300};
    ENSURE(pelt_shader_source(&desktop, &(pelt_shader_desc){0}, NULL) == PELT_OK);
    ENSURE(pelt_shader_source(&embedded, &es, NULL) == PELT_OK);
    ENSURE(strcmp(desktop + strlen(pelt_shader_prologue(PELT_GLSL_330)),
                  embedded + strlen(pelt_shader_prologue(PELT_GLSL_ES_300))) == 0);
    pelt_release(desktop);
    pelt_release(embedded);
    return 0;
}

// Bindings are chosen by what a compiler to SPIR-V defines, so the text is the same there too.
static int vulkan_shares_it_too(void)
{
    char *desktop, *vulkan;
    pelt_shader_desc desc = {.language = PELT_GLSL_VULKAN, .method = PELT_METHOD_MIX};
    ENSURE(pelt_shader_source(&vulkan, &desc, NULL) == PELT_OK);
    desc.language = PELT_GLSL_330;
    ENSURE(pelt_shader_source(&desktop, &desc, NULL) == PELT_OK);
    ENSURE(strncmp(vulkan, "#version 450\n", 13) == 0);
    ENSURE(strcmp(desktop + strlen(pelt_shader_prologue(PELT_GLSL_330)),
                  vulkan + strlen(pelt_shader_prologue(PELT_GLSL_VULKAN))) == 0);
    pelt_release(desktop);
    pelt_release(vulkan);
    return 0;
}

static int own_main_replaces_that_of_feedback(void)
{
    char* text;
    pelt_shader_desc desc = {.main = "void main() { gl_Position = vec4(0.0); }\n"};
    ENSURE(pelt_shader_source(&text, &desc, NULL) == PELT_OK);
    ENSURE(strstr(text, desc.main) != NULL);
    ENSURE(strstr(text, "pelt_out_position") == NULL);
    pelt_release(text);
    return 0;
}

// Choices are at the top, below the version. Scale makes no difference to lbs.
static int choices_are_constants_at_the_top(void)
{
    char* text;
    pelt_shader_desc desc = {.method = PELT_METHOD_DQS, .influence_count = 3};
    ENSURE(pelt_shader_source(&text, &desc, NULL) == PELT_OK);
    ENSURE(strstr(text, "#define PELT_DEFORM pelt_deform_dqs\n") != NULL);
    ENSURE(strstr(text, "#define PELT_INFLUENCES 3\n") != NULL);
    ENSURE(strstr(text, "#define PELT_SCALE PELT_GPU_SCALE_NONE\n") != NULL);
    ENSURE(strstr(text, "#define PELT_LAYOUT PELT_LAYOUT_MOTION\n") != NULL);
    pelt_release(text);
    desc.scale = PELT_GPU_SCALE_ORIGIN;
    ENSURE(pelt_shader_source(&text, &desc, NULL) == PELT_OK);
    ENSURE(strstr(text, "#define PELT_SCALE PELT_GPU_SCALE_ORIGIN\n") != NULL);
    ENSURE(strstr(text, "#define PELT_LAYOUT PELT_LAYOUT_SHARED\n") != NULL);
    pelt_release(text);
    desc.method = PELT_METHOD_LBS;
    ENSURE(pelt_shader_source(&text, &desc, NULL) == PELT_OK);
    ENSURE(strstr(text, "#define PELT_SCALE PELT_GPU_SCALE_NONE\n") != NULL);
    ENSURE(strstr(text, "#define PELT_LAYOUT PELT_LAYOUT_MATRIX\n") != NULL);
    pelt_release(text);
    desc.layout = PELT_GPU_LAYOUT_SHARED;
    ENSURE(pelt_shader_source(&text, &desc, NULL) == PELT_OK);
    ENSURE(strstr(text, "#define PELT_LAYOUT PELT_LAYOUT_SHARED\n") != NULL);
    pelt_release(text);
    return 0;
}

// The text for standard normals is not burdened with the others; the paper needs no derivatives.
static int normals_are_in_the_text_only_when_asked_for(void)
{
    char* text;
    pelt_shader_desc desc = {.method = PELT_METHOD_MIX};
    ENSURE(pelt_shader_source(&text, &desc, NULL) == PELT_OK);
    ENSURE(strstr(text, "struct pelt_gradients") == NULL);
    pelt_release(text);
    desc.normals = (pelt_gpu_normals){PELT_NORMAL_ACCURATE, 3, true, false};
    ENSURE(pelt_shader_source(&text, &desc, NULL) == PELT_OK);
    ENSURE(strstr(text, "#define PELT_DEFORM pelt_deform_mix_accurate\n") != NULL);
    ENSURE(strstr(text, "#define PELT_NORMAL_SLOTS 3\n") != NULL);
    ENSURE(strstr(text, "#define PELT_NORMAL_CENTERS 1\n") != NULL);
    ENSURE(strstr(text, "mat2x3 pelt_jacobian_mix(") != NULL);
    ENSURE(strstr(text, "mat3 pelt_map_paper(pelt_rest") == NULL);
    pelt_release(text);
    desc.normals = (pelt_gpu_normals){PELT_NORMAL_PAPER, 8, false, false};
    ENSURE(pelt_shader_source(&text, &desc, NULL) == PELT_OK);
    ENSURE(strstr(text, "mat3 pelt_map_paper(pelt_rest") != NULL);
    ENSURE(strstr(text, "#define PELT_NORMAL_CENTERS 0\n") != NULL);
    ENSURE(strstr(text, "mat2x3 pelt_jacobian_mix(") == NULL);
    pelt_release(text);
    return 0;
}

static int decoders_are_in_the_text_only_when_asked_for(void)
{
    char *plain, *baked, *posed, *vertices, *pose;
    pelt_shader_desc desc = {.method = PELT_METHOD_DQS};
    ENSURE(pelt_shader_source(&plain, &desc, NULL) == PELT_OK);
    desc.palette = PELT_PALETTE_POSED;
    ENSURE(pelt_shader_source(&posed, &desc, NULL) == PELT_OK);
    desc.palette = PELT_PALETTE_BAKED;
    desc.baked =
        (pelt_gpu_baked){.encoding = PELT_ENCODING_DQ, .texel = PELT_TEXEL_RGBA8UI, .width = 512};
    ENSURE(pelt_shader_source(&baked, &desc, NULL) == PELT_OK);
    ENSURE(pelt_shader_pose_source(&pose, PELT_GLSL_330, &desc.baked, NULL) == PELT_OK);
    desc.baked.encoding = PELT_ENCODING_VERTEX;
    ENSURE(pelt_shader_source(&vertices, &desc, NULL) == PELT_OK);
    ENSURE(strstr(plain, "pelt_joint pelt_joint_at(") == NULL);
    ENSURE(strstr(posed, "#define PELT_PALETTE_POSED\n") != NULL);
    ENSURE(strstr(posed, "pelt_joint pelt_joint_at(") == NULL);
    ENSURE(strstr(baked, "#define PELT_BAKED_TEXEL_WORDS 1\n") != NULL);
    ENSURE(strstr(baked, "#define PELT_BAKED_WIDTH 512\n") != NULL);
    ENSURE(strstr(baked, "#define PELT_BAKED_KIND PELT_BAKED_DUAL\n") != NULL);
    ENSURE(strstr(baked, "#define PELT_LAYOUT PELT_LAYOUT_SHARED\n") != NULL);
    ENSURE(strstr(baked, "pelt_joint pelt_joint_at(") != NULL);
    ENSURE(strstr(vertices, "pelt_vertex pelt_baked_vertex(") != NULL);
    ENSURE(strstr(vertices, "pelt_motion pelt_skin_dqs(") == NULL);
    ENSURE(strstr(pose, "#version 330 core\n") == pose);
    ENSURE(strstr(pose, "pelt_out_texel") != NULL);
    char* texts[] = {plain, baked, posed, vertices, pose};
    for (uint32_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
    {
        pelt_release(texts[i]);
    }
    return 0;
}

static int method_without_shaders_is_refused_by_name(void)
{
    char* text;
    pelt_error error;
    pelt_shader_desc desc = {.method = PELT_METHOD_SBS};
    ENSURE(pelt_shader_source(&text, &desc, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(text == NULL && strstr(error.message, "sbs") != NULL);
    return 0;
}

static int files_of_the_library_are_listed(void)
{
    const pelt_shader_file* files;
    uint32_t count = pelt_shader_files(&files);
    ENSURE(count >= 8 && strcmp(files[0].name, "skin_constants.glsl") == 0);
    for (uint32_t i = 0; i < count; ++i)
    {
        ENSURE(strncmp(files[i].text, "// SPDX-License-Identifier: MIT\n", 32) == 0);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// What an independent compiler says

enum
{
    COMMAND_MAX = 65536,
    LIBRARY_MAX = 1 << 18,
    PATH_MAX_LENGTH = 256,
};

static bool has_validator(void)
{
    return system("glslangValidator --version > /dev/null 2>&1") == 0;
}

static int write_variant(const char* path, const pelt_shader_desc* desc)
{
    char* text;
    ENSURE(pelt_shader_source(&text, desc, NULL) == PELT_OK);
    FILE* file = fopen(path, "wb");
    ENSURE(file != NULL);
    fputs(text, file);
    ENSURE(fclose(file) == 0);
    pelt_release(text);
    return 0;
}

// The n-th of all variants; false past the last.
static bool variant(pelt_shader_desc* out, uint32_t n)
{
    *out = (pelt_shader_desc){.influence_count = n % 8 + 1,
                              .language = (pelt_glsl)(n / 8 % 2),
                              .palette = n / 16 % 2 ? PELT_PALETTE_TEXTURE : PELT_PALETTE_BLOCK,
                              .has_mix_factors = n / 32 % 2,
                              .scale = (pelt_gpu_scale)(n / 64 % 3),
                              .layout = (pelt_gpu_layout)((n / 8 + n / 64) % 2),
                              .method = (pelt_method)(n / 192)};
    return n / 192 < PELT_METHOD_COUNT && pelt_gpu_has_method(out->method);
}

// The n-th of all variants of normals; what they have nothing to do with is as often as not.
static bool variant_of_normals(pelt_shader_desc* out, uint32_t n)
{
    *out =
        (pelt_shader_desc){.influence_count = n % 2 ? 3 : 8,
                           .language = (pelt_glsl)(n % 2),
                           .palette = n / 2 % 2 ? PELT_PALETTE_TEXTURE : PELT_PALETTE_BLOCK,
                           .normals = {.rule = n / 4 % 2 ? PELT_NORMAL_PAPER : PELT_NORMAL_ACCURATE,
                                       .slot_count = 1 + n / 8 % 8,
                                       .has_centers = n / 64 % 2},
                           .scale = (pelt_gpu_scale)(n / 128 % 3),
                           .method = (pelt_method)(n / 384)};
    return n / 384 < PELT_METHOD_COUNT && pelt_gpu_has_method(out->method);
}

typedef bool (*variant_of)(pelt_shader_desc* out, uint32_t n);

// Write variants, and have them compiled at once: all in a full sweep, else every seventh. No
// choice has a multiple of seven values, so each value of each occurs.
static int check_variants(variant_of nth, uint32_t expected)
{
    uint32_t step = test_is_full_sweep() ? 1 : 7;
    char folder[] = "/tmp/pelt-shaders-XXXXXX";
    ENSURE(mkdtemp(folder) != NULL);
    static char command[COMMAND_MAX];
    size_t used = (size_t)snprintf(command, sizeof command, "cd %s && glslangValidator", folder);
    char path[PATH_MAX_LENGTH];
    pelt_shader_desc desc;
    uint32_t count = 0;
    for (; nth(&desc, count); ++count)
    {
        if (count % step != 0)
        {
            continue;
        }
        snprintf(path, sizeof path, "%s/%u.vert", folder, count);
        ENSURE(write_variant(path, &desc) == 0);
        used += (size_t)snprintf(command + used, sizeof command - used, " %u.vert", count);
        ENSURE(used < sizeof command);
    }
    ENSURE(count == expected);
    // It names every file that it reads; only a failure is worth that.
    snprintf(command + used, sizeof command - used,
             " > log || { grep -v '^[0-9]*.vert$' log; rm log; false; }");
    int code = system(command);
    snprintf(path, sizeof path, "%s/log", folder);
    remove(path);
    for (uint32_t i = 0; i < count; ++i)
    {
        snprintf(path, sizeof path, "%s/%u.vert", folder, i);
        remove(path);
    }
    rmdir(folder);
    ENSURE(code == 0);
    return 0;
}

// What glslang says about a text in two parts.
static bool is_accepted(const char* head, const char* tail)
{
    char folder[] = "/tmp/pelt-library-XXXXXX";
    char path[PATH_MAX_LENGTH], command[2 * PATH_MAX_LENGTH];
    PELT_ASSERT(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/library.vert", folder);
    snprintf(command, sizeof command, "glslangValidator %s > /dev/null", path);
    FILE* file = fopen(path, "wb");
    bool is_written = file != NULL && fputs(head, file) >= 0 && fputs(tail, file) >= 0;
    bool is_closed = file != NULL && fclose(file) == 0;
    int code = system(command);
    remove(path);
    rmdir(folder);
    return is_written && is_closed && code == 0;
}

// An engine's own attributes and a call; no attribute of pelt.
static const char own_main[] =
    "in vec3 position;\n"
    "void main()\n"
    "{\n"
    "    pelt_rest rest = pelt_rest(position, position, vec4(1.0), position, 0.5, gl_VertexID);\n"
    "    pelt_influences one = pelt_influences_make(uvec4(0u), vec4(1.0), uvec4(0u), vec4(0.0));\n"
    "    gl_Position = vec4(pelt_deform_dqs(rest, one).position +\n"
    "                       pelt_deform_crs_accurate(rest, one).normal, 1.0) +\n"
    "                  pelt_joint_at(0u, pelt_play(uvec4(0u), vec4(0.0))).rotation;\n"
    "}\n";

// All functions in one text, in the order of the list, with constants left at their defaults: rigid
// joints among them, for which nothing has to be left out.
static int glslang_accepts_the_library_without_attributes(void)
{
    static char library[LIBRARY_MAX];
    size_t used = (size_t)snprintf(library, sizeof library,
                                   "%s#define PELT_PALETTE_BLOCK_TEXELS 1024\n"
                                   "#define PELT_NORMAL_WIDTH 1024\n",
                                   pelt_shader_prologue(PELT_GLSL_ES_300));
    const pelt_shader_file* files;
    uint32_t count = pelt_shader_files(&files);
    for (uint32_t i = 0; i < count && strcmp(files[i].name, "skin_vertex.glsl") != 0; ++i)
    {
        ENSURE(strstr(files[i].text, "layout(location") == NULL);
        used += (size_t)snprintf(library + used, sizeof library - used, "%s", files[i].text);
        ENSURE(used < sizeof library);
    }
    ENSURE(is_accepted(library, own_main));
    return 0;
}

// A material may have something at location 0 already. Attributes of pelt keep away from it when
// the one macro that sets them is defined as nothing.
static int locations_can_be_left_to_the_engine(void)
{
    char* text;
    const char* prologue = pelt_shader_prologue(PELT_GLSL_ES_300);
    pelt_shader_desc desc = {
        .language = PELT_GLSL_ES_300,
        .main = "layout(location = 0) in vec3 position;\n"
                "void main() { gl_Position = vec4(position + pelt_skin().position, 1.0); }\n"};
    ENSURE(pelt_shader_source(&text, &desc, NULL) == PELT_OK);
    char head[PATH_MAX_LENGTH];
    ENSURE(!is_accepted(prologue, text + strlen(prologue)));
    snprintf(head, sizeof head, "%s#define PELT_LOCATION(n)\n", prologue);
    ENSURE(is_accepted(head, text + strlen(prologue)));
    pelt_release(text);
    return 0;
}

static int glslang_accepts_every_variant(void)
{
    return check_variants(variant, 4 * 192);
}

static int glslang_accepts_every_variant_of_normals(void)
{
    return check_variants(variant_of_normals, 4 * 384);
}

void test_shader_source(void)
{
    RUN(text_begins_with_its_version);
    RUN(languages_share_their_text);
    RUN(vulkan_shares_it_too);
    RUN(own_main_replaces_that_of_feedback);
    RUN(choices_are_constants_at_the_top);
    RUN(normals_are_in_the_text_only_when_asked_for);
    RUN(decoders_are_in_the_text_only_when_asked_for);
    RUN(method_without_shaders_is_refused_by_name);
    RUN(files_of_the_library_are_listed);
    if (!has_validator())
    {
        test_skip("glslang_accepts_every_variant", "no glslangValidator");
        return;
    }
    RUN(glslang_accepts_the_library_without_attributes);
    RUN(locations_can_be_left_to_the_engine);
    RUN(glslang_accepts_every_variant);
    RUN(glslang_accepts_every_variant_of_normals);
}
