// SPDX-License-Identifier: MIT
// Smaller files: what quantization may lose, what compression may not, and what has to stay.
#include "pelt/bounds.h"
#include "pelt/io.h"
#include "pelt/prepare.h"
#include "rigs.h"
#include "scene_compare.h"
#include "test.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const pelt_pack_options quantized = {.is_quantized = true};
static const pelt_pack_options compressed = {.is_compressed = true};
static const pelt_pack_options both = {.is_quantized = true, .is_compressed = true};

// A rig as a GLB file in memory, and what reading makes of it.
typedef struct packed_rig
{
    pelt_source source, packed;
    pelt_scene *before, *after;
    pelt_pack_report report;
} packed_rig;

static bool pack(packed_rig* out, const pelt_scene* scene, const pelt_pack_options* options)
{
    memset(out, 0, sizeof *out);
    return pelt_scene_to_glb(&out->source, scene, NULL) == PELT_OK &&
           pelt_load_memory(&out->before, &out->source, NULL, NULL) == PELT_OK &&
           pelt_pack_glb(&out->packed, &out->source, options, &out->report, NULL) == PELT_OK &&
           pelt_load_memory(&out->after, &out->packed, NULL, NULL) == PELT_OK;
}

static bool pack_rig(packed_rig* out, const char* rig, const pelt_pack_options* options)
{
    pelt_scene* scene = NULL;
    bool is_ok = pelt_rig_build(&scene, rig, NULL) == PELT_OK && pack(out, scene, options);
    pelt_scene_destroy(scene);
    return is_ok;
}

static void release(packed_rig* in)
{
    pelt_source_release(&in->source);
    pelt_source_release(&in->packed);
    pelt_scene_destroy(in->before);
    pelt_scene_destroy(in->after);
}

// Surfaces of the first instance in the stored pose, or at a time of a clip.
typedef struct shown
{
    pelt_frame frame;
    pelt_pose pose;
} shown;

static const pelt_vec3* show(shown* out, const pelt_scene* scene, const char* clip, float time,
                             pelt_method method)
{
    const pelt_deform_options options = {.method = method};
    if (pelt_frame_create(&out->frame, scene) != PELT_OK ||
        pelt_pose_create(&out->pose, scene) != PELT_OK)
    {
        return NULL;
    }
    if (clip != NULL)
    {
        const pelt_clip* played = &scene->clips[pelt_scene_find_clip(scene, clip)];
        pelt_pose_sample(&out->pose, scene, played, time, PELT_WRAP_CLAMP);
    }
    pelt_frame_update(&out->frame, scene, &out->pose, &options);
    return out->frame.surfaces[0].positions;
}

static void hide(shown* in)
{
    pelt_frame_destroy(&in->frame);
    pelt_pose_destroy(&in->pose);
}

static double largest_offset(const packed_rig* p, const char* clip, float time, pelt_method method)
{
    shown a, b;
    const pelt_vec3* before = show(&a, p->before, clip, time, method);
    const pelt_vec3* after = show(&b, p->after, clip, time, method);
    double most = 0.0;
    for (uint32_t v = 0; v < p->before->meshes[0].vertex_count; ++v)
    {
        most = fmax(most, (double)pelt_vec3_distance(before[v], after[v]));
    }
    hide(&a);
    hide(&b);
    return most;
}

// Half a step of the grid along each axis, and the rounding of weights times the size: 1 / 65535.
static int vertices_are_half_a_step_off(void)
{
    packed_rig p;
    ENSURE(pack_rig(&p, "rig:arm?vertices=2000", &quantized));
    const pelt_mesh* mesh = &p.before->meshes[0];
    pelt_bounds box = pelt_bounds_empty();
    pelt_bounds_add(&box, mesh->positions, mesh->vertex_count);
    pelt_vec3 sides = pelt_vec3_sub(box.max, box.min);
    double longest = fmax((double)sides.x, fmax((double)sides.y, (double)sides.z));
    double step = longest / 65535.0;
    ENSURE(p.report.mesh_count == 1 && p.report.unpacked_count == 0 && !p.report.has_prepared);
    double offset = largest_offset(&p, NULL, 0.0f, PELT_METHOD_LBS);
    // Floats of the inverse binds add some units in the last place of a meter.
    ENSURE(offset > 0.1 * step && offset <= 0.5 * sqrt(3.0) * step + 1e-6);
    // Weights of 16 bits, and keys of 1 / 32767, each at most the length of the arm away.
    double most = largest_offset(&p, "curl", 0.7f, PELT_METHOD_LBS);
    ENSURE(most <= step + longest * (4.0 / 65535.0 + 6.0 / 32767.0));
    // It would be zero if clips were not played.
    ENSURE(most > offset);
    release(&p);
    return 0;
}

