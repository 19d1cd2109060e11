// SPDX-License-Identifier: MIT
// Scenes: a small valid one, and each promise of pelt.h broken one after another.
#include "test.h"

#include <stdlib.h>
#include <string.h>

// A strip of four vertices on two joints, with a shape, an instance that is skinned and one that
// is not, and a clip with a track of each path.
typedef struct small_scene
{
    pelt_node nodes[3];
    pelt_vec3 positions[4], normals[4], cors[4], shape[4];
    pelt_vec4 tangents[4], colors[4];
    pelt_vec2 uvs[4];
    float mix_factors[4];
    uint32_t indices[6], first[5], joints[2];
    pelt_influence influences[7];
    pelt_morph morphs[1];
    float morph_weights[1];
    pelt_mat34 inverse_binds[2];
    pelt_mesh mesh;
    pelt_material material;
    pelt_skin skin;
    pelt_instance instances[2];
    float times[3], values[36];
    pelt_track tracks[4];
    pelt_clip clip;
    pelt_scene scene;
} small_scene;

static void fill_mesh(small_scene* s)
{
    const pelt_influence influences[7] = {{0, 0, 1.0f}, {0, 0, 0.75f}, {1, 1, 0.25f}, {0, 1, 0.5f},
                                          {1, 0, 0.5f}, {1, 0, 0.6f},  {0, 1, 0.4f}};
    const uint32_t first[5] = {0, 1, 3, 5, 7}, indices[6] = {0, 1, 2, 2, 1, 3};
    for (uint32_t v = 0; v < 4; ++v)
    {
        s->positions[v] = pelt_vec3_make((float)(v % 2), (float)(v / 2), 0.0f);
        s->normals[v] = pelt_vec3_make(0.0f, 0.0f, 1.0f);
        s->tangents[v] = (pelt_vec4){1.0f, 0.0f, 0.0f, 1.0f};
    }
    memcpy(s->influences, influences, sizeof influences);
    memcpy(s->first, first, sizeof first);
    memcpy(s->indices, indices, sizeof indices);
    s->morphs[0] = (pelt_morph){"smile", s->shape, s->shape, s->shape};
    s->mesh = (pelt_mesh){.name = "strip",
                          .vertex_count = 4,
                          .index_count = 6,
                          .positions = s->positions,
                          .normals = s->normals,
                          .tangents = s->tangents,
                          .uvs = s->uvs,
                          .colors = s->colors,
                          .indices = s->indices,
                          .cors = s->cors,
                          .mix_factors = s->mix_factors,
                          .weights = {4, 2, 7, 2, s->first, s->influences},
                          .morph_count = 1,
                          .morphs = s->morphs,
                          .morph_weights = s->morph_weights,
                          .material = 0};
}

static void fill_clip(small_scene* s)
{
    const float times[3] = {0.0f, 0.5f, 2.0f};
    memcpy(s->times, times, sizeof times);
    s->values[3] = s->values[7] = s->values[11] = 1.0f; // quaternions 0 0 0 1
    s->tracks[0] =
        (pelt_track){1, PELT_PATH_TRANSLATION, PELT_INTERPOLATION_CUBIC, 3, 3, s->times, s->values};
    s->tracks[1] =
        (pelt_track){1, PELT_PATH_ROTATION, PELT_INTERPOLATION_LINEAR, 3, 4, s->times, s->values};
    s->tracks[2] =
        (pelt_track){2, PELT_PATH_SCALE, PELT_INTERPOLATION_STEP, 3, 3, s->times, s->values};
    s->tracks[3] =
        (pelt_track){1, PELT_PATH_MORPH, PELT_INTERPOLATION_LINEAR, 2, 1, s->times, s->values};
    s->clip = (pelt_clip){"wave", 2.0f, 4, s->tracks};
}

