// SPDX-License-Identifier: MIT
// Characters: files, clips, poses, deformation.
#include "pelt_python.h"

#include "pelt/ddm.h"
#include "pelt/doctor.h"
#include "pelt/prepare.h"

_Static_assert(sizeof(pelt_transform) == 10 * sizeof(float), "poses are arrays of 10 floats");
_Static_assert(sizeof(pelt_mat34) == 12 * sizeof(float), "matrices are arrays of 12 floats");

typedef pelt_python_character character;

PELT_API void pelt_python_character_destroy(character* in);
void pelt_python_character_destroy(character* in)
{
    if (in == NULL)
    {
        return;
    }
    if (in->has_frame)
    {
        pelt_frame_destroy(&in->frame);
    }
    pelt_arena_destroy(in->diagnosis_arena);
    pelt_arena_destroy(in->arena);
    pelt_source_release(&in->source);
    pelt_scene_destroy(in->loaded);
    pelt_release(in);
}

PELT_API int pelt_python_character_load(character** out, const char* path, uint32_t max_influences,
                                        pelt_error* error);
int pelt_python_character_load(character** out, const char* path, uint32_t max_influences,
                               pelt_error* error)
{
    *out = NULL;
    character* made = pelt_allocate(1, sizeof *made);
    if (made == NULL)
    {
        return (int)pelt_error_memory(error);
    }
    *made = (character){.arena = pelt_arena_create()};
    const pelt_load_options options = {.max_influences = max_influences};
    // The source refers to its path.
    const char* kept = made->arena != NULL ? pelt_arena_string(made->arena, path) : NULL;
    pelt_result result = kept != NULL
                             ? pelt_load_keep(&made->loaded, &made->source, kept, &options, error)
                             : pelt_error_memory(error);
    if (result != PELT_OK)
    {
        pelt_python_character_destroy(made);
        return (int)result;
    }
    made->scene = *made->loaded;
    *out = made;
    return PELT_OK;
}

/// Add the clips of another file. @param counts  clips and tracks added, and tracks dropped
PELT_API int pelt_python_character_add_clips(character* in, uint32_t counts[3], const char* path,
                                             const char* label, bool is_retargeted,
                                             pelt_error* error);
