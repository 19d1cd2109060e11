// SPDX-License-Identifier: MIT
// A baked animation texture: names, sizes, and validation of data from outside.
#include "../base/exact.h"

#include "baked_decode.h"

#include <string.h>

static const char* const encoding_names[] = {"qt", "local", "matrix", "dq", "vertex"};

const char* pelt_encoding_name(pelt_encoding encoding)
{
    PELT_ASSERT((unsigned)encoding < PELT_ENCODING_COUNT);
    return encoding_names[encoding];
}

pelt_encoding pelt_encoding_find(const char* name)
{
    int encoding = 0;
    while (encoding < PELT_ENCODING_COUNT && strcmp(name, encoding_names[encoding]) != 0)
    {
        ++encoding;
    }
    return (pelt_encoding)encoding;
}

pelt_encoding_bits pelt_encoding_bits_of(pelt_encoding encoding)
{
    static const pelt_encoding_bits all[] = {[PELT_ENCODING_QT] = {96, "64, 96 or 128"},
                                             [PELT_ENCODING_LOCAL] = {16, "2 to 24"},
                                             [PELT_ENCODING_MATRIX] = {16, "8, 16 or 32"},
                                             [PELT_ENCODING_DQ] = {16, "8, 16 or 32"},
                                             [PELT_ENCODING_VERTEX] = {16, "4 to 16"}};
    PELT_ASSERT((unsigned)encoding < PELT_ENCODING_COUNT);
    return all[encoding];
}

bool pelt_encoding_has_bits(pelt_encoding encoding, uint32_t bits)
{
    switch (encoding)
    {
    case PELT_ENCODING_QT:
        return bits == 64 || bits == 96 || bits == 128;
    case PELT_ENCODING_LOCAL:
        return bits >= 2 && bits <= 24;
    case PELT_ENCODING_VERTEX:
        return bits >= 4 && bits <= 16;
    default:
        return bits == 8 || bits == 16 || bits == 32;
    }
}

static const char* const layout_names[] = {"modern", "thesis"};

const char* pelt_bake_layout_name(pelt_bake_layout layout)
{
    PELT_ASSERT((unsigned)layout < PELT_BAKE_LAYOUT_COUNT);
    return layout_names[layout];
}

pelt_bake_layout pelt_bake_layout_find(const char* name)
{
    int layout = 0;
    while (layout < PELT_BAKE_LAYOUT_COUNT && strcmp(name, layout_names[layout]) != 0)
    {
        ++layout;
    }
    return (pelt_bake_layout)layout;
}

const char* pelt_texel_name(pelt_texel texel)
{
    static const char* const names[] = {"auto", "rgba32ui", "rgba16ui", "rgba8ui"};
    PELT_ASSERT((unsigned)texel < PELT_TEXEL_COUNT);
    return names[texel];
}

uint32_t pelt_texel_words(pelt_texel texel)
{
    return texel == PELT_TEXEL_RGBA8UI ? 1 : texel == PELT_TEXEL_RGBA16UI ? 2 : 4;
}

void pelt_baked_destroy(pelt_baked* baked)
{
    if (baked != NULL)
    {
        pelt_arena_destroy(baked->arena);
    }
}

static size_t word_count(const pelt_baked* baked)
{
    return (size_t)baked->width * baked->height * pelt_texel_words(baked->texel);
}

size_t pelt_baked_bytes(const pelt_baked* baked)
{
    return word_count(baked) * sizeof *baked->words;
}

uint32_t pelt_baked_find_clip(const pelt_baked* baked, const char* name)
{
    for (uint32_t clip = 0; clip < baked->clip_count; ++clip)
    {
        if (strcmp(baked->clips[clip].name, name) == 0)
        {
            return clip;
        }
    }
    return PELT_NONE;
}

// ---------------------------------------------------------------------------------------------
// Validation

// Number of words from an offset to the end of the texture, 0 past its end.
static size_t words_after(const pelt_baked* baked, uint64_t first)
{
    size_t count = pelt_baked_bytes(baked) / sizeof *baked->words;
    return first < count ? count - (size_t)first : 0;
}

static pelt_result refuse(pelt_error* error, const char* what, uint32_t index)
{
    return pelt_error_set(error, PELT_ERROR_DATA, "animation texture: %s %u is not valid", what,
                          index);
}

static bool is_float(uint32_t word)
{
    return isfinite(pelti_word_float(word));
}