static small_scene* make(void)
{
    static small_scene storage;
    small_scene* s = &storage;
    memset(s, 0, sizeof *s);
    fill_mesh(s);
    fill_clip(s);
    s->nodes[0] = (pelt_node){"root", PELT_NONE, pelt_transform_identity()};
    s->nodes[1] = (pelt_node){"arm", 0, pelt_transform_identity()};
    s->nodes[2] = (pelt_node){"hand", 1, pelt_transform_identity()};
    s->joints[0] = 1;
    s->joints[1] = 2;
    s->inverse_binds[0] = s->inverse_binds[1] = pelt_mat34_identity();
    s->skin = (pelt_skin){"bones", 2, s->joints, s->inverse_binds};
    s->instances[0] = (pelt_instance){0, 0, PELT_NONE, 0};
    s->instances[1] = (pelt_instance){0, PELT_NONE, 2, 1};
    s->material.name = "paint";
    s->scene = (pelt_scene){.name = "small",
                            .node_count = 3,
                            .mesh_count = 1,
                            .skin_count = 1,
                            .instance_count = 2,
                            .clip_count = 1,
                            .material_count = 1,
                            .morph_weight_count = 2,
                            .nodes = s->nodes,
                            .meshes = &s->mesh,
                            .skins = &s->skin,
                            .instances = s->instances,
                            .clips = &s->clip,
                            .materials = &s->material};
    return s;
}

// The validator answers PELT_ERROR_DATA with a sentence that names the path.
static bool is_refused(const small_scene* s, const char* path)
{
    pelt_error error = {""};
    pelt_result result = pelt_scene_validate(&s->scene, &error);
    bool is_named = strstr(error.message, path) != NULL;
    if (result != PELT_ERROR_DATA || !is_named)
    {
        printf("  result %d, \"%s\" does not name \"%s\"\n", (int)result, error.message, path);
    }
    return result == PELT_ERROR_DATA && is_named && pelt_scene_validate(&s->scene, NULL) == result;
}

// Break one thing in a fresh scene, and see it found.
#define REFUSED(change, path)                                                                      \
    do                                                                                             \
    {                                                                                              \
        small_scene* s = make();                                                                   \
        change;                                                                                    \
        ENSURE(is_refused(s, path));                                                               \
    } while (0)

static int valid_scene_is_accepted(void)
{
    pelt_error error;
    small_scene* s = make();
    ENSURE(pelt_scene_validate(&s->scene, &error) == PELT_OK);
    pelt_scene empty = {0};
    ENSURE(pelt_scene_validate(&empty, &error) == PELT_OK);
    // Optional things left out.
    s->mesh.normals = s->mesh.cors = NULL;
    s->mesh.tangents = s->mesh.colors = NULL;
    s->mesh.uvs = NULL;
    s->mesh.material = PELT_NONE;
    s->mesh.morph_weights = NULL;
    s->morphs[0].normals = s->morphs[0].tangents = NULL;
    s->first[1] = s->first[2] = s->first[3] = s->first[4] = 0;
    s->mesh.weights.influence_count = 0;
    ENSURE(pelt_scene_validate(&s->scene, &error) == PELT_OK);
    return 0;
}

static int broken_nodes_are_found(void)
{
    REFUSED(s->nodes[2].name = NULL, "node 2");
    REFUSED(s->nodes[1].parent = 1, "node 1 (arm)");
    REFUSED(s->nodes[1].parent = 2, "node 1 (arm)");
    REFUSED(s->nodes[2].parent = 77, "node 2 (hand)");
    REFUSED(s->nodes[2].rest.translation.x = NAN, "node 2 (hand)");
    REFUSED(s->nodes[2].rest.scale.z = INFINITY, "node 2 (hand)");
    REFUSED(s->nodes[0].rest.rotation.w = NAN, "node 0 (root)");
    REFUSED(s->nodes[0].rest.rotation.w = 1.01f, "1.01");
    REFUSED(s->nodes[0].rest.rotation.w = 0.0f, "node 0 (root)");
    return 0;
}

