// SPDX-License-Identifier: MIT
// Normal factors in files that keep no promise: left out with a sentence.
#include "factor_fixture.h"

#include <stdlib.h>
#include <string.h>

typedef struct breakage
{
    const char* name; // of the attribute
    const char* sentence;
    float value;        // of the first lane of a vertex that has factors
    bool is_left_out;   // the attribute
    uint32_t width;     // instead of its own
    bool is_other_type; // floats for integers, integers for floats
    uint32_t bits;      // of factors in integers; 0: floats
} breakage;

// The vertex in the middle of those with factors.
static uint32_t find_vertex(const pelt_normal_factors* f)
{
    for (uint32_t v = f->vertex_count / 2; v < f->vertex_count; ++v)
    {
        if (f->first[v + 1] > f->first[v])
        {
            return v;
        }
    }
    return 0;
}

// Represents what no writer puts out, until the file is there.
static const float marker = 7654.321f;

// Put a number where the marker is. The numbers of a GLB lie at multiples of four bytes.
static bool replace_marker(const char* path, float value)
{
    float number;
    uint32_t count = 0;
    FILE* file = fopen(path, "r+b");
    while (file != NULL && fread(&number, sizeof number, 1, file) == 1)
    {
        if (memcmp(&number, &marker, sizeof number) == 0)
        {
            ++count;
            fseek(file, -(long)sizeof number, SEEK_CUR);
            fwrite(&value, sizeof value, 1, file);
            fseek(file, 0, SEEK_CUR);
        }
    }
    return file != NULL && fclose(file) == 0 && count == 1;
}

static void damage(pelt_addition* inout, const breakage* how, uint32_t vertex)
{
    static float zeros[1 << 16];
    inout->width = how->width > 0 ? how->width : inout->width;
    size_t index = (size_t)vertex * inout->width;
    if (how->is_other_type)
    {
        bool is_float = inout->values != NULL;
        inout->values = is_float ? NULL : zeros;
        inout->integers = is_float ? (const uint16_t*)zeros : NULL;
    }
    else if (how->width == 0 && inout->integers != NULL)
    {
        ((uint16_t*)inout->integers)[index] = (uint16_t)how->value;
    }
    else if (how->width == 0)
    {
        ((float*)inout->values)[index] = isfinite(how->value) ? how->value : marker;
    }
}

static int check_breakage(const breakage* how)
{
    factor_fixture c;
    pelt_addition *additions, kept[64];
    pelt_scene* again = NULL;
    pelt_error error = {{0}};
    ENSURE(factor_fixture_build_rig(&c, "rig:arm?vertices=500", 4, true));
    ENSURE(how->bits == 0 || factor_fixture_quantize(&c, how->bits));
    ENSURE(pelt_save_scene(factor_fixture_plain, PELT_FORMAT_GLB, c.scene, NULL) == PELT_OK);
    uint32_t count = factor_fixture_additions(&additions, &c, 4), kept_count = 0, hits = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        bool is_meant = strcmp(additions[i].name, how->name) == 0;
        hits += is_meant;
        kept[kept_count] = additions[i];
        if (is_meant && !how->is_left_out)
        {
            damage(&kept[kept_count], how, find_vertex(&c.factors[0]));
        }
        kept_count += !is_meant || !how->is_left_out;
    }
    ENSURE(hits == 1);
    ENSURE(pelt_save_additions(factor_fixture_path, factor_fixture_plain, kept, kept_count, NULL) ==
           PELT_OK);
    ENSURE(isfinite(how->value) || replace_marker(factor_fixture_path, how->value));
    pelt_result result = pelt_load(&again, factor_fixture_path, NULL, &error);
    if (result != PELT_OK || again->repair_count != 1 || again->meshes[0].normal_factors != NULL ||
        strstr(again->repairs[0].message, how->sentence) == NULL ||
        strstr(again->repairs[0].message, "mesh \"arm\"") == NULL)
    {
        printf("  %s, \"%s\": %s%s\n", how->name, how->sentence, error.message,
               result == PELT_OK && again->repair_count > 0 ? again->repairs[0].message : "");
        return 1;
    }
    pelt_scene_destroy(again);
    factor_fixture_free(&c);
    return 0;
}

