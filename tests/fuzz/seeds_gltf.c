// SPDX-License-Identifier: MIT
#include "seeds.h"

#include "fbx_fixture.h"
#include "gltf_fixture.h"
#include "rigs.h"

#include "draco_encode.h"

#include "pelt/bounds.h"

#include <meshoptimizer.h>

static const char positions_accessor[] =
    "{\"bufferView\":0,\"byteOffset\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}";

static void write_fixture(const char* name, const fixture* f)
{
    pelt_error error = {""};
    pelt_scene* scene = fixture_load(f, &error);
    seed_require(scene != NULL, error.message);
    pelt_scene_destroy(scene);
    pelti_blob file = fixture_glb(f);
    seed_write("gltf", name, file.data, file.size);
    free(file.data);
}

// ---------------------------------------------------------------------------------------------
// The fixture with one feature each

static void write_changes(void)
{
    static const struct
    {
        const char *name, *from, *to;
    } cases[] = {
        {"plain.glb", "", ""},
        {"strip.glb", "\"mode\":4", "\"mode\":5"},
        {"fan.glb", "\"mode\":4", "\"mode\":6"},
        {"no_indices.glb", "\"indices\":3,", ""},
        {"two_sets.glb", "\"WEIGHTS_0\":2", "\"WEIGHTS_0\":2,\"JOINTS_1\":1,\"WEIGHTS_1\":2"},
        {"no_binds.glb", ",\"inverseBindMatrices\":4", ""},
        {"two_skins.glb", "\"skins\":[{",
         "\"skins\":[{\"joints\":[2,1],\"skeleton\":1,\"inverseBindMatrices\":4},{"},
        {"matrix.glb", "\"translation\":[0,1,0],\"rotation\":[0,0,0,1],\"scale\":[1,1,1]",
         "\"matrix\":[1,0,0,0,0.5,1,0,0,0,0,-1,0,0,1,0,1]"},
        {"instances.glb", "\"children\":[2]", "\"children\":[2],\"mesh\":0,\"weights\":[0.5]"},
        {"two_primitives.glb", "\"primitives\":[",
         "\"primitives\":[{\"attributes\":{\"POSITION\":7,\"NORMAL\":0,\"COLOR_0\":0},"
         "\"targets\":[{\"POSITION\":0}]},"},
        {"directions.glb", "\"POSITION\":0,",
         "\"POSITION\":0,\"NORMAL\":7,\"TANGENT\":2,\"COLOR_0\":2,"
         "\"_PELT_COR\":7,"},
        {"step.glb", "\"output\":6}", "\"output\":6,\"interpolation\":\"STEP\"}"},
        {"image.glb", "{\"uri\":\"paint.png\"}",
         "{\"uri\":\"data:image/png;base64,iVBORw0KGgo=\",\"name\":\"paint\"}"},
        {"escape.glb", "{\"uri\":\"paint.png\"}",
         "{\"uri\":\"my%20paint.png\",\"name\":\"my paint.png\"}"},
        {"webp.glb", "\"textures\":[{\"source\":0}]",
         "\"samplers\":[{\"magFilter\":9728,\"minFilter\":9985,\"wrapS\":33071,\"wrapT\":33648}],"
         "\"textures\":[{\"extensions\":{\"EXT_texture_webp\":{\"source\":0}},\"sampler\":0}]"},
        {"alpha.glb", "\"doubleSided\":true,",
         "\"alphaMode\":\"MASK\",\"alphaCutoff\":0.25,"
         "\"extensions\":{\"KHR_materials_unlit\":{}},"},
        {"required.glb", "\"scene\":0,",
         "\"scene\":0,\"extensionsUsed\":[\"KHR_mesh_quantization\"],"
         "\"extensionsRequired\":[\"KHR_mesh_quantization\"],"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        fixture f;
        fixture_start(&f);
        fixture_change(&f, cases[i].from, cases[i].to);
        write_fixture(cases[i].name, &f);
    }
}

static void write_cubic(void)
{
    fixture f;
    fixture_start(&f);
    // One key: tangent, value, tangent.
    fixture_change(&f, "\"path\":\"rotation\"", "\"path\":\"translation\"");
    fixture_change(&f, "\"output\":6", "\"output\":7,\"interpolation\":\"CUBICSPLINE\"");
    fixture_change(&f, "\"count\":2,\"type\":\"SCALAR\"", "\"count\":1,\"type\":\"SCALAR\"");
    char from[128], to[128];
    snprintf(from, sizeof from, "\"byteOffset\":%zu,\"componentType\":5126,\"count\":4",
             offsetof(fixture_bin, shape));
    snprintf(to, sizeof to, "\"byteOffset\":%zu,\"componentType\":5126,\"count\":3",
             offsetof(fixture_bin, shape));
    fixture_change(&f, from, to);
    fixture_change(&f, ",\"targets\":[{\"POSITION\":7}]", "");
    fixture_change(&f, "\"weights\":[0.25],", "");
    fixture_change(&f, ",{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"weights\"}}", "");
    write_fixture("cubic.glb", &f);
}

static void write_sparse(void)
{
    fixture f;
    char accessor[320];
    size_t spare = offsetof(fixture_bin, spare);
    fixture_start(&f);
    snprintf(accessor, sizeof accessor,
             "{\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"sparse\":{\"count\":1,"
             "\"indices\":{\"bufferView\":0,\"byteOffset\":%zu,\"componentType\":5121},"
             "\"values\":{\"bufferView\":0,\"byteOffset\":%zu}}}",
             spare, spare + 4);
    fixture_change(&f, positions_accessor, accessor);
    write_fixture("sparse.glb", &f);
}

static void write_quantized(void)
{
    fixture f;
    char view[160];
    fixture_start(&f);
    static const int16_t corners[4][4] = {{0}, {32767}, {0, 32767}, {32767, 32767, -32768}};
    memcpy(f.bin.spare, corners, sizeof corners);
    snprintf(
        view, sizeof view,
        "},{\"buffer\":0,\"byteOffset\":%zu,\"byteStride\":8,\"byteLength\":32}],\"buffers\":[",
        offsetof(fixture_bin, spare));
    fixture_change(&f, positions_accessor,
                   "{\"bufferView\":1,\"componentType\":5122,\"normalized\":true,\"count\":4,"
                   "\"type\":\"VEC3\"}");
    fixture_change(&f, "}],\"buffers\":[", view);
    write_fixture("quantized.glb", &f);
}

static void write_packed(const char* name, const char* mode)
{
    static const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
    fixture f;
    fixture_start(&f);
    uint8_t* out = f.bin.spare;
    size_t position_size = meshopt_encodeVertexBuffer(out, 128, f.bin.positions, 4, 12);
    size_t index_size = strcmp(mode, "TRIANGLES") == 0
                            ? meshopt_encodeIndexBuffer(out + 128, 128, indices, 6)
                            : meshopt_encodeIndexSequence(out + 128, 128, indices, 6);
    fixture_pack_views(&f, position_size, index_size, mode);
    write_fixture(name, &f);
}

#ifdef PELT_WITH_DRACO
static void write_draco(const char* name, bool is_edgebreaker)
{
    fixture f;
    char view[160];
    fixture_start(&f);
    const draco_source source = {.vertex_count = 4,
                                 .face_count = 2,
                                 .positions = f.bin.positions[0],
                                 .joints = f.bin.joints[0],
                                 .weights = f.bin.weights[0],
                                 .indices = f.bin.indices,
                                 .is_edgebreaker = is_edgebreaker,
                                 .quantization = 8};
    size_t size = draco_encode(f.bin.spare, sizeof f.bin.spare, &source);
    seed_require(size > 0, "no Draco data");
    snprintf(view, sizeof view,
             "},{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}],\"buffers\":[{",
             offsetof(fixture_bin, spare), size);
    fixture_change(&f, "}],\"buffers\":[{", view);
    fixture_change(&f, "\"material\":0,",
                   "\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":1,"
                   "\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}},"
                   "\"material\":0,");
    write_fixture(name, &f);
}
#endif

// ---------------------------------------------------------------------------------------------
// Scenes that pelt writes

static void save_scene(const char* name, pelt_format format, const pelt_scene* scene)
{
    pelt_error error = {""};
    pelt_result result = pelt_save_scene(seed_path("gltf", name), format, scene, &error);
    seed_require(result == PELT_OK, error.message);
}

// With centers of rotation, factors of mix and normal factors.
static void save_prepared(const char* name, const pelt_scene* scene)
{
    pelt_scene copy = *scene;
    pelt_mesh mesh = scene->meshes[0];
    const pelt_mesh* meshes[] = {&mesh};
    pelt_arena* arena = pelt_arena_create();
    pelt_vec3* cors = pelt_arena_alloc(arena, mesh.vertex_count, sizeof *cors);
    float* mixes = pelt_arena_alloc(arena, mesh.vertex_count, sizeof *mixes);
    pelt_normal_factors factors;
    pelt_normal_options options = {.max_joints = 4};
    seed_require(pelt_cor_solve(&cors, &(pelt_cor_input){1, meshes}, NULL, NULL, NULL) == PELT_OK &&
                     pelt_normal_factors_build(&factors, &mesh, cors, &options, arena, NULL) ==
                         PELT_OK,
                 "no centers or no factors");
    mesh.cors = cors;
    mesh.mix_factors = mixes;
    mesh.has_method = true;
    mesh.method = PELT_METHOD_MIX;
    mesh.normal_factors = &factors;
    copy.mesh_count = 1;
    copy.meshes = &mesh;
    save_scene(name, PELT_FORMAT_GLB, &copy);
    // Boxes, and centers and factors in UV sets.
    const pelt_deform_options crs = {.method = PELT_METHOD_CRS};
    mesh.normal_factors = NULL;
    mesh.carrier = PELT_CARRIER_TEXCOORD;
    seed_require(pelt_scene_add_bounds(&copy, &crs, NULL, arena, NULL) == PELT_OK, "no boxes");
    save_scene("carried.gltf", PELT_FORMAT_GLTF, &copy);
    pelt_arena_destroy(arena);
}

static void write_scenes(void)
{
    pelt_error error = {""};
    pelt_scene* scene = fbx_read(fbx_everything(), &error);
    seed_require(scene != NULL, error.message);
    save_scene("everything.glb", PELT_FORMAT_GLB, scene);
    save_scene("everything.gltf", PELT_FORMAT_GLTF, scene);
    pelt_scene_destroy(scene);

    seed_require(pelt_rig_build(&scene, "rig:bar?vertices=100", &error) == PELT_OK, error.message);
    save_scene("bar.glb", PELT_FORMAT_GLB, scene);
    save_prepared("prepared.glb", scene);
    pelt_scene_destroy(scene);
}

void seeds_gltf(void)
{
    write_changes();
    write_cubic();
    write_sparse();
    write_quantized();
    write_packed("meshopt.glb", "TRIANGLES");
    write_packed("meshopt_list.glb", "INDICES");
#ifdef PELT_WITH_DRACO
    write_draco("draco.glb", true);
    write_draco("draco_list.glb", false);
#endif
    write_scenes();
}