static int broken_meshes_are_found(void)
{
    REFUSED(s->mesh.positions = NULL, "\"strip\"");
    REFUSED(s->positions[3].z = NAN, "positions of mesh \"strip\"");
    REFUSED(s->normals[3].z = INFINITY, "normals of mesh \"strip\"");
    REFUSED(s->tangents[3].w = NAN, "tangents of mesh \"strip\"");
    REFUSED(s->uvs[3].y = NAN, "UVs of mesh \"strip\"");
    REFUSED(s->colors[3].w = NAN, "colors of mesh \"strip\"");
    REFUSED(s->cors[3].z = -INFINITY, "centers of rotation of mesh \"strip\"");
    REFUSED(s->mix_factors[3] = NAN, "mix factors of mesh \"strip\"");
    REFUSED((s->mesh.has_method = true, s->mesh.method = PELT_METHOD_COUNT),
            "mesh \"strip\" names method 7");
    REFUSED(s->shape[3].z = NAN, "morph positions of mesh \"strip\"");
    REFUSED((s->morphs[0].positions = NULL, s->shape[0].x = NAN), "morph normals");
    REFUSED((s->morphs[0].positions = s->morphs[0].normals = NULL, s->shape[0].x = NAN),
            "morph tangents");
    REFUSED(s->mesh.index_count = 5, "\"strip\" has 5 indices");
    REFUSED(s->indices[4] = 4, "index 4 of mesh \"strip\"");
    REFUSED(s->mesh.material = 1, "\"strip\" names material 1 of 1");
    REFUSED((s->mesh.name = NULL, s->indices[0] = 9), "index 0 of mesh \"\"");
    return 0;
}

static int broken_materials_are_found(void)
{
    REFUSED(s->material.alpha_mode = (pelt_alpha_mode)3, "material \"paint\" has alpha mode 3");
    REFUSED(s->material.alpha_cutoff = NAN, "material \"paint\"");
    REFUSED(s->material.alpha_cutoff = -0.5f, "cutoff of -0.5");
    REFUSED(s->material.textures[0].sampler.wrap_u = (pelt_texture_wrap)3,
            "sampler of material \"paint\"");
    REFUSED(s->material.textures[0].sampler.wrap_v = (pelt_texture_wrap)9,
            "sampler of material \"paint\"");
    REFUSED(s->material.textures[0].sampler.mag_filter = (pelt_texture_filter)2,
            "sampler of material");
    REFUSED(s->material.textures[0].sampler.min_filter = (pelt_texture_filter)2,
            "sampler of material");
    REFUSED(s->material.textures[0].sampler.mips = (pelt_texture_mips)3, "sampler of material");
    REFUSED(s->material.textures[PELT_SLOT_NORMAL].uv_set = PELT_MAX_UV_SETS, "normal texture");
    REFUSED(s->material.textures[PELT_SLOT_EMISSIVE].offset.y = NAN, "emissive texture");
    REFUSED(s->material.emissive.z = INFINITY, "factor that is not finite");
    REFUSED(s->material.normal_scale = NAN, "factor that is not finite");
    REFUSED(s->scene.loss_count = 1, "losses");
    return 0;
}

static int shape_weights_that_are_not_finite_are_found(void)
{
    REFUSED(s->morph_weights[0] = NAN, "\"strip\"");
    REFUSED(s->morph_weights[0] = -INFINITY, "\"strip\"");
    return 0;
}

static int broken_weights_are_found(void)
{
    REFUSED(s->mesh.weights.vertex_count = 3, "\"strip\"");
    REFUSED(s->first[0] = 1, "\"strip\"");
    REFUSED(s->mesh.weights.influence_count = 6, "\"strip\"");
    REFUSED(s->first[1] = 6, "vertex 0 of mesh \"strip\"");
    REFUSED((s->first[2] = 2, s->first[1] = 3, s->mesh.weights.max_influences = 4), "vertex");
    REFUSED(s->mesh.weights.max_influences = 1, "vertex 1 of mesh \"strip\"");
    REFUSED(s->influences[1].joint = 2, "vertex 1 of mesh \"strip\"");
    REFUSED(s->influences[2].weight = 0.0f, "vertex 1 of mesh \"strip\"");
    REFUSED(s->influences[2].weight = -0.25f, "gives weight -0.25 to joint 1");
    REFUSED(s->influences[2].weight = NAN, "vertex 1 of mesh \"strip\"");
    REFUSED(s->influences[1].weight = INFINITY, "vertex 1 of mesh \"strip\"");
    REFUSED((s->influences[1].weight = 0.25f, s->influences[2].weight = 0.75f),
            "vertex 1 of mesh \"strip\" are not strongest first");
    REFUSED((s->influences[3].joint = 1, s->influences[4].joint = 0),
            "vertex 2 of mesh \"strip\" are not strongest first");
    REFUSED(s->influences[2].joint = 0, "vertex 1 of mesh \"strip\" names joint 0 twice");
    REFUSED(s->influences[6].weight = 0.3f, "vertex 3 of mesh \"strip\" sum to 0.9");
    return 0;
}

