// SPDX-License-Identifier: MIT
// Deformers: one frame. A kernel moves each block that it supports, and the reference the others.
#include "../base/exact.h"

#include "../../include/pelt/ddm.h"
#include "deformer.h"

// Kernels with what they do not know: the output arrays, and the input of the reference.
typedef struct deformer_run
{
    pelti_kernel_args blocks;
    const pelt_surface* out;
    const float* morph_weights; // NULL: none
    pelti_block_mover move;     // NULL: no kernel covers this
    pelti_block_morpher morph;
    bool is_direct; // packed arrays in the order of blocks
} deformer_run;

static pelti_block_mover find_mover(const pelti_kernel_args* run,
                                    const pelti_block_kernels* kernels)
{
    const pelt_deformer_source* source = &run->deformer->source;
    pelt_method method = run->options->method;
    pelt_normal_rule rule = run->options->normal_rule;
    bool is_derived = rule != PELT_NORMAL_STANDARD && source->normal_factors != NULL &&
                      source->normals != NULL && (run->has_normals || run->has_tangents);
    // A center that is stretched about the origin is moved by each joint's rigid motion alone.
    bool is_far = pelt_method_info(method)->needs_centers && run->kind == PELTI_JOINTS_STRETCHED &&
                  run->options->scale_pivot != PELT_SCALE_LOCAL;
    if (is_far || (is_derived && rule != PELT_NORMAL_ACCURATE))
    {
        return NULL;
    }
    return is_derived ? kernels->move_accurate[run->kind][method]
                      : kernels->move[run->kind][method];
}

// The scale that all joints have, apart from a rigid motion; 0: they differ. Units and formats of
// files give all joints the same one: a hundred for centimeters, or what the largest position has
// been divided by to fit into 16 bits. To a part in a million; about another number, methods would
// take vertices too far from where they belong.
static float find_scale(const pelt_palette* palette, uint32_t joint_count)
{
    const float spread = 4e-6f; // of squares, from the least to the largest
    float least = INFINITY, most = 0.0f;
    for (uint32_t i = 0; i < joint_count; ++i)
    {
        const pelt_mat34* m = &palette->matrices[i];
        pelt_vec3 rows[3];
        for (int k = 0; k < 3; ++k)
        {
            rows[k] = pelt_vec3_make(m->m[k][0], m->m[k][1], m->m[k][2]);
            float square = pelt_vec3_dot(rows[k], rows[k]);
            least = fminf(least, square);
            most = fmaxf(most, square);
        }
        float slant = fabsf(pelt_vec3_dot(rows[0], rows[1])) +
                      fabsf(pelt_vec3_dot(rows[1], rows[2])) +
                      fabsf(pelt_vec3_dot(rows[2], rows[0]));
        bool is_mirror = pelt_vec3_dot(pelt_vec3_cross(rows[0], rows[1]), rows[2]) < 0.0f;
        if (!(most - least + slant <= spread * most) || is_mirror)
        {
            return 0.0f;
        }
    }
    // Fourth powers of the scale decide how many digits are lost, and are floats.
    bool is_moderate = least > 1e-12f && most < 1e12f;
    return is_moderate ? sqrtf(0.5f * (least + most)) : 0.0f;
}

// Whether the signs of quaternions have to be found; otherwise those of the palette are used.
static bool finds_signs(const pelt_deform_options* options)
{
    const pelt_method_traits* traits = pelt_method_info(options->method);
    bool has_palette_signs =
        options->sign_rule == PELT_SIGN_HIERARCHY ||
        (traits->has_dqs_variant && options->dqs_variant != PELT_DQS_ANTIPODAL);
    return traits->needs_motions && !has_palette_signs;
}

static pelti_kernel_args describe_run(const pelt_deformer* deformer, const pelt_surface* out,
                                      const pelt_palette* palette,
                                      const pelt_deform_options* options)
{
    float scale =
        palette->is_rigid ? 1.0f : find_scale(palette, deformer->source.weights->joint_count);
    return (pelti_kernel_args){.deformer = deformer,
                               .palette = palette,
                               .options = options,
                               .has_normals = deformer->normals != NULL && out->normals != NULL,
                               .has_tangents = deformer->tangents != NULL && out->tangents != NULL,
                               .finds_signs = finds_signs(options),
                               .kind = palette->is_rigid ? PELTI_JOINTS_RIGID
                                       : scale > 0.0f    ? PELTI_JOINTS_UNIFORM
                                                         : PELTI_JOINTS_STRETCHED,
                               .scale = scale > 0.0f ? scale : 1.0f};
}

