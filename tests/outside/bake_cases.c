// SPDX-License-Identifier: MIT
// Bakes of a built-in character with what the CPU makes of them, as JSON for tests in other
// programs: bake_cases > cases.json
#include "pelt/bake.h"
#include "pelt/gl.h"
#include "rigs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PLAYBACK_COUNT = 5
};

typedef struct bake_choice
{
    pelt_encoding encoding;
    uint32_t bits;
    pelt_texel texel;
} bake_choice;

static const bake_choice choices[] = {
    {PELT_ENCODING_QT, 96, PELT_TEXEL_RGBA32UI},     {PELT_ENCODING_LOCAL, 16, PELT_TEXEL_RGBA16UI},
    {PELT_ENCODING_MATRIX, 16, PELT_TEXEL_RGBA8UI},  {PELT_ENCODING_DQ, 16, PELT_TEXEL_RGBA32UI},
    {PELT_ENCODING_VERTEX, 16, PELT_TEXEL_RGBA32UI},
};

static void check(pelt_result result, const pelt_error* error)
{
    if (result != PELT_OK)
    {
        fprintf(stderr, "bake_cases: %s\n", error->message);
        exit(1);
    }
}

static void print_floats(const char* name, const float* values, size_t count)
{
    printf(",\n\"%s\":[", name);
    for (size_t i = 0; i < count; ++i)
    {
        printf("%s%.9g", i > 0 ? "," : "", (double)values[i]);
    }
    putchar(']');
}

static void print_words(const char* name, const void* words, size_t count)
{
    printf(",\n\"%s\":[", name);
    for (size_t i = 0; i < count; ++i)
    {
        uint32_t word;
        memcpy(&word, (const char*)words + i * sizeof word, sizeof word);
        printf("%s%u", i > 0 ? "," : "", word);
    }
    putchar(']');
}

// Four influences of each vertex, strongest first.
static void print_influences(const pelt_weights* weights)
{
    float* joints = calloc(4 * (size_t)weights->vertex_count, sizeof *joints);
    float* values = calloc(4 * (size_t)weights->vertex_count, sizeof *values);
    for (uint32_t v = 0; joints != NULL && values != NULL && v < weights->vertex_count; ++v)
    {
        for (uint32_t i = weights->first[v]; i < weights->first[v + 1]; ++i)
        {
            joints[4 * v + i - weights->first[v]] = (float)weights->influences[i].joint;
            values[4 * v + i - weights->first[v]] = weights->influences[i].weight;
        }
    }
    print_floats("joints", joints, 4 * (size_t)weights->vertex_count);
    print_floats("weights", values, 4 * (size_t)weights->vertex_count);
    free(joints);
    free(values);
}

static void choose_playbacks(pelt_playback out[PLAYBACK_COUNT], const pelt_baked* baked)
{
    uint32_t last = baked->clip_count - 1;
    float duration = baked->clips[0].duration, other = baked->clips[last].duration;
    bool has_poses = baked->encoding == PELT_ENCODING_QT || baked->encoding == PELT_ENCODING_LOCAL;
    out[0] = (pelt_playback){0};
    out[1] = (pelt_playback){.base = {0, 0.37f * duration, PELT_WRAP_CLAMP}};
    out[2] = (pelt_playback){.base = {0, 3.61f * duration, PELT_WRAP_LOOP}};
    out[3] = (pelt_playback){.base = {0, 0.2f * duration, PELT_WRAP_LOOP},
                             .next = {last, 0.7f * other, PELT_WRAP_LOOP},
                             .fade = 0.4f};
    out[4] = out[3];
    out[4].additive = (pelt_moment){last, 0.3f * other, PELT_WRAP_CLAMP};
    out[4].additive_weight = has_poses ? 0.8f : 0.0f;
}

