// SPDX-License-Identifier: MIT
// Boxes in files: written, read back, and dropped where they do not fit.
#define _XOPEN_SOURCE 700

#include "pelt/bounds.h"
#include "pelt/io.h"

#include "scratch.h"
#include "test.h"

#include <string.h>

// Two triangles on two joints, with one clip.
typedef struct strip
{
    pelt_scene scene;
    pelt_mesh mesh;
    pelt_node nodes[2];
    pelt_skin skin;
    pelt_instance instance;
    pelt_clip clip;
    pelt_track track;
    uint32_t joints[2];
    pelt_mat34 binds[2];
    pelt_vec3 positions[4];
    pelt_influence influences[4];
    uint32_t first[5];
    uint32_t indices[6];
    float times[2], values[8];
    pelt_arena* arena;
} strip;

static void strip_make(strip* s)
{
    *s = (strip){.joints = {0, 1},
                 .binds = {pelt_mat34_identity(), pelt_mat34_identity()},
                 .positions = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0.1f}, {1, 2, 0.3f}},
                 .influences = {{0, 0, 1}, {0, 0, 1}, {1, 0, 1}, {1, 0, 1}},
                 .first = {0, 1, 2, 3, 4},
                 .indices = {0, 1, 2, 2, 1, 3},
                 .times = {0.0f, 1.0f},
                 .values = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f},
                 .arena = pelt_arena_create()};
    s->nodes[0] = (pelt_node){"root", PELT_NONE, pelt_transform_identity()};
    s->nodes[1] = (pelt_node){"tip", 0, pelt_transform_identity()};
    s->skin = (pelt_skin){"skin", 2, s->joints, s->binds};
    s->instance = (pelt_instance){.mesh = 0, .skin = 0};
    s->track = (pelt_track){.target = 1,
                            .path = PELT_PATH_ROTATION,
                            .key_count = 2,
                            .width = 4,
                            .times = s->times,
                            .values = s->values};
    s->clip = (pelt_clip){"wave \"hi\"", 1.0f, 1, &s->track};
    s->mesh = (pelt_mesh){.name = "strip",
                          .vertex_count = 4,
                          .index_count = 6,
                          .positions = s->positions,
                          .indices = s->indices,
                          .material = PELT_NONE,
                          .weights = {4, 2, 4, 1, s->first, s->influences}};
    s->scene = (pelt_scene){.name = "strip",
                            .node_count = 2,
                            .mesh_count = 1,
                            .skin_count = 1,
                            .instance_count = 1,
                            .clip_count = 1,
                            .nodes = s->nodes,
                            .meshes = &s->mesh,
                            .skins = &s->skin,
                            .instances = &s->instance,
                            .clips = &s->clip};
}

