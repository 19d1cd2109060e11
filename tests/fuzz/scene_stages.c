// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "scene_stages.h"

#include "bake_stages.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum
{
    MOST_VERTICES = 150, // of all instances
    MOST_TRIANGLES = 200,
    MOST_JOINTS = 100,
    MOST_NODES = 300,
    MOST_SHAPE_VERTICES = 4000, // morph targets times vertices
    MOST_KEYS = 4000,
    MOST_MESHES = 16,
};

// Between these, no product on the way from a vertex to its normal leaves the range of float.
static const float moderate_position = 1e6f, moderate_matrix = 1e8f;

bool stages_are_short(const pelt_scene* scene)
{
    uint64_t vertices = 0, triangles = 0, shape_vertices = 0, joints = 0, keys = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        triangles += mesh->index_count / 3;
        shape_vertices += (uint64_t)mesh->morph_count * mesh->vertex_count;
    }
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        vertices += scene->meshes[scene->instances[i].mesh].vertex_count;
    }
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        joints += scene->skins[i].joint_count;
    }
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        for (uint32_t k = 0; k < scene->clips[i].track_count; ++k)
        {
            keys += scene->clips[i].tracks[k].key_count;
        }
    }
    return vertices <= MOST_VERTICES && triangles <= MOST_TRIANGLES && joints <= MOST_JOINTS &&
           keys <= MOST_KEYS && shape_vertices <= MOST_SHAPE_VERTICES &&
           scene->node_count <= MOST_NODES && scene->mesh_count <= MOST_MESHES;
}

// ---------------------------------------------------------------------------------------------
// Centers and normal factors of every skinned mesh

typedef struct prepared
{
    pelt_arena* arena;
    const pelt_vec3* cors[MOST_MESHES]; // NULL: not skinned
    pelt_normal_factors factors[MOST_MESHES];
    bool has_factors[MOST_MESHES];
} prepared;

static bool is_moderate(const pelt_vec3* points, uint32_t count, float limit)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        // False for NaN.
        if (!(fabsf(points[i].x) <= limit && fabsf(points[i].y) <= limit &&
              fabsf(points[i].z) <= limit))
        {
            return false;
        }
    }
    return true;
}

static void prepare(prepared* out, const pelt_scene* scene)
{
    static const uint32_t limits[] = {0, 2, 3, 4, 8};
    const pelt_cor_options options = {.epsilon = 0.5f};
    pelt_scene better = *scene;
    *out = (prepared){.arena = pelt_arena_create()};
    REQUIRE(pelt_scene_add_cors(&better, PELT_PREPARE_ALL, &options, NULL, out->arena, NULL) ==
            PELT_OK);
    bool is_tame = true;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        is_tame = is_tame && (mesh->weights.first == NULL ||
                              is_moderate(mesh->positions, mesh->vertex_count, moderate_position));
    }
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        if (mesh->weights.vertex_count == 0)
        {
            continue;
        }
        // A center is a mean of points of the surface, which is that of all meshes of a skin.
        out->cors[i] = better.meshes[i].cors;
        REQUIRE(!is_tame ||
                is_moderate(out->cors[i], mesh->vertex_count, 1.001f * moderate_position));

        // With another limit for each, and also for those without normals.
        pelt_normal_options rule = {.max_joints = limits[mesh->vertex_count % 5]};
        REQUIRE(pelt_normal_factors_build(&out->factors[i], mesh, out->cors[i], &rule, out->arena,
                                          NULL) == PELT_OK);
        pelt_error error = {""};
        out->has_factors[i] =
            pelt_normal_factors_validate(&out->factors[i], mesh, &error) == PELT_OK;
        REQUIRE(out->has_factors[i] || !is_tame);
    }
}

// ---------------------------------------------------------------------------------------------
// Poses and methods

static bool palettes_are_moderate(const pelt_scene* scene, const pelt_frame* frame)
{
    for (uint32_t i = 0; i < scene->skin_count; ++i)
    {
        const float* numbers = (const float*)frame->palettes[i].matrices;
        for (uint32_t k = 0; k < 12 * frame->palettes[i].joint_count; ++k)
        {
            if (!(fabsf(numbers[k]) <= moderate_matrix))
            {
                return false;
            }
        }
    }
    return true;
}

