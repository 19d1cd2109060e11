// SPDX-License-Identifier: MIT
// Animation layers, shapes in between, several skins and names in other encodings: what the FBX
// SDK documents, in closed form.
#include "fbx_fixture.h"

#include "pelt/io.h"

#include <string.h>

enum
{
    DURATION = 2, // seconds
};

// A layer above the base layer, with constant values or a line per channel.
typedef struct layer
{
    const char* property;
    double from[3], to[3]; // values at the start and at the end
    int mode;              // BlendMode: 0 additive, 1 override, 2 override-passthrough
    double weight;         // percent
    double end_weight;     // animated up to here, if it differs
    bool is_by_channel;    // rotations and scales
    bool is_muted, has_only_x;
} layer;

static size_t print_line(char* out, size_t size, int id, double from, double to)
{
    return (size_t)snprintf(
        out, size,
        "AnimationCurve: %d, \"AnimCurve::\", \"\" {\nKeyTime: *2 {\na: 0,%lld\n}\n"
        "KeyValueFloat: *2 {\na: %.9g,%.9g\n}\nKeyAttrFlags: *1 {\na: 4\n}\n"
        "KeyAttrDataFloat: *4 {\na: 0,0,0,0\n}\nKeyAttrRefCount: *1 {\na: 2\n}\n}\n",
        id, DURATION * FBX_SECOND, from, to);
}

// A model in a take with these layers; the first is the base layer.
static pelt_scene* read_layers(const layer* layers, int count)
{
    static char objects[32768], links[8192];
    size_t at = (size_t)snprintf(objects, sizeof objects,
                                 "Model: 1, \"Model::a\", \"Null\" {\nProperties70: {\n"
                                 "P: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",1,1,1\n}\n}\n"
                                 "AnimationStack: 2, \"AnimStack::take\", \"\" {\nProperties70: {\n"
                                 "P: \"LocalStart\", \"KTime\", \"Time\", \"\",0\n"
                                 "P: \"LocalStop\", \"KTime\", \"Time\", \"\",%lld\n}\n}\n",
                                 DURATION * FBX_SECOND);
    size_t end = (size_t)snprintf(links, sizeof links, "C: \"OO\",1,0\n");
    for (int i = 0; i < count; ++i)
    {
        const layer* l = &layers[i];
        int id = 100 * (i + 1);
        at += (size_t)snprintf(
            objects + at, sizeof objects - at,
            "AnimationLayer: %d, \"AnimLayer::\", \"\" {\nProperties70: {\n"
            "P: \"Weight\", \"Number\", \"\", \"A\",%.9g\nP: \"Mute\", \"bool\", \"\", \"\",%d\n"
            "P: \"BlendMode\", \"enum\", \"\", \"\",%d\n"
            "P: \"RotationAccumulationMode\", \"enum\", \"\", \"\",%d\n"
            "P: \"ScaleAccumulationMode\", \"enum\", \"\", \"\",%d\n}\n}\n"
            "AnimationCurveNode: %d, \"AnimCurveNode::\", \"\" {\nProperties70: {\n}\n}\n",
            id, l->weight, l->is_muted, l->mode, l->is_by_channel, l->is_by_channel, id + 1);
        end += (size_t)snprintf(links + end, sizeof links - end,
                                "C: \"OO\",%d,2\nC: \"OO\",%d,%d\nC: \"OP\",%d,1, \"%s\"\n", id,
                                id + 1, id, id + 1, l->property);
        for (int k = 0; k < (l->has_only_x ? 1 : 3); ++k)
        {
            at += print_line(objects + at, sizeof objects - at, id + 2 + k, l->from[k], l->to[k]);
            end += (size_t)snprintf(links + end, sizeof links - end, "C: \"OP\",%d,%d, \"d|%c\"\n",
                                    id + 2 + k, id + 1, 'X' + k);
        }
        if (l->end_weight != l->weight)
        {
            at += (size_t)snprintf(objects + at, sizeof objects - at,
                                   "AnimationCurveNode: %d, \"AnimCurveNode::Weight\", \"\" {\n}\n",
                                   id + 10);
            at += print_line(objects + at, sizeof objects - at, id + 11, l->weight, l->end_weight);
            end += (size_t)snprintf(links + end, sizeof links - end,
                                    "C: \"OP\",%d,%d, \"Weight\"\nC: \"OP\",%d,%d, \"d|Weight\"\n",
                                    id + 10, id, id + 11, id + 10);
        }
    }
    pelt_error error;
    return fbx_read(fbx_text(objects, links), &error);
}

