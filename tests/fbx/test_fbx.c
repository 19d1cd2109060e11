// SPDX-License-Identifier: MIT
// The FBX reader on small files: where models are, what they inherit, meshes and skins. Expected
// positions come from 4x4 matrices in double precision, written out as the format documents them.
#include "fbx_fixture.h"
#include "loss_check.h"

#include "pelt/io.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Matrices

typedef struct mat4
{
    double m[4][4];
} mat4;

static mat4 mul(mat4 a, mat4 b)
{
    mat4 c = {0};
    for (int i = 0; i < 4; ++i)
    {
        for (int j = 0; j < 4; ++j)
        {
            for (int k = 0; k < 4; ++k)
            {
                c.m[i][j] += a.m[i][k] * b.m[k][j];
            }
        }
    }
    return c;
}

static mat4 scaling(double x, double y, double z)
{
    return (mat4){{{x, 0, 0, 0}, {0, y, 0, 0}, {0, 0, z, 0}, {0, 0, 0, 1}}};
}

static mat4 moving(double x, double y, double z)
{
    return (mat4){{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}, {0, 0, 0, 1}}};
}

static mat4 rotating(int axis, double degrees)
{
    mat4 r = scaling(1, 1, 1);
    double angle = degrees * 3.14159265358979323846 / 180.0;
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    r.m[i][i] = r.m[j][j] = cos(angle);
    r.m[j][i] = sin(angle);
    r.m[i][j] = -sin(angle);
    return r;
}

// "XYZ": x rotates first, so its matrix is the rightmost.
static mat4 euler(const char* order, const double degrees[3])
{
    mat4 r = scaling(1, 1, 1);
    for (int i = 0; i < 3; ++i)
    {
        int axis = order[i] - 'X';
        r = mul(rotating(axis, degrees[axis]), r);
    }
    return r;
}

// Rotations and translations undo to their transpose and negative.
static mat4 unturn(mat4 r)
{
    mat4 t = scaling(1, 1, 1);
    for (int i = 0; i < 9; ++i)
    {
        t.m[i / 3][i % 3] = r.m[i % 3][i / 3];
    }
    return t;
}

static int is_matrix(const pelt_mat34* found, mat4 expected, double tolerance)
{
    for (int i = 0; i < 12; ++i)
    {
        ENSURE_NEAR(found->m[i / 4][i % 4], expected.m[i / 4][i % 4], tolerance);
    }
    return 0;
}

// The matrix of a named node at rest, or at a time of the first clip when that is not below 0.
static int node_matrix(pelt_mat34* out, const pelt_scene* scene, const char* name, float time)
{
    pelt_pose pose;
    pelt_mat34 matrices[64];
    uint32_t node = pelt_scene_find_node(scene, name);
    ENSURE(node != PELT_NONE && scene->node_count <= 64);
    ENSURE(pelt_pose_create(&pose, scene) == PELT_OK);
    if (time >= 0.0f)
    {
        ENSURE(scene->clip_count > 0);
        pelt_pose_sample(&pose, scene, &scene->clips[0], time, PELT_WRAP_CLAMP);
    }
    pelt_pose_to_model(matrices, scene, &pose);
    *out = matrices[node];
    pelt_pose_destroy(&pose);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Models and instances

// In units of 10 cm, Z up.
static const char z_up[] =
    "; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXHeaderVersion: 1003\n"
    "FBXVersion: 7400\n}\nGlobalSettings: {\nVersion: 1000\nProperties70: {\n"
    "P: \"UpAxis\", \"int\", \"Integer\", \"\",2\nP: \"FrontAxis\", \"int\", \"Integer\", \"\",1\n"
    "P: \"FrontAxisSign\", \"int\", \"Integer\", \"\",-1\n"
    "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",10\n}\n}\nObjects: {\n"
    "Model: 1, \"Model::a\", \"Null\" {\nVersion: 232\nProperties70: {\n"
    "P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",1,2,3\n}\n}\n}\n"
    "Connections: {\nC: \"OO\",1,0\n}\n";

