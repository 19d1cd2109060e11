// SPDX-License-Identifier: MIT
// The built-in rigs: what each promises, and what all of them share.
#include "pelt/metrics.h"
#include "rigs.h"
#include "shared_rig.h"

#include <stdlib.h>
#include <string.h>

typedef struct expectation
{
    const char* name;
    uint32_t mesh_count, vertex_count, triangle_count, joint_count;
    uint32_t max_influences;
    float vertex_tolerance; // relative
    bool is_closed;
    const char* clips[7];
} expectation;

// Counts are those of the papers where they give them: 16 800 vertices and 5 bones (Bittner et al.
// 2019), 312 vertices, 116 triangles and 4 bones in 2 meshes (the animation texture thesis,
// Table 1), 2601 vertices, 5000 triangles and 9 bones (Le and Hodgins 2016, Table 1).
static const expectation expectations[] = {
    {"bar",
     1,
     4000,
     0,
     2,
     2,
     0.1f,
     true,
     {"twist135", "bend120", "twist90", "bend90", "bend90_translate", "twist180"}},
    {"cuboid", 1, 16800, 8400, 5, 2, 0.0f, true, {"pose", "twist", "bend"}},
    {"arm", 1, 6000, 0, 5, 4, 0.1f, true, {"bend", "twist", "curl"}},
    {"box", 2, 312, 116, 4, 2, 0.0f, true, {"test"}},
    {"human", 1, 20000, 0, 65, 4, 0.1f, true, {"walk", "wave", "squat", "twist", "extreme"}},
    {"raptor", 1, 15000, 0, 79, 4, 0.1f, true, {"run", "tail", "roar"}},
    {"cloth", 1, 2601, 5000, 9, 5, 0.0f, false, {"flap", "drape"}},
};

static int check_counts(const pelt_scene* scene, const expectation* e)
{
    uint32_t vertex_count = 0, triangle_count = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        vertex_count += scene->meshes[i].vertex_count;
        triangle_count += scene->meshes[i].index_count / 3;
        ENSURE(scene->meshes[i].weights.max_influences <= e->max_influences);
    }
    ENSURE(scene->mesh_count == e->mesh_count);
    ENSURE_NEAR(vertex_count, e->vertex_count, e->vertex_tolerance * (float)e->vertex_count);
    ENSURE(e->triangle_count == 0 || triangle_count == e->triangle_count);
    // "About 65" for the human; the others are exact.
    double tolerance = strcmp(e->name, "human") == 0 ? 5.0 : 0.0;
    ENSURE_NEAR(scene->skins[0].joint_count, e->joint_count, tolerance);
    for (int i = 0; i < 7 && e->clips[i]; ++i)
    {
        ENSURE(pelt_scene_find_clip(scene, e->clips[i]) != PELT_NONE);
    }
    return 0;
}

static int by_position(const void* a, const void* b)
{
    return memcmp(*(const pelt_vec3* const*)a, *(const pelt_vec3* const*)b, sizeof(pelt_vec3));
}

// The first vertex, in some order, at the position of each: copies along a seam become one.
static uint32_t* weld(const pelt_mesh* mesh)
{
    const pelt_vec3** order = malloc(mesh->vertex_count * sizeof *order);
    uint32_t* welded = malloc(mesh->vertex_count * sizeof *welded);
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        order[v] = &mesh->positions[v];
    }
    qsort(order, mesh->vertex_count, sizeof *order, by_position);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i)
    {
        uint32_t v = (uint32_t)(order[i] - mesh->positions);
        bool is_same = i > 0 && by_position(&order[i - 1], &order[i]) == 0;
        welded[v] = is_same ? welded[order[i - 1] - mesh->positions] : v;
    }
    free(order);
    return welded;
}

static int compare_edges(const void* a, const void* b)
{
    uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

// Every directed edge once, and its opposite too: a closed surface with one orientation.
static int check_closed(const pelt_mesh* mesh, const uint32_t* welded)
{
    uint64_t* edges = malloc(mesh->index_count * sizeof *edges);
    bool is_closed = true;
    for (uint32_t i = 0; i < mesh->index_count; ++i)
    {
        uint64_t a = welded[mesh->indices[i]];
        uint64_t b = welded[mesh->indices[i % 3 == 2 ? i - 2 : i + 1]];
        edges[i] = a << 32 | b;
        is_closed = is_closed && a != b;
    }
    qsort(edges, mesh->index_count, sizeof *edges, compare_edges);
    for (uint32_t i = 0; i < mesh->index_count; ++i)
    {
        uint64_t opposite = edges[i] << 32 | edges[i] >> 32;
        is_closed = is_closed && (i == 0 || edges[i] != edges[i - 1]) &&
                    bsearch(&opposite, edges, mesh->index_count, sizeof *edges, compare_edges);
    }
    free(edges);
    ENSURE(is_closed);
    ENSURE(pelt_mesh_volume(mesh->positions, mesh->indices, mesh->index_count) > 0.0);
    return 0;
}

// Copies of a vertex must have the same weights to the bit, or deformation tears the seam.
static int check_seams(const pelt_mesh* mesh, const uint32_t* welded)
{
    const pelt_weights* w = &mesh->weights;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        uint32_t u = welded[v], count = w->first[v + 1] - w->first[v];
        ENSURE(count == w->first[u + 1] - w->first[u]);
        for (uint32_t i = 0; i < count; ++i)
        {
            const pelt_influence* a = &w->influences[w->first[v] + i];
            const pelt_influence* b = &w->influences[w->first[u] + i];
            ENSURE(a->joint == b->joint && a->weight == b->weight);
        }
    }
    return 0;
}