int pelt_python_character_add_clips(character* in, uint32_t counts[3], const char* path,
                                    const char* label, bool is_retargeted, pelt_error* error)
{
    pelt_scene* from;
    PELT_TRY(pelt_load(&from, path, NULL, error));
    pelt_add_clips_report report;
    const pelt_add_clips_options options = {.label = label, .is_relative_to_rest = is_retargeted};
    pelt_result result = pelt_scene_add_clips(&in->scene, &report, from, &options, in->arena);
    pelt_scene_destroy(from);
    if (result != PELT_OK)
    {
        return (int)pelt_error_memory(error);
    }
    counts[0] = report.clip_count;
    counts[1] = report.track_count;
    counts[2] = report.dropped_count;
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// What is in it

/// Nodes, meshes, skins, instances, clips, morph weights, repairs, losses.
PELT_API void pelt_python_character_counts(const character* in, uint32_t out[8]);
void pelt_python_character_counts(const character* in, uint32_t out[8])
{
    const pelt_scene* scene = &in->scene;
    const uint32_t counts[8] = {scene->node_count,     scene->mesh_count, scene->skin_count,
                                scene->instance_count, scene->clip_count, scene->morph_weight_count,
                                scene->repair_count,   scene->loss_count};
    for (int i = 0; i < 8; ++i)
    {
        out[i] = counts[i];
    }
}

/// Texts by index: n(ode), m(esh), s(kin), c(lip), r(epair), l(oss).
PELT_API const char* pelt_python_character_text(const character* in, char kind, uint32_t index);
const char* pelt_python_character_text(const character* in, char kind, uint32_t index)
{
    const pelt_scene* scene = &in->scene;
    switch (kind)
    {
    case 'n':
        return index < scene->node_count ? scene->nodes[index].name : NULL;
    case 'm':
        return index < scene->mesh_count ? scene->meshes[index].name : NULL;
    case 's':
        return index < scene->skin_count ? scene->skins[index].name : NULL;
    case 'c':
        return index < scene->clip_count ? scene->clips[index].name : NULL;
    case 'r':
        return index < scene->repair_count ? scene->repairs[index].message : NULL;
    case 'l':
        return index < scene->loss_count ? scene->losses[index].what : NULL;
    default:
        return NULL;
    }
}

PELT_API float pelt_python_clip_duration(const character* in, uint32_t clip);
float pelt_python_clip_duration(const character* in, uint32_t clip)
{
    return clip < in->scene.clip_count ? in->scene.clips[clip].duration : 0.0f;
}

PELT_API uint32_t pelt_python_default_clip(const character* in);
uint32_t pelt_python_default_clip(const character* in)
{
    return pelt_scene_default_clip(&in->scene);
}

PELT_API uint32_t pelt_python_node_parent(const character* in, uint32_t node);
uint32_t pelt_python_node_parent(const character* in, uint32_t node)
{
    return node < in->scene.node_count ? in->scene.nodes[node].parent : PELT_NONE;
}

/// Mesh, skin and node of an instance.
PELT_API void pelt_python_instance(const character* in, uint32_t index, uint32_t out[3]);
void pelt_python_instance(const character* in, uint32_t index, uint32_t out[3])
{
    const pelt_instance* instance = &in->scene.instances[index];
    out[0] = instance->mesh;
    out[1] = instance->skin;
    out[2] = instance->node;
}

/// Vertices, indices, joints, influences, morph targets.
PELT_API void pelt_python_mesh_counts(const character* in, uint32_t mesh, uint32_t out[5]);
void pelt_python_mesh_counts(const character* in, uint32_t mesh, uint32_t out[5])
{
    const pelt_mesh* from = &in->scene.meshes[mesh];
    out[0] = from->vertex_count;
    out[1] = from->index_count;
    out[2] = from->weights.joint_count;
    out[3] = from->weights.influence_count;
    out[4] = from->morph_count;
}

/// An array of a mesh: p(ositions), n(ormals), t(angents), u(vs), i(ndices), f(irst), w(eights),
/// c(enters), x (mix factors). @return NULL: there is none
PELT_API const void* pelt_python_mesh_array(const character* in, uint32_t mesh, char kind);
const void* pelt_python_mesh_array(const character* in, uint32_t mesh, char kind)
{
    const pelt_mesh* from = &in->scene.meshes[mesh];
    switch (kind)
    {
    case 'p':
        return from->positions;
    case 'n':
        return from->normals;
    case 't':
        return from->tangents;
    case 'u':
        return from->uvs;
    case 'i':
        return from->indices;
    case 'f':
        return from->weights.first;
    case 'w':
        return from->weights.influences;
    case 'c':
        return from->cors;
    case 'x':
        return from->mix_factors;
    default:
        return NULL;
    }
}

/// @return the number of joints; arrays of their nodes and inverse bind matrices
PELT_API uint32_t pelt_python_skin_arrays(const character* in, uint32_t skin,
                                          const uint32_t** joints, const float** inverse_binds);
uint32_t pelt_python_skin_arrays(const character* in, uint32_t skin, const uint32_t** joints,
                                 const float** inverse_binds)
{
    const pelt_skin* from = &in->scene.skins[skin];
    *joints = from->joints;
    *inverse_binds = from->joint_count > 0 ? &from->inverse_binds[0].m[0][0] : NULL;
    return from->joint_count;
}

// ---------------------------------------------------------------------------------------------
// Poses: 10 floats per node, translation, rotation x y z w and scale

pelt_pose pelt_python_pose(const pelt_python_character* in, float* locals, float* morph_weights)
{
    return (pelt_pose){.node_count = in->scene.node_count,
                       .morph_weight_count = in->scene.morph_weight_count,
                       .locals = (pelt_transform*)(void*)locals,
                       .morph_weights = morph_weights};
}

/// @param clip  PELT_NONE: the stored pose
PELT_API int pelt_python_pose_sample(const character* in, float* locals, float* morph_weights,
                                     uint32_t clip, float time, int is_loop, pelt_error* error);
int pelt_python_pose_sample(const character* in, float* locals, float* morph_weights, uint32_t clip,
                            float time, int is_loop, pelt_error* error)
{
    pelt_pose pose = pelt_python_pose(in, locals, morph_weights);
    if (clip == PELT_NONE)
    {
        pelt_pose_rest(&pose, &in->scene);
        return PELT_OK;
    }
    if (clip >= in->scene.clip_count || !(time - time == 0.0f))
    {
        return (int)pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                   "clip %u of %u at %g seconds; the clip must exist, and the time "
                                   "be finite",
                                   clip, in->scene.clip_count, (double)time);
    }
    pelt_pose_sample(&pose, &in->scene, &in->scene.clips[clip], time,
                     is_loop ? PELT_WRAP_LOOP : PELT_WRAP_CLAMP);
    return PELT_OK;
}

