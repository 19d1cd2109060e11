// SPDX-License-Identifier: MIT
// The diagnosis of a scene: the list of findings, the table of their kinds, and repairs on load.
#include "../base/exact.h"

#include "doctor.h"

#include "../../include/pelt/doctor.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Findings

pelt_finding pelti_finding_make(pelt_finding_kind kind, pelt_severity severity)
{
    return (pelt_finding){.kind = kind,
                          .severity = severity,
                          .mesh = PELT_NONE,
                          .vertex = PELT_NONE,
                          .node = PELT_NONE,
                          .clip = PELT_NONE};
}

static bool grow(pelti_doctor* d)
{
    pelti_finding_list* list = &d->list;
    if (list->count < list->capacity)
    {
        return true;
    }
    uint32_t capacity = list->capacity > 0 ? 2 * list->capacity : 32;
    pelt_finding* items = pelt_arena_alloc(d->arena, capacity, sizeof *items);
    if (items == NULL)
    {
        return false;
    }
    if (list->count > 0)
    {
        memcpy(items, list->items, list->count * sizeof *items);
    }
    list->items = items;
    list->capacity = capacity;
    return true;
}

void pelti_finding_add(pelti_doctor* d, const pelt_finding* finding, const char* format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    const char* message = pelt_arena_string(d->arena, sentence);
    if (message == NULL || !grow(d))
    {
        d->has_failed = true;
        return;
    }
    pelt_finding* added = &d->list.items[d->list.count++];
    *added = *finding;
    added->message = message;
}

static const char* or_dash(const char* name)
{
    return name != NULL ? name : "-";
}

const char* pelti_mesh_name(const pelti_doctor* d, uint32_t mesh)
{
    return or_dash(d->scene->meshes[mesh].name);
}

const char* pelti_node_name(const pelti_doctor* d, uint32_t node)
{
    return or_dash(d->scene->nodes[node].name);
}

const char* pelti_clip_name(const pelti_doctor* d, uint32_t clip)
{
    return or_dash(d->scene->clips[clip].name);
}

const char* pelti_word(uint32_t count, const char* one, const char* many)
{
    return count == 1 ? one : many;
}

double pelti_millimeters(float meters)
{
    return 1000.0 * (double)meters;
}

pelti_digits pelti_number(double value)
{
    pelti_digits digits;
    snprintf(digits.text, sizeof digits.text, fabs(value) < 100.0 ? "%.3g" : "%.0f", value);
    return digits;
}

pelti_moment pelti_moment_describe(const pelti_doctor* d, uint32_t clip, float time)
{
    pelti_moment moment;
    if (clip == PELT_NONE)
    {
        snprintf(moment.text, sizeof moment.text, "in the stored pose");
        return moment;
    }
    snprintf(moment.text, sizeof moment.text, "in clip " PELTI_NAME " at %.2f s",
             pelti_clip_name(d, clip), (double)time);
    return moment;
}

// ---------------------------------------------------------------------------------------------
// Setting up

uint32_t* pelti_mesh_skins(const pelt_scene* scene, pelt_arena* arena)
{
    uint32_t* skins = pelt_arena_alloc(arena, scene->mesh_count, sizeof *skins);
    for (uint32_t i = 0; skins != NULL && i < scene->mesh_count; ++i)
    {
        skins[i] = PELT_NONE;
    }
    for (uint32_t i = 0; skins != NULL && i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        bool is_skinned =
            instance->skin != PELT_NONE && scene->meshes[instance->mesh].weights.vertex_count > 0;
        if (is_skinned && skins[instance->mesh] == PELT_NONE)
        {
            skins[instance->mesh] = instance->skin;
        }
    }
    return skins;
}