static bool is_same_box(const pelt_bounds* a, const pelt_bounds* b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static int check_same(const pelt_mesh_bounds* a, const pelt_mesh_bounds* b)
{
    ENSURE(a != NULL && b != NULL && a->method == b->method);
    ENSURE(a->clip_count == b->clip_count && a->joint_count == b->joint_count);
    ENSURE(is_same_box(&a->box, &b->box));
    for (uint32_t i = 0; i < a->clip_count; ++i)
    {
        ENSURE(strcmp(a->clips[i].clip, b->clips[i].clip) == 0);
        ENSURE(is_same_box(&a->clips[i].box, &b->clips[i].box));
    }
    for (uint32_t i = 0; i < a->joint_count; ++i)
    {
        ENSURE(is_same_box(&a->joints[i], &b->joints[i]));
    }
    return 0;
}

// A scene as a new file, and boxes added to that file: both read back to the bit.
static int boxes_survive_files(void)
{
    char folder[SCRATCH_PATH], path[2 * SCRATCH_PATH];
    strip s;
    const pelt_deform_options options = {.method = PELT_METHOD_DQS};
    ENSURE(scratch_make(folder));
    snprintf(path, sizeof path, "%s/strip.glb", folder);
    strip_make(&s);
    ENSURE(pelt_save_scene(path, PELT_FORMAT_GLB, &s.scene, NULL) == PELT_OK);
    pelt_scene *bare, *read;
    pelt_source source;
    ENSURE(pelt_load_keep(&bare, &source, path, NULL, NULL) == PELT_OK);
    ENSURE(bare->meshes[0].bounds == NULL);
    pelt_scene better = *bare;
    ENSURE(pelt_scene_add_bounds(&better, &options, NULL, s.arena, NULL) == PELT_OK);
    // The tip rotates about x from +y towards +z: closed form of what it reaches.
    ENSURE_NEAR(better.meshes[0].bounds->clips[0].box.max.z, 2.0f, 0.1f);
    for (int kind = 0; kind < 2; ++kind)
    {
        ENSURE((kind == 0 ? pelt_save_enhanced(path, &source, &better, NULL)
                          : pelt_save_scene(path, PELT_FORMAT_GLB, &better, NULL)) == PELT_OK);
        ENSURE(pelt_load(&read, path, NULL, NULL) == PELT_OK);
        ENSURE(read->repair_count == 0);
        ENSURE(check_same(better.meshes[0].bounds, read->meshes[0].bounds) == 0);
        ENSURE(strcmp(read->meshes[0].bounds->clips[0].clip, s.clip.name) == 0);
        pelt_scene_destroy(read);
    }
    pelt_source_release(&source);
    pelt_scene_destroy(bare);
    pelt_arena_destroy(s.arena);
    scratch_remove(path);
    scratch_remove(folder);
    return 0;
}

typedef struct change
{
    const char* from;
    const char* to; // as long
    bool is_stale;  // rather than malformed
} change;

// Numbers, names and lists of other kinds, and another mesh.
static int boxes_that_do_not_fit_are_dropped(void)
{
    static const change changes[] = {{"\"method\"", "\"mothod\"", false},
                                     {"\"dqs\"", "\"qqs\"", false},
                                     {"\"joints\"", "\"jaints\"", false},
                                     {"\"digest\"", "\"dagest\"", true}};
    char folder[SCRATCH_PATH], path[2 * SCRATCH_PATH];
    strip s;
    const pelt_deform_options options = {.method = PELT_METHOD_DQS};
    ENSURE(scratch_make(folder));
    snprintf(path, sizeof path, "%s/strip.gltf", folder);
    strip_make(&s);
    pelt_scene better = s.scene;
    ENSURE(pelt_scene_add_bounds(&better, &options, NULL, s.arena, NULL) == PELT_OK);
    ENSURE(pelt_save_scene(path, PELT_FORMAT_GLTF, &better, NULL) == PELT_OK);
    pelt_source source;
    ENSURE(pelt_source_read(&source, path, NULL) == PELT_OK);
    for (size_t i = 0; i < 2 + sizeof changes / sizeof changes[0]; ++i)
    {
        char* text = pelt_arena_alloc(s.arena, source.size + 1, 1);
        memcpy(text, source.bytes, source.size);
        bool is_stale = false;
        char* at = strstr(text, "pelt_bounds");
        ENSURE(at != NULL);
        if (i < 2)
        {
            // The least x of the whole box is above its largest, or too large for float.
            at = strpbrk(strstr(at, "\"box\""), "-0123456789");
            memcpy(at, i == 0 ? "9" : "8", 1);
        }
        else
        {
            is_stale = changes[i - 2].is_stale;
            at = strstr(at, changes[i - 2].from);
            ENSURE(at != NULL);
            memcpy(at, changes[i - 2].to, strlen(changes[i - 2].to));
        }
        const pelt_source changed = {.path = "strip.gltf", .bytes = text, .size = source.size};
        pelt_scene* read;
        pelt_result result = pelt_load_memory(&read, &changed, NULL, NULL);
        ENSURE(result == PELT_OK);
        ENSURE(read->meshes[0].bounds == NULL && read->repair_count == 1);
        ENSURE(read->repairs[0].kind == PELT_REPAIR_BOUNDS_DROPPED && read->repairs[0].mesh == 0);
        ENSURE((strstr(read->repairs[0].message, "belong to other") != NULL) == is_stale);
        pelt_scene_destroy(read);
    }
    pelt_source_release(&source);
    pelt_arena_destroy(s.arena);
    scratch_remove(path);
    scratch_remove(folder);
    return 0;
}

void test_bounds_file(void)
{
    RUN(boxes_survive_files);
    RUN(boxes_that_do_not_fit_are_dropped);
}