// "No finite input gives NaN", as far as the result is one that a float can hold.
static void check_surfaces(const pelt_scene* scene, const pelt_frame* frame)
{
    bool is_tame = palettes_are_moderate(scene, frame);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[scene->instances[i].mesh];
        const pelt_surface* surface = &frame->surfaces[i];
        if (is_tame && scene->instances[i].skin != PELT_NONE && mesh->morph_count == 0 &&
            is_moderate(mesh->positions, mesh->vertex_count, moderate_position))
        {
            REQUIRE(is_moderate(surface->positions, mesh->vertex_count, FLT_MAX));
            REQUIRE(surface->normals == NULL ||
                    is_moderate(surface->normals, mesh->vertex_count, 1.01f));
        }
    }
}

// By every method, and by other rules and conventions in each round.
static void deform_by_all(const pelt_scene* scene, pelt_frame* frame, const pelt_pose* pose,
                          const prepared* with, uint32_t round)
{
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        frame->cors[i] = with->cors[i];
        frame->normal_factors[i] = with->has_factors[i] ? &with->factors[i] : NULL;
    }
    for (uint32_t i = 0; i < PELT_METHOD_COUNT; ++i)
    {
        pelt_deform_options options = {.method = (pelt_method)i, .mix = 0.5f};
        pelt_convention_apply(&options, (pelt_convention)((i + round) % PELT_CONVENTION_COUNT));
        options.normal_rule = (pelt_normal_rule)((i + round + 1) % PELT_NORMAL_RULE_COUNT);
        options.sign_rule = (pelt_sign_rule)((i + 2 * round) % 4);
        pelt_frame_update(frame, scene, pose, &options);
        check_surfaces(scene, frame);
    }
}

static char* temporary_path(const char* name)
{
    static char folder[256], path[300];
    if (folder[0] == '\0')
    {
        const char* parent = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/pelt_fuzz_XXXXXX", parent != NULL ? parent : "/tmp");
        REQUIRE(mkdtemp(folder) != NULL);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void save_surfaces(const pelt_scene* scene, const pelt_frame* frame)
{
    static const pelt_format formats[] = {PELT_FORMAT_OBJ, PELT_FORMAT_PLY, PELT_FORMAT_GLB};
    const char* path = temporary_path("surfaces");
    for (int i = 0; i < 3; ++i)
    {
        pelt_error error = {""};
        pelt_result result = pelt_save_surfaces(path, formats[i], scene, frame->surfaces, &error);
        REQUIRE((result == PELT_OK) == (access(path, F_OK) == 0));
        REQUIRE(result == PELT_OK || error.message[0] != '\0');
        remove(path);
    }
}

static void pose_and_deform(const pelt_scene* scene, const prepared* with)
{
    // Two clips, each at another moment: more would be the same code again.
    static const float parts[] = {0.37f, 1.5f};
    pelt_pose pose;
    pelt_cursor cursor;
    pelt_frame frame;
    REQUIRE(pelt_pose_create(&pose, scene) == PELT_OK);
    REQUIRE(pelt_cursor_create(&cursor, scene) == PELT_OK);
    REQUIRE(pelt_frame_create(&frame, scene) == PELT_OK);
    deform_by_all(scene, &frame, &pose, with, 0);
    // From now on by deformers.
    REQUIRE(pelt_frame_prepare(&frame, scene) == PELT_OK);
    deform_by_all(scene, &frame, &pose, with, 0);
    for (uint32_t i = 0; i < scene->clip_count && i < 2; ++i)
    {
        const pelt_clip* clip = &scene->clips[i];
        pelt_wrap wrap = i == 1 ? PELT_WRAP_LOOP : PELT_WRAP_CLAMP;
        pelt_pose_play(&pose, &cursor, scene, clip, parts[i] * clip->duration, wrap);
        deform_by_all(scene, &frame, &pose, with, 1 + i);
    }
    save_surfaces(scene, &frame);
    pelt_frame_destroy(&frame);
    pelt_cursor_destroy(&cursor);
    pelt_pose_destroy(&pose);
}

// ---------------------------------------------------------------------------------------------
// Files

static float clamp(float value)
{
    return value > 0.0f ? fminf(value, 1.0f) : 0.0f;
}

// What of a scene glTF can hold: no clip that moves nothing, factors of materials from 0 to 1, and
// for no triangle one without area.
static pelt_scene expect_from_gltf(const pelt_scene* scene, pelt_arena* arena)
{
    pelt_scene out = *scene;
    pelt_clip* clips = pelt_arena_alloc(arena, scene->clip_count, sizeof *clips);
    out.clips = clips;
    out.clip_count = 0;
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        if (scene->clips[i].track_count > 0)
        {
            clips[out.clip_count++] = scene->clips[i];
        }
    }
    pelt_material* materials = pelt_arena_alloc(arena, scene->material_count, sizeof *materials);
    out.materials = materials;
    for (uint32_t i = 0; i < scene->material_count; ++i)
    {
        materials[i] = scene->materials[i];
        pelt_vec4* color = &materials[i].base_color;
        *color = (pelt_vec4){clamp(color->x), clamp(color->y), clamp(color->z), clamp(color->w)};
        materials[i].roughness = clamp(materials[i].roughness);
        materials[i].metallic = clamp(materials[i].metallic);
    }
    static const uint32_t nothing[3] = {0, 0, 0};
    pelt_mesh* meshes = pelt_arena_alloc(arena, scene->mesh_count, sizeof *meshes);
    out.meshes = meshes;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        meshes[i] = scene->meshes[i];
        bool is_empty = meshes[i].index_count == 0;
        meshes[i].index_count = is_empty ? 3 : meshes[i].index_count;
        meshes[i].indices = is_empty ? nothing : meshes[i].indices;
    }
    return out;
}