static bool find_used_joints(pelti_doctor* d)
{
    const pelt_scene* scene = d->scene;
    d->is_used = pelt_arena_alloc(d->scratch, scene->skin_count, sizeof *d->is_used);
    bool is_ok = d->is_used != NULL;
    for (uint32_t i = 0; i < scene->skin_count && is_ok; ++i)
    {
        d->is_used[i] =
            pelt_arena_alloc(d->scratch, scene->skins[i].joint_count, sizeof *d->is_used[i]);
        is_ok = d->is_used[i] != NULL;
    }
    // Instances of one mesh often follow each other with one skin: once is enough.
    uint32_t last_mesh = PELT_NONE, last_skin = PELT_NONE;
    for (uint32_t n = 0; n < scene->instance_count && is_ok; ++n)
    {
        const pelt_instance* instance = &scene->instances[n];
        const pelt_weights* weights = &scene->meshes[instance->mesh].weights;
        bool is_known = instance->mesh == last_mesh && instance->skin == last_skin;
        last_mesh = instance->mesh;
        last_skin = instance->skin;
        for (uint32_t i = 0; last_skin != PELT_NONE && !is_known && i < weights->influence_count;
             ++i)
        {
            d->is_used[last_skin][weights->influences[i].joint] = true;
        }
    }
    return is_ok;
}

static bool create_palettes(pelti_doctor* d)
{
    const pelt_scene* scene = d->scene;
    d->model_from_node =
        pelt_arena_alloc(d->scratch, scene->node_count, sizeof *d->model_from_node);
    d->palettes = pelt_arena_alloc(d->scratch, scene->skin_count, sizeof *d->palettes);
    bool is_ok = d->model_from_node != NULL && d->palettes != NULL &&
                 pelt_pose_create(&d->pose, scene) == PELT_OK;
    for (uint32_t i = 0; i < scene->skin_count && is_ok; ++i)
    {
        is_ok = pelt_palette_create(&d->palettes[i], scene->skins[i].joint_count) == PELT_OK;
    }
    return is_ok;
}

static void destroy_palettes(pelti_doctor* d)
{
    for (uint32_t i = 0; d->palettes != NULL && i < d->scene->skin_count; ++i)
    {
        pelt_palette_destroy(&d->palettes[i]);
    }
    pelt_pose_destroy(&d->pose);
}

void pelti_doctor_pose(pelti_doctor* d, uint32_t clip, float time)
{
    if (clip == PELT_NONE)
    {
        pelt_pose_rest(&d->pose, d->scene);
    }
    else
    {
        pelt_pose_sample(&d->pose, d->scene, &d->scene->clips[clip], time, PELT_WRAP_CLAMP);
    }
    pelt_pose_to_model(d->model_from_node, d->scene, &d->pose);
    for (uint32_t i = 0; i < d->scene->skin_count; ++i)
    {
        pelt_palette_build(&d->palettes[i], &d->scene->skins[i], d->model_from_node);
    }
}

pelt_vec3 pelti_vertex_blend(const pelt_mesh* mesh, uint32_t vertex, uint32_t limit,
                             const pelt_mat34* matrices)
{
    uint32_t first = mesh->weights.first[vertex], count = mesh->weights.first[vertex + 1] - first;
    const pelt_influence* influences = &mesh->weights.influences[first];
    pelt_vec3 sum = {0}, rest = mesh->positions[vertex];
    float total = 0.0f;
    for (uint32_t i = 0; i < count && i < limit; ++i)
    {
        pelt_vec3 there = pelt_mat34_point(&matrices[influences[i].joint], rest);
        sum = pelt_vec3_mad(sum, influences[i].weight, there);
        total += influences[i].weight;
    }
    return total > 0.0f ? pelt_vec3_scale(sum, 1.0f / total) : rest;
}

// In the stored pose: a mesh may be in any unit before skinning.
static float measure_size(pelti_doctor* d)
{
    const pelt_scene* scene = d->scene;
    pelt_bounds bounds = pelt_bounds_empty();
    pelti_doctor_pose(d, PELT_NONE, 0.0f);
    for (uint32_t i = 0; i < scene->instance_count; ++i)
    {
        const pelt_instance* instance = &scene->instances[i];
        const pelt_mesh* mesh = &scene->meshes[instance->mesh];
        bool is_skinned = instance->skin != PELT_NONE && mesh->weights.vertex_count > 0;
        for (uint32_t v = 0; v < mesh->vertex_count; ++v)
        {
            pelt_vec3 point =
                is_skinned
                    ? pelti_vertex_blend(mesh, v, PELT_NONE, d->palettes[instance->skin].matrices)
                    : pelt_mat34_point(&d->model_from_node[instance->node], mesh->positions[v]);
            pelt_bounds_add(&bounds, &point, 1);
        }
    }
    return pelt_bounds_diagonal(&bounds);
}