static int file_with_z_up_is_rotated_and_scaled_to_meters(void)
{
    pelt_error error;
    pelt_scene* scene = fbx_read(z_up, &error);
    pelt_mat34 found;
    ENSURE(scene != NULL && node_matrix(&found, scene, "a", -1.0f) == 0);
    ENSURE_POINT(pelt_mat34_translation(&found), pelt_vec3_make(0.1f, 0.3f, -0.2f), 1e-6);
    pelt_scene_destroy(scene);
    return 0;
}

static int properties_come_from_the_template_of_the_class(void)
{
    pelt_error error;
    char text[4096];
    snprintf(text, sizeof text,
             "FBXHeaderExtension: {\nFBXVersion: 7500\n}\nDefinitions: {\nObjectType: \"Model\" {\n"
             "PropertyTemplate: \"FbxNode\" {\nProperties70: {\n"
             "P: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",2,3,4\n}\n}\n}\n}\n"
             "Objects: {\nModel: 1, \"Model::a\", \"Null\" {\n}\n}\n"
             "Connections: {\nC: \"OO\",1,0\n}\n");
    pelt_scene* scene = fbx_read(text, &error);
    ENSURE(scene != NULL && scene->node_count == 1);
    ENSURE_POINT(scene->nodes[0].rest.scale, pelt_vec3_make(2.0f, 3.0f, 4.0f), 0.0);
    pelt_scene_destroy(scene);
    return 0;
}

