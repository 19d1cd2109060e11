// SPDX-License-Identifier: MIT
// Sizes of animation textures in the animation texture thesis (2021), compared with those of pelt.
#include "bake_subject.h"
#include "rig_builder.h"
#include "rigs.h"

#include <math.h>

static const bench_column columns[] = {
    {"model", "MODEL", BENCH_TEXT},
    {"bones", "BONES", 0},
    {"vertices", "VERTICES", 0},
    {"frames", "FRAMES", 0},
    {"layout", "LAYOUT", BENCH_TEXT},
    {"texels", "TEXELS", 0},
    {"thesis_texels", "IN THESIS", 0},
    {"bytes", "BYTES", 0},
    {"bytes_per_bone_frame", "BYTES/BONE/FRAME", 2},
    {"ratio_to_thesis_dq", "TO THESIS DQ", 2},
};

// ---------------------------------------------------------------------------------------------
// Models of the thesis

typedef struct thesis_model
{
    const char* name;
    const char* rig; // used instead; NULL: build one with as many bones
    uint32_t bone_count;
    uint32_t vertex_count; // unique ones; 0: the thesis has no vertex texture
    uint32_t frame_count;  // width - 1: the first column has metadata
    double dq_texels, matrix_texels, vertex_texels;
} thesis_model;

static const thesis_model models[] = {
    {"Box", "box", 4, 62, 248, 2490, 3486, 15438},
    {"Vampire", "human?vertices=7870", 65, 7870, 85, 11352, 16942, 676820},
    {"X Bot", NULL, 52, 24746, 153, 16324, 24332, 3810884},
    {"Y Bot", NULL, 67, 0, 131, 17952, 26796, (double)NAN},
};

// ---------------------------------------------------------------------------------------------
// Models with as many bones and vertices

enum
{
    LIMB_BONES = 5,
    QUICK_VERTICES = 1000000, // in all frames; larger textures take more than a second
};

// Straight limbs that start at a root joint in the middle.
static void add_bones(rig_builder* rig, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t limb = (i + LIMB_BONES - 1) / LIMB_BONES, link = (i + LIMB_BONES - 1) % LIMB_BONES;
        float angle = 2.4f * (float)limb, distance = i == 0 ? 0.0f : 0.1f + 0.15f * (float)link;
        uint32_t parent = i == 0 ? PELT_NONE : link == 0 ? 0 : i - 1;
        rig_joint(rig, "bone", parent,
                  pelt_vec3_make(distance * cosf(angle), 0.9f + distance * sinf(angle), 0.0f));
    }
}

// A helical ribbon about each bone.
static void add_ribbons(rig_builder* rig, uint32_t vertex_count)
{
    uint32_t bone_count = rig_joint_count(rig);
    uint32_t index_count = 3 * (vertex_count - 2 * bone_count);
    rig_mesh* mesh = rig_mesh_add(rig, "ribbons", vertex_count, index_count, 1,
                                  pelt_vec3_make(0.5f, 0.5f, 0.5f));
    for (uint32_t v = 0; mesh != NULL && v < vertex_count; ++v)
    {
        uint32_t bone = v % bone_count;
        float angle = 2.0f * (float)(v / bone_count), part = (float)v / (float)vertex_count;
        pelt_vec3 offset = {0.03f * cosf(angle), 0.03f * sinf(angle), 0.1f * part};
        mesh->positions[v] = pelt_vec3_add(rig_joint_position(rig, bone), offset);
        mesh->joints[v] = bone;
        mesh->weights[v] = 1.0f;
    }
    for (uint32_t i = 0; mesh != NULL && i < index_count; ++i)
    {
        mesh->indices[i] = i / 3 + i % 3 * bone_count;
    }
}

// A loop with 30 keys per second in which every bone rotates and the root moves.
static void add_loop(rig_builder* rig, uint32_t frame_count)
{
    uint32_t bone_count = rig_joint_count(rig);
    rig_clip(rig, "loop", (float)frame_count / 30.0f);
    for (uint32_t frame = 0; frame <= frame_count; ++frame)
    {
        float time = (float)frame / 30.0f;
        float phase = 2.0f * PELT_PI * (float)(frame % frame_count) / (float)frame_count;
        rig_key_offset(rig, 0, time, pelt_vec3_make(0.0f, 0.05f * sinf(4.0f * phase), 0.0f));
        for (uint32_t bone = 0; bone < bone_count; ++bone)
        {
            float own = (float)bone, angle = 0.5f * sinf((float)(2 + bone % 3) * phase + own);
            pelt_vec3 axis = pelt_vec3_normalize(pelt_vec3_make(cosf(own), sinf(own), 0.5f));
            rig_key_rotation(rig, bone, time, pelt_quat_axis_angle(axis, angle));
        }
    }
}