static pelt_diagnose_options fill_options(const pelt_diagnose_options* given)
{
    pelt_diagnose_options options = given != NULL ? *given : (pelt_diagnose_options){0};
    options.max_influences = options.max_influences > 0 ? options.max_influences : 4;
    options.rate = options.rate > 0.0f ? options.rate : 30.0f;
    options.max_samples = options.max_samples > 0 ? options.max_samples : 4096;
    return options;
}

// ---------------------------------------------------------------------------------------------

// One pass for each severity and kind: findings of the same kind keep their order.
static bool sort(pelti_doctor* d)
{
    pelti_finding_list* list = &d->list;
    pelt_finding* sorted = pelt_arena_alloc(d->arena, list->count, sizeof *sorted);
    uint32_t count = 0;
    for (int severity = PELT_SEVERITY_COUNT - 1; sorted != NULL && severity >= 0; --severity)
    {
        for (int kind = 0; kind < PELT_FINDING_KIND_COUNT; ++kind)
        {
            for (uint32_t i = 0; i < list->count; ++i)
            {
                const pelt_finding* finding = &list->items[i];
                if ((int)finding->severity == severity && (int)finding->kind == kind)
                {
                    sorted[count++] = *finding;
                }
            }
        }
    }
    list->items = sorted;
    return sorted != NULL;
}

pelt_result pelt_scene_diagnose(pelt_diagnosis* out, const pelt_scene* scene,
                                const pelt_diagnose_options* options, pelt_arena* arena)
{
    PELT_ASSERT(out != NULL && scene != NULL && arena != NULL);
    static void (*const checks[])(pelti_doctor * d) = {pelti_check_repairs, pelti_check_weights,
                                                       pelti_check_binds,   pelti_check_surfaces,
                                                       pelti_check_keys,    pelti_check_motion};
    *out = (pelt_diagnosis){0};
    pelti_doctor d = {.scene = scene,
                      .options = fill_options(options),
                      .arena = arena,
                      .scratch = pelt_arena_create()};
    d.skins = d.scratch != NULL ? pelti_mesh_skins(scene, d.scratch) : NULL;
    d.has_failed = d.skins == NULL || !find_used_joints(&d) || !create_palettes(&d);
    d.is_needed = d.has_failed ? NULL : pelti_nodes_find_needed(&d);
    d.has_failed |= d.is_needed == NULL;
    d.size = d.has_failed ? 0.0f : measure_size(&d);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && !d.has_failed; ++i)
    {
        checks[i](&d);
    }
    destroy_palettes(&d);
    pelt_arena_destroy(d.scratch);
    if (d.has_failed || !sort(&d))
    {
        return PELT_ERROR_MEMORY;
    }
    out->finding_count = d.list.count;
    out->findings = d.list.items;
    for (uint32_t i = 0; i < d.list.count; ++i)
    {
        out->counts[d.list.items[i].severity]++;
    }
    return PELT_OK;
}

// =============================================================================================
// What the reader has fixed: the file still has it, and other programs will meet it.

// Tolerance of a sum: exporters that write three decimals are off by as much with four weights.
static const double small_difference = 2e-3;

typedef struct translation
{
    pelt_finding_kind kind;
    pelt_severity severity;
} translation;

