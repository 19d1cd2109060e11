// SPDX-License-Identifier: MIT
// Deformers: one frame. A block goes to a kernel where it can, and else to the reference.
#include "../base/exact.h"

#include "../../include/pelt/prepare.h"
#include "deformer.h"

// What is the same for all blocks of a run.
typedef struct deformer_run
{
    const pelt_deformer* deformer;
    const pelt_surface* out;
    const pelt_palette* palette;
    const pelt_deform_options* options;
    const pelti_block_kernels* kernels;
    pelti_block_mover move; // NULL: no kernel covers this
} deformer_run;

static pelti_block_mover find_mover(const deformer_run* run)
{
    const pelt_deformer_source* source = &run->deformer->source;
    pelt_method method = run->options->method;
    bool is_derived = run->options->normal_rule != PELT_NORMAL_STANDARD &&
                      source->normal_factors != NULL && source->normals != NULL;
    if (is_derived)
    {
        return NULL;
    }
    if (run->palette->is_rigid)
    {
        return run->kernels->move[method];
    }
    // A center that is stretched about the origin is moved by each joint's rigid motion alone.
    bool is_far = method == PELT_METHOD_CRS && run->options->scale_pivot != PELT_SCALE_LOCAL;
    return is_far ? NULL : run->kernels->move_scaled[method];
}

bool pelti_deformer_covers(const pelt_deformer* deformer, const pelt_surface* out,
                           const pelt_palette* palette, const pelt_deform_options* options)
{
    const deformer_run run = {.deformer = deformer,
                              .out = out,
                              .palette = palette,
                              .options = options,
                              .kernels = pelti_block_kernels_for(pelti_isa_get())};
    return find_mover(&run) != NULL;
}

// ---------------------------------------------------------------------------------------------
// The reference

static void* shifted(const void* array, uint32_t stride, size_t size, size_t index)
{
    return array != NULL ? (char*)array + index * (stride > 0 ? stride : size) : NULL;
}

static uint32_t place_of(const pelt_deformer* deformer, uint32_t place)
{
    return deformer->options.order == PELT_ORDER_SORTED ? place : deformer->order[place];
}

// The arrays of one vertex are those of the mesh, from that vertex on.
static void deform_one(const deformer_run* run, uint32_t v, uint32_t place)
{
    const pelt_deformer_source* source = &run->deformer->source;
    pelt_weights weights = *source->weights;
    weights.vertex_count = 1;
    weights.first += v;
    pelt_normal_factors factors;
    if (source->normal_factors != NULL)
    {
        factors = *source->normal_factors;
        factors.vertex_count = 1;
        factors.first += v;
        factors.tangents += v;
        factors.tilts += v;
        factors.centers = shifted(factors.centers, 0, sizeof *factors.centers, v);
        factors.center_derivatives =
            shifted(factors.center_derivatives, 0, 2 * sizeof *factors.center_derivatives, v);
    }
    const pelt_deform_input input = {
        .positions = shifted(source->positions, source->position_stride, sizeof(pelt_vec3), v),
        .normals = shifted(source->normals, source->normal_stride, sizeof(pelt_vec3), v),
        .tangents = shifted(source->tangents, source->tangent_stride, sizeof(pelt_vec4), v),
        .cors = shifted(source->cors, 0, sizeof(pelt_vec3), v),
        .mix_factors = shifted(source->mix_factors, 0, sizeof(float), v),
        .normal_factors = source->normal_factors != NULL ? &factors : NULL,
        .weights = &weights,
        .palette = run->palette,
    };
    const pelt_surface out = {
        .positions =
            shifted(run->out->positions, run->out->position_stride, sizeof(pelt_vec3), place),
        .normals = shifted(run->out->normals, run->out->normal_stride, sizeof(pelt_vec3), place),
        .tangents = shifted(run->out->tangents, run->out->tangent_stride, sizeof(pelt_vec4), place),
    };
    pelt_deform(&out, &input, run->options, (pelt_range){0, 1});
}