static int weights_sum_to_one(void)
{
    packed_rig p;
    ENSURE(pack_rig(&p, "rig:human?vertices=2000&influences=7", &quantized));
    const pelt_weights *a = &p.before->meshes[0].weights, *b = &p.after->meshes[0].weights;
    ENSURE(p.after->repair_count == 0 && a->vertex_count == b->vertex_count);
    for (uint32_t v = 0; v < a->vertex_count; ++v)
    {
        double sum = 0.0;
        for (uint32_t i = b->first[v]; i < b->first[v + 1]; ++i)
        {
            uint32_t k = a->first[v];
            while (k < a->first[v + 1] && a->influences[k].joint != b->influences[i].joint)
            {
                ++k;
            }
            ENSURE(k < a->first[v + 1]);
            double off = (double)a->influences[k].weight - (double)b->influences[i].weight;
            ENSURE(fabs(off) <= 1.01 / 65535.0);
            sum += (double)b->influences[i].weight;
        }
        ENSURE(fabs(sum - 1.0) < 1e-6);
    }
    release(&p);
    return 0;
}

// The bytes of an attribute of the first primitive of a GLB file.
static const uint8_t* attribute_of(const pelt_source* file, const json_t* root, const char* name)
{
    const json_t* mesh = json_array_get(json_object_get(root, "meshes"), 0);
    const json_t* primitive = json_array_get(json_object_get(mesh, "primitives"), 0);
    const json_t* index = json_object_get(json_object_get(primitive, "attributes"), name);
    const json_t* accessor =
        json_array_get(json_object_get(root, "accessors"), (size_t)json_integer_value(index));
    const json_t* view =
        json_array_get(json_object_get(root, "bufferViews"),
                       (size_t)json_integer_value(json_object_get(accessor, "bufferView")));
    uint32_t json_size;
    memcpy(&json_size, (const uint8_t*)file->bytes + 12, sizeof json_size);
    return (const uint8_t*)file->bytes + 28 + json_size +
           (size_t)json_integer_value(json_object_get(view, "byteOffset")) +
           (size_t)json_integer_value(json_object_get(accessor, "byteOffset"));
}

// glTF has joint 0 where there is no weight: validators warn of others.
static int weights_that_round_to_zero_have_no_joint(void)
{
    pelt_scene* rig = NULL;
    ENSURE(pelt_rig_build(&rig, "rig:arm?vertices=400", NULL) == PELT_OK);
    pelt_mesh mesh = rig->meshes[0];
    uint32_t count = mesh.vertex_count;
    uint32_t* first = malloc((count + 1) * sizeof *first);
    pelt_influence* influences = malloc(2 * (size_t)count * sizeof *influences);
    ENSURE(first != NULL && influences != NULL);
    for (uint32_t v = 0; v <= count; ++v)
    {
        first[v] = 2 * v;
    }
    for (uint32_t v = 0; v < count; ++v)
    {
        influences[2 * v] = (pelt_influence){.joint = 1, .weight = 1.0f - 1e-6f, .slot = 0};
        influences[2 * v + 1] = (pelt_influence){.joint = 2, .weight = 1e-6f, .slot = 1};
    }
    mesh.weights.first = first;
    mesh.weights.influences = influences;
    mesh.weights.influence_count = 2 * count;
    pelt_scene scene = *rig;
    scene.meshes = &mesh;
    packed_rig p;
    ENSURE(pack(&p, &scene, &quantized));
    uint32_t size;
    memcpy(&size, (const uint8_t*)p.packed.bytes + 12, sizeof size);
    json_t* root = json_loadb((const char*)p.packed.bytes + 20, size, 0, NULL);
    ENSURE(root != NULL);
    const uint8_t* joints = attribute_of(&p.packed, root, "JOINTS_0");
    for (uint32_t v = 0; v < count; ++v)
    {
        ENSURE(joints[4 * v] == 1 && joints[4 * v + 1] == 0);
    }
    json_decref(root);
    release(&p);
    pelt_scene_destroy(rig);
    free(first);
    free(influences);
    return 0;
}

static int compression_loses_nothing(void)
{
    packed_rig p;
    ENSURE(pack_rig(&p, "rig:arm?vertices=2000", &compressed));
    ENSURE(p.report.bytes < p.report.bytes_before && p.report.bytes == p.packed.size);
    ENSURE(scene_compare(p.before, p.after, SCENE_EXACT) == 0);
    release(&p);
    return 0;
}