static pelt_result check_header(const pelt_baked* baked, pelt_error* error)
{
    if (baked->width == 0 || baked->height == 0 || baked->texel == PELT_TEXEL_AUTO ||
        baked->texel > PELT_TEXEL_RGBA8UI || words_after(baked, 0) < PELTI_BAKE_HEADER_WORDS)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "animation texture of %u x %u texels is too small for its header",
                              baked->width, baked->height);
    }
    const uint32_t* words = baked->words;
    bool has_vertices = baked->encoding == PELT_ENCODING_VERTEX;
    if (words[0] != PELTI_BAKE_MAGIC)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "not an animation texture of pelt: it begins with 0x%08x", words[0]);
    }
    if (words[1] != PELTI_BAKE_VERSION)
    {
        return pelt_error_set(error, PELT_ERROR_UNSUPPORTED,
                              "animation texture of version %u; this build reads version %d",
                              words[1], PELTI_BAKE_VERSION);
    }
    uint32_t count = has_vertices ? baked->vertex_count : baked->joint_count;
    if ((unsigned)baked->encoding >= PELT_ENCODING_COUNT || words[2] != (has_vertices ? 1u : 0u) ||
        words[3] != count || words[5] != baked->clip_count || baked->clip_count == 0 ||
        words[7] != pelti_float_word(baked->unit) || !isfinite(baked->unit) ||
        !(baked->unit > 0.0f) || words[8] != pelti_float_word(baked->stretch_unit) ||
        !isfinite(baked->stretch_unit) || !(baked->stretch_unit > 0.0f))
    {
        return pelt_error_set(
            error, PELT_ERROR_DATA,
            "animation texture: its header (%u elements, %u clips) does not agree "
            "with its description (%u, %u)",
            words[3], words[5], count, baked->clip_count);
    }
    return PELT_OK;
}

// Whether the entry of a joint in the texture agrees with the description.
static bool is_same_joint(const pelt_baked* baked, uint32_t joint)
{
    const pelt_baked_joint* own = &baked->joints[joint];
    const uint32_t* words = baked->words;
    if (baked->layout == PELT_BAKE_LAYOUT_THESIS)
    {
        pelt_vec3 pivot = pelti_thesis_pivot(
            pelti_thesis_pivot_word(words, joint, baked->width, baked->encoding), baked->unit);
        return own->parent == PELT_NONE && own->pivot.x == pivot.x && own->pivot.y == pivot.y &&
               own->pivot.z == pivot.z;
    }
    const uint32_t* entry = words + words[4] + (size_t)PELTI_BAKE_JOINT_WORDS * joint;
    return entry[0] == own->parent && entry[1] == pelti_float_word(own->pivot.x) &&
           entry[2] == pelti_float_word(own->pivot.y) &&
           entry[3] == pelti_float_word(own->pivot.z) && is_float(entry[1]) && is_float(entry[2]) &&
           is_float(entry[3]);
}

static pelt_result check_joints(const pelt_baked* baked, pelt_error* error)
{
    if (baked->layout == PELT_BAKE_LAYOUT_MODERN &&
        words_after(baked, baked->words[4]) / PELTI_BAKE_JOINT_WORDS < baked->joint_count)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "animation texture: the table of %u joints does not fit",
                              baked->joint_count);
    }
    // joint_order lists each joint once, after its parent, so there are no cycles.
    uint32_t* rank = pelt_allocate(baked->joint_count, sizeof *rank);
    if (rank == NULL)
    {
        return pelt_error_memory(error);
    }
    for (uint32_t joint = 0; joint < baked->joint_count; ++joint)
    {
        rank[joint] = PELT_NONE;
    }
    pelt_result result = PELT_OK;
    for (uint32_t i = 0; i < baked->joint_count && result == PELT_OK; ++i)
    {
        uint32_t joint = baked->joint_order[i];
        if (joint >= baked->joint_count || rank[joint] != PELT_NONE)
        {
            result = refuse(error, "the order of joints at", i);
            break;
        }
        uint32_t parent = baked->joints[joint].parent;
        rank[joint] = i;
        bool has_parent_first =
            parent == PELT_NONE || (parent < baked->joint_count && rank[parent] != PELT_NONE);
        if (!has_parent_first || !is_same_joint(baked, joint))
        {
            result = refuse(error, "joint", joint);
        }
    }
    pelt_release(rank);
    return result;
}

// Whether a word describes a component: finite, and of a valid width.
static bool is_component(uint32_t word)
{
    uint32_t width = word & 31;
    return width == PELTI_WIDTH_FLOAT ||
           (width <= PELTI_WIDTH_MAX && is_float(word & (width == 0 ? ~31u : 0xFFFF8000u)));
}