// What the CPU gives for one playback.
static void find_expected(const pelt_surface* out, const pelt_mesh* mesh, const pelt_baked* baked,
                          const pelt_playback* playback, pelt_method method)
{
    if (baked->encoding == PELT_ENCODING_VERTEX)
    {
        pelt_unbake_vertices(out, baked, 0, mesh, playback);
        return;
    }
    pelt_palette palette;
    check(pelt_palette_create(&palette, baked->joint_count), &(pelt_error){0});
    pelt_deform_input input = {.positions = mesh->positions,
                               .normals = mesh->normals,
                               .weights = &mesh->weights,
                               .palette = &palette};
    pelt_unbake(palette.matrices, baked, playback);
    pelt_palette_decompose(&palette);
    pelt_deform(out, &input, &(pelt_deform_options){.method = method},
                (pelt_range){0, mesh->vertex_count});
    pelt_palette_destroy(&palette);
}

static void print_expected(const pelt_mesh* mesh, const pelt_baked* baked,
                           const pelt_playback playbacks[PLAYBACK_COUNT], pelt_method method)
{
    size_t count = mesh->vertex_count;
    pelt_vec3* positions = calloc(PLAYBACK_COUNT * count, sizeof *positions);
    pelt_vec3* normals = calloc(PLAYBACK_COUNT * count, sizeof *normals);
    for (uint32_t i = 0; i < PLAYBACK_COUNT && positions != NULL && normals != NULL; ++i)
    {
        pelt_surface out = {.positions = positions + i * count, .normals = normals + i * count};
        find_expected(&out, mesh, baked, &playbacks[i], method);
    }
    print_floats("expected_positions", &positions->x, 3 * PLAYBACK_COUNT * count);
    print_floats("expected_normals", &normals->x, 3 * PLAYBACK_COUNT * count);
    free(positions);
    free(normals);
}

static void print_case(const char** separator, const pelt_scene* scene, const bake_choice* choice,
                       pelt_method method)
{
    static const char* const texels[] = {"", "rgba32ui", "rgba16ui", "rgba8ui"};
    pelt_baked* baked;
    pelt_error error = {0};
    pelt_bake_options options = {
        .encoding = choice->encoding, .bits = choice->bits, .texel = choice->texel};
    check(pelt_bake(&baked, scene, &options, &error), &error);
    bool has_vertices = choice->encoding == PELT_ENCODING_VERTEX;
    fputs(*separator, stdout);
    *separator = ",";
    pelt_playback playbacks[PLAYBACK_COUNT];
    pelt_gpu_playback packed[PLAYBACK_COUNT];
    choose_playbacks(playbacks, baked);
    for (uint32_t i = 0; i < PLAYBACK_COUNT; ++i)
    {
        packed[i] = pelt_gpu_playback_of(&playbacks[i]);
    }
    printf("{\"encoding\":\"%s\",\"texel\":\"%s\",\"width\":%u,\"height\":%u,\"joint_count\":%u,"
           "\"first\":%u",
           pelt_encoding_name(choice->encoding), texels[choice->texel], baked->width, baked->height,
           baked->joint_count, baked->instances[0].first);
    print_words("words", baked->words, pelt_baked_bytes(baked) / sizeof(uint32_t));
    print_words("playbacks", packed, PLAYBACK_COUNT * (sizeof *packed / sizeof(uint32_t)));
    printf(",\n\"method\":\"%s\"", has_vertices ? "vertex" : pelt_method_name(method));
    if (has_vertices)
    {
        print_words("vertex_ids", baked->instances[0].vertex_ids, scene->meshes[0].vertex_count);
    }
    print_expected(&scene->meshes[0], baked, playbacks, method);
    puts("}");
    pelt_baked_destroy(baked);
}

int main(void)
{
    pelt_scene* scene;
    pelt_error error = {0};
    check(pelt_rig_build(&scene, "human?vertices=2000", &error), &error);
    const pelt_mesh* mesh = &scene->meshes[0];
    printf("{\"vertex_count\":%u", mesh->vertex_count);
    print_floats("positions", &mesh->positions->x, 3 * (size_t)mesh->vertex_count);
    print_floats("normals", &mesh->normals->x, 3 * (size_t)mesh->vertex_count);
    print_influences(&mesh->weights);
    printf(",\n\"cases\":[");
    const char* separator = "";
    for (uint32_t i = 0; i < sizeof choices / sizeof choices[0]; ++i)
    {
        print_case(&separator, scene, &choices[i], i % 2 ? PELT_METHOD_DQS : PELT_METHOD_LBS);
    }
    puts("]}");
    pelt_scene_destroy(scene);
    return 0;
}
