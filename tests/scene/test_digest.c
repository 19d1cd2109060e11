// SPDX-License-Identifier: MIT
// Digests: equal for the same surface however it is written down, different for any other.
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum
{
    SIDE = 6,
    VERTEX_COUNT = SIDE * SIDE,
    INDEX_COUNT = 6 * (SIDE - 1) * (SIDE - 1),
};

// A curved sheet whose vertices have no, one or two influences.
typedef struct sheet
{
    pelt_vec3 positions[INDEX_COUNT], normals[INDEX_COUNT];
    uint32_t first[INDEX_COUNT + 1], indices[INDEX_COUNT + 3];
    pelt_influence influences[2 * INDEX_COUNT];
    pelt_mesh mesh;
} sheet;

static void sheet_connect(sheet* s, uint32_t vertex_count, uint32_t index_count)
{
    s->mesh = (pelt_mesh){
        .vertex_count = vertex_count,
        .index_count = index_count,
        .positions = s->positions,
        .normals = s->normals,
        .indices = s->indices,
        .weights = {vertex_count, 4, s->first[vertex_count], 2, s->first, s->influences}};
}

static void sheet_make(sheet* s)
{
    memset(s, 0, sizeof *s);
    uint32_t* index = s->indices;
    for (uint32_t v = 0; v < VERTEX_COUNT; ++v)
    {
        uint32_t x = v % SIDE, y = v / SIDE;
        s->positions[v] = pelt_vec3_make((float)x, (float)y, 0.1f * (float)(x * y));
        s->normals[v] = pelt_vec3_normalize(pelt_vec3_make(0.1f * (float)x, 0.0f, 1.0f));
        float weight = 0.5f + 0.01f * (float)v;
        pelt_influence* own = s->influences + s->first[v];
        own[0] = (pelt_influence){1, 0, v % 3 == 2 ? weight : 1.0f};
        own[1] = (pelt_influence){2, 1, 1.0f - weight};
        s->first[v + 1] = s->first[v] + v % 3;
        if (x + 1 < SIDE && y + 1 < SIDE)
        {
            const uint32_t square[6] = {v, v + 1, v + SIDE, v + SIDE, v + 1, v + SIDE + 1};
            memcpy(index, square, sizeof square);
            index += 6;
        }
    }
    sheet_connect(s, VERTEX_COUNT, INDEX_COUNT);
}

// The same triangles with vertex v of *in at order[v]. Room for vertices that occur twice.
static void sheet_renumber(sheet* out, const sheet* in, const uint32_t* source, uint32_t count)
{
    for (uint32_t v = 0; v < count; ++v)
    {
        uint32_t from = source[v], start = in->first[from], size = in->first[from + 1] - start;
        out->positions[v] = in->positions[from];
        out->normals[v] = in->normals[from];
        memcpy(out->influences + out->first[v], in->influences + start,
               size * sizeof *in->influences);
        out->first[v + 1] = out->first[v] + size;
    }
}

static uint64_t digest_of(const sheet* s)
{
    uint64_t digest = 0;
    return pelt_cor_digest(&digest, &s->mesh) == PELT_OK ? digest : 0;
}

static uint64_t normal_digest_of(const sheet* s, const pelt_vec3* cors)
{
    uint64_t digest = 0;
    return pelt_normal_digest(&digest, &s->mesh, cors) == PELT_OK ? digest : 0;
}

// ---------------------------------------------------------------------------------------------

// From a program of twenty lines in Python that follows docs/files.md.
static int digests_are_those_of_the_definition(void)
{
    const pelt_vec3 positions[4] = {{0, 0, 0}, {1, 0, 0}, {-0.0f, 1, 0}, {1, 1, 0.5f}};
    const pelt_vec3 normals[4] = {{0, 0, 1}, {0, 0, 1}, {0, -0.0f, 1}, {0, 0, 1}};
    const pelt_influence influences[5] = {
        {0, 0, 1.0f}, {1, 1, 0.75f}, {0, 0, 0.25f}, {1, 0, 0.5f}, {2, 1, 0.5f}};
    const uint32_t first[5] = {0, 1, 3, 3, 5}, indices[6] = {0, 1, 2, 2, 1, 3};
    const pelt_mesh mesh = {.vertex_count = 4,
                            .index_count = 6,
                            .positions = positions,
                            .normals = normals,
                            .indices = indices,
                            .weights = {4, 3, 5, 2, first, influences}};
    uint64_t digest;
    ENSURE(pelt_cor_digest(&digest, &mesh) == PELT_OK && digest == 0xe1a4e185f585549bu);
    ENSURE(pelt_normal_digest(&digest, &mesh, NULL) == PELT_OK && digest == 0x6bf52853cb966a85u);
    ENSURE(pelt_normal_digest(&digest, &mesh, positions) == PELT_OK &&
           digest == 0x3e3ecfaef6e10a26u);
    return 0;
}