static pelt_result build(pelt_scene** out, const thesis_model* model, pelt_error* error)
{
    if (model->rig != NULL)
    {
        return pelt_rig_build(out, model->rig, error);
    }
    rig_builder* rig = rig_begin(model->name);
    add_bones(rig, model->bone_count);
    add_ribbons(rig, model->vertex_count > 0 ? model->vertex_count : 4 * model->bone_count);
    add_loop(rig, model->frame_count);
    return rig_finish(rig, out, error);
}

// ---------------------------------------------------------------------------------------------

typedef struct size_row
{
    const char* layout;
    double texels, bytes;
    double thesis_texels; // NaN: not in the thesis
} size_row;

static void add_row(bench_table* out, const thesis_model* model, const size_row* in)
{
    bench_cell* row = bench_row_add(out);
    bench_cell_set(&row[0], model->name);
    row[1].number = model->bone_count;
    row[2].number = model->vertex_count > 0 ? model->vertex_count : row[2].number;
    row[3].number = model->frame_count;
    bench_cell_set(&row[4], in->layout);
    row[5].number = in->texels;
    row[6].number = in->thesis_texels;
    row[7].number = in->bytes;
    row[8].number = in->bytes / ((double)model->bone_count * model->frame_count);
    row[9].number = in->bytes / (4.0 * model->dq_texels);
}

// pelt does not bake the vertex textures of the thesis; their size is computed: a column for each
// frame and one for metadata, a row for each vertex, 3 bytes for positions and 3 for normals.
static void add_vertex_row(bench_table* out, const thesis_model* model)
{
    double texels = (model->frame_count + 1.0) * model->vertex_count;
    add_row(out, model,
            &(size_row){"thesis vertex 8, counted", texels, 6.0 * texels, model->vertex_texels});
}

static pelt_result add_bake_row(bench_table* out, const thesis_model* model, size_row row,
                                const pelt_scene* scene, pelt_bake_options options,
                                pelt_error* error)
{
    const uint32_t first_clip = 0;
    pelt_baked* baked;
    options.clip_count = 1;
    options.clips = &first_clip;
    options.timing = PELT_BAKE_RATE;
    options.rate = (float)model->frame_count / scene->clips[0].duration;
    pelt_result result = pelt_bake(&baked, scene, &options, error);
    if (result == PELT_OK)
    {
        row.texels = (double)baked->width * baked->height;
        row.bytes = (double)pelt_baked_bytes(baked);
        add_row(out, model, &row);
        pelt_baked_destroy(baked);
    }
    return bake_leave_out(model->name, row.layout, result, error);
}

static bool has_vertex_bake(const thesis_model* model, bool is_quick)
{
    return model->vertex_count > 0 &&
           (!is_quick || model->vertex_count * model->frame_count < QUICK_VERTICES);
}

static pelt_result add_model(bench_table* out, const thesis_model* model, bool is_quick,
                             pelt_error* error)
{
    const struct
    {
        const char* name;
        double thesis_texels;
        pelt_bake_options options;
    } layouts[] = {
        {"thesis dq 8", model->dq_texels, {PELT_ENCODING_DQ, .layout = PELT_BAKE_LAYOUT_THESIS}},
        {"thesis matrix 8",
         model->matrix_texels,
         {PELT_ENCODING_MATRIX, .layout = PELT_BAKE_LAYOUT_THESIS}},
        {"qt 64", (double)NAN, {PELT_ENCODING_QT, .bits = 64}},
        {"qt 96", (double)NAN, {PELT_ENCODING_QT, .bits = 96}},
        {"local 16", (double)NAN, {PELT_ENCODING_LOCAL, .bits = 16}},
        {"vertex 8", (double)NAN, {PELT_ENCODING_VERTEX, .bits = 8}},
    };
    pelt_scene* scene;
    PELT_TRY(build(&scene, model, error));
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; result == PELT_OK && i < COUNT_OF(layouts); ++i)
    {
        if (layouts[i].options.encoding != PELT_ENCODING_VERTEX || has_vertex_bake(model, is_quick))
        {
            size_row row = {.layout = layouts[i].name, .thesis_texels = layouts[i].thesis_texels};
            result = add_bake_row(out, model, row, scene, layouts[i].options, error);
        }
    }
    if (model->vertex_count > 0)
    {
        add_vertex_row(out, model);
    }
    pelt_scene_destroy(scene);
    return result;
}

pelt_result thesis_sizes_measure(bench_report* out, const bench_options* options, pelt_error* error)
{
    bench_table* table = bench_table_add(out, "document", columns, COUNT_OF(columns));
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; result == PELT_OK && i < COUNT_OF(models); ++i)
    {
        bench_tell(options, models[i].name);
        result = add_model(table, &models[i], options->is_quick, error);
    }
    return result;
}
