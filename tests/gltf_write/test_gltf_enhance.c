// SPDX-License-Identifier: MIT
// What a scene was prepared with goes into the user's own file, and what no longer fits out of it.
#include "factor_fixture.h"
#include "rigs.h"
#include "scene_compare.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

// A file of the user's, read and prepared.
typedef struct fixture
{
    pelt_scene* scene;
    pelt_scene better;
    pelt_source source;
    pelt_arena* arena;
} fixture;

static bool open_file(fixture* out, const char* path)
{
    *out = (fixture){.arena = pelt_arena_create()};
    if (pelt_load_keep(&out->scene, &out->source, path, NULL, NULL) != PELT_OK)
    {
        return false;
    }
    out->better = *out->scene;
    return true;
}

static bool open_rig(fixture* out, const char* rig)
{
    pelt_scene* scene = NULL;
    bool is_ok = pelt_rig_build(&scene, rig, NULL) == PELT_OK &&
                 pelt_save_scene(factor_fixture_plain, PELT_FORMAT_GLB, scene, NULL) == PELT_OK;
    pelt_scene_destroy(scene);
    return is_ok && open_file(out, factor_fixture_plain);
}

static bool prepare(fixture* f, uint32_t max_joints, uint32_t bits)
{
    const pelt_scene_normal_options options = {.max_joints = max_joints, .bits = bits};
    return pelt_scene_add_cors(&f->better, PELT_PREPARE_ALL, NULL, NULL, f->arena, NULL) ==
               PELT_OK &&
           pelt_scene_add_normal_factors(&f->better, PELT_PREPARE_ALL, &options, NULL, f->arena,
                                         NULL) == PELT_OK;
}

static bool save(const fixture* f)
{
    return pelt_save_enhanced(factor_fixture_path, &f->source, &f->better, NULL) == PELT_OK;
}

static void close_file(fixture* f)
{
    pelt_scene_destroy(f->scene);
    pelt_source_release(&f->source);
    pelt_arena_destroy(f->arena);
}

static bool has_text(const pelt_source* file, const char* text)
{
    const char* bytes = file->bytes;
    size_t length = strlen(text);
    for (size_t i = 0; i + length <= file->size; ++i)
    {
        if (memcmp(bytes + i, text, length) == 0)
        {
            return true;
        }
    }
    return false;
}

// The file that save() wrote holds the prepared scene and nothing else.
static int check_written(const fixture* f)
{
    pelt_scene* again = NULL;
    ENSURE(pelt_load(&again, factor_fixture_path, NULL, NULL) == PELT_OK);
    ENSURE(again->repair_count == 0);
    ENSURE(scene_compare(&f->better, again, SCENE_EXACT) == 0);
    pelt_scene_destroy(again);
    return 0;
}

// ---------------------------------------------------------------------------------------------

static int what_was_added_reads_back_to_the_bit(void)
{
    static const char* const rigs[] = {"rig:human?vertices=2000", "rig:arm", "rig:cloth"};
    for (uint32_t i = 0; i < 3; ++i)
    {
        fixture f;
        ENSURE(open_rig(&f, rigs[i]));
        ENSURE(prepare(&f, 4, i == 1 ? 8 : 0) && save(&f) && check_written(&f) == 0);
        ENSURE(f.better.meshes[0].cors != NULL && f.better.meshes[0].normal_factors != NULL);
        close_file(&f);
    }
    return 0;
}

static int twice_is_as_good_as_once(void)
{
    fixture first, second;
    ENSURE(open_rig(&first, "rig:arm"));
    ENSURE(prepare(&first, 4, 0) && save(&first));
    ENSURE(open_file(&second, factor_fixture_path));
    pelt_source once;
    ENSURE(pelt_source_read(&once, factor_fixture_path, NULL) == PELT_OK);
    for (int i = 0; i < 2; ++i)
    {
        // First what the file has already, then the same again, computed.
        pelt_source twice;
        ENSURE(i == 0 || prepare(&second, 4, 0));
        ENSURE(save(&second) && pelt_source_read(&twice, factor_fixture_path, NULL) == PELT_OK);
        ENSURE(twice.size == once.size && memcmp(twice.bytes, once.bytes, once.size) == 0);
        pelt_source_release(&twice);
    }
    pelt_source_release(&once);
    close_file(&first);
    close_file(&second);
    return 0;
}