static int broken_factors_are_left_out_with_a_sentence(void)
{
    static const breakage ways[] = {
        {.name = "_PELT_NORMAL_JOINTS_0", .sentence = "joint that does not exist", .value = 999},
        {.name = "_PELT_NORMAL_JOINTS_0", .sentence = "belong to other weights", .value = 0},
        {.name = "_PELT_NORMAL_WEIGHTS_0", .sentence = "the weights of vertex", .value = 2},
        {.name = "_PELT_NORMAL_WEIGHTS_0", .sentence = "the weights of vertex", .value = NAN},
        {.name = "_PELT_NORMAL_ALPHA_0", .sentence = "the gradients alpha of", .value = 1e3f},
        {.name = "_PELT_NORMAL_ALPHA_0", .sentence = "the gradients alpha of", .value = INFINITY},
        {.name = "_PELT_NORMAL_BETA_0", .sentence = "the gradients beta of", .value = -INFINITY},
        {.name = "_PELT_NORMAL_MOMENT_UU_0", .sentence = "the moments uu of", .value = 9},
        {.name = "_PELT_NORMAL_MOMENT_UV_0", .sentence = "the moments uv of", .value = 9},
        {.name = "_PELT_NORMAL_MOMENT_VU_0", .sentence = "the moments vu of", .value = 9},
        {.name = "_PELT_NORMAL_MOMENT_VV_0", .sentence = "the moments vv of", .value = NAN},
        {.name = "_PELT_NORMAL_TANGENT", .sentence = "a tangent of length", .value = 3},
        {.name = "_PELT_NORMAL_TANGENT", .sentence = "a tangent of length", .value = NAN},
        {.name = "_PELT_NORMAL_PLANE_NORMAL",
         .sentence = "a projected plane normal of length",
         .value = 1.5f},
        {.name = "_PELT_NORMAL_PLANE_NORMAL",
         .sentence = "a projected plane normal of length",
         .value = NAN},
        {.name = "_PELT_NORMAL_CENTER", .sentence = "the center of vertex", .value = NAN},
        {.name = "_PELT_NORMAL_CENTER_RATE_U",
         .sentence = "the center of vertex",
         .value = INFINITY},
        {.name = "_PELT_NORMAL_CENTER_RATE_V", .sentence = "the center of vertex", .value = NAN},
        {.name = "_PELT_NORMAL_WEIGHTS_0", .sentence = "another type", .is_other_type = true},
        {.name = "_PELT_NORMAL_JOINTS_0", .sentence = "another type", .is_other_type = true},
        {.name = "_PELT_NORMAL_ALPHA_0", .sentence = "another type", .width = 3},
        {.name = "_PELT_NORMAL_WEIGHTS_0", .sentence = "2, 3 or 4", .width = 1},
        {.name = "_PELT_NORMAL_PLANE_NORMAL", .sentence = "another type", .width = 1},
    };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i)
    {
        ENSURE(check_breakage(&ways[i]) == 0);
    }
    return 0;
}

