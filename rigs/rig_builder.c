// SPDX-License-Identifier: MIT
// Collects a rig in scratch memory and converts it to a scene. Only the content of the scene is in
// its arena; everything else, including the builder, is in the scratch arena.
#include "rig_builder.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Normals and tangents

static bool is_zero(pelt_vec3 v)
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

static bool is_same_position(pelt_vec3 a, pelt_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static uint32_t hash_position(pelt_vec3 p)
{
    // Adding zero makes -0 and 0, which compare equal, equal in their bits too.
    float values[3] = {p.x + 0.0f, p.y + 0.0f, p.z + 0.0f};
    uint32_t bits[3];
    memcpy(bits, values, sizeof(bits));

    uint32_t hash = 2166136261u; // FNV-1a by words, then the finalizer of murmur3
    for (int i = 0; i < 3; ++i)
    {
        hash = (hash ^ bits[i]) * 16777619u;
        hash ^= hash >> 15;
    }
    hash *= 0x85ebca6bu;
    return hash ^ (hash >> 13);
}

// For each vertex the first one at the same position. Open addressing, at most half full.
static uint32_t* weld_positions(const rig_mesh* mesh, pelt_arena* scratch)
{
    size_t slot_count = 16;
    while (slot_count < 2 * (size_t)mesh->vertex_count)
    {
        slot_count *= 2;
    }
    uint32_t* slots = pelt_arena_alloc(scratch, slot_count, sizeof(*slots)); // vertex + 1, or 0
    uint32_t* welded = pelt_arena_alloc(scratch, mesh->vertex_count, sizeof(*welded));
    if (slots == NULL || welded == NULL)
    {
        return NULL;
    }

    for (uint32_t vertex = 0; vertex < mesh->vertex_count; ++vertex)
    {
        pelt_vec3 position = mesh->positions[vertex];
        size_t slot = hash_position(position) & (slot_count - 1);
        while (slots[slot] != 0 && !is_same_position(mesh->positions[slots[slot] - 1], position))
        {
            slot = (slot + 1) & (slot_count - 1);
        }
        if (slots[slot] == 0)
        {
            slots[slot] = vertex + 1;
        }
        welded[vertex] = slots[slot] - 1;
    }
    return welded;
}

static bool has_zero_normal(const rig_mesh* mesh)
{
    uint32_t vertex = 0;
    while (vertex < mesh->vertex_count && !is_zero(mesh->normals[vertex]))
    {
        ++vertex;
    }
    return vertex < mesh->vertex_count;
}

static bool rig_normals_complete(rig_mesh* mesh, pelt_arena* scratch)
{
    if (!has_zero_normal(mesh))
    {
        return true;
    }
    uint32_t* welded = weld_positions(mesh, scratch);
    uint32_t* indices = pelt_arena_alloc(scratch, mesh->index_count, sizeof(*indices));
    pelt_vec3* normals = pelt_arena_alloc(scratch, mesh->vertex_count, sizeof(*normals));
    if (welded == NULL || indices == NULL || normals == NULL)
    {
        return false;
    }

    for (uint32_t i = 0; i < mesh->index_count; ++i)
    {
        indices[i] = welded[mesh->indices[i]];
    }
    pelt_normals_compute(normals, mesh->positions, mesh->vertex_count, indices, mesh->index_count);
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; ++vertex)
    {
        if (is_zero(mesh->normals[vertex]))
        {
            mesh->normals[vertex] = normals[welded[vertex]];
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Tangents

// Directions in which u grows and v shrinks.
typedef struct uv_axes
{
    pelt_vec3 right, up;
} uv_axes;

// Axes of one triangle, as long as its area; zero where the texture is squeezed to a line.
static uv_axes triangle_axes(const rig_mesh* mesh, const uint32_t* corner)
{
    const pelt_vec3* p = mesh->positions;
    const pelt_vec2* uv = mesh->uvs;
    pelt_vec3 e1 = pelt_vec3_sub(p[corner[1]], p[corner[0]]);
    pelt_vec3 e2 = pelt_vec3_sub(p[corner[2]], p[corner[0]]);
    float u1 = uv[corner[1]].x - uv[corner[0]].x, v1 = uv[corner[1]].y - uv[corner[0]].y;
    float u2 = uv[corner[2]].x - uv[corner[0]].x, v2 = uv[corner[2]].y - uv[corner[0]].y;

    float area = pelt_vec3_length(pelt_vec3_cross(e1, e2));
    float det = u1 * v2 - u2 * v1;
    float size = det > 0.0f ? area : det < 0.0f ? -area : 0.0f;
    pelt_vec3 right = pelt_vec3_mad(pelt_vec3_scale(e1, v2), -v1, e2);
    pelt_vec3 down = pelt_vec3_mad(pelt_vec3_scale(e2, u1), -u2, e1);
    return (uv_axes){pelt_vec3_scale(pelt_vec3_normalize(right), size),
                     pelt_vec3_scale(pelt_vec3_normalize(down), -size)};
}

// A unit vector across the unit vector n.
static pelt_vec3 any_across(pelt_vec3 n)
{
    pelt_vec3 axis =
        fabsf(n.x) < 0.6f ? pelt_vec3_make(1.0f, 0.0f, 0.0f) : pelt_vec3_make(0.0f, 1.0f, 0.0f);
    return pelt_vec3_normalize(pelt_vec3_mad(axis, -pelt_vec3_dot(n, axis), n));
}

static pelt_vec4 vertex_tangent(uv_axes sum, pelt_vec3 normal)
{
    // Unit length first: what is left after the projection then tells how parallel the two were.
    pelt_vec3 right = pelt_vec3_normalize(sum.right);
    pelt_vec3 across = pelt_vec3_mad(right, -pelt_vec3_dot(right, normal), normal);
    if (pelt_vec3_length(across) < 1e-3f)
    {
        across = any_across(normal);
    }
    pelt_vec3 t = pelt_vec3_normalize(across);
    float sign = pelt_vec3_dot(pelt_vec3_cross(normal, t), sum.up) < 0.0f ? -1.0f : 1.0f;
    return (pelt_vec4){t.x, t.y, t.z, sign};
}

static bool rig_tangents_compute(pelt_vec4* out, const rig_mesh* mesh, pelt_arena* scratch)
{
    uv_axes* sums = pelt_arena_alloc(scratch, mesh->vertex_count, sizeof(*sums));
    if (sums == NULL)
    {
        return false;
    }

    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3)
    {
        uv_axes axes = triangle_axes(mesh, mesh->indices + i);
        for (uint32_t c = 0; c < 3; ++c)
        {
            uv_axes* sum = &sums[mesh->indices[i + c]];
            sum->right = pelt_vec3_add(sum->right, axes.right);
            sum->up = pelt_vec3_add(sum->up, axes.up);
        }
    }
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; ++vertex)
    {
        out[vertex] = vertex_tangent(sums[vertex], mesh->normals[vertex]);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Builder

typedef struct joint_entry
{
    const char* name;
    uint32_t parent;
    pelt_vec3 position;
} joint_entry;

typedef struct mesh_entry
{
    rig_mesh mesh;
    const char* name;
    pelt_vec3 color;
    struct mesh_entry* next;
} mesh_entry;

typedef struct key_entry
{
    float time;
    float value[4];
    struct key_entry* next;
} key_entry;

typedef struct track_entry
{
    uint32_t joint;
    pelt_path path;
    uint32_t key_count;
    key_entry* first;
    key_entry* last;
    struct track_entry* next;
} track_entry;

typedef struct clip_entry
{
    const char* name;
    float duration;
    uint32_t track_count;
    track_entry* first;
    track_entry* last;
    struct clip_entry* next;
} clip_entry;

struct rig_builder
{
    pelt_arena* arena;   // becomes the scene's
    pelt_arena* scratch; // owns the builder
    const char* name;
    bool has_failed;
    uint32_t joint_count, joint_capacity, mesh_count, clip_count;
    joint_entry* joints;
    mesh_entry *first_mesh, *last_mesh;
    clip_entry *first_clip, *last_clip;
};

static bool is_usable(const rig_builder* rig)
{
    return rig != NULL && !rig->has_failed;
}

// Memory from one of the two arenas. Once an allocation failed, all later ones do.
static void* take(rig_builder* rig, pelt_arena* arena, size_t count, size_t size)
{
    void* memory = rig->has_failed ? NULL : pelt_arena_alloc(arena, count, size);
    rig->has_failed = memory == NULL;
    return memory;
}

static const char* take_string(rig_builder* rig, const char* text)
{
    const char* copy = rig->has_failed ? NULL : pelt_arena_string(rig->arena, text);
    rig->has_failed = copy == NULL;
    return copy;
}

rig_builder* rig_begin(const char* name)
{
    PELT_ASSERT(name != NULL);

    pelt_arena* arena = pelt_arena_create();
    pelt_arena* scratch = pelt_arena_create();
    rig_builder* rig = NULL;
    if (arena != NULL && scratch != NULL)
    {
        rig = pelt_arena_alloc(scratch, 1, sizeof(*rig));
    }
    if (rig == NULL)
    {
        pelt_arena_destroy(scratch);
        pelt_arena_destroy(arena);
        return NULL;
    }

    rig->arena = arena;
    rig->scratch = scratch;
    rig->name = take_string(rig, name);
    return rig;
}

// ---------------------------------------------------------------------------------------------
// Joints

// The outgrown list stays in the scratch arena: twice the final size at most.
static void reserve_joint(rig_builder* rig)
{
    if (rig->joint_count < rig->joint_capacity)
    {
        return;
    }
    uint32_t capacity = rig->joint_capacity > 0 ? 2 * rig->joint_capacity : 32;
    joint_entry* joints = take(rig, rig->scratch, capacity, sizeof(*joints));
    if (joints == NULL)
    {
        return;
    }
    if (rig->joint_count > 0)
    {
        memcpy(joints, rig->joints, rig->joint_count * sizeof(*joints));
    }
    rig->joints = joints;
    rig->joint_capacity = capacity;
}

uint32_t rig_joint(rig_builder* rig, const char* name, uint32_t parent, pelt_vec3 position)
{
    if (!is_usable(rig))
    {
        return 0;
    }
    PELT_ASSERT(parent == PELT_NONE || parent < rig->joint_count);

    joint_entry joint = {take_string(rig, name), parent, position};
    reserve_joint(rig);
    if (rig->has_failed)
    {
        return 0;
    }
    rig->joints[rig->joint_count] = joint;
    return rig->joint_count++;
}

pelt_vec3 rig_joint_position(const rig_builder* rig, uint32_t joint)
{
    if (!is_usable(rig))
    {
        return pelt_vec3_make(0.0f, 0.0f, 0.0f);
    }
    PELT_ASSERT(joint < rig->joint_count);
    return rig->joints[joint].position;
}

uint32_t rig_joint_count(const rig_builder* rig)
{
    return rig != NULL ? rig->joint_count : 0;
}

// All joints have the axes of the model at rest, so positions subtract.
static pelt_vec3 position_in_parent(const rig_builder* rig, uint32_t joint)
{
    const joint_entry* entry = &rig->joints[joint];
    if (entry->parent == PELT_NONE)
    {
        return entry->position;
    }
    return pelt_vec3_sub(entry->position, rig->joints[entry->parent].position);
}

// ---------------------------------------------------------------------------------------------
// Meshes

rig_mesh* rig_mesh_add(rig_builder* rig, const char* name, uint32_t vertex_count,
                       uint32_t index_count, uint32_t stride, pelt_vec3 color)
{
    if (!is_usable(rig))
    {
        return NULL;
    }
    PELT_ASSERT(vertex_count > 0 && index_count % 3 == 0 && stride > 0);

    size_t pull_count = (size_t)vertex_count * stride;
    mesh_entry* entry = take(rig, rig->scratch, 1, sizeof(*entry));
    rig_mesh mesh = {.vertex_count = vertex_count, .index_count = index_count, .stride = stride};
    mesh.positions = take(rig, rig->arena, vertex_count, sizeof(*mesh.positions));
    mesh.normals = take(rig, rig->arena, vertex_count, sizeof(*mesh.normals));
    mesh.uvs = take(rig, rig->arena, vertex_count, sizeof(*mesh.uvs));
    mesh.indices = take(rig, rig->arena, index_count, sizeof(*mesh.indices));
    mesh.joints = take(rig, rig->scratch, pull_count, sizeof(*mesh.joints));
    mesh.weights = take(rig, rig->scratch, pull_count, sizeof(*mesh.weights));
    const char* copy = take_string(rig, name);
    if (rig->has_failed)
    {
        return NULL;
    }

    *entry = (mesh_entry){mesh, copy, color, NULL};
    *(rig->last_mesh != NULL ? &rig->last_mesh->next : &rig->first_mesh) = entry;
    rig->last_mesh = entry;
    ++rig->mesh_count;
    return &entry->mesh;
}

// ---------------------------------------------------------------------------------------------
// Clips

void rig_clip(rig_builder* rig, const char* name, float duration)
{
    if (!is_usable(rig))
    {
        return;
    }
    clip_entry* clip = take(rig, rig->scratch, 1, sizeof(*clip));
    const char* copy = take_string(rig, name);
    if (rig->has_failed)
    {
        return;
    }
    clip->name = copy;
    clip->duration = duration;
    *(rig->last_clip != NULL ? &rig->last_clip->next : &rig->first_clip) = clip;
    rig->last_clip = clip;
    ++rig->clip_count;
}

// The track of a joint and property in the current clip, made on first use.
static track_entry* find_track(rig_builder* rig, uint32_t joint, pelt_path path)
{
    clip_entry* clip = rig->last_clip;
    for (track_entry* track = clip->first; track != NULL; track = track->next)
    {
        if (track->joint == joint && track->path == path)
        {
            return track;
        }
    }

    track_entry* track = take(rig, rig->scratch, 1, sizeof(*track));
    if (track == NULL)
    {
        return NULL;
    }
    track->joint = joint;
    track->path = path;
    *(clip->last != NULL ? &clip->last->next : &clip->first) = track;
    clip->last = track;
    ++clip->track_count;
    return track;
}

static void add_key(rig_builder* rig, uint32_t joint, pelt_path path, key_entry value)
{
    PELT_ASSERT(rig->last_clip != NULL && value.time <= rig->last_clip->duration);
    PELT_ASSERT(joint < rig->joint_count);

    track_entry* track = find_track(rig, joint, path);
    key_entry* key = take(rig, rig->scratch, 1, sizeof(*key));
    if (rig->has_failed)
    {
        return;
    }
    PELT_ASSERT(track->last == NULL || value.time > track->last->time);
    *key = value;
    *(track->last != NULL ? &track->last->next : &track->first) = key;
    track->last = key;
    ++track->key_count;
}

void rig_key_rotation(rig_builder* rig, uint32_t joint, float time, pelt_quat rotation)
{
    if (is_usable(rig))
    {
        pelt_quat q = pelt_quat_normalize(rotation);
        add_key(rig, joint, PELT_PATH_ROTATION, (key_entry){time, {q.x, q.y, q.z, q.w}, NULL});
    }
}

void rig_key_offset(rig_builder* rig, uint32_t joint, float time, pelt_vec3 offset)
{
    if (is_usable(rig))
    {
        pelt_vec3 p = pelt_vec3_add(position_in_parent(rig, joint), offset);
        add_key(rig, joint, PELT_PATH_TRANSLATION, (key_entry){time, {p.x, p.y, p.z, 0.0f}, NULL});
    }
}

void rig_key_scale(rig_builder* rig, uint32_t joint, float time, pelt_vec3 scale)
{
    if (is_usable(rig))
    {
        key_entry key = {time, {scale.x, scale.y, scale.z, 0.0f}, NULL};
        add_key(rig, joint, PELT_PATH_SCALE, key);
    }
}

// ---------------------------------------------------------------------------------------------
// The scene

static void make_skeleton(rig_builder* rig, pelt_scene* scene)
{
    uint32_t count = rig->joint_count;
    pelt_node* nodes = take(rig, rig->arena, count, sizeof(*nodes));
    pelt_skin* skin = take(rig, rig->arena, 1, sizeof(*skin));
    uint32_t* joints = take(rig, rig->arena, count, sizeof(*joints));
    pelt_mat34* inverse_binds = take(rig, rig->arena, count, sizeof(*inverse_binds));
    if (rig->has_failed)
    {
        return;
    }

    pelt_mat3 axes = pelt_mat3_identity();
    for (uint32_t joint = 0; joint < count; ++joint)
    {
        const joint_entry* entry = &rig->joints[joint];
        nodes[joint] = (pelt_node){entry->name, entry->parent, pelt_transform_identity()};
        nodes[joint].rest.translation = position_in_parent(rig, joint);
        joints[joint] = joint;
        inverse_binds[joint] = pelt_mat34_make(&axes, pelt_vec3_scale(entry->position, -1.0f));
    }
    *skin = (pelt_skin){rig->name, count, joints, inverse_binds};
    scene->node_count = count;
    scene->nodes = nodes;
    scene->skin_count = 1;
    scene->skins = skin;
}

static pelt_result make_weights(rig_builder* rig, pelt_weights* out, const rig_mesh* mesh)
{
    pelt_weights_source source = {.vertex_count = mesh->vertex_count,
                                  .joint_count = rig->joint_count,
                                  .per_vertex = mesh->stride,
                                  .joints_u32 = mesh->joints,
                                  .weights = mesh->weights};
    pelt_weights_report report = {0};
    PELT_TRY(pelt_weights_import(out, &report, &source, rig->arena));
    PELT_ASSERT(report.not_finite == 0 && report.out_of_range == 0 && report.without_weight == 0);
    return PELT_OK;
}

static pelt_result make_mesh(rig_builder* rig, pelt_mesh* out, mesh_entry* entry)
{
    rig_mesh* mesh = &entry->mesh;
    pelt_vec4* tangents = take(rig, rig->arena, mesh->vertex_count, sizeof(*tangents));
    if (tangents == NULL || !rig_normals_complete(mesh, rig->scratch))
    {
        return PELT_ERROR_MEMORY;
    }
    if (!rig_tangents_compute(tangents, mesh, rig->scratch))
    {
        return PELT_ERROR_MEMORY;
    }
    *out = (pelt_mesh){.name = entry->name,
                       .vertex_count = mesh->vertex_count,
                       .index_count = mesh->index_count,
                       .positions = mesh->positions,
                       .normals = mesh->normals,
                       .tangents = tangents,
                       .uvs = mesh->uvs,
                       .indices = mesh->indices};
    return make_weights(rig, &out->weights, mesh);
}

// Each mesh has its own material and is put into the scene once.
static pelt_result make_meshes(rig_builder* rig, pelt_scene* scene)
{
    uint32_t count = rig->mesh_count;
    pelt_mesh* meshes = take(rig, rig->arena, count, sizeof(*meshes));
    pelt_instance* instances = take(rig, rig->arena, count, sizeof(*instances));
    pelt_material* materials = take(rig, rig->arena, count, sizeof(*materials));
    if (rig->has_failed)
    {
        return PELT_ERROR_MEMORY;
    }

    uint32_t index = 0;
    for (mesh_entry* entry = rig->first_mesh; entry != NULL; entry = entry->next, ++index)
    {
        PELT_TRY(make_mesh(rig, &meshes[index], entry));
        pelt_vec4 color = {entry->color.x, entry->color.y, entry->color.z, 1.0f};
        meshes[index].material = index;
        instances[index].mesh = index;
        materials[index] = (pelt_material){.name = entry->name,
                                           .base_color = color,
                                           .roughness = 0.7f,
                                           .is_double_sided = entry->mesh.is_double_sided};
    }
    scene->mesh_count = scene->instance_count = scene->material_count = count;
    scene->meshes = meshes;
    scene->instances = instances;
    scene->materials = materials;
    return PELT_OK;
}

static void make_track(rig_builder* rig, pelt_track* out, const track_entry* entry)
{
    uint32_t width = entry->path == PELT_PATH_ROTATION ? 4 : 3;
    float* times = take(rig, rig->arena, entry->key_count, sizeof(*times));
    float* values = take(rig, rig->arena, (size_t)entry->key_count * width, sizeof(*values));
    if (rig->has_failed)
    {
        return;
    }

    size_t index = 0;
    for (const key_entry* key = entry->first; key != NULL; key = key->next, ++index)
    {
        times[index] = key->time;
        memcpy(values + index * width, key->value, width * sizeof(*values));
    }
    if (entry->path == PELT_PATH_ROTATION)
    {
        pelt_rotations_align(values, entry->key_count);
    }
    *out = (pelt_track){.target = entry->joint,
                        .path = entry->path,
                        .key_count = entry->key_count,
                        .width = width,
                        .times = times,
                        .values = values};
}

static void make_clip(rig_builder* rig, pelt_clip* out, const clip_entry* entry)
{
    pelt_track* tracks = take(rig, rig->arena, entry->track_count, sizeof(*tracks));
    pelt_track* next = tracks;
    for (const track_entry* track = entry->first; track != NULL && !rig->has_failed;
         track = track->next)
    {
        make_track(rig, next++, track);
    }
    *out = (pelt_clip){entry->name, entry->duration, entry->track_count, tracks};
}

static void make_clips(rig_builder* rig, pelt_scene* scene)
{
    pelt_clip* clips = take(rig, rig->arena, rig->clip_count, sizeof(*clips));
    pelt_clip* next = clips;
    for (const clip_entry* clip = rig->first_clip; clip != NULL && !rig->has_failed;
         clip = clip->next)
    {
        make_clip(rig, next++, clip);
    }
    scene->clip_count = rig->clip_count;
    scene->clips = clips;
}

static pelt_result make_scene(rig_builder* rig, pelt_scene** out, pelt_error* error)
{
    pelt_scene* scene = take(rig, rig->arena, 1, sizeof(*scene));
    if (scene == NULL)
    {
        return pelt_error_memory(error);
    }
    scene->name = rig->name;
    scene->arena = rig->arena;
    make_skeleton(rig, scene);
    make_clips(rig, scene);
    if (make_meshes(rig, scene) != PELT_OK)
    {
        return pelt_error_memory(error);
    }
    *out = scene;
    return pelt_scene_validate(scene, error);
}

pelt_result rig_finish(rig_builder* rig, pelt_scene** out, pelt_error* error)
{
    PELT_ASSERT(out != NULL);
    *out = NULL;
    if (rig == NULL)
    {
        return pelt_error_memory(error);
    }

    pelt_arena* arena = rig->arena;
    pelt_arena* scratch = rig->scratch;
    pelt_scene* scene = NULL;
    pelt_result result = make_scene(rig, &scene, error);
    pelt_arena_destroy(scratch);
    if (result != PELT_OK)
    {
        pelt_arena_destroy(arena);
        return result;
    }
    *out = scene;
    return PELT_OK;
}