bool pelti_deformer_covers(const pelt_deformer* deformer, const pelt_surface* out,
                           const pelt_palette* palette, const pelt_deform_options* options)
{
    const pelti_kernel_args run = describe_run(deformer, out, palette, options);
    return find_mover(&run, pelti_block_kernels_for(pelti_isa_get())) != NULL;
}

// ---------------------------------------------------------------------------------------------
// The reference

static void* shifted(const void* array, uint32_t stride, size_t size, size_t index)
{
    return array != NULL ? (char*)array + index * (stride > 0 ? stride : size) : NULL;
}

static uint32_t output_index(const pelt_deformer* deformer, uint32_t slot)
{
    return deformer->options.order == PELT_ORDER_SORTED ? slot : deformer->order[slot];
}

// A vertex at rest with morph targets.
typedef struct morphed_vertex
{
    pelt_vec3 position, normal;
    pelt_vec4 tangent;
} morphed_vertex;

static void get_morphed(morphed_vertex* out, const pelti_morphed_block* block, uint32_t lane)
{
    pelt_vec3 tangent = pelti_get3(block->tangents, lane);
    out->position = pelti_get3(block->positions, lane);
    out->normal = pelti_get3(block->normals, lane);
    out->tangent =
        (pelt_vec4){tangent.x, tangent.y, tangent.z, block->tangents[3 * PELTI_BLOCK + lane]};
}

// Arrays of one vertex: those of the mesh, from that vertex on.
// @param morphed  its rest attributes, if they are not those of the mesh; or NULL
static void deform_one(const deformer_run* run, uint32_t v, uint32_t slot,
                       const morphed_vertex* morphed)
{
    const pelt_deformer_source* source = &run->blocks.deformer->source;
    pelt_weights weights = *source->weights;
    weights.vertex_count = 1;
    weights.first += v;
    pelt_ddm ddm;
    if (weights.ddm != NULL)
    {
        ddm = *weights.ddm;
        ddm.vertex_count = 1;
        ddm.first += v;
        ddm.centers += v;
        ddm.radii += v;
        weights.ddm = &ddm;
    }
    pelt_normal_factors factors;
    if (source->normal_factors != NULL)
    {
        factors = *source->normal_factors;
        factors.vertex_count = 1;
        factors.first += v;
        factors.tangents += v;
        factors.plane_normals += v;
        factors.centers = shifted(factors.centers, 0, sizeof *factors.centers, v);
        factors.center_derivatives =
            shifted(factors.center_derivatives, 0, 2 * sizeof *factors.center_derivatives, v);
    }
    pelt_deform_input input = {
        .positions = shifted(source->positions, source->position_stride, sizeof(pelt_vec3), v),
        .normals = shifted(source->normals, source->normal_stride, sizeof(pelt_vec3), v),
        .tangents = shifted(source->tangents, source->tangent_stride, sizeof(pelt_vec4), v),
        .cors = shifted(source->cors, 0, sizeof(pelt_vec3), v),
        .mix_factors = shifted(source->mix_factors, 0, sizeof(float), v),
        .normal_factors = source->normal_factors != NULL ? &factors : NULL,
        .weights = &weights,
        .palette = run->blocks.palette,
    };
    if (morphed != NULL)
    {
        input.positions = &morphed->position;
        input.normals = input.normals != NULL ? &morphed->normal : NULL;
        input.tangents = input.tangents != NULL ? &morphed->tangent : NULL;
    }
    const pelt_surface out = {
        .positions =
            shifted(run->out->positions, run->out->position_stride, sizeof(pelt_vec3), slot),
        .normals = shifted(run->out->normals, run->out->normal_stride, sizeof(pelt_vec3), slot),
        .tangents = shifted(run->out->tangents, run->out->tangent_stride, sizeof(pelt_vec4), slot),
    };
    pelt_deform(&out, &input, run->blocks.options, (pelt_range){0, 1});
}

// @param morphed  the block at rest with morph targets, or NULL
static void run_reference(const deformer_run* run, uint32_t block,
                          const pelti_morphed_block* morphed)
{
    const pelt_deformer* d = run->blocks.deformer;
    uint32_t first = block * PELTI_BLOCK;
    for (uint32_t i = 0; i < d->blocks[block].vertex_count; ++i)
    {
        morphed_vertex vertex;
        if (morphed != NULL)
        {
            get_morphed(&vertex, morphed, i);
        }
        deform_one(run, d->order[first + i], output_index(d, first + i),
                   morphed != NULL ? &vertex : NULL);
    }
}