// The codec of triangles keeps their order and winding, but not which corner comes first.
static bool have_same_triangles(const pelt_mesh* a, const pelt_mesh* b)
{
    bool is_same = a->index_count == b->index_count;
    for (uint32_t i = 0; is_same && i < a->index_count; i += 3)
    {
        uint32_t shift = 0;
        while (shift < 3 && b->indices[i + shift] != a->indices[i])
        {
            ++shift;
        }
        is_same = shift < 3 && b->indices[i + (shift + 1) % 3] == a->indices[i + 1] &&
                  b->indices[i + (shift + 2) % 3] == a->indices[i + 2];
    }
    return is_same;
}

static int both_are_smaller_than_either(void)
{
    packed_rig q, c, b;
    ENSURE(pack_rig(&q, "rig:human?vertices=2000", &quantized));
    ENSURE(pack_rig(&c, "rig:human?vertices=2000", &compressed));
    ENSURE(pack_rig(&b, "rig:human?vertices=2000", &both));
    ENSURE(b.packed.size < q.packed.size && b.packed.size < c.packed.size);
    ENSURE(have_same_triangles(&q.after->meshes[0], &b.after->meshes[0]));
    pelt_mesh mesh = b.after->meshes[0];
    pelt_scene rotated = *b.after;
    mesh.indices = q.after->meshes[0].indices;
    rotated.meshes = &mesh;
    ENSURE(rotated.mesh_count == 1 && scene_compare(q.after, &rotated, SCENE_EXACT) == 0);
    release(&q);
    release(&c);
    release(&b);
    return 0;
}

// Centers, factors and boxes are those of the quantized mesh: crs moves it as it moved the other.
static int prepared_data_follow_the_mesh(void)
{
    pelt_scene* scene = NULL;
    pelt_arena* arena = pelt_arena_create();
    packed_rig p;
    ENSURE(pelt_rig_build(&scene, "rig:arm?vertices=1000", NULL) == PELT_OK);
    pelt_scene better = *scene;
    pelt_mesh mesh = better.meshes[0];
    float* factors = pelt_arena_alloc(arena, mesh.vertex_count, sizeof *factors);
    for (uint32_t v = 0; v < mesh.vertex_count; ++v)
    {
        factors[v] = (float)(v % 11) / 10.0f;
    }
    mesh.mix_factors = factors;
    better.meshes = &mesh;
    ENSURE(pelt_scene_add_cors(&better, PELT_PREPARE_ALL, NULL, NULL, arena, NULL) == PELT_OK);
    ENSURE(pelt_scene_add_normal_factors(&better, PELT_PREPARE_ALL, NULL, NULL, arena, NULL) ==
           PELT_OK);
    const pelt_deform_options crs = {.method = PELT_METHOD_CRS};
    ENSURE(pelt_scene_add_bounds(&better, &crs, NULL, arena, NULL) == PELT_OK);
    ENSURE(pack(&p, &better, &both));

    const pelt_mesh* after = &p.after->meshes[0];
    ENSURE(p.after->repair_count == 0 && p.report.has_prepared);
    ENSURE(after->cors != NULL && after->normal_factors != NULL && after->bounds != NULL);
    ENSURE(after->bounds->method == PELT_METHOD_CRS);
    ENSURE(memcmp(after->mix_factors, factors, mesh.vertex_count * sizeof *factors) == 0);
    // Centers are solved for weights that are off by 1e-5: they move far less than a millimeter.
    ENSURE(largest_offset(&p, "bend", 1.0f, PELT_METHOD_CRS) < 5e-4);
    ENSURE(largest_offset(&p, "bend", 1.0f, PELT_METHOD_MIX) < 5e-4);
    release(&p);
    pelt_arena_destroy(arena);
    pelt_scene_destroy(scene);
    return 0;
}

// A mesh that a node shows without a skin has no matrices to lead back from a grid.
static int meshes_without_a_skin_keep_their_positions(void)
{
    pelt_scene* scene = NULL;
    packed_rig p;
    ENSURE(pelt_rig_build(&scene, "rig:arm?vertices=500", NULL) == PELT_OK);
    pelt_scene shown_twice = *scene;
    pelt_instance instances[2] = {scene->instances[0], {.skin = PELT_NONE}};
    shown_twice.instances = instances;
    shown_twice.instance_count = 2;
    ENSURE(pack(&p, &shown_twice, &quantized));
    ENSURE(p.report.mesh_count == 0 && p.report.unpacked_count == 1);
    const pelt_mesh *a = &p.before->meshes[0], *b = &p.after->meshes[0];
    ENSURE(memcmp(a->positions, b->positions, a->vertex_count * sizeof *a->positions) == 0);
    ENSURE(p.packed.size < p.source.size); // weights and normals are smaller all the same
    release(&p);
    pelt_scene_destroy(scene);
    return 0;
}