// Steps between two nodes of one tree. Parents come first, so the larger index is never an
// ancestor of the smaller.
static uint32_t tree_distance(const pelt_scene* scene, uint32_t a, uint32_t b)
{
    uint32_t steps = 0;
    for (; a != b; ++steps)
    {
        uint32_t* farther = a > b ? &a : &b;
        *farther = scene->nodes[*farther].parent;
    }
    return steps;
}

// A hand must not be bound to the thigh next to it: the joints of a vertex with any
// force is near its strongest joint in the skeleton. Between two toes lie two joints each.
static int check_leaks(const pelt_scene* scene, const pelt_mesh* mesh)
{
    const pelt_weights* w = &mesh->weights;
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        uint32_t strongest = scene->skins[0].joints[w->influences[w->first[v]].joint];
        for (uint32_t i = w->first[v]; i < w->first[v + 1]; ++i)
        {
            uint32_t node = scene->skins[0].joints[w->influences[i].joint];
            ENSURE(w->influences[i].weight < 0.02f || tree_distance(scene, strongest, node) <= 4);
        }
    }
    return 0;
}

static int check_directions(const pelt_mesh* mesh)
{
    ENSURE(mesh->normals && mesh->tangents && mesh->uvs);
    for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    {
        pelt_vec3 n = mesh->normals[v];
        pelt_vec4 t = mesh->tangents[v];
        ENSURE_NEAR(pelt_vec3_length(n), 1.0, 1e-5);
        ENSURE_NEAR(pelt_vec3_dot(n, pelt_vec3_make(t.x, t.y, t.z)), 0.0, 1e-4);
        ENSURE(t.w == 1.0f || t.w == -1.0f);
    }
    return 0;
}

static int rigs_keep_their_promises(void)
{
    for (size_t i = 0; i < sizeof expectations / sizeof expectations[0]; ++i)
    {
        const expectation* e = &expectations[i];
        const pelt_scene* scene = shared_rig(e->name);
        pelt_error error = {{0}};
        printf("  %s\n", e->name);
        ENSURE(scene != NULL);
        ENSURE(pelt_scene_validate(scene, &error) == PELT_OK);
        ENSURE(check_counts(scene, e) == 0);
        ENSURE(check_leaks(scene, &scene->meshes[0]) == 0);
        for (uint32_t m = 0; m < scene->mesh_count; ++m)
        {
            uint32_t* welded = weld(&scene->meshes[m]);
            int failed = check_seams(&scene->meshes[m], welded) ||
                         (e->is_closed && check_closed(&scene->meshes[m], welded));
            free(welded);
            ENSURE(!failed && check_directions(&scene->meshes[m]) == 0);
        }
    }
    return 0;
}

static int every_listed_rig_is_tested(void)
{
    const pelt_rig_info* list;
    uint32_t count = pelt_rig_list(&list);
    ENSURE(count == sizeof expectations / sizeof expectations[0]);
    for (uint32_t i = 0; i < count; ++i)
    {
        ENSURE(strcmp(list[i].name, expectations[i].name) == 0);
        ENSURE(strlen(list[i].summary) > 0);
    }
    return 0;
}

static int resolution_is_a_parameter(void)
{
    const char* names[] = {"bar", "cuboid", "arm", "human", "raptor", "cloth"};
    for (int i = 0; i < 6; ++i)
    {
        char text[64];
        pelt_scene* scene;
        snprintf(text, sizeof text, "rig:%s?vertices=30000", names[i]);
        ENSURE(pelt_rig_build(&scene, text, NULL) == PELT_OK);
        ENSURE_NEAR(scene->meshes[0].vertex_count, 30000, 3000);
        pelt_scene_destroy(scene);
    }
    return 0;
}

static double mean_influences(const pelt_mesh* mesh)
{
    return (double)mesh->weights.influence_count / mesh->vertex_count;
}