// Check the words of a record and count the bits of its values.
static bool measure_record(uint32_t* bits, const uint32_t* record, size_t room)
{
    uint32_t flags = record[0], kind = flags & PELTI_RECORD_KIND, count = 0, word = 1;
    uint32_t stretch = flags & PELTI_RECORD_STRETCH;
    uint32_t stretches = stretch == PELTI_RECORD_UNIFORM     ? 1
                         : stretch == PELTI_RECORD_SYMMETRIC ? 6
                                                             : 0;
    if (kind == 0)
    {
        word += (flags & PELTI_RECORD_REFERENCE) != 0;
        word += (flags & PELTI_RECORD_ROTATION_AXES) != 0;
        word += (flags & PELTI_RECORD_POSITION_AXES) != 0;
        count = ((flags & PELTI_RECORD_ROTATION) ? 3u : 0u) +
                ((flags & PELTI_RECORD_POSITION) ? 3u : 0u) + stretches;
    }
    else
    {
        count = kind == PELTI_RECORD_MATRIX ? 12 : 8 + stretches;
    }
    uint32_t paths = 0;
    if (kind == 0)
    {
        paths += (flags & PELTI_RECORD_ROTATION_PATH) != 0;
        paths += (flags & PELTI_RECORD_POSITION_PATH) != 0;
    }
    if (kind == PELTI_RECORD_KIND || stretch == PELTI_RECORD_STRETCH ||
        (size_t)word + count + paths > room)
    {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i, ++word)
    {
        if (!is_component(record[word]))
        {
            return false;
        }
        *bits += pelti_component_bits(record[word]);
    }
    for (uint32_t i = 0; i < paths; ++i, ++word)
    {
        *bits += (record[word] & 15) + (record[word] >> 10 & 15) + (record[word] >> 20 & 15);
    }
    return true;
}

static pelt_result check_joint_table(const pelt_baked* baked, const pelt_baked_run* run,
                                     pelt_error* error)
{
    const uint32_t* table = baked->words + run->table;
    size_t room = words_after(baked, run->table);
    if (room < ((size_t)baked->joint_count + 1) / 2)
    {
        return refuse(error, "the table at word", run->table);
    }
    uint32_t expected = baked->encoding == PELT_ENCODING_MATRIX ? PELTI_RECORD_MATRIX
                        : baked->encoding == PELT_ENCODING_DQ   ? PELTI_RECORD_DUAL
                                                                : 0;
    for (uint32_t joint = 0; joint < baked->joint_count; ++joint)
    {
        uint32_t offset = table[joint / 2] >> 16 * (joint % 2) & 0xFFFF, bits = 0;
        if (offset == 0)
        {
            continue;
        }
        bool is_inside = offset < room && measure_record(&bits, table + offset, room - offset);
        uint32_t first = is_inside ? table[offset] & ((1u << PELTI_RECORD_BITS) - 1) : 0;
        if (!is_inside || (table[offset] & PELTI_RECORD_KIND) != expected ||
            (uint64_t)first + bits > (uint64_t)32 * run->key_words)
        {
            return refuse(error, "the record of joint", joint);
        }
    }
    return PELT_OK;
}

static pelt_result check_vertex_table(const pelt_baked* baked, const pelt_baked_run* run,
                                      pelt_error* error)
{
    const uint32_t* table = baked->words + run->table;
    uint32_t width = table[0] & 255, normal = table[0] >> 8 & 255;
    size_t count = 3 * (table[0] & PELTI_VERTEX_SHARED ? (size_t)1 : baked->vertex_count);
    uint64_t bits = (uint64_t)(3 * width + 2 * normal) * baked->vertex_count;
    if (width == 0 || width > PELTI_WIDTH_MAX || normal > 16 || table[0] >> 17 != 0 ||
        words_after(baked, run->table) < 1 + count || bits > (uint64_t)32 * run->key_words)
    {
        return refuse(error, "the table at word", run->table);
    }
    for (size_t i = 0; i < count; ++i)
    {
        uint32_t own = table[1 + i] & 31;
        if (!is_component(table[1 + i]) || (own != 0 && own != width))
        {
            return refuse(error, "the range of vertex", (uint32_t)(i / 3));
        }
    }
    return PELT_OK;
}