static void run_reference(const deformer_run* run, uint32_t block)
{
    uint32_t first = block * PELTI_BLOCK;
    for (uint32_t i = 0; i < run->deformer->blocks[block].vertex_count; ++i)
    {
        deform_one(run, run->deformer->order[first + i], place_of(run->deformer, first + i));
    }
}

// ---------------------------------------------------------------------------------------------
// Signs

// Whether the joints of a block all mirror, or none does: then no vertex has both kinds, which are
// for the reference to tell apart. False also where that is hard to say.
static bool find_side(pelti_block_job* job)
{
    job->side = 1.0f;
    for (uint32_t i = 0; i < job->joint_count && !job->palette->is_rigid; ++i)
    {
        pelt_mat3 linear = pelt_mat34_linear(&job->palette->matrices[job->joints[i]]);
        float determinant = pelt_mat3_determinant(&linear);
        float side = determinant < 0.0f ? -1.0f : 1.0f;
        bool is_trusted = fabsf(determinant) > 1e-30f && fabsf(determinant) < 1e30f;
        if (!is_trusted || (i > 0 && side != job->side))
        {
            return false;
        }
        job->side = side;
    }
    return true;
}

static pelt_quat signed_quat(const pelti_block_job* job, uint32_t i)
{
    return pelt_quat_scale(job->palette->motions[job->joints[i]].real, job->signs[i]);
}

// Signs that bring the quaternions of a block into one hemisphere, each nearer to every other than
// its negative is. Then whatever quaternion a rule compares with, it comes to these signs, or to
// all of the others, which is the same rotation. False: there are none, or it would take long to
// find out.
static bool find_signs(pelti_block_job* job)
{
    enum
    {
        PAIRS_MAX = 8
    };
    const float clear = 1e-5f, half_right = 0.7072f; // cosine of 45 degrees, and some
    job->signs[0] = 1.0f;
    pelt_quat lead = signed_quat(job, 0);
    bool is_near = true;
    for (uint32_t i = 1; i < job->joint_count; ++i)
    {
        job->signs[i] = 1.0f;
        float cosine = pelt_quat_dot(lead, signed_quat(job, i));
        job->signs[i] = cosine < 0.0f ? -1.0f : 1.0f;
        is_near = is_near && fabsf(cosine) > half_right;
    }
    for (uint32_t i = 0; i < job->joint_count && !is_near; ++i)
    {
        for (uint32_t j = 0; j < i; ++j)
        {
            if (job->joint_count > PAIRS_MAX ||
                !(pelt_quat_dot(signed_quat(job, i), signed_quat(job, j)) > clear))
            {
                return false;
            }
        }
    }
    return true;
}

// Whether the signs of a blend are those of the palette.
static bool has_palette_signs(const pelt_deform_options* options)
{
    bool has_variant = options->method == PELT_METHOD_DQS || options->method == PELT_METHOD_MIX;
    return options->sign_rule == PELT_SIGN_HIERARCHY ||
           (has_variant && options->dqs_variant != PELT_DQS_ANTIPODAL);
}