// Displacements of a target are in steps of the grid, too.
static int morph_targets_are_half_a_step_off(void)
{
    pelt_scene* scene = NULL;
    packed_rig p;
    ENSURE(pelt_rig_build(&scene, "rig:arm?vertices=500", NULL) == PELT_OK);
    pelt_mesh mesh = scene->meshes[0];
    pelt_vec3* deltas = calloc(mesh.vertex_count, sizeof *deltas);
    for (uint32_t v = 0; v < mesh.vertex_count; ++v)
    {
        deltas[v] = pelt_vec3_make(0.0f, 0.01f * (float)(v % 7), -0.02f * (float)(v % 3));
    }
    const pelt_morph morph = {.name = "swell", .positions = deltas};
    const float weight = 1.0f;
    mesh.morphs = &morph;
    mesh.morph_count = 1;
    mesh.morph_weights = &weight;
    pelt_scene swollen = *scene;
    swollen.meshes = &mesh;
    swollen.morph_weight_count = 1;
    ENSURE(pack(&p, &swollen, &both));
    pelt_bounds box = pelt_bounds_empty();
    pelt_bounds_add(&box, mesh.positions, mesh.vertex_count);
    pelt_vec3 sides = pelt_vec3_sub(box.max, box.min);
    double step = fmax((double)sides.x, fmax((double)sides.y, (double)sides.z)) / 65535.0;
    // The error of position and displacement together.
    double offset = largest_offset(&p, NULL, 0.0f, PELT_METHOD_LBS);
    ENSURE(offset > 0.1 * step && offset <= sqrt(3.0) * step + 1e-6);
    release(&p);
    free(deltas);
    pelt_scene_destroy(scene);
    return 0;
}

static int what_is_compressed_is_refused(void)
{
    packed_rig p;
    pelt_source again;
    pelt_error error = {0};
    ENSURE(pack_rig(&p, "rig:bar?vertices=300", &compressed));
    ENSURE(pelt_pack_glb(&again, &p.packed, &both, NULL, &error) == PELT_ERROR_UNSUPPORTED);
    ENSURE(strstr(error.message, "compressed already, by EXT_meshopt_compression") != NULL);
    ENSURE(again.bytes == NULL);
    release(&p);
    return 0;
}

// A GLB file of a JSON text alone. @return its size
static size_t wrap(uint8_t* out, const char* text)
{
    uint32_t length = (uint32_t)(strlen(text) + 3) / 4 * 4;
    const uint32_t words[5] = {0x46546c67, 2, 20 + length, length, 0x4e4f534a};
    memset(out + 20, ' ', length);
    memcpy(out, words, 20);
    memcpy(out + 20, text, strlen(text));
    return 20 + length;
}

// Primitives without positions are not read, and may name any accessor: one of a view that there is
// not, of no view, or of elements that glTF does not know. Channels that move nothing may, too.
static int what_is_not_read_does_no_harm(void)
{
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
        "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}},"
        "{\"attributes\":{\"NORMAL\":0},\"indices\":1},{\"attributes\":{\"NORMAL\":0},\"indices\":"
        "2},"
        "{\"attributes\":{\"NORMAL\":0},\"indices\":3}]}],\"animations\":[{\"channels\":["
        "{\"sampler\":0,\"target\":{\"path\":\"rotation\"}}],\"samplers\":["
        "{\"input\":0,\"output\":-1}]}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"VEC8\"},"
        "{\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"},"
        "{\"bufferView\":99999999,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteLength\":36}],"
        "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}]}";
    uint8_t glb[sizeof text + 24];
    const pelt_source source = {.bytes = glb, .size = wrap(glb, text)};
    for (int i = 0; i < 2; ++i)
    {
        pelt_source packed;
        pelt_scene* scene = NULL;
        ENSURE(pelt_pack_glb(&packed, &source, i == 0 ? &compressed : &both, NULL, NULL) ==
               PELT_OK);
        ENSURE(pelt_load_memory(&scene, &packed, NULL, NULL) == PELT_OK);
        ENSURE(scene->mesh_count == 1 && scene->meshes[0].vertex_count == 3);
        pelt_scene_destroy(scene);
        pelt_source_release(&packed);
    }
    return 0;
}

void test_gltf_pack(void)
{
    RUN(vertices_are_half_a_step_off);
    RUN(weights_sum_to_one);
    RUN(weights_that_round_to_zero_have_no_joint);
    RUN(compression_loses_nothing);
    RUN(both_are_smaller_than_either);
    RUN(prepared_data_follow_the_mesh);
    RUN(meshes_without_a_skin_keep_their_positions);
    RUN(morph_targets_are_half_a_step_off);
    RUN(what_is_compressed_is_refused);
    RUN(what_is_not_read_does_no_harm);
}