// A clip that goes on after its last key gets another there.
static bool has_held_clip(const pelt_scene* scene)
{
    for (uint32_t i = 0; i < scene->clip_count; ++i)
    {
        const pelt_clip* clip = &scene->clips[i];
        float last = 0.0f;
        for (uint32_t k = 0; k < clip->track_count; ++k)
        {
            last = fmaxf(last, clip->tracks[k].times[clip->tracks[k].key_count - 1]);
        }
        if (clip->track_count > 0 && clip->duration > last)
        {
            return true;
        }
    }
    return false;
}

static pelt_scene* reload(const pelt_scene* scene, pelt_format format)
{
    char path[300];
    strcpy(path, temporary_path(format == PELT_FORMAT_GLB ? "scene.glb" : "scene.gltf"));
    pelt_error error = {""};
    pelt_scene* again = NULL;
    pelt_result result = pelt_save_scene(path, format, scene, &error);
    if (result == PELT_OK)
    {
        result = pelt_load(&again, path, NULL, &error);
    }
    remove(path);
    if (result != PELT_OK)
    {
        fprintf(stderr, "%s\n", error.message);
    }
    REQUIRE(result == PELT_OK);
    return again;
}

static void check_round_trip(const pelt_scene* scene, pelt_format format, uint32_t freedom)
{
    pelt_scene* again = reload(scene, format);
    if (has_held_clip(scene))
    {
        // The second time nothing is left to be added.
        pelt_scene* third = reload(again, format);
        REQUIRE(scene_compare(again, third, SCENE_EXACT) == 0);
        pelt_scene_destroy(third);
    }
    else
    {
        pelt_arena* arena = pelt_arena_create();
        pelt_scene expected = expect_from_gltf(scene, arena);
        REQUIRE(scene_compare(&expected, again, freedom) == 0);
        pelt_arena_destroy(arena);
    }
    pelt_scene_destroy(again);
}