// More of them meet over longer ways.
static int influences_are_a_parameter(void)
{
    static const char* const names[] = {"human", "raptor"};
    static const uint32_t counts[] = {1, 4, 8, 16};
    const int step = test_is_full_sweep() ? 1 : 2; // each count on one of the two, or on both
    for (int i = 0; i < 2; ++i)
    {
        double mean = 0.0;
        for (int k = i % step; k < 4; k += step)
        {
            char text[64];
            pelt_scene* scene;
            snprintf(text, sizeof text, "%s?influences=%u&vertices=3000", names[i], counts[k]);
            ENSURE(pelt_rig_build(&scene, text, NULL) == PELT_OK);
            const pelt_mesh* mesh = &scene->meshes[0];
            uint32_t* welded = weld(mesh);
            int failed = check_seams(mesh, welded);
            free(welded);
            ENSURE(!failed && mesh->weights.max_influences <= counts[k]);
            ENSURE(counts[k] > 8 || mesh->weights.max_influences == counts[k]);
            ENSURE(mean_influences(mesh) > mean);
            mean = mean_influences(mesh);
            ENSURE(counts[k] < 16 || mean > 7.0);
            pelt_scene_destroy(scene);
        }
    }
    return 0;
}

static uint64_t hash_bytes(uint64_t hash, const void* bytes, size_t size)
{
    const unsigned char* byte = bytes;
    for (size_t i = 0; i < size; ++i)
    {
        hash = (hash ^ byte[i]) * 0x100000001b3u; // FNV-1a
    }
    return hash;
}

// But for texture coordinates, which come from libm.
static uint64_t mesh_hash(const pelt_mesh* mesh)
{
    uint64_t hash = 0xcbf29ce484222325u;
    hash = hash_bytes(hash, mesh->positions, mesh->vertex_count * sizeof *mesh->positions);
    hash = hash_bytes(hash, mesh->normals, mesh->vertex_count * sizeof *mesh->normals);
    return hash_bytes(hash, mesh->indices, mesh->index_count * sizeof *mesh->indices);
}

// Independent of the compiler, and as they were before the field was evaluated several points at a
// time. The first mesh of each character is as its grid gave it, the second was simplified.
static int same_name_gives_the_same_bits(void)
{
    const struct
    {
        const char* name;
        uint64_t hash;
    } cases[] = {{"human", 0x6b710b88fb3886f1},
                 {"human?vertices=2000", 0x80217b01909ebefd},
                 {"raptor", 0x8c6f174f937fe62e},
                 {"raptor?vertices=2000", 0x4a4e7cb4f3910a29}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        const pelt_scene* scene = shared_rig(cases[i].name);
        ENSURE(scene != NULL);
        ENSURE(mesh_hash(&scene->meshes[0]) == cases[i].hash);
    }
    return 0;
}

static int wrong_names_are_answered_with_the_choices(void)
{
    const char* wrong[][2] = {
        {"hman", "human"},
        {"", "bar"},
        {"rig:", "bar"},
        {"bar?size=3", "vertices"},
        {"bar?vertices=", "vertices"},
        {"bar?vertices=abc", "abc"},
        {"bar?vertices=1e99", "vertices"},
        {"human?vertices=3", "2000"},
        {"raptor?influences=17", "1 to 16"},
        {"human?vertices=5000&vertices=6000", "vertices"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
    {
        pelt_scene* scene;
        pelt_error error = {{0}};
        ENSURE(pelt_rig_build(&scene, wrong[i][0], &error) == PELT_ERROR_ARGUMENT);
        ENSURE(strstr(error.message, wrong[i][1]) != NULL);
    }
    return 0;
}

// Twist and bend of the cuboid, by the angle between the links of its chain at the end of a clip.
static int clips_reach_the_angles_they_name(void)
{
    const struct
    {
        const char *rig, *clip, *node;
        float degrees;
    } cases[] = {{"bar", "twist135", "joint", 135.0f}, {"bar", "bend120", "joint", 120.0f},
                 {"bar", "twist90", "joint", 90.0f},   {"bar", "bend90", "joint", 90.0f},
                 {"bar", "twist180", "joint", 180.0f}, {"bar", "bend90_translate", "joint", 90.0f}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        pelt_scene* scene;
        pelt_pose pose;
        ENSURE(pelt_rig_build(&scene, cases[i].rig, NULL) == PELT_OK);
        ENSURE(pelt_pose_create(&pose, scene) == PELT_OK);
        const pelt_clip* clip = &scene->clips[pelt_scene_find_clip(scene, cases[i].clip)];
        pelt_pose_sample(&pose, scene, clip, clip->duration, PELT_WRAP_CLAMP);
        pelt_quat q = pose.locals[pelt_scene_find_node(scene, cases[i].node)].rotation;
        float angle = 2.0f * acosf(fminf(fabsf(q.w), 1.0f)) * 180.0f / PELT_PI;
        ENSURE_NEAR(angle, cases[i].degrees, 0.05);
        pelt_pose_destroy(&pose);
        pelt_scene_destroy(scene);
    }
    return 0;
}

void test_rigs(void)
{
    RUN(rigs_keep_their_promises);
    RUN(every_listed_rig_is_tested);
    RUN(resolution_is_a_parameter);
    RUN(influences_are_a_parameter);
    RUN(same_name_gives_the_same_bits);
    RUN(wrong_names_are_answered_with_the_choices);
    RUN(clips_reach_the_angles_they_name);
}