// Offsets that rise past the list before they fall back: following them reads foreign
// memory. Here that memory is the scene's own, and sound; so only the offsets give it away.
static int offsets_past_the_influences_are_found_before_they_are_followed(void)
{
    small_scene* s = make();
    s->first[1] = 1;
    s->first[2] = s->first[3] = 5;
    s->first[4] = s->mesh.weights.influence_count = 3;
    s->mesh.weights.max_influences = 4;
    s->influences[3] = (pelt_influence){9, 0, 1.0f}; // past the end: not to be looked at
    pelt_error error = {""};
    ENSURE(pelt_scene_validate(&s->scene, &error) == PELT_ERROR_DATA);
    ENSURE(strstr(error.message, "joint 9") == NULL);
    return 0;
}

static int broken_skins_and_instances_are_found(void)
{
    REFUSED(s->joints[1] = 3, "joint 1 of skin \"bones\"");
    REFUSED(s->joints[0] = PELT_NONE, "joint 0 of skin \"bones\"");
    REFUSED(s->inverse_binds[1].m[2][3] = NAN, "inverse bind matrix 1 of skin \"bones\"");
    REFUSED(s->instances[1].mesh = 1, "instance 1 names mesh 1 of 1");
    REFUSED(s->instances[0].skin = 1, "instance 0 names a skin");
    REFUSED(s->instances[1].node = 3, "instance 1 names a node");
    REFUSED(s->skin.joint_count = 1, "\"strip\" do not fit skin \"bones\"");
    REFUSED(s->mesh.weights = (pelt_weights){0}, "\"strip\" do not fit skin \"bones\"");
    REFUSED(s->instances[1].first_morph_weight = 0, "instance 1 start at 0 instead of 1");
    REFUSED(s->scene.morph_weight_count = 3, "counts 3 morph weights, its instances 2");
    return 0;
}

// pelt_joint_index has 16 bits, and its last value is PELT_NO_JOINT.
static int skins_have_no_more_joints_than_an_index_can_name(void)
{
    enum
    {
        COUNT = 65536,
    };
    small_scene* s = make();
    uint32_t* joints = calloc(COUNT, sizeof *joints);
    pelt_mat34* binds = calloc(COUNT, sizeof *binds);
    ENSURE(joints != NULL && binds != NULL);
    s->skin.joints = joints;
    s->skin.inverse_binds = binds;
    s->skin.joint_count = COUNT - 1;
    ENSURE(pelt_scene_validate(&s->scene, NULL) == PELT_OK);
    s->skin.joint_count = COUNT;
    ENSURE(is_refused(s, "skin \"bones\" has 65536 joints, and pelt supports 65535"));
    free(binds);
    free(joints);
    return 0;
}

// 2 * 0x80000000 is 0 in 32 bits. The arrays are shorter than their counts: they are not read.
static int totals_that_wrap_are_found(void)
{
    REFUSED(s->mesh.vertex_count = 0x80000000u, "6442450944 vertices");
    REFUSED(s->mesh.index_count = 0x80000000u, "6442450944 triangle corners");
    REFUSED(s->mesh.weights.influence_count = 0x80000000u, "6442450944 influences");
    REFUSED(s->mesh.morph_count = 0x80000000u, "6442450944 morph targets");
    static pelt_skin skins[65538];
    small_scene* s = make();
    for (uint32_t i = 0; i < 65538; ++i)
    {
        skins[i] = (pelt_skin){"bones", 65535, s->joints, s->inverse_binds};
    }
    s->scene.skins = skins;
    s->scene.skin_count = 65538;
    ENSURE(is_refused(s, "4295032830 joints")); // 65538 * 65535
    return 0;
}