// ---------------------------------------------------------------------------------------------
// Signs

// Whether all joints of a block mirror, or none does: the reference handles vertices with both.
// False also if a determinant is near zero.
static bool find_handedness(pelti_block_signs* out, const pelti_kernel_args* run,
                            const uint16_t* joints, uint32_t joint_count)
{
    out->handedness = 1.0f;
    for (uint32_t i = 0; i < joint_count && run->kind == PELTI_JOINTS_STRETCHED; ++i)
    {
        pelt_mat3 linear = pelt_mat34_linear(&run->palette->matrices[joints[i]]);
        float determinant = pelt_mat3_determinant(&linear);
        float handedness = determinant < 0.0f ? -1.0f : 1.0f;
        bool is_trusted = fabsf(determinant) > 1e-30f && fabsf(determinant) < 1e30f;
        if (!is_trusted || (i > 0 && handedness != out->handedness))
        {
            return false;
        }
        out->handedness = handedness;
    }
    return true;
}

// Signs that bring the quaternions of a block into one hemisphere, each nearer to every other than
// its negative is. Every sign rule then gives these signs, or the opposite of all, which is the
// same rotation. False: there are none.
static bool find_common_signs(pelti_block_signs* out, const pelt_dquat* motions,
                              const uint16_t* joints, uint32_t joint_count)
{
    const float clear = 1e-5f, half_right = 0.7072f; // cosine of 45 degrees, and some
    pelt_quat lead = motions[joints[0]].real;
    bool is_near = true;
    out->of[0] = 1.0f;
    for (uint32_t i = 1; i < joint_count; ++i)
    {
        float cosine = pelt_quat_dot(lead, motions[joints[i]].real);
        out->of[i] = cosine < 0.0f ? -1.0f : 1.0f;
        is_near = is_near && fabsf(cosine) > half_right;
    }
    for (uint32_t i = 0; i < joint_count && !is_near; ++i)
    {
        for (uint32_t j = 0; j < i; ++j)
        {
            float cosine = pelt_quat_dot(motions[joints[i]].real, motions[joints[j]].real);
            if (!(out->of[i] * out->of[j] * cosine > clear))
            {
                return false;
            }
        }
    }
    return true;
}