PELT_API void pelt_python_pose_blend(const character* in, float* out, float* out_morphs, float* a,
                                     float* a_morphs, float* b, float* b_morphs, float factor);
void pelt_python_pose_blend(const character* in, float* out, float* out_morphs, float* a,
                            float* a_morphs, float* b, float* b_morphs, float factor)
{
    pelt_pose to = pelt_python_pose(in, out, out_morphs);
    const pelt_pose from = pelt_python_pose(in, a, a_morphs),
                    next = pelt_python_pose(in, b, b_morphs);
    pelt_pose_blend(&to, &from, &next, factor);
}

/// Model-space matrices of all nodes, and those of the joints of a skin from the bind pose.
/// @param nodes   node_count * 12; may be NULL
/// @param joints  12 for each joint of the skin; may be NULL
PELT_API int pelt_python_pose_matrices(const character* in, float* locals, float* nodes,
                                       uint32_t skin, float* joints, pelt_error* error);
int pelt_python_pose_matrices(const character* in, float* locals, float* nodes, uint32_t skin,
                              float* joints, pelt_error* error)
{
    pelt_mat34* world = nodes != NULL ? (pelt_mat34*)(void*)nodes
                                      : pelt_allocate(in->scene.node_count, sizeof *world);
    if (world == NULL)
    {
        return (int)pelt_error_memory(error);
    }
    const pelt_pose pose = pelt_python_pose(in, locals, NULL);
    pelt_pose_to_model(world, &in->scene, &pose);
    for (uint32_t j = 0; joints != NULL && j < in->scene.skins[skin].joint_count; ++j)
    {
        const pelt_skin* from = &in->scene.skins[skin];
        ((pelt_mat34*)(void*)joints)[j] =
            pelt_mat34_mul(&world[from->joints[j]], &from->inverse_binds[j]);
    }
    if (nodes == NULL)
    {
        pelt_release(world);
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Prepare and deform

/// Compute centers (bit 0), normal factors (1), mix factors (2) and smoothed weights (3).
PELT_API int pelt_python_character_solve(character* in, uint32_t what, int is_all,
                                         pelt_error* error);
int pelt_python_character_solve(character* in, uint32_t what, int is_all, pelt_error* error)
{
    pelt_prepare_scope scope = is_all ? PELT_PREPARE_ALL : PELT_PREPARE_MISSING;
    if (in->has_frame)
    {
        pelt_frame_destroy(&in->frame); // It refers to what is replaced.
        in->has_frame = false;
    }
    if ((what & 1u) != 0)
    {
        PELT_TRY(pelt_scene_add_cors(&in->scene, scope, NULL, NULL, in->arena, error));
    }
    if ((what & 2u) != 0)
    {
        PELT_TRY(pelt_scene_add_normal_factors(&in->scene, scope, NULL, NULL, in->arena, error));
    }
    if ((what & 4u) != 0)
    {
        PELT_TRY(pelt_scene_add_mix_factors(&in->scene, NULL, NULL, in->arena, error));
    }
    if ((what & 8u) != 0)
    {
        PELT_TRY(pelt_scene_add_ddm(&in->scene, scope, NULL, NULL, in->arena, error));
    }
    return PELT_OK;
}

pelt_result pelt_python_update_frame(pelt_python_character* in, pelt_error* error)
{
    if (in->has_frame)
    {
        return PELT_OK;
    }
    if (pelt_frame_create(&in->frame, &in->scene) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    in->has_frame = true;
    // Without memory for it, the reference does the same, slower.
    (void)pelt_frame_prepare(&in->frame, &in->scene);
    return PELT_OK;
}

pelt_result pelt_python_check_needs(const pelt_python_character* in,
                                    const pelt_deform_options* options, pelt_error* error)
{
    PELT_TRY(pelt_deform_options_validate(options, error));
    const pelt_method_traits* traits = pelt_method_info(options->method);
    for (uint32_t i = 0; i < in->scene.mesh_count; ++i)
    {
        const pelt_mesh* mesh = &in->scene.meshes[i];
        bool is_skinned = mesh->weights.vertex_count > 0;
        if (is_skinned && traits->needs_centers && mesh->cors == NULL)
        {
            return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                  "%s needs centers of rotation, which mesh \"%s\" lacks; call "
                                  "solve(centers=True)",
                                  traits->name, mesh->name != NULL ? mesh->name : "");
        }
        if (is_skinned && traits->needs_smoothing && mesh->weights.ddm == NULL)
        {
            return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                  "%s needs smoothed weights, which mesh \"%s\" lacks; call "
                                  "solve(smoothing=True)",
                                  traits->name, mesh->name != NULL ? mesh->name : "");
        }
        if (is_skinned && options->normal_rule != PELT_NORMAL_STANDARD && mesh->normals != NULL &&
            (mesh->normal_factors == NULL || !traits->has_derivatives))
        {
            return pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                  traits->has_derivatives
                                      ? "%s normals need normal factors, which mesh \"%s\" lacks; "
                                        "call solve(normals=True)"
                                      : "there are no %s normals for %s; use normals=\"standard\"",
                                  pelt_normal_rule_name(options->normal_rule),
                                  !traits->has_derivatives ? traits->name
                                  : mesh->name != NULL     ? mesh->name
                                                           : "");
        }
    }
    return PELT_OK;
}