static int broken_clips_are_found(void)
{
    REFUSED(s->clip.name = NULL, "clip \"\"");
    REFUSED(s->clip.duration = -1.0f, "clip \"wave\"");
    REFUSED(s->clip.duration = NAN, "clip \"wave\"");
    REFUSED(s->clip.duration = INFINITY, "clip \"wave\"");
    REFUSED(s->tracks[2].key_count = 0, "track 2 of clip \"wave\"");
    REFUSED(s->tracks[0].width = 4, "track 0 of clip \"wave\"");
    REFUSED(s->tracks[1].width = 3, "track 1 of clip \"wave\"");
    REFUSED(s->tracks[3].width = 2, "track 3 of clip \"wave\"");
    REFUSED(s->tracks[0].target = 3, "track 0 of clip \"wave\" does not fit its target 3");
    REFUSED(s->tracks[1].target = PELT_NONE, "track 1 of clip \"wave\"");
    REFUSED(s->tracks[3].target = 2, "track 3 of clip \"wave\" does not fit its target 2");
    REFUSED(s->tracks[2].path = (pelt_path)9, "track 2 of clip \"wave\"");
    REFUSED(s->times[1] = NAN, "key 1 of track 0 of clip \"wave\"");
    REFUSED(s->times[1] = 0.0f, "key 1 of track 0 of clip \"wave\"");
    REFUSED(s->times[2] = 2.5f, "key 2 of track 0 of clip \"wave\" has a wrong time 2.5");
    // A cubic track has three values per key: 27 floats for 3 keys, the others have 9, 12 and 2.
    REFUSED(s->values[26] = NAN, "values of track 0 of clip \"wave\"");
    REFUSED((s->clip.tracks = s->tracks + 1, s->clip.track_count = 3, s->values[11] = INFINITY),
            "values of track 0 of clip \"wave\"");
    return 0;
}

static int broken_images_are_found(void)
{
    static const uint8_t byte = 0;
    static const pelt_image nameless = {NULL, &byte, 1}, empty = {"e", NULL, 0},
                            hollow = {"h", NULL, 1};
    REFUSED((s->scene.image_count = 1, s->scene.images = &nameless), "image 0 has no name");
    REFUSED((s->scene.image_count = 1, s->scene.images = &hollow), "image 0 has no bytes");
    REFUSED(s->scene.image_count = 1, "without their array");
    small_scene* s = make();
    s->scene.image_count = 1;
    s->scene.images = &empty;
    ENSURE(pelt_scene_validate(&s->scene, NULL) == PELT_OK);
    ENSURE(pelt_scene_find_image(&s->scene, "e") == 0);
    ENSURE(pelt_scene_find_image(&s->scene, "f") == PELT_NONE);
    return 0;
}

static int names_are_found(void)
{
    small_scene* s = make();
    ENSURE(pelt_scene_find_node(&s->scene, "hand") == 2);
    ENSURE(pelt_scene_find_node(&s->scene, "foot") == PELT_NONE);
    ENSURE(pelt_scene_find_clip(&s->scene, "wave") == 0);
    ENSURE(pelt_scene_find_clip(&s->scene, "wav") == PELT_NONE);
    s->nodes[2].name = "arm"; // the first of a name is meant
    ENSURE(pelt_scene_find_node(&s->scene, "arm") == 1);
    pelt_scene_destroy(NULL);
    return 0;
}

static int bounds_grow_around_points(void)
{
    pelt_bounds bounds = pelt_bounds_empty();
    ENSURE(bounds.min.x > bounds.max.x && pelt_bounds_diagonal(&bounds) == 0.0f);
    pelt_bounds_add(&bounds, NULL, 0);
    ENSURE(bounds.min.x > bounds.max.x);
    const pelt_vec3 points[3] = {{-1, 5, 2}, {2, 1, 2}, {0, 3, 2}};
    pelt_bounds_add(&bounds, points, 1);
    ENSURE_POINT(bounds.min, points[0], 0.0);
    ENSURE_POINT(bounds.max, points[0], 0.0);
    ENSURE(pelt_bounds_diagonal(&bounds) == 0.0f);
    pelt_bounds_add(&bounds, points + 1, 2);
    ENSURE_POINT(bounds.min, pelt_vec3_make(-1, 1, 2), 0.0);
    ENSURE_POINT(bounds.max, pelt_vec3_make(2, 5, 2), 0.0);
    ENSURE_NEAR(pelt_bounds_diagonal(&bounds), 5.0, 1e-6);
    return 0;
}