static pelt_result check_run(const pelt_baked* baked, const pelt_baked_run* run,
                             const uint32_t* entry, pelt_error* error)
{
    uint64_t key_words = (uint64_t)run->key_words * run->key_count;
    bool is_same = entry[0] == pelti_float_word(run->start) &&
                   entry[1] == pelti_float_word(run->rate) && entry[2] == run->key_count &&
                   entry[3] == run->first_word && entry[4] == run->key_words &&
                   entry[5] == run->table && entry[6] == (run->is_held ? PELTI_RUN_HELD : 0u);
    if (!is_same || !isfinite(run->start) || !isfinite(run->rate) || !(run->rate >= 0.0f) ||
        run->key_count == 0 || key_words > words_after(baked, run->first_word) ||
        words_after(baked, run->table) == 0)
    {
        return refuse(error, "the run at word", (uint32_t)(entry - baked->words));
    }
    return baked->encoding == PELT_ENCODING_VERTEX ? check_vertex_table(baked, run, error)
                                                   : check_joint_table(baked, run, error);
}

static pelt_result check_clip(const pelt_baked* baked, uint32_t index, pelt_error* error)
{
    const pelt_baked_clip* clip = &baked->clips[index];
    const uint32_t* entry = baked->words + baked->words[6] + (size_t)PELTI_BAKE_CLIP_WORDS * index;
    uint32_t flags = (clip->wraps ? PELTI_CLIP_WRAPS : 0u) | (clip->loops ? PELTI_CLIP_LOOPS : 0u);
    if (entry[1] != clip->run_count || clip->run_count == 0 ||
        (clip->wraps && clip->run_count > 1) || entry[2] != pelti_float_word(clip->duration) ||
        !isfinite(clip->duration) || !(clip->duration >= 0.0f) || entry[3] != flags ||
        words_after(baked, entry[0]) / PELTI_BAKE_RUN_WORDS < clip->run_count)
    {
        return refuse(error, "clip", index);
    }
    uint64_t key_count = 0;
    for (uint32_t i = 0; i < clip->run_count; ++i)
    {
        const uint32_t* words = baked->words + entry[0] + (size_t)PELTI_BAKE_RUN_WORDS * i;
        PELT_TRY(check_run(baked, &clip->runs[i], words, error));
        if (i > 0 && !(clip->runs[i].start > clip->runs[i - 1].start))
        {
            return refuse(error, "the order of runs in clip", index);
        }
        key_count += clip->runs[i].key_count;
    }
    return key_count == clip->key_count ? PELT_OK
                                        : refuse(error, "the number of keys of clip", index);
}

static pelt_result check_instances(const pelt_baked* baked, pelt_error* error)
{
    for (uint32_t i = 0; i < baked->instance_count; ++i)
    {
        const pelt_baked_instance* instance = &baked->instances[i];
        bool is_inside = (uint64_t)instance->first + instance->joint_count <= baked->joint_count;
        is_inside = is_inside &&
                    (baked->encoding == PELT_ENCODING_VERTEX) == (instance->vertex_ids != NULL);
        for (uint32_t v = 0; instance->vertex_ids != NULL && v < instance->vertex_count; ++v)
        {
            is_inside = is_inside && instance->vertex_ids[v] < baked->vertex_count;
        }
        if (!is_inside)
        {
            return refuse(error, "instance", i);
        }
    }
    return PELT_OK;
}

static pelt_result check_clips(const pelt_baked* baked, pelt_error* error)
{
    if (words_after(baked, baked->words[6]) / PELTI_BAKE_CLIP_WORDS < baked->clip_count)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "animation texture: the table of %u clips does not fit",
                              baked->clip_count);
    }
    for (uint32_t clip = 0; clip < baked->clip_count; ++clip)
    {
        PELT_TRY(check_clip(baked, clip, error));
    }
    return PELT_OK;
}

// Whether the description of the one clip agrees with a texture in the thesis layout.
static bool is_thesis_clip(const pelt_baked* baked)
{
    if (baked->clip_count != 1 || baked->clips[0].run_count != 1)
    {
        return false;
    }
    const uint32_t* words = baked->words;
    const pelt_baked_clip* clip = &baked->clips[0];
    const pelt_baked_run* run = &clip->runs[0];
    bool wraps = (words[0] & PELTI_THESIS_WRAPS) != 0;
    return run->key_count == (words[0] & 0xFFFF) && clip->key_count == run->key_count &&
           run->first_word == PELTI_THESIS_FIRST_KEY && run->key_words == 1 && run->table == 0 &&
           run->start == 0.0f && !run->is_held && clip->wraps == wraps &&
           words[baked->width] == pelti_float_word(run->rate) && isfinite(run->rate) &&
           run->rate >= 0.0f && words[baked->width + 1] == pelti_float_word(clip->duration) &&
           isfinite(clip->duration) && clip->duration >= 0.0f;
}