static bool choose_signs(pelti_block_job* job, const pelt_deform_options* options)
{
    if (!find_side(job))
    {
        return false;
    }
    if (options->method != PELT_METHOD_LBS && !has_palette_signs(options))
    {
        return find_signs(job);
    }
    for (uint32_t i = 0; i < job->joint_count; ++i)
    {
        job->signs[i] = 1.0f;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------

static void prepare_job(pelti_block_job* job, const deformer_run* run, uint32_t block)
{
    const pelt_deformer* d = run->deformer;
    const pelti_block* from = &d->blocks[block];
    size_t at = (size_t)block * PELTI_BLOCK, weight = (size_t)from->first_joint * PELTI_BLOCK;
    job->palette = run->palette;
    job->joints = d->joints + from->first_joint;
    job->joint_count = from->joint_count;
    job->weights = d->weights != NULL ? d->weights + weight : NULL;
    job->weights_u16 = d->weights_u16 != NULL ? d->weights_u16 + weight : NULL;
    job->positions = d->positions + 3 * at;
    job->normals = d->normals != NULL && run->out->normals != NULL ? d->normals + 3 * at : NULL;
    job->tangents = d->tangents != NULL && run->out->tangents != NULL ? d->tangents + 4 * at : NULL;
    job->cors = d->cors != NULL ? d->cors + 3 * at : NULL;
    job->mix_factors = d->mix_factors != NULL ? d->mix_factors + at : NULL;
    job->mix = run->options->mix;
    job->is_local = run->options->scale_pivot == PELT_SCALE_LOCAL;
}

// Write `width` planes of a block.
static void store(const deformer_run* run, uint32_t block, float* out, uint32_t stride,
                  const float* planes, uint32_t width)
{
    const pelt_deformer* d = run->deformer;
    uint32_t first = block * PELTI_BLOCK, count = d->blocks[block].vertex_count;
    size_t bytes = stride > 0 ? stride : width * sizeof(float);
    bool is_packed = bytes == width * sizeof(float) && d->options.order == PELT_ORDER_SORTED;
    if (is_packed && count == PELTI_BLOCK)
    {
        (width == 3 ? run->kernels->pack3 : run->kernels->pack4)(out + (size_t)width * first,
                                                                 planes);
        return;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        float* to = shifted(out, (uint32_t)bytes, 0, place_of(d, first + i));
        for (uint32_t k = 0; k < width; ++k)
        {
            to[k] = planes[k * PELTI_BLOCK + i];
        }
    }
}

static void run_block(const deformer_run* run, uint32_t block)
{
    const pelti_block* from = &run->deformer->blocks[block];
    pelti_block_job job;
    pelti_block_result result;
    if (run->move == NULL || from->joint_count > PELTI_BLOCK_JOINTS_MAX)
    {
        run_reference(run, block);
        return;
    }
    prepare_job(&job, run, block);
    bool is_rigid = from->joint_count == 1 && run->palette->is_rigid;
    bool is_done = is_rigid ? run->kernels->move_rigid(&result, &job)
                            : choose_signs(&job, run->options) && run->move(&result, &job);
    if (!is_done)
    {
        run_reference(run, block);
        return;
    }
    const pelt_surface* out = run->out;
    if (out->positions != NULL)
    {
        store(run, block, &out->positions->x, out->position_stride, result.positions[0], 3);
    }
    if (job.normals != NULL)
    {
        store(run, block, &out->normals->x, out->normal_stride, result.normals[0], 3);
    }
    if (job.tangents != NULL)
    {
        store(run, block, &out->tangents->x, out->tangent_stride, result.tangents[0], 4);
    }
}

void pelti_deformer_run(const pelt_deformer* deformer, const pelti_block_kernels* kernels,
                        const pelt_surface* out, const pelt_palette* palette,
                        const pelt_deform_options* options, pelt_range blocks)
{
    PELT_ASSERT(blocks.count <= deformer->block_count);
    PELT_ASSERT(blocks.first <= deformer->block_count - blocks.count);
    PELT_ASSERT(deformer->source.weights->joint_count <= palette->joint_count);
    PELT_ASSERT(options->method < PELT_METHOD_COUNT);
    PELT_ASSERT(options->method == PELT_METHOD_LBS || palette->motions != NULL);
    PELT_ASSERT(options->method != PELT_METHOD_CRS || deformer->source.cors != NULL);
    PELT_ASSERT((out->position_stride | out->normal_stride | out->tangent_stride) % sizeof(float) ==
                0);
    deformer_run run = {.deformer = deformer,
                        .out = out,
                        .palette = palette,
                        .options = options,
                        .kernels = kernels};
    run.move = find_mover(&run);
    for (uint32_t block = blocks.first; block < blocks.first + blocks.count; ++block)
    {
        run_block(&run, block);
    }
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

const char* pelt_deformer_isa(void)
{
    return pelti_isa_name(pelti_isa_get());
}