/// Deform all instances.
/// @param positions  one array per instance
/// @param normals    one per instance, NULL for those that are not asked for
PELT_API int pelt_python_character_deform(character* in, float* locals, float* morph_weights,
                                          float* const* positions, float* const* normals,
                                          const pelt_python_options* options, pelt_error* error);
int pelt_python_character_deform(character* in, float* locals, float* morph_weights,
                                 float* const* positions, float* const* normals,
                                 const pelt_python_options* options, pelt_error* error)
{
    const pelt_deform_options how = pelt_python_read_options(options);
    PELT_TRY(pelt_python_check_needs(in, &how, error));
    PELT_TRY(pelt_python_update_frame(in, error));
    pelt_frame* frame = &in->frame;
    for (uint32_t i = 0; i < in->scene.instance_count; ++i)
    {
        frame->surfaces[i] = (pelt_surface){.positions = (pelt_vec3*)(void*)positions[i],
                                            .normals = (pelt_vec3*)(void*)normals[i]};
    }
    const pelt_pose pose = pelt_python_pose(in, locals, morph_weights);
    pelt_frame_update(frame, &in->scene, &pose, &how);
    for (uint32_t i = 0; i < in->scene.instance_count; ++i)
    {
        frame->surfaces[i] = frame->own_surfaces[i];
    }
    return PELT_OK;
}

PELT_API int pelt_python_character_bounds(const character* in, float* locals, float* morph_weights,
                                          float out[6], pelt_error* error);
int pelt_python_character_bounds(const character* in, float* locals, float* morph_weights,
                                 float out[6], pelt_error* error)
{
    pelt_pose pose = pelt_python_pose(in, locals, morph_weights);
    pelt_bounds box;
    if (pelt_scene_bounds(&box, &in->scene, locals != NULL ? &pose : NULL) != PELT_OK)
    {
        return (int)pelt_error_memory(error);
    }
    const float values[6] = {box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z};
    for (int i = 0; i < 6; ++i)
    {
        out[i] = values[i];
    }
    return PELT_OK;
}

// ---------------------------------------------------------------------------------------------
// Save

