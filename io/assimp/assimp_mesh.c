// SPDX-License-Identifier: MIT
// Meshes: triangles, attributes and morph targets, with the corners that a file repeats joined
// again.
#include "assimp_scene.h"

#ifdef PELT_WITH_ASSIMP

#include "../mesh/vertex_join.h"

static pelt_vec3 vec3_of(const struct aiVector3D* v)
{
    return pelt_vec3_make(v->x, v->y, v->z);
}

static bool is_finite_vec3(pelt_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static float finite_or_zero(float x)
{
    return isfinite(x) ? x : 0.0f;
}

// ---------------------------------------------------------------------------------------------
// Joining

enum
{
    BASE_ARRAYS = 6,  // positions, normals, tangents, bitangents, UVs, colors
    MORPH_ARRAYS = 2, // positions, normals
};

static void add_array(pelti_join_input* input, pelti_join_array* arrays, const void* data,
                      size_t size)
{
    if (data != NULL)
    {
        arrays[input->array_count++] = (pelti_join_array){data, size};
    }
}

static bool fits(const struct aiMesh* mesh, const struct aiAnimMesh* target)
{
    return target->mNumVertices == mesh->mNumVertices;
}

static pelt_result join_corners(pelti_assimp_kept* out, const struct aiMesh* mesh,
                                const pelti_assimp_weights* weights)
{
    const size_t size = sizeof(struct aiVector3D);
    size_t most = BASE_ARRAYS + MORPH_ARRAYS * (size_t)mesh->mNumAnimMeshes;
    pelti_join_array* arrays = pelt_allocate(most, sizeof *arrays);
    out->sources = pelt_allocate((size_t)mesh->mNumVertices + 1, sizeof *out->sources);
    out->kept = pelt_allocate((size_t)mesh->mNumVertices + 1, sizeof *out->kept);
    if (arrays == NULL || out->sources == NULL || out->kept == NULL)
    {
        pelt_release(arrays);
        return PELT_ERROR_MEMORY;
    }
    pelti_join_input input = {.vertex_count = mesh->mNumVertices,
                              .arrays = arrays,
                              .first = weights->first,
                              .joints = weights->joints,
                              .weights = weights->weights};
    add_array(&input, arrays, mesh->mVertices, size);
    add_array(&input, arrays, mesh->mNormals, size);
    add_array(&input, arrays, mesh->mTangents, size);
    add_array(&input, arrays, mesh->mBitangents, size);
    add_array(&input, arrays, mesh->mTextureCoords[0], size);
    add_array(&input, arrays, mesh->mColors[0], sizeof(struct aiColor4D));
    for (uint32_t i = 0; i < mesh->mNumAnimMeshes; ++i)
    {
        const struct aiAnimMesh* target = mesh->mAnimMeshes[i];
        if (fits(mesh, target))
        {
            add_array(&input, arrays, target->mVertices, size);
            add_array(&input, arrays, target->mNormals, size);
        }
    }
    pelt_result result = pelti_join_vertices(out->sources, out->kept, &out->count, &input);
    pelt_release(arrays);
    return result;
}

// ---------------------------------------------------------------------------------------------
// Attributes

// The input of one mesh.
typedef struct mesh_source
{
    pelti_assimp* a;
    const struct aiMesh* mesh;
    pelti_assimp_kept kept;
    pelti_assimp_weights weights;
    uint32_t bad_normals;
} mesh_source;

static void* take(const mesh_source* s, size_t size)
{
    return pelt_arena_alloc(s->a->arena, s->kept.count, size);
}

static pelt_vec3* read_positions(const mesh_source* s)
{
    pelt_vec3* out = take(s, sizeof *out);
    for (uint32_t v = 0; v < s->kept.count && out != NULL; ++v)
    {
        out[v] = vec3_of(&s->mesh->mVertices[s->kept.sources[v]]);
    }
    return out;
}

// Some importers mark a missing normal by NaN or zero.
static pelt_vec3* read_normals(mesh_source* s)
{
    pelt_vec3* out = take(s, sizeof *out);
    for (uint32_t v = 0; v < s->kept.count && out != NULL; ++v)
    {
        pelt_vec3 n = vec3_of(&s->mesh->mNormals[s->kept.sources[v]]);
        n = is_finite_vec3(n) ? pelt_vec3_normalize(n) : pelt_vec3_make(0.0f, 0.0f, 0.0f);
        bool is_good = n.x != 0.0f || n.y != 0.0f || n.z != 0.0f;
        s->bad_normals += !is_good;
        out[v] = is_good ? n : pelt_vec3_make(0.0f, 1.0f, 0.0f);
    }
    return out;
}

static pelt_vec4* read_tangents(const mesh_source* s, const pelt_vec3* normals)
{
    pelt_vec4* out = take(s, sizeof *out);
    for (uint32_t v = 0; v < s->kept.count && out != NULL; ++v)
    {
        pelt_vec3 t = vec3_of(&s->mesh->mTangents[s->kept.sources[v]]);
        pelt_vec3 b = vec3_of(&s->mesh->mBitangents[s->kept.sources[v]]);
        t = is_finite_vec3(t) ? pelt_vec3_normalize(t) : pelt_vec3_make(0.0f, 0.0f, 0.0f);
        if (t.x == 0.0f && t.y == 0.0f && t.z == 0.0f)
        {
            t = pelt_vec3_make(1.0f, 0.0f, 0.0f);
        }
        float handedness = pelt_vec3_dot(pelt_vec3_cross(normals[v], t), b);
        out[v] = (pelt_vec4){t.x, t.y, t.z, handedness < 0.0f ? -1.0f : 1.0f};
    }
    return out;
}

// Assimp counts v from the lower edge, pelt from the upper.
static pelt_vec2* read_uvs(const mesh_source* s)
{
    pelt_vec2* out = take(s, sizeof *out);
    for (uint32_t v = 0; v < s->kept.count && out != NULL; ++v)
    {
        const struct aiVector3D* uv = &s->mesh->mTextureCoords[0][s->kept.sources[v]];
        out[v] = (pelt_vec2){finite_or_zero(uv->x), 1.0f - finite_or_zero(uv->y)};
    }
    return out;
}

static pelt_vec4* read_colors(const mesh_source* s)
{
    pelt_vec4* out = take(s, sizeof *out);
    for (uint32_t v = 0; v < s->kept.count && out != NULL; ++v)
    {
        const struct aiColor4D* c = &s->mesh->mColors[0][s->kept.sources[v]];
        out[v] = (pelt_vec4){finite_or_zero(c->r), finite_or_zero(c->g), finite_or_zero(c->b),
                             finite_or_zero(c->a)};
    }
    return out;
}

static pelt_result read_attributes(mesh_source* s, pelt_mesh* out)
{
    const struct aiMesh* mesh = s->mesh;
    bool has_normals = mesh->mNormals != NULL;
    bool has_tangents = has_normals && mesh->mTangents != NULL && mesh->mBitangents != NULL;
    bool has_uvs = mesh->mTextureCoords[0] != NULL, has_colors = mesh->mColors[0] != NULL;
    out->vertex_count = s->kept.count;
    out->positions = read_positions(s);
    out->normals = has_normals ? read_normals(s) : NULL;
    out->tangents = has_tangents && out->normals != NULL ? read_tangents(s, out->normals) : NULL;
    out->uvs = has_uvs ? read_uvs(s) : NULL;
    out->colors = has_colors ? read_colors(s) : NULL;
    bool is_good = out->positions != NULL && (!has_normals || out->normals != NULL) &&
                   (!has_tangents || out->tangents != NULL) && (!has_uvs || out->uvs != NULL) &&
                   (!has_colors || out->colors != NULL);
    if (!is_good)
    {
        return pelt_error_memory(s->a->error);
    }
    if (s->bad_normals == 0)
    {
        return PELT_OK;
    }
    if (s->bad_normals == s->kept.count)
    {
        out->normals = NULL;
        out->tangents = NULL;
        return pelti_assimp_repair(s->a, "mesh %s: left out its normals, which are all zero",
                                   out->name);
    }
    return pelti_assimp_repair(s->a, "mesh %s: %u %s zero; set to point up", out->name,
                               s->bad_normals,
                               pelti_plural(s->bad_normals, "normal is", "normals are"));
}

// ---------------------------------------------------------------------------------------------
// Triangles

static pelt_result read_triangles(mesh_source* s, pelt_mesh* out)
{
    const struct aiMesh* mesh = s->mesh;
    uint32_t count = 0;
    for (uint32_t f = 0; f < mesh->mNumFaces; ++f)
    {
        count += mesh->mFaces[f].mNumIndices == 3;
    }
    uint32_t* indices = pelt_arena_alloc(s->a->arena, 3 * (size_t)count, sizeof *indices);
    if (indices == NULL)
    {
        return pelt_error_memory(s->a->error);
    }
    out->indices = indices;
    for (uint32_t f = 0; f < mesh->mNumFaces; ++f)
    {
        const struct aiFace* face = &mesh->mFaces[f];
        for (uint32_t k = 0; k < 3 && face->mNumIndices == 3; ++k)
        {
            if (face->mIndices[k] >= mesh->mNumVertices)
            {
                return pelt_error_set(s->a->error, PELT_ERROR_DATA,
                                      "%s: face %u of mesh \"%s\" names vertex %u of %u",
                                      s->a->path, f, out->name, face->mIndices[k],
                                      mesh->mNumVertices);
            }
            indices[out->index_count++] = s->kept.kept[face->mIndices[k]];
        }
    }
    uint32_t other = mesh->mNumFaces - count;
    return other == 0 ? PELT_OK
                      : pelti_assimp_repair(s->a, "mesh %s: left out %u %s", out->name, other,
                                            pelti_plural(other, "point, line or broken polygon",
                                                         "points, lines or broken polygons"));
}

// ---------------------------------------------------------------------------------------------
// Shapes

// Assimp stores positions of morph targets, pelt their displacements.
static pelt_vec3* read_offsets(const mesh_source* s, const struct aiVector3D* target,
                               const struct aiVector3D* base)
{
    pelt_vec3* out = take(s, sizeof *out);
    for (uint32_t v = 0; v < s->kept.count && out != NULL; ++v)
    {
        uint32_t source = s->kept.sources[v];
        pelt_vec3 d = pelt_vec3_sub(vec3_of(&target[source]), vec3_of(&base[source]));
        out[v] = is_finite_vec3(d) ? d : pelt_vec3_make(0.0f, 0.0f, 0.0f);
    }
    return out;
}

static pelt_result read_morphs(const mesh_source* s, pelt_mesh* out)
{
    const struct aiMesh* mesh = s->mesh;
    uint32_t count = mesh->mNumAnimMeshes;
    pelt_morph* morphs = pelt_arena_alloc(s->a->arena, count, sizeof *morphs);
    float* weights = pelt_arena_alloc(s->a->arena, count, sizeof *weights);
    bool is_good = morphs != NULL && weights != NULL;
    for (uint32_t i = 0; i < count && is_good; ++i)
    {
        const struct aiAnimMesh* target = mesh->mAnimMeshes[i];
        pelt_morph* to = &morphs[i];
        bool has_positions = target->mVertices != NULL && fits(mesh, target);
        bool has_normals = target->mNormals != NULL && mesh->mNormals != NULL && fits(mesh, target);
        to->name = pelt_arena_string(s->a->arena, target->mName.data);
        to->positions = has_positions ? read_offsets(s, target->mVertices, mesh->mVertices) : NULL;
        to->normals = has_normals ? read_offsets(s, target->mNormals, mesh->mNormals) : NULL;
        weights[i] = finite_or_zero(target->mWeight);
        is_good = to->name != NULL && (!has_positions || to->positions != NULL) &&
                  (!has_normals || to->normals != NULL);
    }
    out->morph_count = count;
    out->morphs = morphs;
    out->morph_weights = weights;
    return is_good ? PELT_OK : pelt_error_memory(s->a->error);
}

// ---------------------------------------------------------------------------------------------
// Meshes

static pelt_result read_mesh(pelti_assimp* a, pelt_mesh* out, pelt_skin* skins, uint32_t mesh)
{
    const struct aiMesh* source = a->source->mMeshes[mesh];
    mesh_source s = {.a = a, .mesh = source};
    bool has_material = source->mMaterialIndex < a->scene->material_count;
    const char* name = source->mName.data;
    *out = (pelt_mesh){.name = name[0] != '\0' ? pelt_arena_string(a->arena, name)
                                               : pelt_arena_format(a->arena, "mesh %u", mesh),
                       .material = has_material ? source->mMaterialIndex : PELT_NONE};
    a->skin_of_mesh[mesh] = PELT_NONE;
    bool is_good =
        out->name != NULL &&
        (source->mNumBones == 0 || pelti_assimp_gather_weights(&s.weights, source) == PELT_OK);
    is_good = is_good && join_corners(&s.kept, source, &s.weights) == PELT_OK;
    pelt_result result = is_good ? read_attributes(&s, out) : pelt_error_memory(a->error);
    if (result == PELT_OK)
    {
        result = read_triangles(&s, out);
    }
    if (result == PELT_OK && source->mNumAnimMeshes > 0)
    {
        result = read_morphs(&s, out);
    }
    if (result == PELT_OK && source->mNumBones > 0)
    {
        uint32_t skin = a->scene->skin_count++;
        a->skin_of_mesh[mesh] = skin;
        result = pelti_assimp_read_skin(a, &skins[skin], out, mesh, &s.weights, &s.kept);
    }
    pelti_assimp_release_weights(&s.weights);
    pelt_release(s.kept.sources);
    pelt_release(s.kept.kept);
    return result;
}

pelt_result pelti_assimp_read_meshes(pelti_assimp* a)
{
    uint32_t count = a->source->mNumMeshes;
    pelt_mesh* meshes = pelt_arena_alloc(a->arena, count, sizeof *meshes);
    pelt_skin* skins = pelt_arena_alloc(a->arena, count, sizeof *skins);
    a->skin_of_mesh = pelt_arena_alloc(a->arena, count, sizeof *a->skin_of_mesh);
    if (meshes == NULL || skins == NULL || a->skin_of_mesh == NULL)
    {
        return pelt_error_memory(a->error);
    }
    a->scene->meshes = meshes;
    a->scene->skins = skins;
    a->scene->mesh_count = count;
    for (uint32_t i = 0; i < count; ++i)
    {
        PELT_TRY(read_mesh(a, &meshes[i], skins, i));
    }
    return PELT_OK;
}

#endif