static int broken_integers_are_left_out_with_a_sentence(void)
{
    static const breakage ways[] = {
        {.name = "_PELT_NORMAL_SCALE", .sentence = "SCALE is missing", .is_left_out = true},
        {.name = "_PELT_NORMAL_SCALE", .sentence = "another type", .is_other_type = true},
        {.name = "_PELT_NORMAL_SCALE", .sentence = "lost in integers", .value = 0.3f},
        {.name = "_PELT_NORMAL_SCALE", .sentence = "the gradients alpha of", .value = NAN},
        {.name = "_PELT_NORMAL_WEIGHTS_0", .sentence = "another type", .is_other_type = true},
        {.name = "_PELT_NORMAL_WEIGHTS_0", .sentence = "the weights of vertex", .value = 7},
        {.name = "_PELT_NORMAL_BETA_0", .sentence = "the gradients beta of", .value = 12345},
        {.name = "_PELT_NORMAL_MOMENT_VV_0", .sentence = "the moments vv of", .value = 12345},
        {.name = "_PELT_NORMAL_MOMENT_VV_0", .sentence = "another type", .is_other_type = true},
        {.name = "_PELT_NORMAL_TANGENT", .sentence = "another type", .is_other_type = true},
        {.name = "_PELT_NORMAL_TANGENT", .sentence = "a tangent", .value = 16000},
    };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i)
    {
        breakage how = ways[i];
        how.bits = 16;
        ENSURE(check_breakage(&how) == 0);
    }
    return 0;
}

static int a_missing_attribute_is_named(void)
{
    static const char* const names[] = {
        "JOINTS_0",    "WEIGHTS_0",     "ALPHA_0",      "BETA_0",  "MOMENT_UU_0",
        "MOMENT_UV_0", "MOMENT_VU_0",   "MOMENT_VV_0",  "TANGENT", "PLANE_NORMAL",
        "CENTER",      "CENTER_RATE_U", "CENTER_RATE_V"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        char name[64], sentence[96];
        snprintf(name, sizeof name, "_PELT_NORMAL_%s", names[i]);
        snprintf(sentence, sizeof sentence, "%s is missing", name);
        breakage how = {.name = name, .sentence = sentence, .is_left_out = true};
        ENSURE(check_breakage(&how) == 0);
    }
    return 0;
}

static int factors_of_other_weights_are_left_out(void)
{
    factor_fixture c;
    pelt_scene* again = NULL;
    ENSURE(factor_fixture_build_rig(&c, "rig:arm?vertices=500", 4, false));
    ENSURE(pelt_save_scene(factor_fixture_path, PELT_FORMAT_GLB, &c.enhanced, NULL) == PELT_OK);
    pelt_load_options one = {.max_influences = 1};
    ENSURE(pelt_load(&again, factor_fixture_path, &one, NULL) == PELT_OK);
    ENSURE(again->meshes[0].normal_factors == NULL && again->repair_count == 2);
    ENSURE(strstr(again->repairs[1].message, "its weights were pruned") != NULL);
    pelt_scene_destroy(again);

    pelt_load_options many = {.max_influences = 8};
    ENSURE(pelt_load(&again, factor_fixture_path, &many, NULL) == PELT_OK);
    ENSURE(again->meshes[0].normal_factors != NULL && again->repair_count == 0);
    pelt_scene_destroy(again);

    pelt_mesh rigid = c.meshes[0];
    pelt_instance still = {.skin = PELT_NONE};
    rigid.weights = (pelt_weights){0};
    pelt_scene scene = c.enhanced;
    scene.meshes = &rigid;
    scene.instances = &still;
    scene.clip_count = 0;
    ENSURE(pelt_save_scene(factor_fixture_path, PELT_FORMAT_GLB, &scene, NULL) == PELT_ERROR_DATA);
    rigid.normal_factors = NULL;
    ENSURE(pelt_save_scene(factor_fixture_plain, PELT_FORMAT_GLB, &scene, NULL) == PELT_OK);
    pelt_addition* additions;
    uint32_t count = factor_fixture_additions(&additions, &c, 4);
    ENSURE(pelt_save_additions(factor_fixture_path, factor_fixture_plain, additions, count, NULL) ==
           PELT_OK);
    ENSURE(pelt_load(&again, factor_fixture_path, NULL, NULL) == PELT_OK);
    ENSURE(again->meshes[0].normal_factors == NULL && again->repair_count == 1);
    ENSURE(strstr(again->repairs[0].message, "it has no weights") != NULL);
    pelt_scene_destroy(again);
    factor_fixture_free(&c);
    return 0;
}

