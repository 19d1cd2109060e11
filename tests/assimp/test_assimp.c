// SPDX-License-Identifier: MIT
// What comes through assimp: small files written here, the models of Debian's assimp-testmodels,
// and real characters.
#define _XOPEN_SOURCE 700
#include "loss_check.h"
#include "readers.h"
#include "subprocess.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------------------
// Small files

static const char quad_obj[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                               "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
                               "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n";

static int check_quad(const char* path)
{
    pelt_scene* scene;
    ENSURE(pelt_load(&scene, path, NULL, NULL) == PELT_OK);
    ENSURE(scene->mesh_count == 1 && scene->instance_count == 1 && scene->skin_count == 0);
    const pelt_mesh* mesh = &scene->meshes[0];
    ENSURE(mesh->vertex_count == 4 && mesh->index_count == 6);
    ENSURE_POINT(mesh->positions[2], pelt_vec3_make(1.0f, 1.0f, 0.0f), 0.0);
    ENSURE_NEAR(mesh->uvs[0].y, 1.0f, 0.0);
    ENSURE_NEAR(mesh->uvs[2].y, 0.0f, 0.0);
    return SUBPROCESS_GOOD;
}

// Assimp returns six corners.
static int corners_of_a_quad_are_joined_and_v_counts_downwards(void)
{
    return subprocess_with_text("quad.obj", quad_obj, check_quad);
}

static const char walk_bvh[] = "HIERARCHY\nROOT hip\n{\n  OFFSET 0 0 0\n  CHANNELS 6 Xposition "
                               "Yposition Zposition Zrotation Xrotation Yrotation\n  JOINT knee\n"
                               "  {\n    OFFSET 0 -5 0\n    CHANNELS 3 Zrotation Xrotation "
                               "Yrotation\n    End Site\n    {\n      OFFSET 0 -4 0\n    }\n  }\n"
                               "}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 9 0 0 0 0 0 0 0\n"
                               "1 9 0 0 0 0 0 90 0\n";

static int check_motion(const char* path)
{
    pelt_scene* scene;
    ENSURE(pelt_load(&scene, path, NULL, NULL) == PELT_OK);
    ENSURE(scene->mesh_count == 0 && scene->instance_count == 0 && scene->clip_count == 1);
    ENSURE_NEAR(scene->clips[0].duration, 0.5f, 1e-6);
    uint32_t knee = pelt_scene_find_node(scene, "knee");
    ENSURE(knee != PELT_NONE && scene->nodes[knee].parent == pelt_scene_find_node(scene, "hip"));
    pelt_pose pose;
    ENSURE(pelt_pose_create(&pose, scene) == PELT_OK);
    pelt_pose_sample(&pose, scene, &scene->clips[0], 0.25f, PELT_WRAP_CLAMP);
    ENSURE_POINT(pose.locals[0].translation, pelt_vec3_make(0.5f, 9.0f, 0.0f), 1e-6);
    // Half of 90 degrees about x.
    ENSURE_NEAR(pose.locals[knee].rotation.x, sinf(PELT_PI / 8.0f), 1e-6);
    return SUBPROCESS_GOOD;
}

static int motion_without_mesh_gives_nodes_and_a_clip(void)
{
    return subprocess_with_text("walk.bvh", walk_bvh, check_motion);
}

// In inches, Z up, with a shear.
static const char shear_dae[] =
    "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
    "version=\"1.4.1\"><asset><unit meter=\"0.0254\" name=\"inch\"/><up_axis>Z_UP</up_axis>"
    "</asset><library_visual_scenes><visual_scene id=\"s\" name=\"s\"><node id=\"a\" name=\"a\">"
    "<matrix>1 0.5 0 10 0 1 0 20 0 0 1 30 0 0 0 1</matrix></node></visual_scene>"
    "</library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";

static int check_shear(const char* path)
{
    pelt_scene* scene;
    ENSURE(pelt_load(&scene, path, NULL, NULL) == PELT_OK);
    uint32_t node = pelt_scene_find_node(scene, "a");
    ENSURE(node != PELT_NONE && scene->repair_count == 1);
    pelt_pose pose;
    pelt_mat34 matrices[8];
    ENSURE(scene->node_count <= 8 && pelt_pose_create(&pose, scene) == PELT_OK);
    pelt_pose_to_model(matrices, scene, &pose);
    // (0, 2, 0) of the file: sheared to (1, 2, 0), moved to (11, 22, 30) inches, Z rotated up.
    pelt_vec3 expected = pelt_vec3_scale(pelt_vec3_make(11.0f, 30.0f, -22.0f), 0.0254f);
    ENSURE_POINT(pelt_mat34_point(&matrices[node], pelt_vec3_make(0.0f, 2.0f, 0.0f)), expected,
                 1e-6);
    return SUBPROCESS_GOOD;
}

static int sheared_node_in_inches_and_z_up_is_where_it_belongs(void)
{
    return subprocess_with_text("shear.dae", shear_dae, check_shear);
}

static int content_counts_more_than_the_extension(void)
{
    return subprocess_with_text("walk.fbx", walk_bvh, check_motion) |
           subprocess_with_text("walk", walk_bvh, check_motion) |
           subprocess_with_text("shear.bvh", shear_dae, check_shear);
}

// One triangle with one morph target that lifts its corners by 1, 2 and 3, at weight 0.5, and a
// clip that takes the weight from 0.25 to 0.75 in two seconds. As glTF, which assimp reads too: its
// importer of Collada, the only allowed format with morph targets, is broken in 5.2.
static const char morph_gltf[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
    "\"nodes\":[{\"name\":\"face\",\"mesh\":0}],\"meshes\":[{\"name\":\"m\",\"weights\":[0.5],"
    "\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":1}]}]}],"
    "\"animations\":[{\"name\":\"smile\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
    "\"path\":\"weights\"}}],\"samplers\":[{\"input\":2,\"output\":3}]}],\"accessors\":["
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],"
    "\"max\":[1,1,0]},{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
    "\"min\":[0,0,1],\"max\":[0,0,3]},{\"bufferView\":2,\"componentType\":5126,\"count\":2,"
    "\"type\":\"SCALAR\",\"min\":[0],\"max\":[2]},{\"bufferView\":3,\"componentType\":5126,"
    "\"count\":2,\"type\":\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,"
    "\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":36},{\"buffer\":0,"
    "\"byteOffset\":72,\"byteLength\":8},{\"buffer\":0,\"byteOffset\":80,\"byteLength\":8}],"
    "\"buffers\":[{\"byteLength\":88,\"uri\":\"data:application/octet-stream;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAABAAAAA"
    "AAAAAAAAAEBAAAAAAAAAAEAAAIA+AABAPw==\"}]}";

static int check_shape(const char* path)
{
    pelti_blob file;
    pelt_scene* scene;
    ENSURE(pelti_blob_read(&file, path, NULL) == PELT_OK);
    const pelt_source source = {.path = path, .bytes = file.data, .size = file.size};
    ENSURE(pelti_assimp_read(&scene, &source, NULL, NULL) == PELT_OK);
    ENSURE(scene->morph_weight_count == 1 && scene->meshes[0].morph_count == 1);
    ENSURE_POINT(scene->meshes[0].morphs[0].positions[2], pelt_vec3_make(0.0f, 0.0f, 3.0f), 1e-6);
    pelt_pose pose;
    ENSURE(pelt_pose_create(&pose, scene) == PELT_OK);
    ENSURE_NEAR(pose.morph_weights[0], 0.5f, 0.0);
    ENSURE(scene->clip_count == 1 && scene->clips[0].track_count == 1);
    pelt_pose_sample(&pose, scene, &scene->clips[0], 0.5f, PELT_WRAP_CLAMP);
    ENSURE_NEAR(pose.morph_weights[0], 0.375f, 1e-6);
    return SUBPROCESS_GOOD;
}

static int morph_targets_and_their_clips_are_read(void)
{
    return subprocess_with_text("morph.gltf", morph_gltf, check_shape);
}

// Ten ticks per second; keys at ticks 10, 5 and 5.
static const char disorder_x[] =
    "xof 0303txt 0032\n"
    "AnimTicksPerSecond { 10; }\n"
    "Frame a { FrameTransformMatrix { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1;; } }\n"
    "AnimationSet s { Animation { {a} AnimationKey { 2; 3; 10; 3; 4, 0, 0;;, 5; 3; 1, 0, 0;;, 5; "
    "3; 2, 0, 0;;; } } }\n";

static int check_disorder(const char* path)
{
    pelt_scene* scene;
    ENSURE(pelt_load(&scene, path, NULL, NULL) == PELT_OK);
    ENSURE(scene->clip_count == 1 && scene->clips[0].track_count > 0);
    const pelt_track* track = &scene->clips[0].tracks[0];
    ENSURE(track->path == PELT_PATH_TRANSLATION && track->key_count == 2);
    ENSURE_NEAR(track->times[0], 0.5f, 1e-6);
    ENSURE_NEAR(track->values[0], 2.0f, 0.0);
    ENSURE_NEAR(track->times[1], 1.0f, 1e-6);
    ENSURE_NEAR(track->values[3], 4.0f, 0.0);
    ENSURE(scene->repair_count == 1);
    return SUBPROCESS_GOOD;
}

static int keys_out_of_order_are_put_in_order_and_the_last_of_equals_counts(void)
{
    return subprocess_with_text("disorder.x", disorder_x, check_disorder);
}

// The bone "ghost" has no frame, holds one vertex by half, and one not at all; the frame is moved
// by 7.
static const char ghost_x[] =
    "xof 0303txt 0032\n"
    "Frame body { FrameTransformMatrix { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 0, 0, 1;; }\n"
    "Mesh m { 3; 0; 0; 0; ,1; 0; 0; ,0; 1; 0;; 1; 3; 0, 1, 2;; XSkinMeshHeader { 1; 1; 1; }\n"
    "SkinWeights { \"ghost\"; 2; 0, 1; 1.0, 0.5; 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1;; "
    "} } }\n";

static int check_ghost(const char* path)
{
    pelt_scene* scene;
    ENSURE(pelt_load(&scene, path, NULL, NULL) == PELT_OK);
    ENSURE(pelt_scene_find_node(scene, "ghost") != PELT_NONE && scene->skin_count == 1);
    ENSURE(scene->skins[0].joint_count == 2 && scene->meshes[0].vertex_count == 3);
    // A node added, a weight rescaled, a vertex that follows the mesh.
    ENSURE(scene->repair_count == 3);
    pelt_pose pose;
    pelt_frame frame;
    ENSURE(pelt_pose_create(&pose, scene) == PELT_OK);
    ENSURE(pelt_frame_create(&frame, scene) == PELT_OK);
    pelt_frame_update(&frame, scene, &pose, &(pelt_deform_options){0});
    for (uint32_t v = 0; v < 3; ++v)
    {
        pelt_vec3 expected =
            pelt_vec3_add(scene->meshes[0].positions[v], pelt_vec3_make(7.0f, 0.0f, 0.0f));
        ENSURE_POINT(frame.surfaces[0].positions[v], expected, 1e-6);
    }
    return SUBPROCESS_GOOD;
}

static int bone_without_a_node_and_vertex_without_a_bone_stay_with_the_mesh(void)
{
    return subprocess_with_text("ghost.x", ghost_x, check_ghost);
}

static const char red_mtl[] = "newmtl red\nKd 1 0 0\n";

static int check_red(const char* path)
{
    pelt_scene* scene;
    ENSURE(pelt_load(&scene, path, NULL, NULL) == PELT_OK);
    uint32_t material = scene->meshes[0].material;
    ENSURE(material != PELT_NONE);
    pelt_vec4 color = scene->materials[material].base_color;
    return color.x == 1.0f && color.y == 0.0f && color.z == 0.0f ? SUBPROCESS_GOOD
                                                                 : SUBPROCESS_REFUSED;
}

static bool open_red(const void** bytes, size_t* size, const char* name, void* user)
{
    *bytes = red_mtl;
    *size = strlen(red_mtl);
    return strcmp(name, user) == 0;
}

// In the child as in the calling process.
static int check_given(const char* unused)
{
    char text[1024], name[] = "parts/red.mtl";
    (void)unused;
    snprintf(text, sizeof text, "mtllib %s\nusemtl red\n%s", name, quad_obj);
    const pelt_files files = {.open = open_red, .user = name};
    const pelt_source source = {"nowhere/red.obj", text, strlen(text), &files};
    static const pelt_isolation isolations[] = {PELT_ISOLATION_CHILD, PELT_ISOLATION_NONE};
    for (int i = 0; i < 2; ++i)
    {
        pelt_scene* scene;
        const pelt_load_options options = {.isolation = isolations[i]};
        ENSURE(pelt_load_memory(&scene, &source, &options, NULL) == PELT_OK);
        ENSURE(scene->format == PELT_FORMAT_ASSIMP && scene->meshes[0].material != PELT_NONE);
        ENSURE(scene->materials[scene->meshes[0].material].base_color.y == 0.0f);
        pelt_scene_destroy(scene);
    }
    return SUBPROCESS_GOOD;
}

static int files_that_a_file_names_come_from_the_caller(void)
{
    return subprocess_run(check_given, "");
}

// The material lies next to the folder "inner" and next to the first file.
static int files_that_a_file_names_are_read_below_its_folder_only(void)
{
    char inner[128], material[128], text[1024];
    snprintf(inner, sizeof inner, "%s/inner", subprocess_folder());
    snprintf(material, sizeof material, "%s/red.mtl", subprocess_folder());
    FILE* file = fopen(material, "w");
    ENSURE(file != NULL && fputs(red_mtl, file) >= 0 && fclose(file) == 0);
    ENSURE(mkdir(inner, 0700) == 0);
    snprintf(text, sizeof text, "mtllib red.mtl\nusemtl red\n%s", quad_obj);
    int same_folder = subprocess_with_text("red.obj", text, check_red);
    snprintf(text, sizeof text, "mtllib ../red.mtl\nusemtl red\n%s", quad_obj);
    int above = subprocess_with_text("inner/red.obj", text, check_red);
    snprintf(text, sizeof text, "mtllib %s\nusemtl red\n%s", material, quad_obj);
    int absolute = subprocess_with_text("inner/red.obj", text, check_red);
    remove(material);
    rmdir(inner);
    ENSURE(same_folder == SUBPROCESS_GOOD && above == SUBPROCESS_REFUSED &&
           absolute == SUBPROCESS_REFUSED);
    return 0;
}

// One case of MTL, and what becomes of it.
static struct paint_case
{
    const char* mtl;
    float alpha;
    pelt_alpha_mode mode;
    pelt_texture_wrap wrap;
    const char* loss; // or NULL
} paint;

static int check_paint(const char* path)
{
    pelt_scene* scene;
    ENSURE(pelt_load(&scene, path, NULL, NULL) == PELT_OK);
    const pelt_material* material = &scene->materials[scene->meshes[0].material];
    ENSURE(fabsf(material->base_color.w - paint.alpha) < 1e-6f);
    ENSURE(material->alpha_mode == paint.mode &&
           material->textures[0].sampler.wrap_u == paint.wrap);
    ENSURE(scene->loss_count == (paint.loss != NULL ? 1 : 0));
    ENSURE(paint.loss == NULL || is_listed_as_lost(scene, paint.loss));
    return SUBPROCESS_GOOD;
}

static int materials_of_other_formats_have_alpha_and_wrap(void)
{
    static const struct paint_case cases[] = {
        {"d 1\n", 1.0f, PELT_ALPHA_OPAQUE, PELT_TEXTURE_REPEAT, NULL},
        {"d 0.25\n", 0.25f, PELT_ALPHA_BLEND, PELT_TEXTURE_REPEAT, NULL},
        {"d 0\n", 1.0f, PELT_ALPHA_OPAQUE, PELT_TEXTURE_REPEAT, NULL},
        {"map_Kd -clamp on a.png\n", 1.0f, PELT_ALPHA_OPAQUE, PELT_TEXTURE_CLAMP, NULL},
        {"map_Kd a.png\nmap_d a.png\n", 1.0f, PELT_ALPHA_BLEND, PELT_TEXTURE_REPEAT, NULL},
        {"map_Kd a.png\nmap_d b.png\n", 1.0f, PELT_ALPHA_OPAQUE, PELT_TEXTURE_REPEAT,
         "1 texture other than color and normals"},
        {"map_Kd a.png\nbump b.png\n", 1.0f, PELT_ALPHA_OPAQUE, PELT_TEXTURE_REPEAT,
         "1 normal texture"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        char material[128], text[1024];
        paint = cases[i];
        snprintf(material, sizeof material, "%s/red.mtl", subprocess_folder());
        snprintf(text, sizeof text, "%s%s", red_mtl, paint.mtl);
        ENSURE(pelt_save_bytes(material, text, strlen(text), NULL) == PELT_OK);
        snprintf(text, sizeof text, "mtllib red.mtl\nusemtl red\n%s", quad_obj);
        int outcome = subprocess_with_text("red.obj", text, check_paint);
        remove(material);
        ENSURE(outcome == SUBPROCESS_GOOD);
    }
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Many files

static struct
{
    int good, refused, bad;
} tally;

static void count_file(const char* path)
{
    int result = subprocess_run(subprocess_load_and_deform, path);
    tally.good += result == SUBPROCESS_GOOD;
    tally.refused += result == SUBPROCESS_REFUSED;
    tally.bad += result != SUBPROCESS_GOOD && result != SUBPROCESS_REFUSED;
}

static bool has_test_models(void)
{
    return system("dpkg -L assimp-testmodels >/dev/null 2>&1") == 0;
}

// Formats that docs/files.md does not list.
static bool is_of_other_format(const char* path)
{
    static const char* const extensions[] = {".3ds", ".blend", ".lwo", ".stl", ".nff", ".off",
                                             ".ac",  ".ifc",   ".pmx", ".zae", ".raw", ".ogex"};
    const char* dot = strrchr(path, '.');
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0] && dot != NULL; ++i)
    {
        if (strcmp(dot, extensions[i]) == 0)
        {
            return true;
        }
    }
    return false;
}

// Pictures, texts and other formats lie among them: those are refused. A third of them, or all.
static int all_test_models_of_assimp_load_or_are_refused(void)
{
    FILE* list = popen("dpkg -L assimp-testmodels", "r");
    ENSURE(list != NULL);
    memset(&tally, 0, sizeof tally);
    char line[4096];
    const int step = test_is_full_sweep() ? 1 : 3;
    for (int i = 0; fgets(line, sizeof line, list) != NULL;)
    {
        line[strcspn(line, "\n")] = '\0';
        // Folders are in the list too, and files that an administrator chose to leave out.
        struct stat status;
        if (stat(line, &status) == 0 && S_ISREG(status.st_mode) && i++ % step == 0)
        {
            int loaded = tally.good;
            count_file(line);
            ENSURE(tally.good == loaded || !is_of_other_format(line));
        }
    }
    pclose(list);
    printf("  %d loaded, %d refused\n", tally.good, tally.refused);
    // Of 598 files 147 are in formats of the list and valid.
    ENSURE(tally.bad == 0 && tally.good > 140 / step);
    return 0;
}

static int visit_character(const char* path, const struct stat* status, int kind, struct FTW* base)
{
    (void)status, (void)base;
    size_t length = strlen(path);
    if (kind == FTW_F && length > 4 &&
        (strcmp(path + length - 4, ".fbx") == 0 || strcmp(path + length - 4, ".bvh") == 0))
    {
        count_file(path);
    }
    return 0;
}

static int real_characters_load_and_deform(void)
{
    memset(&tally, 0, sizeof tally);
    ENSURE(nftw(test_models_folder(), visit_character, 16, FTW_PHYS) == 0);
    ENSURE(tally.good > 10 && tally.refused == 0 && tally.bad == 0);
    return 0;
}

// ---------------------------------------------------------------------------------------------

static void run_many_files(void)
{
    RUN_ON_MODELS(real_characters_load_and_deform);
    if (has_test_models())
    {
        RUN(all_test_models_of_assimp_load_or_are_refused);
    }
    else
    {
        test_skip("all_test_models_of_assimp_load_or_are_refused",
                  "no package assimp-testmodels; install it");
    }
}

void test_assimp(void)
{
    if (subprocess_with_text("quad.obj", quad_obj, subprocess_load_and_deform) ==
        SUBPROCESS_REFUSED)
    {
        test_skip("assimp", "this build reads glTF and FBX only");
        subprocess_remove_folder();
        return;
    }
    RUN(corners_of_a_quad_are_joined_and_v_counts_downwards);
    RUN(motion_without_mesh_gives_nodes_and_a_clip);
    RUN(sheared_node_in_inches_and_z_up_is_where_it_belongs);
    RUN(content_counts_more_than_the_extension);
    RUN(morph_targets_and_their_clips_are_read);
    RUN(keys_out_of_order_are_put_in_order_and_the_last_of_equals_counts);
    RUN(bone_without_a_node_and_vertex_without_a_bone_stay_with_the_mesh);
    RUN(files_that_a_file_names_are_read_below_its_folder_only);
    RUN(files_that_a_file_names_come_from_the_caller);
    RUN(materials_of_other_formats_have_alpha_and_wrap);
    run_many_files();
    subprocess_remove_folder();
}