static int whole_chain_of_pivots_is_followed_in_every_order(void)
{
    static const char* const orders[] = {"XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX"};
    const double pre[3] = {10, 20, 30}, rotation[3] = {40, -50, 60}, post[3] = {-15, 25, 35};
    for (int order = 0; order < 6; ++order)
    {
        char objects[2048];
        snprintf(objects, sizeof objects,
                 "Model: 1, \"Model::a\", \"Null\" {\nProperties70: {\n"
                 "P: \"RotationActive\", \"bool\", \"\", \"\",1\n"
                 "P: \"RotationOrder\", \"enum\", \"\", \"\",%d\n"
                 "P: \"RotationOffset\", \"Vector3D\", \"\", \"\",0.1,0.2,0.3\n"
                 "P: \"RotationPivot\", \"Vector3D\", \"\", \"\",0.4,0.5,0.6\n"
                 "P: \"ScalingOffset\", \"Vector3D\", \"\", \"\",0.7,0.8,0.9\n"
                 "P: \"ScalingPivot\", \"Vector3D\", \"\", \"\",1.1,1.2,1.3\n"
                 "P: \"PreRotation\", \"Vector3D\", \"\", \"\",10,20,30\n"
                 "P: \"PostRotation\", \"Vector3D\", \"\", \"\",-15,25,35\n"
                 "P: \"Lcl Translation\", \"\", \"\", \"A\",1,2,3\n"
                 "P: \"Lcl Rotation\", \"\", \"\", \"A\",40,-50,60\n"
                 "P: \"Lcl Scaling\", \"\", \"\", \"A\",0.5,2,-3\n}\n}\n",
                 order);
        pelt_error error;
        pelt_scene* scene = fbx_read(fbx_text(objects, "C: \"OO\",1,0\n"), &error);
        mat4 expected = mul(moving(1, 2, 3), mul(moving(0.1, 0.2, 0.3), moving(0.4, 0.5, 0.6)));
        expected = mul(expected, mul(euler("XYZ", pre), euler(orders[order], rotation)));
        expected = mul(expected, mul(unturn(euler("XYZ", post)), moving(-0.4, -0.5, -0.6)));
        expected = mul(expected, mul(moving(0.7, 0.8, 0.9), moving(1.1, 1.2, 1.3)));
        expected = mul(expected, mul(scaling(0.5, 2, -3), moving(-1.1, -1.2, -1.3)));
        pelt_mat34 found;
        ENSURE(scene != NULL && node_matrix(&found, scene, "a", -1.0f) == 0);
        ENSURE(is_matrix(&found, expected, 3e-6) == 0);
        pelt_scene_destroy(scene);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// What children inherit of scale

// a scales unevenly and rotates, b is its child and scales, c is the child of b; a take lets a grow
// from (2, 3, 0.5) to (4, 3, 1) along lines or, without curves, sets it to (2, 6, 0.5).
static const char* chain_text(int inherit, bool has_curves)
{
    static char objects[4096];
    snprintf(objects, sizeof objects,
             "Model: 1, \"Model::a\", \"LimbNode\" {\nProperties70: {\n"
             "P: \"InheritType\", \"enum\", \"\", \"\",1\n"
             "P: \"Lcl Rotation\", \"\", \"\", \"A\",0,0,25\n"
             "P: \"Lcl Scaling\", \"\", \"\", \"A\",2,3,0.5\n}\n}\n"
             "Model: 2, \"Model::b\", \"LimbNode\" {\nProperties70: {\n"
             "P: \"InheritType\", \"enum\", \"\", \"\",%d\n"
             "P: \"Lcl Translation\", \"\", \"\", \"A\",1,1,2\n"
             "P: \"Lcl Rotation\", \"\", \"\", \"A\",70,0,0\n"
             "P: \"Lcl Scaling\", \"\", \"\", \"A\",1,2,1\n}\n}\n"
             "Model: 3, \"Model::c\", \"LimbNode\" {\nProperties70: {\n"
             "P: \"InheritType\", \"enum\", \"\", \"\",%d\n"
             "P: \"Lcl Translation\", \"\", \"\", \"A\",0,3,0\n"
             "P: \"Lcl Rotation\", \"\", \"\", \"A\",0,40,0\n}\n}\n"
             "AnimationStack: 4, \"AnimStack::t\", \"\" {\nProperties70: {\n"
             "P: \"LocalStop\", \"KTime\", \"Time\", \"\",46186158000\n}\n}\n"
             "AnimationLayer: 5, \"AnimLayer::\", \"\" {\n}\n"
             "AnimationCurveNode: 6, \"AnimCurveNode::S\", \"\" {\nProperties70: {\n"
             "P: \"d|Y\", \"Number\", \"\", \"A\",%d\n}\n}\n"
             "AnimationCurve: 7, \"AnimCurve::\", \"\" {\nKeyTime: *2 {\na: 0,46186158000\n}\n"
             "KeyValueFloat: *2 {\na: 2,4\n}\nKeyAttrFlags: *1 {\na: 4\n}\n"
             "KeyAttrDataFloat: *4 {\na: 0,0,0,0\n}\nKeyAttrRefCount: *1 {\na: 2\n}\n}\n"
             "AnimationCurve: 8, \"AnimCurve::\", \"\" {\nKeyTime: *2 {\na: 0,46186158000\n}\n"
             "KeyValueFloat: *2 {\na: 0.5,1\n}\nKeyAttrFlags: *1 {\na: 4\n}\n"
             "KeyAttrDataFloat: *4 {\na: 0,0,0,0\n}\nKeyAttrRefCount: *1 {\na: 2\n}\n}\n",
             inherit, inherit, has_curves ? 3 : 6);
    char connections[512];
    snprintf(connections, sizeof connections,
             "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,2\nC: \"OO\",5,4\nC: \"OO\",6,5\n"
             "C: \"OP\",6,1, \"Lcl Scaling\"\n%s",
             has_curves ? "C: \"OP\",7,6, \"d|X\"\nC: \"OP\",8,6, \"d|Z\"\n" : "");
    return fbx_text(objects, connections);
}

// Where b and c are when a scales by `s`: the parent's matrix, the translation, and then rotation
// and scale with what the rule leaves of the parent's scale between them.
static void find_chain(mat4* b, mat4* c, int inherit, const double s[3])
{
    mat4 none = scaling(1, 1, 1);
    mat4 a_scale = scaling(s[0], s[1], s[2]), b_scale = scaling(1, 2, 1);
    mat4 a_undo = scaling(1 / s[0], 1 / s[1], 1 / s[2]), b_undo = scaling(1, 0.5, 1);
    mat4 all_undo = mul(a_undo, b_undo), all = mul(a_scale, b_scale);
    mat4 a = mul(rotating(2, 25), a_scale);
    *b = mul(mul(a, moving(1, 1, 2)), inherit == 1 ? none : a_undo);
    *b = mul(mul(*b, rotating(0, 70)), inherit == 0 ? all : b_scale);
    *c = mul(mul(*b, moving(0, 3, 0)), inherit == 1 ? none : inherit == 0 ? all_undo : b_undo);
    *c = mul(mul(*c, rotating(1, 40)), inherit == 0 ? all : none);
}

static int scale_is_inherited_as_each_rule_says_at_rest_and_in_motion(void)
{
    for (int inherit = 0; inherit < 3; ++inherit)
    {
        pelt_error error;
        pelt_scene* scene = fbx_read(chain_text(inherit, true), &error);
        ENSURE(scene != NULL && scene->node_count == (inherit == 1 ? 3 : 5));
        for (int step = -1; step <= 10; ++step)
        {
            double x = step < 0 ? 0.0 : step / 10.0;
            const double s[3] = {2.0 + 2.0 * x, 3.0, 0.5 + 0.5 * x};
            float time = step < 0 ? -1.0f : (float)x;
            mat4 b, c;
            pelt_mat34 found;
            find_chain(&b, &c, inherit, s);
            ENSURE(node_matrix(&found, scene, "b", time) == 0 && is_matrix(&found, b, 1e-5) == 0);
            ENSURE(node_matrix(&found, scene, "c", time) == 0 && is_matrix(&found, c, 1e-5) == 0);
        }
        pelt_scene_destroy(scene);
    }
    return 0;
}

static int scale_that_a_take_only_sets_is_inherited_as_well(void)
{
    for (int inherit = 0; inherit < 3; ++inherit)
    {
        pelt_error error;
        pelt_scene* scene = fbx_read(chain_text(inherit, false), &error);
        const double s[3] = {2.0, 6.0, 0.5};
        mat4 b, c;
        pelt_mat34 found;
        find_chain(&b, &c, inherit, s);
        ENSURE(scene != NULL && node_matrix(&found, scene, "c", 0.5f) == 0);
        ENSURE(is_matrix(&found, c, 1e-5) == 0);
        pelt_scene_destroy(scene);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Meshes

static double area_of(const pelt_mesh* mesh)
{
    double area = 0.0;
    for (uint32_t i = 0; i < mesh->index_count; i += 3)
    {
        pelt_vec3 a = mesh->positions[mesh->indices[i]], b = mesh->positions[mesh->indices[i + 1]],
                  c = mesh->positions[mesh->indices[i + 2]];
        // Along z: a triangle the wrong way round counts against the others.
        area += 0.5 * (double)pelt_vec3_cross(pelt_vec3_sub(b, a), pelt_vec3_sub(c, a)).z;
        area += pelt_vec3_cross(pelt_vec3_sub(b, a), pelt_vec3_sub(c, a)).z < 0.0f ? 100.0 : 0.0;
    }
    return area;
}

// An arrow head of four corners whose last is hollow, and the letter E of twelve.
static int hollow_polygons_are_cut_without_overlap(void)
{
    static const struct
    {
        const char* points;
        const char* corners;
        uint32_t triangles;
        double area;
    } cases[] = {
        {"*12 {\na: 0,0,0,2,1,0,0,2,0,1,1,0\n}", "*4 {\na: 0,1,2,-4\n}", 2, 1.0},
        {"*12 {\na: 1,1,0,0,0,0,2,1,0,0,2,0\n}", "*4 {\na: 0,1,2,-4\n}", 2, 1.0},
        {"*36 {\na: 0,0,0,3,0,0,3,1,0,1,1,0,1,2,0,3,2,0,3,3,0,1,3,0,1,4,0,3,4,0,3,5,0,0,5,0\n}",
         "*12 {\na: 0,1,2,3,4,5,6,7,8,9,10,-12\n}", 10, 11.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        char objects[2048];
        pelt_error error;
        snprintf(objects, sizeof objects,
                 "Model: 1, \"Model::a\", \"Mesh\" {\n}\nGeometry: 2, \"Geometry::\", \"Mesh\" {\n"
                 "Vertices: %s\nPolygonVertexIndex: %s\n}\n",
                 cases[i].points, cases[i].corners);
        pelt_scene* scene = fbx_read(fbx_text(objects, "C: \"OO\",1,0\nC: \"OO\",2,1\n"), &error);
        ENSURE(scene != NULL && scene->mesh_count == 1 && scene->meshes[0].normals == NULL);
        ENSURE(scene->meshes[0].index_count == 3 * cases[i].triangles);
        ENSURE_NEAR(area_of(&scene->meshes[0]), cases[i].area, 1e-6);
        pelt_scene_destroy(scene);
    }
    return 0;
}

// Two triangles of four points; normals are 1 0 0 for the first and 0 1 0 for the second, or the
// same for all, in each way that a layer may say so.
static int every_mapping_of_a_layer_is_understood(void)
{
    static const struct
    {
        const char *mapping, *reference, *values, *indices;
        const char* expected; // axis of each corner
    } cases[] = {{"ByPolygonVertex", "Direct", "*18 {\na: 1,0,0,1,0,0,1,0,0,0,1,0,0,1,0,0,1,0\n}",
                  "", "xxxyyy"},
                 {"ByPolygonVertex", "IndexToDirect", "*6 {\na: 0,1,0,1,0,0\n}",
                  "NormalsIndex: *6 {\na: 1,1,1,0,0,0\n}\n", "xxxyyy"},
                 {"ByPolygon", "Direct", "*6 {\na: 1,0,0,0,1,0\n}", "", "xxxyyy"},
                 {"ByPolygon", "IndexToDirect", "*6 {\na: 0,1,0,1,0,0\n}",
                  "NormalsIndex: *2 {\na: 1,0\n}\n", "xxxyyy"},
                 {"ByVertice", "Direct", "*12 {\na: 1,0,0,0,1,0,0,0,1,1,0,0\n}", "", "xyzxzx"},
                 {"ByVertex", "IndexToDirect", "*9 {\na: 1,0,0,0,1,0,0,0,1\n}",
                  "NormalsIndex: *4 {\na: 0,1,2,0\n}\n", "xyzxzx"},
                 {"AllSame", "Direct", "*3 {\na: 0,0,1\n}", "", "zzzzzz"},
                 {"AllSame", "IndexToDirect", "*6 {\na: 1,0,0,0,0,1\n}",
                  "NormalsIndex: *1 {\na: 1\n}\n", "zzzzzz"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        char objects[2048];
        pelt_error error;
        snprintf(objects, sizeof objects,
                 "Model: 1, \"Model::a\", \"Mesh\" {\n}\nGeometry: 2, \"Geometry::\", \"Mesh\" {\n"
                 "Vertices: *12 {\na: 0,0,0,1,0,0,0,1,0,1,1,1\n}\n"
                 "PolygonVertexIndex: *6 {\na: 0,1,-3,0,2,-4\n}\nLayerElementNormal: 0 {\n"
                 "MappingInformationType: \"%s\"\nReferenceInformationType: \"%s\"\n"
                 "Normals: %s\n%s}\n}\n",
                 cases[i].mapping, cases[i].reference, cases[i].values, cases[i].indices);
        pelt_scene* scene = fbx_read(fbx_text(objects, "C: \"OO\",1,0\nC: \"OO\",2,1\n"), &error);
        ENSURE(scene != NULL && scene->mesh_count == 1 && scene->meshes[0].normals != NULL);
        const pelt_mesh* mesh = &scene->meshes[0];
        ENSURE(mesh->index_count == 6 && scene->repair_count == 0);
        for (uint32_t k = 0; k < 6; ++k)
        {
            pelt_vec3 n = mesh->normals[mesh->indices[k]];
            float along[3] = {n.x, n.y, n.z};
            ENSURE(along[cases[i].expected[k] - 'x'] == 1.0f);
        }
        pelt_scene_destroy(scene);
    }
    return 0;
}

static int materials_part_a_mesh_and_equal_corners_are_joined(void)
{
    pelt_error error;
    pelt_scene* scene = fbx_read(fbx_everything(), &error);
    ENSURE(scene != NULL && scene->mesh_count == 2 && scene->instance_count == 2);
    ENSURE(scene->skin_count == 1 && scene->material_count == 2);
    for (uint32_t i = 0; i < 2; ++i)
    {
        const pelt_mesh* mesh = &scene->meshes[i];
        ENSURE(mesh->material == i && mesh->vertex_count == 4 && mesh->index_count == 6);
        ENSURE_NEAR(mesh->uvs[0].y, i == 0 ? 1.0f : 0.5f, 0.0);
        ENSURE(mesh->weights.vertex_count == 4 && strcmp(mesh->name, "body") == 0);
    }
    ENSURE_NEAR(scene->materials[0].base_color.x, 0.5f, 1e-7);
    ENSURE_NEAR(scene->materials[0].base_color.y, 0.25f, 1e-7);
    pelt_scene_destroy(scene);
    return 0;
}

static int morph_targets_and_factors_follow_their_points(void)
{
    pelt_error error;
    pelt_scene* scene = fbx_read(fbx_everything(), &error);
    ENSURE(scene != NULL && scene->morph_weight_count == 2);
    const pelt_mesh* mesh = &scene->meshes[1];
    ENSURE(mesh->morph_count == 1 && strcmp(mesh->morphs[0].name, "smile") == 0);
    ENSURE_NEAR(mesh->morph_weights[0], 0.25f, 1e-7);
    for (uint32_t v = 0; v < 4; ++v)
    {
        pelt_vec3 p = mesh->positions[v];
        bool is_corner = p.x == 1.0f && p.y == 2.0f;
        float factor = p.y < 2.0f ? 0.0f : p.x == 0.0f ? 1.0f : 0.5f;
        ENSURE_NEAR(mesh->morphs[0].positions[v].z, is_corner ? 4.0f : 0.0f, 1e-7);
        ENSURE_NEAR(mesh->morphs[0].normals[v].x, is_corner ? 0.5f : 0.0f, 1e-7);
        ENSURE_NEAR(mesh->mix_factors[v], factor, 1e-7);
    }
    // The shape of the other mesh moves none of its points.
    ENSURE(scene->meshes[0].morphs[0].positions == NULL || scene->meshes[0].morph_count == 1);
    pelt_pose pose;
    ENSURE(pelt_pose_create(&pose, scene) == PELT_OK);
    pelt_pose_sample(&pose, scene, &scene->clips[0], 0.4f, PELT_WRAP_CLAMP);
    ENSURE_NEAR(pose.morph_weights[1], 0.4f, 1e-6);
    pelt_pose_destroy(&pose);
    pelt_scene_destroy(scene);
    return 0;
}

static bool has_repair(const pelt_scene* scene, const char* words)
{
    for (uint32_t i = 0; i < scene->repair_count; ++i)
    {
        if (strstr(scene->repairs[i].message, words) != NULL)
        {
            return true;
        }
    }
    return false;
}

static int skinning_type_is_the_method_of_every_part(void)
{
    static const struct
    {
        const char* record;
        bool has_method;
        pelt_method method;
        bool has_repair;
    } cases[] = {
        {"SkinningType: \"Linear\"", true, PELT_METHOD_LBS, false},
        {"SkinningType: \"Rigid\"", true, PELT_METHOD_LBS, false},
        {"SkinningType: \"DualQuaternion\"", true, PELT_METHOD_DQS, false},
        {"SkinningType: \"Blend\"", true, PELT_METHOD_MIX, false},
        {"SkinningType: \"Melting\"", false, PELT_METHOD_LBS, true},
        {"SkinningType: 1", false, PELT_METHOD_LBS, true},
        {"", false, PELT_METHOD_LBS, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        static const char blend[] = "SkinningType: \"Blend\"";
        static char text[65536];
        const char* whole = fbx_everything();
        const char* at = strstr(whole, blend);
        ENSURE(at != NULL);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, cases[i].record,
                 at + strlen(blend));
        pelt_error error;
        pelt_scene* scene = fbx_read(text, &error);
        ENSURE(scene != NULL && scene->mesh_count == 2);
        for (uint32_t m = 0; m < 2; ++m)
        {
            ENSURE(scene->meshes[m].has_method == cases[i].has_method);
            ENSURE(scene->meshes[m].method == cases[i].method);
            ENSURE((scene->meshes[m].mix_factors != NULL) == (cases[i].method == PELT_METHOD_MIX));
        }
        ENSURE(has_repair(scene, "SkinningType") == cases[i].has_repair);
        pelt_scene_destroy(scene);
    }
    return 0;
}

// The geometry is moved and rotated against its model, and the model moved in the scene.
static int geometric_transform_moves_the_mesh_alone(void)
{
    pelt_error error;
    pelt_scene* scene = fbx_read(
        fbx_text(
            "Model: 1, \"Model::a\", \"Mesh\" {\nProperties70: {\n"
            "P: \"GeometricTranslation\", \"\", \"\", \"\",0,5,0\n"
            "P: \"GeometricRotation\", \"\", \"\", \"\",0,0,90\n"
            "P: \"GeometricScaling\", \"\", \"\", \"\",2,1,1\n"
            "P: \"Lcl Translation\", \"\", \"\", \"A\",7,0,0\n}\n}\n"
            "Model: 3, \"Model::b\", \"Null\" {\n}\n"
            "Geometry: 2, \"Geometry::\", \"Mesh\" {\nVertices: *9 {\na: 1,0,0,0,1,0,0,0,1\n}\n"
            "PolygonVertexIndex: *3 {\na: 0,1,-3\n}\n}\n",
            "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,1\n"),
        &error);
    ENSURE(scene != NULL && scene->mesh_count == 1);
    const pelt_vec3* p = scene->meshes[0].positions;
    ENSURE_POINT(p[0], pelt_vec3_make(0.0f, 7.0f, 0.0f), 1e-6);
    ENSURE_POINT(p[1], pelt_vec3_make(-1.0f, 5.0f, 0.0f), 1e-6);
    ENSURE_POINT(p[2], pelt_vec3_make(0.0f, 5.0f, 1.0f), 1e-6);
    pelt_mat34 found;
    ENSURE(node_matrix(&found, scene, "b", -1.0f) == 0);
    ENSURE(is_matrix(&found, moving(7, 0, 0), 1e-6) == 0);
    pelt_scene_destroy(scene);
    return 0;
}

// Everything, and on top of it: a muted layer, two shapes at one percentage, another skin, an
// additive cluster without a joint that also names point 99, a spherical order, a line among the
// polygons.
static int what_cannot_be_followed_is_listed(void)
{
    static char objects[16384], connections[8192];
    const char* text = fbx_everything();
    const char* start = strstr(text, "Objects: {\n") + 11;
    const char* middle = strstr(text, "}\nConnections: {\n");
    snprintf(objects, sizeof objects,
             "%.*sAnimationLayer: 91, \"AnimLayer::more\", \"\" {\nProperties70: {\n"
             "P: \"Mute\", \"bool\", \"\", \"\",1\n}\n}\n"
             "Geometry: 92, \"Geometry::half\", \"Shape\" {\n}\n"
             "Deformer: 93, \"Deformer::\", \"Skin\" {\n}\n"
             "Deformer: 94, \"SubDeformer::\", \"Cluster\" {\nMode: \"Additive\"\n"
             "Indexes: *2 {\na: 0,99\n}\nWeights: *2 {\na: 0.5,1\n}\n}\n"
             "Model: 95, \"Model::ball\", \"Null\" {\nProperties70: {\n"
             "P: \"RotationActive\", \"bool\", \"\", \"\",1\n"
             "P: \"RotationOrder\", \"enum\", \"\", \"\",6\n}\n}\n"
             "Model: 96, \"Model::rope\", \"Mesh\" {\n}\n"
             "Geometry: 97, \"Geometry::\", \"Mesh\" {\nVertices: *9 {\na: 0,0,0,1,0,0,0,1,0\n}\n"
             "PolygonVertexIndex: *5 {\na: 0,-2,0,1,-3\n}\n}\n",
             (int)(middle - start), start);
    snprintf(connections, sizeof connections,
             "%.*sC: \"OO\",91,60\nC: \"OO\",92,41\nC: \"OO\",93,20\nC: \"OO\",94,30\n"
             "C: \"OO\",95,0\nC: \"OO\",96,0\nC: \"OO\",97,96\n",
             (int)strlen(middle + 18) - 2, middle + 18);
    pelt_error error;
    pelt_scene* scene = fbx_read(fbx_text(objects, connections), &error);
    ENSURE(scene != NULL && scene->mesh_count == 3);
    ENSURE(has_repair(scene, "clip walk: left out 1 muted layer"));
    ENSURE(has_repair(scene, "mesh body: left out 1 in-between shape"));
    ENSURE(has_repair(scene, "mesh body has 2 skins, whose weights were added"));
    ENSURE(has_repair(scene, "mesh body: 1 cluster is additive"));
    ENSURE(has_repair(scene, "mesh body: 1 cluster has no joint"));
    ENSURE(has_repair(scene, "mesh body: 1 weight was on a vertex that does not exist"));
    ENSURE(has_repair(scene, "1 node has spherical rotation order"));
    ENSURE(has_repair(scene, "mesh rope: left out 1 point, line or broken polygon"));
    pelt_scene_destroy(scene);
    return 0;
}

static bool is_refused_for_its_version(const char* text, const char* version)
{
    pelt_scene* scene;
    pelt_error error = {0};
    const pelt_source file = {.path = "folder/test.fbx", .bytes = text, .size = strlen(text)};
    return pelti_read_fbx(&scene, &file, NULL, &error) == PELT_ERROR_UNSUPPORTED &&
           strstr(error.message, "folder/test.fbx") != NULL &&
           strstr(error.message, version) != NULL;
}

// Before 7.0 arrays are lists of values whose lines begin with commas, which is no grammar of 7.
static int old_versions_are_refused_with_a_sentence(void)
{
    ENSURE(is_refused_for_its_version(
        "; FBX 6.1.0 project file\nFBXHeaderExtension: {\nFBXVersion: 6100\n}\n", "6100"));
    ENSURE(is_refused_for_its_version(
        "; FBX 6.1.0 project file\nFBXHeaderExtension: {\nFBXVersion: 6100\n}\nObjects: {\n"
        "Model: \"Model::body\", \"Mesh\" {\nVertices: 0,0,0,1,0,0\n,0,1,0\n}\n}\n",
        "6100"));
    // Without a header that can be read, the comment tells it.
    ENSURE(is_refused_for_its_version("; FBX 5.8.2 project file\nHeader\n", "5820"));
    return 0;
}

static int version_of_the_comment_serves_where_the_header_has_none(void)
{
    pelt_error error;
    pelt_scene* scene = fbx_read("; FBX 7.4.0 project file\nObjects: {\n"
                                 "Model: 1, \"Model::a\", \"Null\" {\n}\n}\n"
                                 "Connections: {\nC: \"OO\",1,0\n}\n",
                                 &error);
    ENSURE(scene != NULL && scene->node_count == 1);
    pelt_scene_destroy(scene);
    return 0;
}

static int broken_text_of_a_new_version_names_its_line(void)
{
    pelt_error error;
    ENSURE(fbx_read("; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7400\n}\n"
                    "Objects: {\nVertices: 0\n,1\n}\n",
                    &error) == NULL);
    ENSURE(strstr(error.message, "in line 7") != NULL);
    return 0;
}

void test_fbx(void)
{
    RUN(file_with_z_up_is_rotated_and_scaled_to_meters);
    RUN(properties_come_from_the_template_of_the_class);
    RUN(whole_chain_of_pivots_is_followed_in_every_order);
    RUN(scale_is_inherited_as_each_rule_says_at_rest_and_in_motion);
    RUN(scale_that_a_take_only_sets_is_inherited_as_well);
    RUN(hollow_polygons_are_cut_without_overlap);
    RUN(every_mapping_of_a_layer_is_understood);
    RUN(materials_part_a_mesh_and_equal_corners_are_joined);
    RUN(morph_targets_and_factors_follow_their_points);
    RUN(skinning_type_is_the_method_of_every_part);
    RUN(geometric_transform_moves_the_mesh_alone);
    RUN(what_cannot_be_followed_is_listed);
    RUN(old_versions_are_refused_with_a_sentence);
    RUN(version_of_the_comment_serves_where_the_header_has_none);
    RUN(broken_text_of_a_new_version_names_its_line);
}