static translation translate(pelt_repair_kind kind)
{
    switch (kind)
    {
    case PELT_REPAIR_CORS_DROPPED:
    case PELT_REPAIR_NORMALS_DROPPED:
    case PELT_REPAIR_MIX_DROPPED:
    case PELT_REPAIR_BOUNDS_DROPPED:
        return (translation){PELT_FINDING_STALE_DATA, PELT_SEVERITY_WARNING};
    case PELT_REPAIR_WEIGHT_SUMS:
        return (translation){PELT_FINDING_WEIGHT_SUMS, PELT_SEVERITY_WARNING};
    case PELT_REPAIR_DUPLICATE_JOINTS:
        return (translation){PELT_FINDING_DUPLICATE_JOINTS, PELT_SEVERITY_WARNING};
    case PELT_REPAIR_NEGATIVE_WEIGHTS:
        return (translation){PELT_FINDING_NEGATIVE_WEIGHTS, PELT_SEVERITY_WARNING};
    case PELT_REPAIR_NOT_FINITE:
        return (translation){PELT_FINDING_NOT_FINITE, PELT_SEVERITY_ERROR};
    case PELT_REPAIR_JOINT_RANGE:
        return (translation){PELT_FINDING_JOINT_RANGE, PELT_SEVERITY_ERROR};
    case PELT_REPAIR_DIRECTION_LENGTH:
        return (translation){PELT_FINDING_NORMAL_LENGTH, PELT_SEVERITY_WARNING};
    case PELT_REPAIR_ROTATION_LENGTH:
        return (translation){PELT_FINDING_ROTATION_LENGTH, PELT_SEVERITY_WARNING};
    case PELT_REPAIR_KEY_ORDER:
        return (translation){PELT_FINDING_KEY_ORDER, PELT_SEVERITY_WARNING};
    case PELT_REPAIR_UNWEIGHTED:
        return (translation){PELT_FINDING_UNWEIGHTED_VERTICES, PELT_SEVERITY_WARNING};
    case PELT_REPAIR_PRUNED: // the caller asked for it
        return (translation){PELT_FINDING_KIND_COUNT, PELT_SEVERITY_NOTE};
    case PELT_REPAIR_PADDING_JOINTS:
        return (translation){PELT_FINDING_PADDING_JOINTS, PELT_SEVERITY_NOTE};
    case PELT_REPAIR_BIND_ROW:
        return (translation){PELT_FINDING_BIND_ROW, PELT_SEVERITY_NOTE};
    case PELT_REPAIR_SKELETON_ROOT:
        return (translation){PELT_FINDING_SKELETON_ROOT, PELT_SEVERITY_NOTE};
    case PELT_REPAIR_MISSING_BOUNDS:
        return (translation){PELT_FINDING_MISSING_BOUNDS, PELT_SEVERITY_NOTE};
    case PELT_REPAIR_BYTE_STRIDE:
        return (translation){PELT_FINDING_BYTE_STRIDE, PELT_SEVERITY_NOTE};
    case PELT_REPAIR_SKIN_TYPES:
        return (translation){PELT_FINDING_SKIN_TYPES, PELT_SEVERITY_NOTE};
    case PELT_REPAIR_OTHER:
        break;
    }
    return (translation){PELT_FINDING_OTHER_REPAIR, PELT_SEVERITY_NOTE};
}

void pelti_check_repairs(pelti_doctor* d)
{
    for (uint32_t i = 0; i < d->scene->repair_count; ++i)
    {
        const pelt_repair* repair = &d->scene->repairs[i];
        translation to = translate(repair->kind);
        // Where the vertex is known, the scene still has such vertices, and the message can say
        // more.
        bool is_in_scene = repair->kind == PELT_REPAIR_UNWEIGHTED && repair->mesh != PELT_NONE;
        if (to.kind == PELT_FINDING_KIND_COUNT || is_in_scene)
        {
            continue;
        }
        pelt_finding finding = pelti_finding_make(to.kind, to.severity);
        finding.count = repair->count;
        finding.mesh = repair->mesh;
        finding.clip = repair->clip;
        if (repair->kind == PELT_REPAIR_WEIGHT_SUMS)
        {
            finding.value = (double)repair->value;
            finding.unit = "sum";
            bool is_small = fabs(finding.value - 1.0) < small_difference;
            finding.severity = is_small ? PELT_SEVERITY_NOTE : finding.severity;
        }
        pelti_finding_add(d, &finding, "%s", repair->message);
    }
}

// =============================================================================================
// The words about each kind of finding, which do not depend on the character.

static const char* const severities[PELT_SEVERITY_COUNT] = {"note", "warning", "error"};