static void add_twist_joints(const pelt_scene* scene)
{
    enum
    {
        MOST_TWISTS = 8,
    };
    pelt_twist twists[MOST_TWISTS];
    pelt_twist* found;
    uint32_t count, found_count;
    REQUIRE(pelt_twist_find(&found, &found_count, scene) == PELT_OK);
    for (count = 0; count < found_count && count < MOST_TWISTS; ++count)
    {
        twists[count] = found[count];
    }
    pelt_release(found);
    for (uint32_t node = 0; node < scene->node_count && count < MOST_TWISTS; ++node)
    {
        // Those that go together are kept, whatever find() says of them.
        pelt_twist_bone bones[MOST_TWISTS];
        twists[count] = (pelt_twist){node, 1 + node % 3, (pelt_twist_source)(node % 4)};
        count += pelt_twist_plan(bones, scene, twists, count + 1, NULL) == PELT_OK;
    }
    pelt_scene* twisted = NULL;
    pelt_error error = {""};
    const pelt_twist_options options = {count, twists, scene->node_count % 5};
    pelt_result result = pelt_twist_add(&twisted, scene, &options, NULL, &error);
    REQUIRE(result == PELT_OK || error.message[0] != '\0');
    if (result == PELT_OK)
    {
        REQUIRE(pelt_scene_validate(twisted, &error) == PELT_OK);
        check_round_trip(twisted, PELT_FORMAT_GLB, SCENE_MORE_NODES | SCENE_NAMES_FREE);
        pelt_scene_destroy(twisted);
    }
}

// By another encoding and timing for each scene: all of them together take too long.
static void bake(const pelt_scene* scene)
{
    uint32_t pick = scene->node_count + (scene->mesh_count > 0 ? scene->meshes[0].vertex_count : 0);
    const pelt_bake_options options = {
        .encoding = (pelt_encoding)(pick % PELT_ENCODING_COUNT),
        .timing = pick % 3 == 1 ? PELT_BAKE_RATE : PELT_BAKE_KEYS,
        .rate = 10.0f,
        .has_budget = pick % 7 == 0,
        .max_error = 1e-3,
        .is_relative = true,
    };
    stages_bake(scene, &options);
}

// The clips of the scene once more on its own skeleton: as they are, and relative to its rest pose.
static void add_clips(const pelt_scene* scene)
{
    pelt_arena* arena = pelt_arena_create();
    REQUIRE(arena != NULL);
    for (int i = 0; i < 2; ++i)
    {
        pelt_scene more = *scene;
        pelt_add_clips_report report;
        pelt_rest_difference difference;
        const pelt_add_clips_options options = {.label = "again", .is_relative_to_rest = i == 1};
        REQUIRE(pelt_scene_compare_rest(&difference, scene, scene) == PELT_OK);
        REQUIRE(difference.shortest == 1.0f && difference.longest == 1.0f);
        REQUIRE(pelt_scene_add_clips(&more, &report, scene, &options, arena) == PELT_OK);
        REQUIRE(report.dropped_count == 0 || scene->instance_count > 0);
        REQUIRE(i == 1 || pelt_scene_validate(&more, NULL) == PELT_OK);
    }
    pelt_arena_destroy(arena);
}

void stages_run(const pelt_scene* scene, uint32_t freedom)
{
    prepared with;
    prepare(&with, scene);
    pose_and_deform(scene, &with);
    check_round_trip(scene, PELT_FORMAT_GLB, freedom);
    check_round_trip(scene, PELT_FORMAT_GLTF, freedom);
    add_clips(scene);
    add_twist_joints(scene);
    bake(scene);
    pelt_arena_destroy(with.arena);
}

// ---------------------------------------------------------------------------------------------
// Additions