static int what_a_mesh_lacks_is_removed(void)
{
    fixture f, prepared;
    ENSURE(open_rig(&f, "rig:arm"));
    ENSURE(prepare(&f, 8, 0) && save(&f));
    ENSURE(open_file(&prepared, factor_fixture_path));
    ENSURE(has_text(&prepared.source, "_PELT_COR") && has_text(&prepared.source, "pelt_cor"));
    ENSURE(has_text(&prepared.source, "_PELT_NORMAL_ALPHA_1"));

    // New centers: the factors of the old ones go.
    const pelt_cor_options wide = {.sigma = 0.5f};
    ENSURE(pelt_scene_add_cors(&prepared.better, PELT_PREPARE_ALL, &wide, NULL, prepared.arena,
                               NULL) == PELT_OK);
    pelt_source written;
    ENSURE(save(&prepared) && check_written(&prepared) == 0);
    ENSURE(pelt_source_read(&written, factor_fixture_path, NULL) == PELT_OK);
    ENSURE(has_text(&written, "_PELT_COR"));
    ENSURE(!has_text(&written, "_PELT_NORMAL") && !has_text(&written, "pelt_normals"));
    pelt_source_release(&written);

    // Centers that do not fit were left out on reading: then the file loses them too.
    prepared.better = *f.scene;
    ENSURE(save(&prepared) && check_written(&prepared) == 0);
    ENSURE(pelt_source_read(&written, factor_fixture_path, NULL) == PELT_OK);
    ENSURE(!has_text(&written, "_PELT_") && !has_text(&written, "pelt_"));
    pelt_source_release(&written);
    close_file(&prepared);
    close_file(&f);
    return 0;
}

static int mix_factors_are_written_and_never_removed(void)
{
    fixture f, mixed;
    ENSURE(open_rig(&f, "rig:arm"));
    pelt_mesh mesh = f.scene->meshes[0];
    float* factors = pelt_arena_alloc(f.arena, mesh.vertex_count, sizeof *factors);
    for (uint32_t v = 0; v < mesh.vertex_count; ++v)
    {
        factors[v] = (float)v / (float)mesh.vertex_count;
    }
    mesh.mix_factors = factors;
    f.better.meshes = &mesh;
    ENSURE(f.scene->mesh_count == 1 && save(&f) && check_written(&f) == 0);
    ENSURE(open_file(&mixed, factor_fixture_path));
    mixed.better = *f.scene;
    ENSURE(save(&mixed));
    mixed.better = f.better;
    ENSURE(check_written(&mixed) == 0);
    close_file(&mixed);
    close_file(&f);
    return 0;
}

// The bar has two joints, and a shader for 8 reads all of its lanes.
static int files_keep_as_many_slots_as_were_asked_for(void)
{
    for (int i = 0; i < 2; ++i)
    {
        fixture f, again;
        ENSURE(open_rig(&f, "rig:bar") && prepare(&f, 8, 0));
        ENSURE(f.better.meshes[0].normal_factors->max_factors == 2);
        ENSURE(i == 0 ? save(&f)
                      : pelt_save_scene(factor_fixture_path, PELT_FORMAT_GLB, &f.better, NULL) ==
                            PELT_OK);
        ENSURE(open_file(&again, factor_fixture_path));
        ENSURE(has_text(&again.source, "_PELT_NORMAL_ALPHA_1"));
        ENSURE(again.scene->meshes[0].normal_factors->slot_count == 8);
        close_file(&again);
        close_file(&f);
    }
    return 0;
}

static int scenes_of_other_files_are_refused(void)
{
    fixture f;
    pelt_error error = {0};
    ENSURE(open_rig(&f, "rig:bar") && prepare(&f, 4, 0));
    f.better.format = PELT_FORMAT_FBX;
    ENSURE(pelt_save_enhanced(factor_fixture_path, &f.source, &f.better, &error) ==
           PELT_ERROR_UNSUPPORTED);
    ENSURE(strstr(error.message, "plain.glb") != NULL && strstr(error.message, "glTF") != NULL);
    // A file in memory may have no name.
    f.source.path = NULL;
    ENSURE(pelt_save_enhanced(factor_fixture_path, &f.source, &f.better, &error) ==
           PELT_ERROR_UNSUPPORTED);
    f.better.format = PELT_FORMAT_GLB;
    ENSURE(save(&f) && check_written(&f) == 0);
    close_file(&f);
    return 0;
}