static pelt_transform sample(const pelt_scene* scene, double time)
{
    pelt_pose pose;
    pelt_transform found = pelt_transform_identity();
    if (pelt_pose_create(&pose, scene) == PELT_OK)
    {
        pelt_pose_sample(&pose, scene, &scene->clips[0], (float)time, PELT_WRAP_CLAMP);
        found = pose.locals[0];
        pelt_pose_destroy(&pose);
    }
    return found;
}

static double mix(double from, double to, double time)
{
    return from + (to - from) * time / DURATION;
}

// ---------------------------------------------------------------------------------------------
// Translations: lines of the base layer and of a layer above

static const layer base_moves = {
    "Lcl Translation", {0, 1, 2}, {10, -3, 2}, 0, 100, 100, false, false, false};

// r + w v, v, or (1 - w) r + w v.
static int translations_follow_the_mode_and_the_weight(void)
{
    static const double weights[] = {100.0, 50.0, 0.0};
    for (int mode = 0; mode < 3; ++mode)
    {
        for (int w = 0; w < 3; ++w)
        {
            double weight = weights[w] / 100.0;
            layer above = {"Lcl Translation", {4, 0, 1}, {8, 2, -1}, mode, weights[w],
                           weights[w],        false,     false,      false};
            pelt_scene* scene = read_layers((layer[2]){base_moves, above}, 2);
            ENSURE(scene != NULL && scene->repair_count == 0 && scene->loss_count == 0);
            for (double t = 0.0; t <= 2.0; t += 0.25)
            {
                pelt_vec3 found = sample(scene, t).translation;
                const float* number = &found.x;
                for (int k = 0; k < 3; ++k)
                {
                    double r = mix(base_moves.from[k], base_moves.to[k], t);
                    double v = mix(above.from[k], above.to[k], t);
                    double expected = mode == 0   ? r + weight * v
                                      : mode == 1 ? v
                                                  : (1.0 - weight) * r + weight * v;
                    ENSURE_NEAR(number[k], expected, 1e-5);
                }
            }
            pelt_scene_destroy(scene);
        }
    }
    return 0;
}

// A weight that goes from 0 to 1 along a line makes the product of two lines of a line.
static int weights_may_be_animated(void)
{
    layer above = {"Lcl Translation", {4, 0, 1}, {8, 2, -1}, 0, 0, 100, false, false, false};
    pelt_scene* scene = read_layers((layer[2]){base_moves, above}, 2);
    ENSURE(scene != NULL);
    for (double t = 0.0; t <= 2.0; t += 0.1)
    {
        double expected = 5.0 * t + 0.5 * t * (4.0 + 2.0 * t);
        ENSURE_NEAR(sample(scene, t).translation.x, expected, 2e-5);
    }
    pelt_scene_destroy(scene);
    return 0;
}

static int layers_combine_one_after_the_other(void)
{
    layer half = {"Lcl Translation", {4, 0, 0}, {4, 0, 0}, 2, 50, 50, false, false, true};
    layer more = {"Lcl Translation", {1, 0, 0}, {1, 0, 0}, 0, 100, 100, false, false, true};
    layer silent = more;
    silent.is_muted = true;
    pelt_scene* scene = read_layers((layer[4]){base_moves, half, silent, more}, 4);
    ENSURE(scene != NULL);
    pelt_vec3 found = sample(scene, 1.0).translation;
    ENSURE_NEAR(found.x, 0.5 * 5.0 + 0.5 * 4.0 + 1.0, 1e-5);
    // Where it has no curve, a layer that adds adds nothing.
    pelt_scene_destroy(scene);
    scene = read_layers((layer[2]){base_moves, more}, 2);
    ENSURE(scene != NULL);
    found = sample(scene, 1.0).translation;
    ENSURE_NEAR(found.x, 6.0, 1e-5);
    ENSURE_NEAR(found.y, -1.0, 1e-5);
    ENSURE_NEAR(found.z, 2.0, 1e-5);
    pelt_scene_destroy(scene);
    return 0;
}

