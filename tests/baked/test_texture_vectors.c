// SPDX-License-Identifier: MIT
// The test vectors of docs/texture_format.md: textures and numbers that a script made without pelt.
#include "pelt/bake.h"
#include "test.h"
#include "texture_decoder.h"

#include <stdlib.h>
#include <string.h>

enum
{
    TEXT_MAX = 1 << 16,
    WORD_MAX = 512,
    JOINT_MAX = 8,
    CLIP_MAX = 2,
    RUN_MAX = 4,
};

static char* read_text(const char* path)
{
    FILE* file = fopen(path, "rb");
    char* text = calloc(TEXT_MAX, 1);
    size_t size = file != NULL ? fread(text, 1, TEXT_MAX - 1, file) : 0;
    if (file != NULL)
    {
        fclose(file);
    }
    if (size == 0)
    {
        printf("  cannot read %s\n", path);
        free(text);
        return NULL;
    }
    return text;
}

static char* read_vectors(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/texture_vectors.txt", test_data_folder);
    return read_text(path);
}

// ---------------------------------------------------------------------------------------------
// Textures

// A bake from the words of a texture; other fields are empty.
typedef struct vector_bake
{
    uint32_t words[WORD_MAX];
    pelt_baked_joint joints[JOINT_MAX];
    uint32_t order[JOINT_MAX];
    pelt_baked_clip clips[CLIP_MAX];
    pelt_baked_run runs[RUN_MAX];
    pelt_baked_instance instance;
    pelt_baked baked;
} vector_bake;

static float float_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static void fill_clips(vector_bake* v)
{
    const uint32_t* words = v->words;
    uint32_t run = 0;
    for (uint32_t c = 0; c < words[5]; ++c)
    {
        const uint32_t* entry = words + words[6] + 4 * c;
        v->clips[c] = (pelt_baked_clip){.name = "",
                                        .duration = float_of(entry[2]),
                                        .wraps = entry[3] & 1,
                                        .loops = entry[3] >> 1 & 1,
                                        .run_count = entry[1],
                                        .runs = v->runs + run};
        for (uint32_t i = 0; i < entry[1]; ++i)
        {
            const uint32_t* own = words + entry[0] + 8 * i;
            v->runs[run++] = (pelt_baked_run){.start = float_of(own[0]),
                                              .rate = float_of(own[1]),
                                              .key_count = own[2],
                                              .first_word = own[3],
                                              .key_words = own[4],
                                              .table = own[5],
                                              .is_held = own[6] & 1};
            v->clips[c].key_count += own[2];
        }
    }
}

static void fill_bake(vector_bake* v, pelt_encoding encoding, uint32_t word_count)
{
    static const uint32_t ids[] = {0, 1, 2};
    const uint32_t* words = v->words;
    bool is_vertex = encoding == PELT_ENCODING_VERTEX;
    v->baked = (pelt_baked){.encoding = encoding,
                            .texel = PELT_TEXEL_RGBA8UI,
                            .width = word_count,
                            .height = 1,
                            .words = words,
                            .unit = float_of(words[7]),
                            .stretch_unit = float_of(words[8]),
                            .clip_count = words[5],
                            .joint_count = is_vertex ? 0 : words[3],
                            .vertex_count = is_vertex ? words[3] : 0,
                            .instance_count = 1,
                            .clips = v->clips,
                            .joints = v->joints,
                            .joint_order = v->order,
                            .instances = &v->instance,
                            .root = PELT_NONE};
    v->instance = (pelt_baked_instance){.name = "",
                                        .vertex_count = is_vertex ? words[3] : 0,
                                        .joint_count = v->baked.joint_count,
                                        .vertex_ids = is_vertex ? ids : NULL};
    for (uint32_t i = 0; i < v->baked.joint_count; ++i)
    {
        const uint32_t* entry = words + words[4] + 4 * i;
        v->order[i] = i;
        v->joints[i] = (pelt_baked_joint){
            .name = "",
            .parent = entry[0],
            .pivot = {float_of(entry[1]), float_of(entry[2]), float_of(entry[3])}};
    }
    fill_clips(v);
}

// @return the text after the words of a texture, or NULL
static char* read_texture(vector_bake* v, char* text, const char* name, pelt_encoding encoding)
{
    char heading[64];
    snprintf(heading, sizeof heading, "\ntexture %s ", name);
    char* at = strstr(text, heading);
    if (at == NULL)
    {
        return NULL;
    }
    at += strlen(heading);
    uint32_t count = (uint32_t)strtoul(at, &at, 10);
    *v = (vector_bake){0};
    for (uint32_t i = 0; i < count && count <= WORD_MAX; ++i)
    {
        v->words[i] = (uint32_t)strtoul(at, &at, 16);
    }
    fill_bake(v, encoding, count);
    return at;
}

// ---------------------------------------------------------------------------------------------
// Playbacks

static char* read_moment(pelt_moment* out, char* at)
{
    out->clip = (uint32_t)strtoul(at, &at, 10);
    out->time = strtof(at, &at);
    out->wrap = at[1] == 'l' ? PELT_WRAP_LOOP : PELT_WRAP_CLAMP;
    return at + strcspn(at + 1, " \n") + 1;
}