// Rows below the head that hold vertices; 0: what is stored about them is not valid.
static uint32_t thesis_vertex_rows(const pelt_baked* baked)
{
    const uint32_t least = PELTI_THESIS_HEAD_ROWS + PELTI_THESIS_BOX_ROWS;
    const uint32_t* column = baked->words + (size_t)PELTI_THESIS_HEAD_ROWS * baked->width;
    bool is_valid = baked->height >= least && baked->vertex_count <= PELTI_THESIS_VERTICES_MAX &&
                    (column[0] & ~PELTI_THESIS_NORMALS) == baked->vertex_count;
    for (size_t i = 1; is_valid && i < PELTI_THESIS_BOX_ROWS; ++i)
    {
        is_valid = is_float(column[i * baked->width]);
    }
    uint32_t rows = is_valid ? pelti_thesis_vertex_rows(baked->vertex_count,
                                                        (column[0] & PELTI_THESIS_NORMALS) != 0)
                             : 0;
    return rows < PELTI_THESIS_BOX_ROWS && is_valid ? PELTI_THESIS_BOX_ROWS : rows;
}

// Counts that fill the texture exactly keep decoders within its bounds.
static pelt_result check_thesis(const pelt_baked* baked, pelt_error* error)
{
    bool has_vertices = baked->encoding == PELT_ENCODING_VERTEX;
    bool is_known = (has_vertices || baked->encoding == PELT_ENCODING_MATRIX ||
                     baked->encoding == PELT_ENCODING_DQ) &&
                    baked->texel == PELT_TEXEL_RGBA8UI && baked->width > 1 &&
                    baked->height >= PELTI_THESIS_HEAD_ROWS;
    uint32_t head = is_known ? baked->words[0] : 0;
    uint32_t key_count = head & 0xFFFF, joint_count = head >> 16 & PELTI_THESIS_JOINTS_MAX;
    bool is_padded = (head & PELTI_THESIS_PADDED) != 0;
    uint32_t own_rows = !is_known      ? 0
                        : has_vertices ? thesis_vertex_rows(baked)
                                       : pelti_thesis_rows(baked->encoding) * baked->joint_count;
    uint32_t rows = PELTI_THESIS_HEAD_ROWS + own_rows;
    if (!is_known || key_count == 0 || (has_vertices && own_rows == 0) ||
        joint_count != (has_vertices ? 0 : baked->joint_count) ||
        pelti_thesis_extent(pelti_thesis_columns(key_count, joint_count), is_padded) !=
            baked->width ||
        pelti_thesis_extent(rows, is_padded) != baked->height)
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "animation texture of %u x %u texels is not one of %u keys and %u "
                              "%s in the thesis layout",
                              baked->width, baked->height, key_count,
                              has_vertices ? baked->vertex_count : baked->joint_count,
                              has_vertices ? "vertices" : "joints");
    }
    if (baked->words[1] != pelti_float_word(baked->unit) || !isfinite(baked->unit) ||
        !(baked->unit > 0.0f) || baked->stretch_unit != 1.0f || !is_thesis_clip(baked))
    {
        return pelt_error_set(error, PELT_ERROR_DATA,
                              "animation texture: its metadata (%u keys) does not agree with its "
                              "description",
                              key_count);
    }
    return PELT_OK;
}

pelt_result pelt_baked_validate(const pelt_baked* baked, pelt_error* error)
{
    bool is_thesis = baked->layout == PELT_BAKE_LAYOUT_THESIS;
    if ((unsigned)baked->layout >= PELT_BAKE_LAYOUT_COUNT)
    {
        return refuse(error, "layout", (uint32_t)baked->layout);
    }
    PELT_TRY(is_thesis ? check_thesis(baked, error) : check_header(baked, error));
    if (baked->encoding != PELT_ENCODING_VERTEX)
    {
        PELT_TRY(check_joints(baked, error));
    }
    if (!is_thesis)
    {
        PELT_TRY(check_clips(baked, error));
    }
    if (baked->root != PELT_NONE && baked->root >= baked->joint_count)
    {
        return refuse(error, "the root joint", baked->root);
    }
    return check_instances(baked, error);
}