static int order_does_not_matter(void)
{
    static sheet plain, other;
    uint32_t source[VERTEX_COUNT];
    sheet_make(&plain);
    // Vertices backwards, triangles backwards, each beginning with another corner.
    for (uint32_t v = 0; v < VERTEX_COUNT; ++v)
    {
        source[v] = VERTEX_COUNT - 1 - v;
    }
    sheet_renumber(&other, &plain, source, VERTEX_COUNT);
    for (uint32_t i = 0; i < INDEX_COUNT; i += 3)
    {
        const uint32_t* from = plain.indices + INDEX_COUNT - 3 - i;
        for (uint32_t k = 0; k < 3; ++k)
        {
            other.indices[i + k] = VERTEX_COUNT - 1 - from[(k + i / 3) % 3];
        }
    }
    sheet_connect(&other, VERTEX_COUNT, INDEX_COUNT);
    ENSURE(digest_of(&plain) != 0 && digest_of(&other) == digest_of(&plain));
    ENSURE(normal_digest_of(&other, NULL) == normal_digest_of(&plain, NULL));
    return 0;
}

static int welding_does_not_matter(void)
{
    static sheet plain, corners;
    sheet_make(&plain);
    sheet_renumber(&corners, &plain, plain.indices, INDEX_COUNT);
    for (uint32_t i = 0; i < INDEX_COUNT; ++i)
    {
        corners.indices[i] = i;
    }
    sheet_connect(&corners, INDEX_COUNT, INDEX_COUNT);
    ENSURE(digest_of(&corners) == digest_of(&plain));

    // Two copies of one vertex are one corner, so that the last triangle has no area.
    plain.indices[INDEX_COUNT] = plain.indices[INDEX_COUNT + 1] = 3;
    plain.indices[INDEX_COUNT + 2] = 4;
    plain.mesh.index_count += 3;
    ENSURE(digest_of(&corners) == digest_of(&plain));
    return 0;
}

static int a_change_shows(void)
{
    static sheet plain, other;
    pelt_vec3 cors[VERTEX_COUNT];
    sheet_make(&plain);
    memcpy(cors, plain.positions, sizeof cors);
    uint64_t digest = digest_of(&plain), centered = normal_digest_of(&plain, cors);
    ENSURE(digest != centered && centered != normal_digest_of(&plain, NULL));
#define SHOWS(change)                                                                              \
    do                                                                                             \
    {                                                                                              \
        sheet_make(&other);                                                                        \
        change;                                                                                    \
        ENSURE(digest_of(&other) != digest && normal_digest_of(&other, cors) != centered);         \
    } while (0)
    SHOWS(other.positions[7].y = nextafterf(other.positions[7].y, 9.0f));
    SHOWS(other.influences[9].weight = nextafterf(other.influences[9].weight, 0.0f));
    SHOWS(other.influences[9].joint = 3);
    SHOWS(other.mesh.weights = (pelt_weights){0});
    SHOWS(other.mesh.index_count -= 3);
    // The other diagonal of a square: the same corners, as often, in other triangles.
    SHOWS((other.indices[2] = SIDE + 1, other.indices[4] = 0));
#undef SHOWS
    sheet_make(&other);
    other.normals[5].x = 0.25f;
    ENSURE(digest_of(&other) == digest && normal_digest_of(&other, cors) != centered);
    cors[5].x = 0.25f;
    ENSURE(normal_digest_of(&plain, cors) != centered);
    return 0;
}

// Readers divide weights by their sum and make normals unit, and what they have done they leave.
static int what_readers_repair_does_not_show(void)
{
    static sheet plain, other;
    sheet_make(&plain);
    for (uint32_t v = 0; v < VERTEX_COUNT; ++v)
    {
        // Powers of two, which leave no rounding behind.
        plain.normals[v] = pelt_vec3_make(0.0f, v % 2 == 0 ? 1.0f : 0.0f, v % 2 == 0 ? 0.0f : 1.0f);
        for (uint32_t i = plain.first[v]; i < plain.first[v + 1]; ++i)
        {
            plain.influences[i].weight = v % 3 == 2 ? 0.5f : 1.0f;
        }
    }
    other = plain;
    sheet_connect(&other, VERTEX_COUNT, INDEX_COUNT);
    for (uint32_t v = 0; v < VERTEX_COUNT; ++v)
    {
        other.normals[v] = pelt_vec3_scale(other.normals[v], v % 4 == 0 ? 0.0f : 4.0f);
    }
    for (uint32_t i = 0; i < plain.first[VERTEX_COUNT]; ++i)
    {
        other.influences[i].weight *= 0.25f;
    }
    ENSURE(normal_digest_of(&other, NULL) == normal_digest_of(&plain, NULL));
    return 0;
}

static int nothing_has_a_digest(void)
{
    uint64_t digest = 1;
    const pelt_mesh mesh = {0};
    ENSURE(pelt_cor_digest(&digest, &mesh) == PELT_OK && digest == 0);
    return 0;
}

void test_digest(void)
{
    RUN(digests_are_those_of_the_definition);
    RUN(order_does_not_matter);
    RUN(welding_does_not_matter);
    RUN(a_change_shows);
    RUN(what_readers_repair_does_not_show);
    RUN(nothing_has_a_digest);
}
