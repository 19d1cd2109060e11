// SPDX-License-Identifier: MIT
// What the parts of a glTF become: primitives, weights, nodes, clips. Files are built here;
// expected values follow the specification.
#include "gltf_fixture.h"

// ---------------------------------------------------------------------------------------------
// Primitives

static int strips_fans_and_lists_become_triangles(void)
{
    static const struct
    {
        const char *from, *to;
        uint32_t count, indices[12];
    } cases[] = {
        {"\"mode\":4", "\"mode\":5", 12, {0, 1, 2, 1, 2, 2, 2, 2, 1, 2, 3, 1}},
        {"\"mode\":4", "\"mode\":6", 12, {1, 2, 0, 2, 2, 0, 2, 1, 0, 1, 3, 0}},
        {"\"indices\":3,\"material\":0,\"mode\":4", "\"mode\":5", 6, {0, 1, 2, 1, 3, 2}},
        {"\"indices\":3,\"material\":0,\"mode\":4", "\"material\":0", 3, {0, 1, 2}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        pelt_error error;
        pelt_scene* s = fixture_load_changed(cases[i].from, cases[i].to, &error);
        ENSURE(s != NULL && s->meshes[0].index_count == cases[i].count);
        for (uint32_t k = 0; k < cases[i].count; ++k)
        {
            ENSURE(s->meshes[0].indices[k] == cases[i].indices[k]);
        }
        ENSURE(fixture_has_repair(s, "1 corner at its end") == (i == 3));
        pelt_scene_destroy(s);
    }
    pelt_error error;
    pelt_scene* s = fixture_load_changed("\"mode\":4", "\"mode\":1", &error);
    ENSURE(s != NULL && s->mesh_count == 0 && fixture_has_repair(s, "no triangles"));
    pelt_scene_destroy(s);
    return 0;
}

static int weights_are_repaired_and_the_file_says_so(void)
{
    fixture f;
    pelt_error error;
    fixture_start(&f);
    f.bin.joints[0][0] = 9;
    f.bin.weights[1][0] = 0.5f;
    f.bin.weights[3][1] = NAN;
    pelt_scene* s = fixture_load(&f, &error);
    ENSURE(s != NULL && fixture_has_repair(s, "1 vertex named joints that the skin does not have"));
    ENSURE(fixture_has_repair(s, "1 vertex had weights that do not sum to 1 (up to 0.5)"));
    ENSURE(fixture_has_repair(s, "not finite") && fixture_has_repair(s, "will stay at rest"));
    ENSURE(s->meshes[0].weights.first[1] == 0);
    pelt_scene_destroy(s);

    // The same set again as JOINTS_1: every joint twice.
    s = fixture_load_changed("\"WEIGHTS_0\":2", "\"WEIGHTS_0\":2,\"JOINTS_1\":1,\"WEIGHTS_1\":2",
                             &error);
    ENSURE(s != NULL && fixture_has_repair(s, "4 vertices named a joint twice"));
    ENSURE(s->meshes[0].weights.influence_count == 5);
    pelt_scene_destroy(s);
    return 0;
}

static int a_mesh_of_two_skins_fits_the_smaller(void)
{
    fixture f;
    pelt_error error;
    fixture_start(&f);
    fixture_change(&f, "\"skins\":[", "\"skins\":[{\"joints\":[2]},");
    fixture_change(&f, "{\"name\":\"root\"", "{\"name\":\"root\",\"mesh\":0,\"skin\":1");
    pelt_scene* s = fixture_load(&f, &error);
    ENSURE(s != NULL && s->instance_count == 2 && s->meshes[0].weights.joint_count == 1);
    // No matrices: the joint's space is the bind space.
    ENSURE(s->skins[0].inverse_binds[0].m[0][0] == 1.0f && fixture_has_repair(s, "does not have"));
    ENSURE(s->instances[1].first_morph_weight == 1 && s->morph_weight_count == 2);
    pelt_scene_destroy(s);
    return 0;
}

static int shape_weights_of_a_node_come_first(void)
{
    fixture f;
    pelt_error error;
    fixture_start(&f);
    fixture_change(&f, "\"skin\":0,", "\"skin\":0,\"weights\":[0.5],");
    fixture_change(&f, "\"children\":[2]", "\"children\":[2],\"mesh\":0");
    pelt_scene* s = fixture_load(&f, &error);
    ENSURE(s != NULL && s->meshes[0].morph_weights[0] == 0.5f);
    ENSURE(fixture_has_repair(s, "\"root\" starts with the morph weights of node \"body\""));
    ENSURE(s->instances[1].skin == PELT_NONE && s->instances[1].node == 1);
    pelt_scene_destroy(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Nodes

static int children_may_precede_their_parents(void)
{
    fixture f;
    pelt_error error;
    fixture_start(&f);
    fixture_change(&f, "{\"name\":\"root\",\"children\":[2]}", "{\"name\":\"root\"}");
    fixture_change(&f, "{\"name\":\"tip\"", "{\"children\":[1]");
    pelt_scene* s = fixture_load(&f, &error);
    ENSURE(s != NULL && strcmp(s->nodes[1].name, "node_2") == 0 && s->nodes[2].parent == 1);
    ENSURE(s->skins[0].joints[0] == 2 && s->skins[0].joints[1] == 1);
    ENSURE(s->clips[0].tracks[0].target == 1);
    pelt_scene_destroy(s);
    return 0;
}

// The matrix of a node, whatever it is made of, is the one in the file.
static int check_matrix(const float m[16], uint32_t node_count)
{
    fixture f;
    pelt_error error;
    char text[400] = "\"matrix\":[";
    for (int i = 0; i < 16; ++i)
    {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%.9g%c", (double)m[i],
                 i < 15 ? ',' : ']');
    }
    fixture_start(&f);
    fixture_change(&f, "\"translation\":[0,1,0],\"rotation\":[0,0,0,1],\"scale\":[1,1,1]", text);
    pelt_scene* s = fixture_load(&f, &error);
    ENSURE(s != NULL && s->node_count == node_count);
    pelt_pose pose;
    pelt_mat34 model[4];
    ENSURE(pelt_pose_create(&pose, s) == PELT_OK);
    pelt_pose_to_model(model, s, &pose);
    uint32_t joint = s->skins[0].joints[1];
    ENSURE(strcmp(s->nodes[joint].name, "tip") == 0);
    for (int row = 0; row < 3; ++row)
    {
        for (int column = 0; column < 4; ++column)
        {
            // Quaternions of float, times a stretch of about 3.
            ENSURE_NEAR(model[joint].m[row][column], m[4 * column + row], 2e-6);
        }
    }
    pelt_pose_destroy(&pose);
    pelt_scene_destroy(s);
    return 0;
}

static int matrices_are_exact(void)
{
    static const float rotated[16] = {0, 2, 0, 0, -1, 0, 0, 0, 0, 0, 3, 0, 1, 2, 3, 1};
    static const float mirrored[16] = {0, 2, 0, 0, -1, 0, 0, 0, 0, 0, -3, 0, 1, 2, 3, 1};
    static const float sheared[16] = {1, 0, 0, 0, 0.5f, 1, 0, 0, 0.25f, -0.5f, 2, 0, 1, 2, 3, 1};
    static const float both[16] = {-1, 0, 0, 0, 0.5f, 1, 0, 0, 0.25f, -0.5f, 2, 0, 1, 2, 3, 1};
    static const float flat[16] = {1, 0, 0, 0, 0.5f, 1, 0, 0, 0, 0, 0, 0, 1, 2, 3, 1};
    static const float line[16] = {0, 0, 0, 0, 1, 2, 2, 0, 0, 0, 0, 0, 1, 2, 3, 1};
    static const float nothing[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 1};
    ENSURE(check_matrix(rotated, 3) == 0 && check_matrix(mirrored, 3) == 0);
    ENSURE(check_matrix(sheared, 4) == 0 && check_matrix(both, 4) == 0);
    ENSURE(check_matrix(flat, 4) == 0 && check_matrix(line, 3) == 0);
    ENSURE(check_matrix(nothing, 3) == 0);
    return 0;
}

static int only_the_default_scene_is_shown(void)
{
    pelt_error error;
    pelt_scene* s = fixture_load_changed("\"nodes\":[0,1]", "\"nodes\":[1]", &error);
    ENSURE(s != NULL && s->instance_count == 0 && s->mesh_count == 1 && s->node_count == 3);
    // The track of weights has nothing to move.
    ENSURE(s->clips[0].track_count == 1 && fixture_has_repair(s, "1 channel animates nothing"));
    pelt_scene_destroy(s);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Clips

// A mesh with a skin at a node that no scene shows, and without one at a node that is shown.
static int what_is_written_and_read_twice_stays_the_same(void)
{
    pelt_error error = {0};
    fixture f;
    fixture_start(&f);
    fixture_change(&f, "\"nodes\":[0,1]}]", "\"nodes\":[1,3]}]");
    fixture_change(&f, "\"scale\":[1,1,1]}]", "\"scale\":[1,1,1]},{\"mesh\":0}]");
    fixture_change(&f, "{\"node\":0,\"path\":\"weights\"}", "{\"node\":3,\"path\":\"weights\"}");
    pelt_scene* first = fixture_load(&f, &error);
    ENSURE(first != NULL && first->instance_count == 1);
    ENSURE(first->instances[0].skin == PELT_NONE && fixture_has_repair(first, "no node of the"));
    const char* path = "pelt_test_hidden_skin.glb";
    ENSURE(pelt_save_scene(path, PELT_FORMAT_GLB, first, &error) == PELT_OK);
    pelt_scene* second = NULL;
    ENSURE(pelt_load(&second, path, NULL, &error) == PELT_OK);
    ENSURE(second->meshes[0].weights.influence_count == first->meshes[0].weights.influence_count);
    remove(path);
    pelt_scene_destroy(first);
    pelt_scene_destroy(second);
    return 0;
}

static int keys_out_of_order_are_dropped(void)
{
    fixture f;
    pelt_error error;
    fixture_start(&f);
    f.bin.times[1] = 0.5f;
    pelt_scene* s = fixture_load(&f, &error);
    ENSURE(s != NULL && s->clips[0].tracks[0].key_count == 1 && s->clips[0].duration == 0.5f);
    ENSURE(fixture_has_repair(s, "clip \"wave\": 2 keys were not later"));
    pelt_scene_destroy(s);
    f.bin.times[0] = NAN;
    s = fixture_load(&f, &error);
    ENSURE(s != NULL && s->clips[0].tracks[0].values[2] == 1.0f);
    pelt_scene_destroy(s);
    return 0;
}

static int rotations_are_made_unit(void)
{
    fixture f;
    pelt_error error;
    fixture_start(&f);
    f.bin.rotates[1][2] = 2.0f;
    fixture_change(&f, "\"rotation\":[0,0,0,1]", "\"rotation\":[0,0,0,3]");
    fixture_change(&f, "{\"name\":\"wave\",", "{");
    pelt_scene* s = fixture_load(&f, &error);
    ENSURE(s != NULL && s->clips[0].tracks[0].values[6] == 1.0f);
    ENSURE(s->nodes[2].rest.rotation.w == 1.0f && strcmp(s->clips[0].name, "clip_0") == 0);
    ENSURE(s->repair_count == 2);
    pelt_scene_destroy(s);
    return 0;
}

// Each next to the one before, whatever signs the file has; what a joint rotates by stays the same.
static int signs_of_rotations_do_not_jump_from_key_to_key(void)
{
    for (int side = 0; side < 4; ++side)
    {
        fixture f;
        pelt_error error;
        fixture_start(&f);
        float first = side & 1 ? -1.0f : 1.0f, second = side & 2 ? -1.0f : 1.0f;
        const float rotates[2][4] = {{0, 0, 0, first}, {0, 0, second * 0.6f, second * 0.8f}};
        memcpy(f.bin.rotates, rotates, sizeof rotates);
        pelt_scene* s = fixture_load(&f, &error);
        ENSURE(s != NULL && s->repair_count == 0);
        const float* values = s->clips[0].tracks[0].values;
        ENSURE(values[3] == first && values[6] == first * 0.6f && values[7] == first * 0.8f);
        pelt_scene_destroy(s);
    }
    return 0;
}

// The four vectors of accessor 7 as one key of in-tangent, value, out-tangent, and one too many.
static int splines_keep_their_tangents(void)
{
    fixture f;
    pelt_error error;
    fixture_start(&f);
    fixture_change(&f, "\"path\":\"rotation\"", "\"path\":\"translation\"");
    fixture_change(&f, "\"output\":6", "\"output\":7,\"interpolation\":\"CUBICSPLINE\"");
    fixture_change(&f, "\"count\":2,\"type\":\"SCALAR\"", "\"count\":1,\"type\":\"SCALAR\"");
    pelt_scene* s = fixture_load(&f, &error);
    ENSURE(s != NULL && fixture_has_repair(s, "more values than keys"));
    const pelt_track* track = &s->clips[0].tracks[0];
    ENSURE(track->interpolation == PELT_INTERPOLATION_CUBIC && track->key_count == 1);
    ENSURE(track->values[2] == 1.0f && track->values[5] == 0.0f);
    pelt_scene_destroy(s);
    return 0;
}

static int every_primitive_of_a_mesh_gets_the_weights_track(void)
{
    fixture f;
    pelt_error error;
    fixture_start(&f);
    fixture_change(&f, "\"primitives\":[",
                   "\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{}]},");
    pelt_scene* s = fixture_load(&f, &error);
    ENSURE(s != NULL && s->instance_count == 2 && strcmp(s->meshes[1].name, "skin_1") == 0);
    ENSURE(s->instances[0].skin == PELT_NONE && s->instances[1].skin == 0);
    ENSURE(s->clips[0].track_count == 3 && s->clips[0].tracks[2].target == 1);
    pelt_scene_destroy(s);
    return 0;
}

static int what_only_changes_the_looks_is_tolerated(void)
{
    pelt_error error;
    pelt_scene* s = fixture_load_changed(
        "\"scene\":0",
        "\"extensionsRequired\":[\"KHR_texture_transform\",\"KHR_materials_unlit\",\"VRM\","
        "\"KHR_mesh_quantization\"]",
        &error);
    ENSURE(s != NULL);
    pelt_scene_destroy(s);
    s = fixture_load_changed("{\"node\":2,\"path\":\"rotation\"}",
                             "{\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{"
                             "\"pointer\":\"/nodes/0/scale\"}}}",
                             &error);
    ENSURE(s != NULL && s->clips[0].track_count == 1 && fixture_has_repair(s, "pointers"));
    pelt_scene_destroy(s);
    return 0;
}

void test_gltf_scene(void);

void test_gltf_scene(void)
{
    RUN(strips_fans_and_lists_become_triangles);
    RUN(weights_are_repaired_and_the_file_says_so);
    RUN(a_mesh_of_two_skins_fits_the_smaller);
    RUN(shape_weights_of_a_node_come_first);
    RUN(children_may_precede_their_parents);
    RUN(matrices_are_exact);
    RUN(only_the_default_scene_is_shown);
    RUN(what_is_written_and_read_twice_stays_the_same);
    RUN(keys_out_of_order_are_dropped);
    RUN(rotations_are_made_unit);
    RUN(signs_of_rotations_do_not_jump_from_key_to_key);
    RUN(splines_keep_their_tangents);
    RUN(every_primitive_of_a_mesh_gets_the_weights_track);
    RUN(what_only_changes_the_looks_is_tolerated);
}