static const float two_times[2] = {0.0f, 1.0f};

static pelt_track make_track(pelt_path path, pelt_interpolation interpolation, uint32_t key_count,
                             uint32_t width, const float* values)
{
    return (pelt_track){.path = path,
                        .interpolation = interpolation,
                        .key_count = key_count,
                        .width = width,
                        .times = two_times,
                        .values = values};
}

// Exporters write takes with nothing, or with the stored pose, in front of the real clips.
static int default_clip_is_the_first_that_moves_something(void)
{
    static const float still[6] = {1, 2, 3, 1, 2, 3}, noisy[6] = {100, 2, 3, 100.00001f, 2, 3};
    static const float moved[6] = {1, 2, 3, 1, 2, 4}, rotated[8] = {0, 0, 0, 1, 0, 0, 0.6f, 0.8f};
    static const float flat[6] = {0, 1, 0, 0, 1, 0}, bulging[6] = {0, 1, 3, -3, 1, 0};
    const pelt_track quiet[] = {
        make_track(PELT_PATH_TRANSLATION, PELT_INTERPOLATION_LINEAR, 2, 3, still),
        make_track(PELT_PATH_TRANSLATION, PELT_INTERPOLATION_LINEAR, 2, 3, noisy),
        make_track(PELT_PATH_SCALE, PELT_INTERPOLATION_STEP, 1, 3, moved),
        make_track(PELT_PATH_MORPH, PELT_INTERPOLATION_CUBIC, 2, 1, flat)};
    const pelt_track lively[] = {
        make_track(PELT_PATH_TRANSLATION, PELT_INTERPOLATION_LINEAR, 2, 3, moved),
        make_track(PELT_PATH_ROTATION, PELT_INTERPOLATION_STEP, 2, 4, rotated),
        make_track(PELT_PATH_MORPH, PELT_INTERPOLATION_CUBIC, 2, 1, bulging)};
    pelt_clip clips[3] = {{"empty", 0.0f, 0, NULL}, {"rest", 1.0f, 4, quiet}};
    pelt_scene scene = {.clip_count = 3, .clips = clips};
    for (int i = 0; i < 3; ++i)
    {
        clips[2] = (pelt_clip){"walk", 1.0f, 1, &lively[i]};
        ENSURE(pelt_scene_default_clip(&scene) == 2);
    }
    // Nothing moves: the first that says anything.
    scene.clip_count = 2;
    ENSURE(pelt_scene_default_clip(&scene) == 1);
    scene.clip_count = 1;
    ENSURE(pelt_scene_default_clip(&scene) == 0);
    scene.clip_count = 0;
    ENSURE(pelt_scene_default_clip(&scene) == PELT_NONE);
    return 0;
}

static int missing_arrays_are_found(void)
{
    REFUSED(s->mesh.indices = NULL, "\"strip\"");
    REFUSED(s->mesh.morphs = NULL, "\"strip\"");
    REFUSED(s->mesh.weights.influences = NULL, "\"strip\"");
    REFUSED(s->skin.joints = NULL, "\"bones\"");
    REFUSED(s->skin.inverse_binds = NULL, "\"bones\"");
    REFUSED(s->clip.tracks = NULL, "\"wave\"");
    REFUSED(s->tracks[0].times = NULL, "track 0 of clip \"wave\"");
    REFUSED(s->scene.nodes = NULL, "nodes");
    return 0;
}

void test_scene(void)
{
    RUN(missing_arrays_are_found);
    RUN(valid_scene_is_accepted);
    RUN(broken_nodes_are_found);
    RUN(broken_meshes_are_found);
    RUN(broken_materials_are_found);
    RUN(shape_weights_that_are_not_finite_are_found);
    RUN(broken_weights_are_found);
    RUN(offsets_past_the_influences_are_found_before_they_are_followed);
    RUN(broken_skins_and_instances_are_found);
    RUN(skins_have_no_more_joints_than_an_index_can_name);
    RUN(totals_that_wrap_are_found);
    RUN(broken_clips_are_found);
    RUN(broken_images_are_found);
    RUN(names_are_found);
    RUN(default_clip_is_the_first_that_moves_something);
    RUN(bounds_grow_around_points);
}