static const pelt_finding_info kinds[PELT_FINDING_KIND_COUNT] = {
    [PELT_FINDING_UNREADABLE] =
        {"unreadable", "The file cannot be loaded.",
         "Export it again; the message names the position in the file that is not valid.", false},
    [PELT_FINDING_NOT_FINITE] =
        {"not-finite", "Numbers are infinite or NaN.",
         "Look for a modifier or script that divides by zero. --fix drops such weights and sets "
         "other numbers to 0.",
         true},
    [PELT_FINDING_STALE_DATA] =
        {"stale-data", "Data that pelt has added no longer fit the mesh.",
         "Run pelt enhance again, after all other tools. --fix removes the data.", true},
    [PELT_FINDING_OTHER_REPAIR] =
        {"other-repair", "Something else was repaired on reading.",
         "Programs that do not repair it show something else. --fix writes it as pelt reads it.",
         true},
    [PELT_FINDING_MISSING_BOUNDS] = {"missing-bounds",
                                     "Positions or key times have no min and max.",
                                     "Export again with a current exporter: glTF requires them, "
                                     "and programs position cameras and "
                                     "cull by them.",
                                     false},
    [PELT_FINDING_BYTE_STRIDE] =
        {"byte-stride", "A stride is missing, misaligned or not allowed.",
         "Export again with a current exporter: glTF forbids it, and graphics interfaces refuse "
         "such buffers.",
         false},
    [PELT_FINDING_SKIN_TYPES] =
        {"skin-types", "Joints or weights have a component type that glTF does not allow.",
         "Write joints as unsigned bytes or shorts, and weights as floats or normalized unsigned "
         "bytes or shorts. --fix does.",
         true},
    [PELT_FINDING_WEIGHT_SUMS] =
        {"weight-sums", "The weights of vertices do not sum to 1.",
         "Normalize the weights in the modeling tool: programs that take them as they are scale "
         "these vertices toward or away from the origin. --fix divides them by their sum.",
         true},
    [PELT_FINDING_NEGATIVE_WEIGHTS] =
        {"negative-weights", "Weights are below zero.",
         "Paint the weights again where they are negative. --fix drops these influences.", true},
    [PELT_FINDING_JOINT_RANGE] =
        {"joint-range", "Vertices name joints that the skin does not have.",
         "Add the missing joints to the skin, or weight the vertices to others: programs read past "
         "the end of their joints here. --fix drops these influences.",
         true},
    [PELT_FINDING_PADDING_JOINTS] =
        {"padding-joints", "Influences without weight name joints that the skin does not have.",
         "Write joint 0 where the weight is 0: programs that look up the joint first read past the "
         "end of their joints. --fix does.",
         true},
    [PELT_FINDING_DUPLICATE_JOINTS] =
        {"duplicate-joints", "Vertices name a joint twice.",
         "Programs that sort or prune influences lose one of the two. --fix adds their weights.",
         true},
    [PELT_FINDING_UNWEIGHTED_VERTICES] =
        {"unweighted-vertices", "Vertices of a skinned mesh have no weights.",
         "Weight them to the nearest joint: they stay behind when the character moves.", false},
    [PELT_FINDING_MANY_INFLUENCES] =
        {"many-influences", "Vertices have more influences than many engines take.",
         "pelt takes any number. For an engine that does not, limit the influences in the modeling "
         "tool, where the worst vertices can be painted again.",
         false},
    [PELT_FINDING_SEAM_WEIGHTS] =
        {"seam-weights", "Vertices at the same position have different weights.",
         "Copy the weights across the seam, if it is one: it opens where the character bends. "
         "--fix gives all vertices at one position the weights of the first.",
         true},
    [PELT_FINDING_SIGN_ORDER] =
        {"sign-order", "Dual quaternions depend on the order of influences.",
         "Programs that take each sign by the sum so far, as Blender does, may show cracks at "
         "seams. pelt does not; elsewhere use a sign by the strongest influence.",
         false},
    [PELT_FINDING_SINGULAR_BIND] = {"singular-bind", "An inverse bind matrix flattens space.",
                                    "Bind the mesh again; look for a joint or parent with scale 0.",
                                    false},
    [PELT_FINDING_BIND_ROW] =
        {"bind-row", "The last row of an inverse bind matrix is not 0 0 0 1.",
         "Round it when exporting: glTF requires exactly these numbers, and programs that use all "
         "four rows divide by the last.",
         false},
    [PELT_FINDING_SKELETON_ROOT] =
        {"skeleton-root", "Joints have no common root, or are not below that of the skin.",
         "Put all joints below one node, and name it or none as skeleton: programs that start "
         "there miss the others.",
         false},
    [PELT_FINDING_BIND_POSE] =
        {"bind-pose", "The stored pose is not the bind pose.",
         "Often meant, as exporters store the first frame. If not, bind the mesh again: programs "
         "that take the stored pose for the bind pose show a distorted character.",
         false},
    [PELT_FINDING_UNUSED_JOINTS] =
        {"unused-joints", "Joints move nothing that is seen.",
         "Leave them out of the export to save palette entries, unless a program attaches things "
         "to them.",
         false},
    [PELT_FINDING_SCALED_JOINTS] =
        {"scaled-joints", "Joints scale relative to their bind pose.",
         "Choose a skinning method that scales, as all of pelt do; plain dual quaternions "
         "ignore it.",
         false},
    [PELT_FINDING_STRETCHED_JOINTS] =
        {"stretched-joints", "Joints scale non-uniformly or shear.",
         "Check the clip in the target engine: plain dual quaternions ignore it, and engines "
         "without shear drop what children inherit.",
         false},
    [PELT_FINDING_MIRRORED_JOINTS] =
        {"mirrored-joints", "Some joints mirror and others do not.",
         "Replace negative scale by modeled symmetry: there is no rotation between a joint and its "
         "mirror image, so vertices of both can only be blended linearly.",
         false},
    [PELT_FINDING_DEGENERATE_TRIANGLES] =
        {"degenerate-triangles", "Triangles have no area.",
         "Harmless to look at, but they have no normal and spoil what is computed from triangles. "
         "--fix removes them.",
         true},
    [PELT_FINDING_FLIPPED_NORMALS] =
        {"flipped-normals", "Normals point into the surface.",
         "Recalculate normals, or flip the triangles: lighting is wrong there. --fix negates these "
         "normals.",
         true},
    [PELT_FINDING_MISSING_NORMALS] = {"missing-normals", "A mesh has no normals.",
                                      "Export normals, unless the mesh is meant to be shaded flat.",
                                      false},
    [PELT_FINDING_NORMAL_LENGTH] =
        {"normal-length", "Normals or tangents are not of unit length.",
         "Export them again without scale: shaders that do not normalize light them wrongly. "
         "--fix normalizes them.",
         true},
    [PELT_FINDING_FLIP_RISK] =
        {"flip-risk", "Joints of a vertex are near 180 degrees apart.",
         "Add a joint between the two, or take part of the rotation over to the parent: at 180 "
         "degrees the shortest rotation between them changes direction, and the surface jumps with "
         "dqs and crs.",
         false},
    [PELT_FINDING_KEY_JUMPS] = {"key-jumps", "A key is far from its neighbors.",
                                "Look at these frames; Euler angles that wrap are a common cause.",
                                false},
    [PELT_FINDING_KEY_ORDER] =
        {"key-order", "Keys are not later than the one before.",
         "Export the clip again with one key for each frame. --fix drops the later of the two.",
         true},
    [PELT_FINDING_ROTATION_LENGTH] =
        {"rotation-length", "Rotations are not of unit length.",
         "Programs that do not normalize them scale the joint. --fix normalizes them.", true},
    [PELT_FINDING_STILL_CLIP] =
        {"still-clip", "Nothing moves in a clip.",
         "Leave it out of the export, unless it is a pose: some programs play the first clip.",
         false},
    [PELT_FINDING_BUDGET] =
        {"budget", "The character is above a budget of the project.",
         "Reduce it, or change the budget in pelt.json. pelt convert --max-influences and "
         "--simplify-keys reduce influences and keys.",
         false},
};

const char* pelt_severity_name(pelt_severity severity)
{
    PELT_ASSERT((unsigned)severity < PELT_SEVERITY_COUNT);
    return severities[severity];
}

const pelt_finding_info* pelt_finding_describe(pelt_finding_kind kind)
{
    PELT_ASSERT((unsigned)kind < PELT_FINDING_KIND_COUNT);
    return &kinds[kind];
}