// A property that only a layer above animates starts from the value of the object.
static int a_layer_above_needs_no_layer_below(void)
{
    layer none = {"Lcl Scaling", {1, 1, 1}, {1, 1, 1}, 0, 100, 100, false, false, false};
    layer above = {"Lcl Translation", {4, 0, 1}, {8, 2, -1}, 0, 50, 50, false, false, false};
    pelt_scene* scene = read_layers((layer[2]){none, above}, 2);
    ENSURE(scene != NULL);
    ENSURE_NEAR(sample(scene, 1.0).translation.x, 3.0, 1e-5);
    pelt_scene_destroy(scene);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Scales and rotations

// By default scales multiply: r v^w, or r^(1 - w) v^w; else they are added.
static int scales_multiply_or_add(void)
{
    const layer base = {"Lcl Scaling", {2, 1, 1}, {4, 1, 1}, 0, 100, 100, false, false, false};
    for (int k = 0; k < 4; ++k)
    {
        int mode = k % 2 == 0 ? 0 : 2;
        bool is_sum = k >= 2;
        layer above = {"Lcl Scaling", {3, 1, 1}, {3, 1, 1}, mode, 25, 25, is_sum, false, false};
        pelt_scene* scene = read_layers((layer[2]){base, above}, 2);
        ENSURE(scene != NULL);
        for (double t = 0.0; t <= 2.0; t += 0.2)
        {
            double r = 2.0 + t, v = 3.0, w = 0.25;
            double expected = mode == 0 ? is_sum ? r + w * v : r * pow(v, w)
                              : is_sum ? (1.0 - w) * r + w * v
                                        : pow(r, 1.0 - w) * pow(v, w);
            ENSURE_NEAR(sample(scene, t).scale.x, expected, 1e-5);
        }
        pelt_scene_destroy(scene);
    }
    return 0;
}

static pelt_quat about(int axis, double degrees)
{
    pelt_vec3 directions[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return pelt_quat_axis_angle(directions[axis],
                                (float)(degrees * 3.14159265358979323846 / 180.0));
}

static int is_turned(const pelt_scene* scene, double time, pelt_quat expected)
{
    ENSURE_NEAR(fabsf(pelt_quat_dot(sample(scene, time).rotation, expected)), 1.0f, 1e-6);
    pelt_vec3 found = pelt_quat_rotate(sample(scene, time).rotation, pelt_vec3_make(1, 2, 3));
    ENSURE_POINT(found, pelt_quat_rotate(expected, pelt_vec3_make(1, 2, 3)), 4e-5);
    return 0;
}

// X rotates by 40 degrees per second below, Z by 30 and 60 above. By layer the rotations multiply,
// the one above nearer to the points; by channel it is the Euler angles that add, and Z is last.
static int rotations_multiply_or_add(void)
{
    const layer base = {"Lcl Rotation", {0, 0, 0}, {80, 0, 0}, 0, 100, 100, false, false, false};
    layer above = {"Lcl Rotation", {0, 0, 60}, {0, 0, 60}, 0, 50, 50, false, false, false};
    for (int by_channel = 0; by_channel < 2; ++by_channel)
    {
        above.is_by_channel = by_channel != 0;
        pelt_scene* scene = read_layers((layer[2]){base, above}, 2);
        ENSURE(scene != NULL);
        for (double t = 0.0; t <= 2.0; t += 0.25)
        {
            pelt_quat x = about(0, 40.0 * t), z = about(2, 30.0);
            ENSURE(is_turned(scene, t, by_channel ? pelt_quat_mul(z, x) : pelt_quat_mul(x, z)) ==
                   0);
        }
        pelt_scene_destroy(scene);
    }
    // About one axis, slerp is a mean of angles.
    above = (layer){"Lcl Rotation", {20, 0, 0}, {20, 0, 0}, 2, 25, 25, false, false, false};
    pelt_scene* scene = read_layers((layer[2]){base, above}, 2);
    ENSURE(scene != NULL && is_turned(scene, 2.0, about(0, 0.75 * 80.0 + 0.25 * 20.0)) == 0);
    pelt_scene_destroy(scene);
    return 0;
}

// Rotations of two layers by quaternion, and a third by channel: through Euler angles of the two.
static int a_layer_by_channel_adds_to_the_angles_of_those_below(void)
{
    const layer base = {"Lcl Rotation", {0, 0, 0}, {80, 0, 0}, 0, 100, 100, false, false, false};
    const layer second = {"Lcl Rotation", {0, 50, 0}, {0, 50, 0}, 0, 100, 100, false, false, false};
    const layer third = {"Lcl Rotation", {0, 0, 35}, {0, 0, 35}, 0, 100, 100, true, false, false};
    pelt_scene* scene = read_layers((layer[3]){base, second, third}, 3);
    ENSURE(scene != NULL);
    for (double t = 0.0; t <= 2.0; t += 0.5)
    {
        // Z is applied last, so that adding to its angle rotates all of it.
        pelt_quat below = pelt_quat_mul(about(0, 40.0 * t), about(1, 50.0));
        ENSURE(is_turned(scene, t, pelt_quat_mul(about(2, 35.0), below)) == 0);
    }
    pelt_scene_destroy(scene);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Shapes in between

#define SQUARE                                                                                     \
    "Model: 1, \"Model::body\", \"Mesh\" {\n}\n"                                                   \
    "Geometry: 2, \"Geometry::\", \"Mesh\" {\nVertices: *12 {\na: 0,0,0,1,0,0,1,1,0,0,1,0\n}\n"    \
    "PolygonVertexIndex: *4 {\na: 0,1,2,-4\n}\n}\n"

// At 40 % point 0 has moved by x, at 100 % by y: in between along a line, as in Maya.
static int shapes_in_between_are_reached_on_the_way(void)
{
    static char objects[8192];
    size_t at = (size_t)snprintf(
        objects, sizeof objects,
        SQUARE "Deformer: 3, \"Deformer::\", \"BlendShape\" {\n}\n"
               "Deformer: 4, \"SubDeformer::smile\", \"BlendShapeChannel\" {\n"
               "FullWeights: *2 {\na: 100,40\n}\nProperties70: {\n"
               "P: \"DeformPercent\", \"Number\", \"\", \"A\",20\n}\n}\n"
               "Geometry: 5, \"Geometry::whole\", \"Shape\" {\nIndexes: *1 {\na: 0\n}\n"
               "Vertices: *3 {\na: 0,1,0\n}\n}\n"
               "Geometry: 6, \"Geometry::half\", \"Shape\" {\nIndexes: *1 {\na: 0\n}\n"
               "Vertices: *3 {\na: 1,0,0\n}\n}\n"
               "AnimationStack: 7, \"AnimStack::take\", \"\" {\nProperties70: {\n"
               "P: \"LocalStop\", \"KTime\", \"Time\", \"\",%lld\n}\n}\n"
               "AnimationLayer: 8, \"AnimLayer::\", \"\" {\n}\n"
               "AnimationCurveNode: 9, \"AnimCurveNode::\", \"\" {\n}\n",
        DURATION * FBX_SECOND);
    print_line(objects + at, sizeof objects - at, 10, -20.0, 180.0);
    pelt_error error;
    pelt_scene* scene = fbx_read(
        fbx_text(objects,
                 "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,2\nC: \"OO\",4,3\n"
                 "C: \"OO\",5,4\nC: \"OO\",6,4\nC: \"OO\",8,7\nC: \"OO\",9,8\n"
                 "C: \"OP\",9,4, \"DeformPercent\"\nC: \"OP\",10,9, \"d|DeformPercent\"\n"),
        &error);
    ENSURE(scene != NULL && scene->mesh_count == 1 && scene->repair_count == 0);
    const pelt_mesh* mesh = &scene->meshes[0];
    ENSURE(mesh->morph_count == 2);
    ENSURE(strcmp(mesh->morphs[0].name, "smile (40 %)") == 0);
    ENSURE(strcmp(mesh->morphs[1].name, "smile") == 0);
    ENSURE_NEAR(mesh->morph_weights[0], 0.5f, 1e-6);
    ENSURE_NEAR(mesh->morph_weights[1], 0.0f, 1e-6);
    pelt_pose pose;
    ENSURE(pelt_pose_create(&pose, scene) == PELT_OK);
    for (double percent = -20.0; percent <= 180.0; percent += 5.0)
    {
        double time = (percent + 20.0) / 100.0;
        // Lines through (0, 0), (40, 1) and (100, 0), and through (40, 0) and (100, 1).
        double x = percent <= 40.0 ? percent / 40.0 : (100.0 - percent) / 60.0;
        double y = percent <= 40.0 ? 0.0 : (percent - 40.0) / 60.0;
        pelt_pose_sample(&pose, scene, &scene->clips[0], (float)time, PELT_WRAP_CLAMP);
        // The corners at 40 % lie between keys of the file; docs/files.md has the bound.
        ENSURE_NEAR(pose.morph_weights[0], x, 2e-4);
        ENSURE_NEAR(pose.morph_weights[1], y, 2e-4);
    }
    pelt_pose_destroy(&pose);
    pelt_scene_destroy(scene);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Skins

// Each point has weight 0.6 of the joint of one skin and 0.2 of that of the other; a joint that
// both skins have is one joint.
static int weights_of_several_skins_are_added(void)
{
    static const char objects[] = SQUARE
        "Model: 10, \"Model::left\", \"LimbNode\" {\n}\nModel: 11, \"Model::right\", \"LimbNode\" "
        "{\n}\nDeformer: 20, \"Deformer::\", \"Skin\" {\n}\nDeformer: 21, \"Deformer::\", \"Skin\" "
        "{\n}\n"
        "Deformer: 30, \"SubDeformer::\", \"Cluster\" {\nIndexes: *4 {\na: 0,1,2,3\n}\n"
        "Weights: *4 {\na: 0.6,0.6,0.6,0.6\n}\n}\n"
        "Deformer: 31, \"SubDeformer::\", \"Cluster\" {\nIndexes: *4 {\na: 0,1,2,3\n}\n"
        "Weights: *4 {\na: 0.2,0.2,0.2,0.2\n}\n}\n"
        "Deformer: 32, \"SubDeformer::\", \"Cluster\" {\nIndexes: *1 {\na: 0\n}\n"
        "Weights: *1 {\na: 0.4\n}\n}\n";
    pelt_error error;
    pelt_scene* scene = fbx_read(
        fbx_text(objects, "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",10,0\nC: \"OO\",11,0\n"
                          "C: \"OO\",20,2\nC: \"OO\",21,2\nC: \"OO\",30,20\nC: \"OO\",31,21\n"
                          "C: \"OO\",32,21\nC: \"OO\",10,30\nC: \"OO\",11,31\nC: \"OO\",10,32\n"),
        &error);
    ENSURE(scene != NULL && scene->skin_count == 1 && scene->skins[0].joint_count == 2);
    const pelt_weights* weights = &scene->meshes[0].weights;
    for (uint32_t v = 0; v < scene->meshes[0].vertex_count; ++v)
    {
        bool is_origin = pelt_vec3_length(scene->meshes[0].positions[v]) == 0.0f;
        uint32_t first = weights->first[v];
        ENSURE(weights->first[v + 1] - first == 2);
        // 0.6 + 0.4 to 0.2 at point 0, elsewhere 0.6 to 0.2.
        float strong = is_origin ? 1.0f / 1.2f : 0.75f;
        ENSURE(weights->influences[first].joint == 0);
        ENSURE_NEAR(weights->influences[first].weight, strong, 1e-6);
        ENSURE_NEAR(weights->influences[first + 1].weight, 1.0f - strong, 1e-6);
    }
    pelt_scene_destroy(scene);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Names

static int names_in_other_encodings_become_utf8(void)
{
    static const struct
    {
        const char *written, *expected;
    } names[] = {
        {"Bip01FBXASC032L", "Bip01 L"},                           // 3ds Max
        {"gru\xc3\x9f", "gru\xc3\x9f"},                           // UTF-8
        {"gru\xdf", "gru\xc3\x9f"},                               // Latin-1
        {"FBXASC9", "FBXASC9"},                                   // no code
        {"\xe8\x85\xb0\xe9\xaa\xa8", "\xe8\x85\xb0\xe9\xaa\xa8"}, // three bytes each
        {"\xed\xa0\x80", "\xc3\xad\xc2\xa0\xc2\x80"},             // a surrogate is no UTF-8
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        char objects[128];
        pelt_error error;
        snprintf(objects, sizeof objects, "Model: 1, \"Model::%s\", \"Null\" {\n}\n",
                 names[i].written);
        pelt_scene* scene = fbx_read(fbx_text(objects, "C: \"OO\",1,0\n"), &error);
        ENSURE(scene != NULL && scene->node_count == 1);
        ENSURE(strcmp(scene->nodes[0].name, names[i].expected) == 0);
        pelt_scene_destroy(scene);
    }
    return 0;
}

void test_fbx_layer(void)
{
    RUN(translations_follow_the_mode_and_the_weight);
    RUN(weights_may_be_animated);
    RUN(layers_combine_one_after_the_other);
    RUN(a_layer_above_needs_no_layer_below);
    RUN(scales_multiply_or_add);
    RUN(rotations_multiply_or_add);
    RUN(a_layer_by_channel_adds_to_the_angles_of_those_below);
    RUN(shapes_in_between_are_reached_on_the_way);
    RUN(weights_of_several_skins_are_added);
    RUN(names_in_other_encodings_become_utf8);
}