// ---------------------------------------------------------------------------------------------
// Copies of files whose scene has changed

// Other normals, one triangle less, and weights of one joint.
static bool change_mesh(fixture* f)
{
    pelt_mesh* mesh = pelt_arena_alloc(f->arena, f->scene->mesh_count, sizeof *mesh);
    const pelt_mesh* old = f->scene->meshes;
    uint32_t count = old->vertex_count;
    pelt_vec3* normals = pelt_arena_alloc(f->arena, count, sizeof *normals);
    uint32_t* indices = pelt_arena_alloc(f->arena, old->index_count, sizeof *indices);
    uint32_t* first = pelt_arena_alloc(f->arena, (size_t)count + 1, sizeof *first);
    pelt_influence* influences = pelt_arena_alloc(f->arena, count, sizeof *influences);
    if (mesh == NULL || normals == NULL || indices == NULL || first == NULL || influences == NULL)
    {
        return false;
    }
    memcpy(mesh, old, f->scene->mesh_count * sizeof *mesh);
    memcpy(indices, old->indices, old->index_count * sizeof *indices);
    for (uint32_t v = 0; v < count; ++v)
    {
        normals[v] = pelt_vec3_scale(old->normals[v], -1.0f);
        influences[v] = (pelt_influence){.joint = (uint16_t)(v % 2), .weight = 1.0f};
        first[v + 1] = v + 1;
    }
    mesh->normals = normals;
    mesh->indices = indices;
    mesh->index_count -= 3;
    mesh->weights.first = first;
    mesh->weights.influences = influences;
    mesh->weights.influence_count = count;
    mesh->weights.max_influences = 1;
    f->better.meshes = mesh;
    return true;
}

static pelt_result attempt_copy(const void* context)
{
    const fixture* f = context;
    return pelt_save_copy(factor_fixture_path, PELT_FORMAT_GLB, &f->source, f->scene, &f->better,
                          NULL);
}

// The size of a GLB file without its JSON.
static size_t data_size(const pelt_source* glb)
{
    const uint8_t* length = (const uint8_t*)glb->bytes + 12;
    return glb->size - ((size_t)length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16);
}

static int arrays_that_changed_are_written_and_old_ones_leave(void)
{
    fixture f, again;
    ENSURE(open_rig(&f, "rig:bar?vertices=500") && change_mesh(&f));
    ENSURE(attempt_copy(&f) == PELT_OK && check_written(&f) == 0);
    ENSURE(open_file(&again, factor_fixture_path));
    // Six bytes of indices less, and at most three of padding for each of four arrays more.
    ENSURE(data_size(&again.source) < data_size(&f.source) + 12);
    close_file(&again);
    close_file(&f);
    return 0;
}

static int a_file_without_changes_is_copied_byte_by_byte(void)
{
    fixture f, again;
    ENSURE(open_rig(&f, "rig:bar?vertices=500"));
    ENSURE(attempt_copy(&f) == PELT_OK);
    ENSURE(open_file(&again, factor_fixture_path));
    ENSURE(again.source.size == f.source.size);
    ENSURE(memcmp(again.source.bytes, f.source.bytes, f.source.size) == 0);
    close_file(&again);
    close_file(&f);
    return 0;
}

void test_gltf_enhance(void)
{
    RUN(factor_fixture_folder_is_made);
    RUN(what_was_added_reads_back_to_the_bit);
    RUN(twice_is_as_good_as_once);
    RUN(what_a_mesh_lacks_is_removed);
    RUN(mix_factors_are_written_and_never_removed);
    RUN(files_keep_as_many_slots_as_were_asked_for);
    RUN(scenes_of_other_files_are_refused);
    RUN(arrays_that_changed_are_written_and_old_ones_leave);
    RUN(a_file_without_changes_is_copied_byte_by_byte);
    factor_fixture_close();
}