bool pelti_block_signs_find(pelti_block_signs* out, const pelti_kernel_args* run,
                            const uint16_t* joints, uint32_t joint_count)
{
    if (!find_handedness(out, run, joints, joint_count))
    {
        return false;
    }
    if (run->finds_signs)
    {
        return find_common_signs(out, run->palette->motions, joints, joint_count);
    }
    for (uint32_t i = 0; i < joint_count; ++i)
    {
        out->of[i] = 1.0f;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------

// Vertices in the order of blocks.
typedef struct slot_range
{
    const pelt_deformer* deformer;
    uint32_t first, count;
} slot_range;

// Write the packed vectors of some slots, of `size` bytes each, to their vertices.
PELTI_INLINE void scatter(const slot_range* slots, void* array, uint32_t stride,
                          const float* packed, size_t size)
{
    const pelt_deformer* d = slots->deformer;
    const size_t step = stride > 0 ? stride : size;
    const char* from = (const char*)packed;
    if (d->options.order == PELT_ORDER_SORTED)
    {
        char* to = (char*)array + slots->first * step;
        for (uint32_t i = 0; i < slots->count; ++i)
        {
            memcpy(to + i * step, from + i * size, size);
        }
        return;
    }
    const uint32_t* vertices = d->order + slots->first;
    for (uint32_t i = 0; i < slots->count; ++i)
    {
        memcpy((char*)array + vertices[i] * step, from + i * size, size);
    }
}

// Through buffers, for outputs that are not packed, sorted, whole and as prepared.
// @param morphed  the only block of the range with morph targets, or NULL
static void run_scattered(const deformer_run* run, pelt_range range,
                          const pelti_morphed_block* morphed)
{
    enum
    {
        BLOCKS = 8, // at a time, so that results are still in the first-level cache
        VERTICES = BLOCKS * PELTI_BLOCK
    };
    _Alignas(PELTI_LINE) float positions[3 * VERTICES], normals[3 * VERTICES];
    _Alignas(PELTI_LINE) float tangents[4 * VERTICES];
    const pelt_deformer* d = run->blocks.deformer;
    const pelt_surface* out = run->out;
    pelti_kernel_args blocks = run->blocks;
    blocks.is_streamed = false;
    blocks.positions = positions;
    blocks.normals = normals;
    blocks.tangents = tangents;
    blocks.deformer = morphed != NULL ? &morphed->deformer : d;
    for (uint32_t block = range.first, end = range.first + range.count; block < end;)
    {
        pelt_range next = {morphed != NULL ? 0 : block,
                           end - block < BLOCKS ? end - block : BLOCKS};
        uint32_t moved = run->move != NULL ? run->move(&blocks, next) : 0;
        uint32_t left = d->source.weights->vertex_count - block * PELTI_BLOCK;
        const slot_range slots = {d, block * PELTI_BLOCK,
                                  moved * PELTI_BLOCK < left ? moved * PELTI_BLOCK : left};
        if (out->positions != NULL)
        {
            scatter(&slots, out->positions, out->position_stride, positions, sizeof(pelt_vec3));
        }
        if (blocks.has_normals)
        {
            scatter(&slots, out->normals, out->normal_stride, normals, sizeof(pelt_vec3));
        }
        if (blocks.has_tangents)
        {
            scatter(&slots, out->tangents, out->tangent_stride, tangents, sizeof(pelt_vec4));
        }
        block += moved;
        if (moved < next.count)
        {
            run_reference(run, block++, morphed);
        }
    }
}

static bool begins_with_line(const void* array)
{
    return (uintptr_t)array % PELTI_LINE == 0;
}

static bool begins_with_lines(const pelti_kernel_args* blocks, const pelt_surface* out)
{
    return begins_with_line(out->positions) &&
           (!blocks->has_normals || begins_with_line(out->normals));
}

static size_t surface_bytes(const pelti_kernel_args* blocks, const pelt_surface* out)
{
    size_t vertex = sizeof *out->positions + (blocks->has_normals ? sizeof *out->normals : 0) +
                    (blocks->has_tangents ? sizeof *out->tangents : 0);
    return vertex * blocks->deformer->source.weights->vertex_count;
}

// Bytes of a surface above which writing past the caches is faster. An ordinary store reads a cache
// line before it changes it. On Intel's servers, which have AVX-512, the third-level cache is so
// far away that this takes longer than writing to memory; on other machines it is faster as long as
// the cache holds the surface.
static size_t least_streamed_bytes(void)
{
#if PELTI_HAS_X86_SETS
    bool is_server = __builtin_cpu_is("intel") && __builtin_cpu_supports("avx512f");
    return is_server ? PELTI_MIDDLE_SURFACE : PELTI_LARGE_SURFACE;
#else
    return PELTI_LARGE_SURFACE;
#endif
}

// Straight to their slots.
// @param morphed  the only block of the range with morph targets, or NULL
static void run_direct(const deformer_run* run, pelt_range range,
                       const pelti_morphed_block* morphed)
{
    for (uint32_t block = range.first, end = range.first + range.count; block < end;)
    {
        size_t at = (size_t)block * PELTI_BLOCK;
        pelti_kernel_args blocks = run->blocks;
        blocks.positions = &run->out->positions[at].x;
        blocks.normals = blocks.has_normals ? &run->out->normals[at].x : NULL;
        blocks.tangents = blocks.has_tangents ? &run->out->tangents[at].x : NULL;
        blocks.deformer = morphed != NULL ? &morphed->deformer : blocks.deformer;
        block += run->move(&blocks, (pelt_range){morphed != NULL ? 0 : block, end - block});
        if (block < end)
        {
            run_reference(run, block++, morphed);
        }
    }
}

// Whether targets with a weight move a block.
static bool is_morphed(const deformer_run* run, uint32_t block)
{
    const pelt_deformer* deformer = run->blocks.deformer;
    size_t i = deformer->first_morphs[block], end = deformer->first_morphs[block + 1];
    while (i < end && !pelti_block_morph_is_used(&deformer->block_morphs[i], run->morph_weights))
    {
        ++i;
    }
    return i < end;
}

static void run_morphed(const deformer_run* run, uint32_t block, bool is_direct)
{
    pelti_morphed_block morphed;
    run->morph(&morphed, run->blocks.deformer, run->morph_weights, block,
               run->blocks.options->normal_rule == PELT_NORMAL_ACCURATE);
    if (is_direct)
    {
        run_direct(run, (pelt_range){block, 1}, &morphed);
        return;
    }
    run_scattered(run, (pelt_range){block, 1}, &morphed);
}

static void run_blocks(const deformer_run* run, pelt_range range)
{
    const pelt_deformer* d = run->blocks.deformer;
    uint32_t end = range.first + range.count;
    // The last block has less room in the arrays than a kernel writes.
    bool has_tail = end == d->block_count && d->source.weights->vertex_count % PELTI_BLOCK != 0;
    uint32_t direct_end =
        run->is_direct ? end - (has_tail && range.count > 0 ? 1 : 0) : range.first;
    bool has_morphs = run->morph_weights != NULL && d->first_morphs != NULL;
    for (uint32_t block = range.first; block < end;)
    {
        uint32_t first = block, stop = block < direct_end ? direct_end : end;
        block = has_morphs ? block : stop;
        while (block < stop && !is_morphed(run, block))
        {
            ++block;
        }
        const pelt_range plain = {first, block - first};
        if (first < direct_end)
        {
            run_direct(run, plain, NULL);
        }
        else
        {
            run_scattered(run, plain, NULL);
        }
        if (block < stop)
        {
            run_morphed(run, block, block < direct_end);
            ++block;
        }
    }
}

static bool is_packed(uint32_t stride, size_t size)
{
    return stride == 0 || stride == size;
}

void pelti_deformer_run_morphed(const pelt_deformer* deformer, const pelti_block_kernels* kernels,
                                const pelt_surface* out, const pelt_palette* palette,
                                const pelt_deform_options* options, const float* morph_weights,
                                pelt_range blocks)
{
    PELT_ASSERT(blocks.count <= deformer->block_count);
    PELT_ASSERT(blocks.first <= deformer->block_count - blocks.count);
    PELT_ASSERT(deformer->source.weights->joint_count <= palette->joint_count);
    PELT_ASSERT(options->method < PELT_METHOD_COUNT);
    const pelt_method_traits* traits = pelt_method_info(options->method);
    PELT_ASSERT(!traits->needs_motions || palette->motions != NULL);
    PELT_ASSERT(!traits->needs_centers || deformer->source.cors != NULL);
    PELT_ASSERT((out->position_stride | out->normal_stride | out->tangent_stride) % sizeof(float) ==
                0);
    deformer_run run = {.blocks = describe_run(deformer, out, palette, options),
                        .out = out,
                        .morph_weights = morph_weights,
                        .morph = kernels->morph,
                        .is_direct = out->positions != NULL &&
                                     deformer->options.order == PELT_ORDER_SORTED &&
                                     is_packed(out->position_stride, sizeof *out->positions) &&
                                     is_packed(out->normal_stride, sizeof *out->normals) &&
                                     is_packed(out->tangent_stride, sizeof *out->tangents)};
    size_t bytes = surface_bytes(&run.blocks, out);
    run.blocks.is_streamed = run.is_direct && begins_with_lines(&run.blocks, out) &&
                             (kernels->always_streams || bytes >= least_streamed_bytes());
    run.move = find_mover(&run.blocks, kernels);
    run.is_direct = run.is_direct && run.move != NULL;
    run_blocks(&run, blocks);
}

void pelti_deformer_run(const pelt_deformer* deformer, const pelti_block_kernels* kernels,
                        const pelt_surface* out, const pelt_palette* palette,
                        const pelt_deform_options* options, pelt_range blocks)
{
    pelti_deformer_run_morphed(deformer, kernels, out, palette, options, NULL, blocks);
}

const pelti_block_kernels* pelti_block_kernels_for(pelti_isa isa)
{
    if (!pelti_isa_is_there(isa))
    {
        return NULL;
    }
    return isa == PELTI_ISA_AVX512 ? pelti_block_kernels_avx512()
           : isa == PELTI_ISA_AVX2 ? pelti_block_kernels_avx2()
                                   : pelti_block_kernels_base();
}

void pelt_deformer_run(const pelt_deformer* deformer, const pelt_surface* out,
                       const pelt_palette* palette, const pelt_deform_options* options,
                       pelt_range blocks)
{
    pelti_deformer_run(deformer, pelti_block_kernels_for(pelti_isa_get()), out, palette, options,
                       blocks);
}

void pelt_deformer_run_morphed(const pelt_deformer* deformer, const pelt_surface* out,
                               const pelt_palette* palette, const pelt_deform_options* options,
                               const float* morph_weights, pelt_range blocks)
{
    pelti_deformer_run_morphed(deformer, pelti_block_kernels_for(pelti_isa_get()), out, palette,
                               options, morph_weights, blocks);
}

const char* pelt_deformer_isa(void)
{
    return pelti_isa_name(pelti_isa_get());
}