// A new glTF file from the scene, where there is none to copy or the stored pose is another.
static pelt_result save_new(character* in, const char* path, pelt_format format, float* locals,
                            pelt_arena* arena, pelt_error* error)
{
    pelt_scene scene = in->scene;
    PELT_TRY(pelt_scene_pack(&scene, in->source.path, path, arena, error));
    if (locals != NULL)
    {
        pelt_node* nodes = pelt_arena_alloc(arena, scene.node_count, sizeof *nodes);
        if (nodes == NULL)
        {
            return pelt_error_memory(error);
        }
        for (uint32_t i = 0; i < scene.node_count; ++i)
        {
            nodes[i] = scene.nodes[i];
            nodes[i].rest = ((const pelt_transform*)(const void*)locals)[i];
            nodes[i].rest.rotation = pelt_quat_normalize(nodes[i].rest.rotation);
        }
        scene.nodes = nodes;
    }
    PELT_TRY(pelt_scene_validate(&scene, error));
    return pelt_save_scene(path, format, &scene, error);
}

/// Write .glb or .gltf. A character from a glTF file keeps everything that the file has.
/// @param locals  becomes the stored pose; NULL: that of the file
PELT_API int pelt_python_character_save(character* in, const char* path, float* locals,
                                        pelt_error* error);
int pelt_python_character_save(character* in, const char* path, float* locals, pelt_error* error)
{
    pelt_format format = pelt_format_of(path);
    if (format != PELT_FORMAT_GLB && format != PELT_FORMAT_GLTF)
    {
        return (int)pelt_error_set(error, PELT_ERROR_ARGUMENT,
                                   "%s: characters are written as .glb or .gltf", path);
    }
    bool is_gltf = in->loaded->format == PELT_FORMAT_GLB || in->loaded->format == PELT_FORMAT_GLTF;
    if (is_gltf && locals == NULL)
    {
        return (int)pelt_save_copy(path, format, &in->source, in->loaded, &in->scene, error);
    }
    pelt_arena* arena = pelt_arena_create();
    pelt_result result =
        arena != NULL ? save_new(in, path, format, locals, arena, error) : pelt_error_memory(error);
    pelt_arena_destroy(arena);
    return (int)result;
}

// ---------------------------------------------------------------------------------------------
// Doctor

/// Examine the character. @param count  findings, to be read until the next call
PELT_API int pelt_python_character_diagnose(character* in, uint32_t* count, uint32_t max_influences,
                                            pelt_error* error);
int pelt_python_character_diagnose(character* in, uint32_t* count, uint32_t max_influences,
                                   pelt_error* error)
{
    pelt_arena_destroy(in->diagnosis_arena);
    in->diagnosis_arena = pelt_arena_create();
    in->diagnosis = in->diagnosis_arena != NULL
                        ? pelt_arena_alloc(in->diagnosis_arena, 1, sizeof *in->diagnosis)
                        : NULL;
    const pelt_diagnose_options options = {.max_influences = max_influences};
    if (in->diagnosis == NULL ||
        pelt_scene_diagnose(in->diagnosis, &in->scene, &options, in->diagnosis_arena) != PELT_OK)
    {
        return (int)pelt_error_memory(error);
    }
    *count = in->diagnosis->finding_count;
    return PELT_OK;
}

/// i(d), s(everity), m(essage), a(dvice), u(nit) of a finding.
PELT_API const char* pelt_python_finding_text(const character* in, uint32_t index, char kind);
const char* pelt_python_finding_text(const character* in, uint32_t index, char kind)
{
    const pelt_finding* finding = &in->diagnosis->findings[index];
    const pelt_finding_info* info = pelt_finding_describe(finding->kind);
    switch (kind)
    {
    case 'i':
        return info->id;
    case 's':
        return pelt_severity_name(finding->severity);
    case 'm':
        return finding->message;
    case 'a':
        return info->advice;
    default:
        return finding->unit;
    }
}

/// Mesh, vertex, node, clip (-1: none), time, count, value.
PELT_API void pelt_python_finding_numbers(const character* in, uint32_t index, double out[7]);
void pelt_python_finding_numbers(const character* in, uint32_t index, double out[7])
{
    const pelt_finding* finding = &in->diagnosis->findings[index];
    const uint32_t indices[4] = {finding->mesh, finding->vertex, finding->node, finding->clip};
    for (int i = 0; i < 4; ++i)
    {
        out[i] = indices[i] == PELT_NONE ? -1.0 : (double)indices[i];
    }
    out[4] = (double)finding->time;
    out[5] = (double)finding->count;
    out[6] = finding->value;
}