static uint32_t list_additions(pelt_addition* out, const pelt_scene* scene, prepared* with,
                               pelt_mesh* meshes)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
    {
        meshes[i] = scene->meshes[i];
        if (with->cors[i] == NULL)
        {
            continue;
        }
        meshes[i].cors = with->cors[i];
        out[count++] = (pelt_addition){.mesh = i,
                                       .vertex_count = meshes[i].vertex_count,
                                       .name = "_PELT_COR",
                                       .width = 3,
                                       .values = &with->cors[i]->x,
                                       .extras = "{\"pelt_cor\":{\"solver\":\"fast\"}}"};
        pelt_addition* factors;
        uint32_t factor_additions = 0;
        bool is_kept = meshes[i].normals != NULL && with->has_factors[i];
        meshes[i].normal_factors = is_kept ? &with->factors[i] : NULL;
        if (is_kept)
        {
            REQUIRE(pelt_normal_additions(&factors, &factor_additions, i, &meshes[i], 0,
                                          with->arena) == PELT_OK);
            memcpy(out + count, factors, factor_additions * sizeof *factors);
            count += factor_additions;
        }
        else
        {
            // Those of the file were made with other centers.
            out[count++] = (pelt_addition){
                .mesh = i, .vertex_count = meshes[i].vertex_count, .name = "_PELT_NORMAL_*"};
        }
    }
    return count;
}

// The scene of the file must be the expected one.
static void check_file(const char* path, const pelt_scene* expected)
{
    pelt_error error = {""};
    pelt_scene* scene = NULL;
    if (pelt_load(&scene, path, NULL, &error) != PELT_OK)
    {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    REQUIRE(scene_compare(expected, scene, SCENE_EXACT) == 0);
    pelt_scene_destroy(scene);
}

static void add_to_file(const char* source, const pelt_scene* scene)
{
    enum
    {
        MOST_ADDITIONS = 64 * 8 + 8, // of a mesh: groups of factors, and the rest
    };
    static pelt_addition additions[MOST_MESHES * MOST_ADDITIONS];
    char path[300];
    strcpy(path, temporary_path(strstr(source, ".gltf") != NULL ? "out.gltf" : "out.glb"));
    prepared with;
    prepare(&with, scene);
    pelt_mesh meshes[MOST_MESHES];
    uint32_t count = list_additions(additions, scene, &with, meshes);
    pelt_scene expected = *scene;
    expected.meshes = meshes;
    pelt_error error = {""};
    pelt_result result = pelt_save_additions(path, source, additions, count, &error);
    REQUIRE((result == PELT_OK) == (access(path, F_OK) == 0));
    REQUIRE(result == PELT_OK || error.message[0] != '\0');
    if (result == PELT_OK)
    {
        check_file(path, &expected);
        // Again, onto itself: the second time attributes are replaced.
        REQUIRE(pelt_save_additions(path, path, additions, count, &error) == PELT_OK);
        check_file(path, &expected);
    }
    remove(path);
    pelt_arena_destroy(with.arena);
}

// A smaller file holds the same meshes.
static void pack(const uint8_t* bytes, size_t size, const pelt_scene* scene)
{
    const pelt_pack_options both = {.is_quantized = true, .is_compressed = true};
    const pelt_source source = {.bytes = bytes, .size = size};
    pelt_source packed;
    pelt_scene* read = NULL;
    pelt_error error = {""};
    pelt_result result = pelt_pack_glb(&packed, &source, &both, NULL, &error);
    REQUIRE(result == PELT_OK || error.message[0] != '\0');
    if (result == PELT_OK)
    {
        REQUIRE(pelt_load_memory(&read, &packed, NULL, &error) == PELT_OK);
        REQUIRE(read->mesh_count == scene->mesh_count && read->skin_count == scene->skin_count);
        for (uint32_t i = 0; i < read->mesh_count; ++i)
        {
            REQUIRE(read->meshes[i].vertex_count == scene->meshes[i].vertex_count);
        }
    }
    pelt_scene_destroy(read);
    pelt_source_release(&packed);
}

void stages_add(const uint8_t* bytes, size_t size)
{
    char source[300];
    bool is_glb = size >= 4 && memcmp(bytes, "glTF", 4) == 0;
    strcpy(source, temporary_path(is_glb ? "in.glb" : "in.gltf"));
    pelt_error error = {""};
    pelt_scene* scene = NULL;
    REQUIRE(pelt_save_bytes(source, bytes, size, &error) == PELT_OK);
    if (pelt_load(&scene, source, NULL, &error) == PELT_OK && stages_are_short(scene))
    {
        add_to_file(source, scene);
        if (is_glb)
        {
            pack(bytes, size, scene);
        }
    }
    pelt_scene_destroy(scene);
    remove(source);
}