// "play base 0 0.25 loop next 1 0.5 clamp fade 0.25 additive 0 0.5 loop weight 1"
static char* read_play(pelt_playback* out, char* at)
{
    *out = (pelt_playback){0};
    at += strspn(at, "\n");
    if (strncmp(at, "play base", 9) != 0)
    {
        return NULL;
    }
    at = read_moment(&out->base, at + 9);
    if (strncmp(at, " next", 5) == 0)
    {
        at = read_moment(&out->next, at + 5);
        out->fade = strtof(at + 5, &at);
    }
    if (strncmp(at, " additive", 9) == 0)
    {
        at = read_moment(&out->additive, at + 9);
        out->additive_weight = strtof(at + 7, &at);
    }
    return at;
}

// Numbers of the file are below 10 and pelt computes in float: a few roundings of a few parents.
static const double rounding = 1e-5;

static int check_joints(const char* name, pelt_encoding encoding)
{
    char *text = read_vectors(), *at;
    ENSURE(text != NULL);
    static vector_bake v;
    at = read_texture(&v, text, name, encoding);
    ENSURE(at != NULL && v.baked.joint_count > 0);
    pelt_error error = {""};
    pelt_result result = pelt_baked_validate(&v.baked, &error);
    printf("%s%s", error.message, error.message[0] != '\0' ? "\n" : "");
    ENSURE(result == PELT_OK);
    int count = 0;
    pelt_playback play;
    for (char* next; (next = read_play(&play, at)) != NULL; ++count)
    {
        pelt_mat34 own[JOINT_MAX];
        texture_motion second[JOINT_MAX];
        pelt_unbake(own, &v.baked, &play);
        texture_decode(second, v.words, &play);
        at = next;
        for (uint32_t i = 0; i < 12 * v.baked.joint_count; ++i)
        {
            double expected = strtod(at, &at);
            ENSURE_NEAR((&own[0].m[0][0])[i], expected, rounding);
            // The file has nine digits.
            ENSURE_NEAR((&second[0].m[0][0])[i], expected, 1e-8);
        }
    }
    ENSURE(count >= 3);
    free(text);
    return 0;
}

static int poses_decode_to_the_vectors(void)
{
    return check_joints("pose", PELT_ENCODING_QT) + check_joints("pose", PELT_ENCODING_LOCAL);
}

static int matrices_decode_to_the_vectors(void)
{
    return check_joints("matrix", PELT_ENCODING_MATRIX);
}

static int dual_quaternions_decode_to_the_vectors(void)
{
    return check_joints("dual", PELT_ENCODING_DQ);
}

static int vertices_decode_to_the_vectors(void)
{
    char *text = read_vectors(), *at;
    ENSURE(text != NULL);
    static vector_bake v;
    at = read_texture(&v, text, "vertex", PELT_ENCODING_VERTEX);
    ENSURE(at != NULL && v.baked.vertex_count == 3);
    ENSURE(pelt_baked_validate(&v.baked, NULL) == PELT_OK);
    int count = 0;
    pelt_playback play;
    for (char* next; (next = read_play(&play, at)) != NULL; ++count)
    {
        double rest[3][3], expected[3][6];
        pelt_vec3 positions[3], normals[3], moved[3], rotated[3];
        at = next;
        for (int i = 0; i < 27; ++i)
        {
            double value = strtod(at, &at);
            *(i % 9 < 3 ? &rest[i / 9][i % 9] : &expected[i / 9][i % 9 - 3]) = value;
        }
        for (int i = 0; i < 3; ++i)
        {
            positions[i] = pelt_vec3_make((float)rest[i][0], (float)rest[i][1], (float)rest[i][2]);
            normals[i] = pelt_vec3_make(0, 0, 1);
        }
        pelt_mesh mesh = {.vertex_count = 3, .positions = positions, .normals = normals};
        pelt_surface out = {.positions = moved, .normals = rotated};
        pelt_unbake_vertices(&out, &v.baked, 0, &mesh, &play);
        for (uint32_t i = 0; i < 3; ++i)
        {
            double position[3], normal[3];
            texture_decode_vertex(position, normal, v.words, &play, rest[i], i);
            for (int k = 0; k < 3; ++k)
            {
                ENSURE_NEAR((&moved[i].x)[k], expected[i][k], rounding);
                ENSURE_NEAR((&rotated[i].x)[k], expected[i][3 + k], rounding);
                ENSURE_NEAR(position[k], expected[i][k], 1e-8);
                ENSURE_NEAR(normal[k], expected[i][3 + k], 1e-8);
            }
        }
    }
    ENSURE(count >= 3);
    free(text);
    return 0;
}

// The block in "Test vectors" is a part of the file, so that the page cannot drift.
static int page_quotes_the_vectors(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/../../docs/texture_format.md", test_data_folder);
    char *page = read_text(path), *vectors = read_vectors();
    ENSURE(page != NULL && vectors != NULL);
    char* section = strstr(page, "\n## Test vectors\n");
    ENSURE(section != NULL);
    char* block = strstr(section, "```\n");
    ENSURE(block != NULL);
    block += 4;
    char* end = strstr(block, "```");
    ENSURE(end != NULL && end - block > 500);
    *end = '\0';
    ENSURE(strncmp(block, "texture ", 8) == 0 && strstr(vectors, block) != NULL);
    free(page);
    free(vectors);
    return 0;
}

void test_texture_vectors(void)
{
    RUN(poses_decode_to_the_vectors);
    RUN(matrices_decode_to_the_vectors);
    RUN(dual_quaternions_decode_to_the_vectors);
    RUN(vertices_decode_to_the_vectors);
    RUN(page_quotes_the_vectors);
}