static int scenes_with_wrong_factors_are_refused(void)
{
    factor_fixture c;
    ENSURE(factor_fixture_build_rig(&c, "rig:arm?vertices=500", 4, true));
    pelt_normal_factors* f = &c.factors[0];
    const pelt_normal_factors right = *f;
    const pelt_scene* scene = &c.enhanced;
    uint32_t* first = malloc(((size_t)f->vertex_count + 1) * sizeof *first);
    ENSURE(pelt_scene_validate(scene, NULL) == PELT_OK);
#define REFUSED(change)                                                                            \
    do                                                                                             \
    {                                                                                              \
        *f = right;                                                                                \
        memcpy(first, right.first, ((size_t)f->vertex_count + 1) * sizeof *first);                 \
        change;                                                                                    \
        ENSURE(pelt_scene_validate(scene, NULL) == PELT_ERROR_DATA);                               \
    } while (0)
    REFUSED(f->vertex_count--);
    REFUSED(f->joint_count++);
    REFUSED(f->first = NULL);
    REFUSED(f->factors = NULL);
    REFUSED(f->tangents = NULL);
    REFUSED(f->plane_normals = NULL);
    REFUSED(f->centers = NULL);
    REFUSED(f->center_derivatives = NULL);
    REFUSED(f->max_factors--);
    REFUSED(f->slot_count = 5);
    REFUSED((f->slot_count = 2, f->max_factors = 3));
    REFUSED(f->tangents = c.meshes[0].normals);
    REFUSED(f->factor_count--);
    REFUSED((f->first = first, first[1] = UINT32_MAX));
    REFUSED((f->first = first, first[0] = 1));
#undef REFUSED
    free(first);
    factor_fixture_free(&c);
    return 0;
}

// Whatever is in the buffer, a load ends with a scene that is valid or with a sentence.
static int check_flipped_bits(uint32_t bits)
{
    factor_fixture c;
    test_random random = {7};
    ENSURE(factor_fixture_build_rig(&c, "rig:box", 4, true));
    ENSURE(bits == 0 || factor_fixture_quantize(&c, bits));
    ENSURE(pelt_save_scene(factor_fixture_plain, PELT_FORMAT_GLB, &c.enhanced, NULL) == PELT_OK);
    FILE* file = fopen(factor_fixture_plain, "rb");
    static unsigned char bytes[1 << 20], damaged[1 << 20];
    ENSURE(file != NULL);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    ENSURE(size > 20 && size < sizeof bytes);
    for (int i = 0; i < 500; ++i)
    {
        pelt_scene* again = NULL;
        pelt_error error = {{0}};
        memcpy(damaged, bytes, size);
        for (int k = 0; k < 4; ++k)
        {
            size_t at = 20 + (size_t)test_uniform(&random, 0.0f, (float)(size - 21));
            damaged[at] ^= (unsigned char)(1u << (unsigned)test_uniform(&random, 0.0f, 7.99f));
        }
        ENSURE(pelt_save_bytes(factor_fixture_path, damaged, size, NULL) == PELT_OK);
        pelt_result result = pelt_load(&again, factor_fixture_path, NULL, &error);
        ENSURE(result == PELT_OK ? pelt_scene_validate(again, NULL) == PELT_OK
                                 : error.message[0] != '\0');
        pelt_scene_destroy(again);
    }
    factor_fixture_free(&c);
    return 0;
}

static int flipped_bits_never_hurt(void)
{
    return check_flipped_bits(0) + check_flipped_bits(16) + check_flipped_bits(8);
}

void test_gltf_factors_broken(void)
{
    RUN(factor_fixture_folder_is_made);
    RUN(broken_factors_are_left_out_with_a_sentence);
    RUN(broken_integers_are_left_out_with_a_sentence);
    RUN(a_missing_attribute_is_named);
    RUN(factors_of_other_weights_are_left_out);
    RUN(scenes_with_wrong_factors_are_refused);
    RUN(flipped_bits_never_hurt);
    factor_fixture_close();
}
