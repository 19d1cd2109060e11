// SPDX-License-Identifier: MIT
// Loops over ranges of blocks for each method, which are the interface of a set of kernels. Part of
// deformer_kernel.h.

// The number of blocks from one on that share its joints, within the range.
// @param index  of the block in the range that is being written
PELTI_INLINE void prepare_run(block_run* run, const pelti_kernel_args* args, pelt_range blocks,
                              uint32_t index, pelti_joints_kind kind)
{
    const pelt_deformer* d = args->deformer;
    const uint32_t block = blocks.first + index, left = blocks.count - index;
    const pelti_block* from = &d->blocks[block];
    const size_t at = (size_t)block * PELTI_BLOCK, to = (size_t)index * PELTI_BLOCK;
    const size_t weight = (size_t)from->first_joint * PELTI_BLOCK;
    run->palette = args->palette;
    run->joints = d->joints + from->first_joint;
    run->joint_count = from->joint_count;
    run->block_count = from->run_length < left ? from->run_length : left;
    run->is_rigid = kind != PELTI_JOINTS_STRETCHED;
    run->is_relative = run->is_rigid;
    run->scale = kind == PELTI_JOINTS_UNIFORM ? args->scale : 1.0f; // known where compiled
    run->least_square = 1e-4f;
    run->weights = d->weights != NULL ? d->weights + weight : NULL;
    run->weights_u16 = d->weights_u16 != NULL ? d->weights_u16 + weight : NULL;
    run->positions = d->positions + 3 * at;
    run->normals = args->has_normals ? d->normals + 3 * at : NULL;
    run->tangents = args->has_tangents ? d->tangents + 4 * at : NULL;
    run->cors = d->cors != NULL ? d->cors + 3 * at : NULL;
    run->mix_factors = d->mix_factors != NULL ? d->mix_factors + at : NULL;
    run->mix = args->options->mix;
    run->is_local = args->options->scale_pivot == PELT_SCALE_LOCAL;
    run->handedness = 1.0f;
    run->signs = NULL;
    run->moved_positions = args->positions + 3 * to;
    run->moved_normals = args->has_normals ? args->normals + 3 * to : NULL;
    run->moved_tangents = args->has_tangents ? args->tangents + 4 * to : NULL;
    run->is_streamed = args->is_streamed;
    run->factor_planes = NULL;
    run->rows = NULL;
}

// @param out  where the job then has its signs
PELTI_INLINE bool set_signs(block_run* run, pelti_block_signs* out, const pelti_kernel_args* args,
                            const kernel_method* method)
{
    run->handedness = 1.0f;
    run->signs = out->of;
    if (!method->blends_rotations && run->is_rigid)
    {
        return true;
    }
    bool is_found = pelti_block_signs_find(out, args, run->joints, run->joint_count);
    run->handedness = out->handedness;
    return is_found;
}

// Set the limit below which a plane counts as lost, which depends on the size of the joints. False:
// some are so much larger than others that digits of the smaller ones are lost.
PELTI_INLINE bool set_least_square(block_run* run)
{
    float least = INFINITY, most = 0.0f;
    for (uint32_t i = 0; i < run->joint_count && !run->is_rigid; ++i)
    {
        const pelt_mat34* a = &run->palette->matrices[run->joints[i]];
        float square = 0.0f;
        for (int k = 0; k < 9; ++k)
        {
            square += a->m[k / 3][k % 3] * a->m[k / 3][k % 3];
        }
        least = square < least ? square : least;
        most = square > most ? square : most;
    }
    const float area = run->scale * run->scale;
    run->least_square = run->is_rigid ? 1e-4f * area * area : 1e-4f / 9.0f * least * most;
    return run->is_rigid || (least > 0.0f && most < 100.0f * least);
}

// Whether a number of joints has code of its own: most blocks that blend have two. With the 32
// registers of AVX-512 it would not be faster.
PELTI_INLINE bool is_pair(uint32_t joint_count)
{
    return PELTI_WIDE_LANES < 16 && joint_count == 2;
}

// @param joint_count  of the run, which may be known where this is compiled
PELTI_INLINE uint32_t blend_blocks(block_run run, const kernel_method* method, vector_mover move,
                                   uint32_t joint_count)
{
    const bool rotates_normals =
        run.is_rigid && method->blends_rotations && !method->has_mix_factor;
    method_terms terms;
    run.joint_count = joint_count;
    fill_method_terms(&terms, &run, method);
    uint32_t block = 0;
    for (; block < run.block_count; ++block, next_block(&run))
    {
        wide_bits outside = {0};
        unscaled_normals normals;
        WIDE_PAIRS
        for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
        {
            outside |= move(&normals, &terms, &run, lane);
        }
        outside |= rotates_normals ? (wide_bits){0} : put_normals(&run, &normals);
        if (wide_has_high_bit(outside))
        {
            break;
        }
    }
    return block;
}

// Returns how many blocks of a job have been moved, before the first one for the reference.
PELTI_INLINE uint32_t move_run(const block_run* first, const pelti_kernel_args* args,
                               const kernel_method* method, vector_mover move)
{
    block_run run = *first;
    pelti_block_signs signs;
    if (run.is_rigid && run.joint_count == 1)
    {
        return move_rigid(run);
    }
    if (run.joint_count > PELTI_BLOCK_JOINTS_MAX || !set_signs(&run, &signs, args, method))
    {
        return 0;
    }
    // With many joints, the search would cost more than the term that it saves.
    run.is_relative = run.is_rigid || (run.joint_count <= 4 && set_least_square(&run));
    if (run.joint_count == 1)
    {
        // All methods agree on a vertex that follows one joint, whose matrix is the mean.
        return blend_blocks(run, &kernel_LBS, move_lbs, 1);
    }
    return run.is_rigid && is_pair(run.joint_count)
               ? blend_blocks(run, method, move, 2)
               : blend_blocks(run, method, move, run.joint_count);
}

// Before anything reads what was written past the caches.
PELTI_INLINE void end_blocks(const pelti_kernel_args* args)
{
    if (PELTI_WIDE_STREAMS && args->is_streamed)
    {
        wide_stream_end();
    }
}

PELTI_INLINE uint32_t move_blocks(const pelti_kernel_args* args, pelt_range blocks,
                                  pelti_joints_kind kind, const kernel_method* method,
                                  vector_mover move)
{
    uint32_t i = 0;
    for (bool is_covered = true; i < blocks.count && is_covered;)
    {
        block_run run;
        prepare_run(&run, args, blocks, i, kind);
        uint32_t moved = move_run(&run, args, method, move);
        is_covered = moved == run.block_count;
        i += moved;
    }
    end_blocks(args);
    return i;
}

enum
{
    STEP_BLOCKS = 32 // whose positions come before the directions of any
};

// Move blocks with accurate directions, which come after positions: a block for the reference ends
// a step, and the positions of the blocks behind it are computed again.
PELTI_INLINE uint32_t move_run_accurately(block_run* run, const pelti_kernel_args* args,
                                          uint32_t block, const kernel_method* method,
                                          vector_mover move)
{
    const bool is_rigid = run->is_rigid;
    const pelti_factor_block* factor_block = &args->deformer->factor_blocks[block];
    bool is_constant = factor_block->joint_count == 0;
    bool is_bent = !is_rigid && run->joint_count > 1 && run->is_local && blends_motions(method);
    bool is_standard = is_constant && !is_bent;
    bool is_covered = factor_block->joint_count <= PELTI_BLOCK_JOINTS_MAX &&
                      !(is_bent && factor_block->needs_plane_normals) &&
                      !(run->tangents != NULL && factor_block->has_skewed_tangents);
    if (!is_standard && !is_covered)
    {
        return 0;
    }
    uint32_t most = factor_block->run_length < STEP_BLOCKS ? factor_block->run_length : STEP_BLOCKS;
    run->block_count = run->block_count < most ? run->block_count : most;
    block_run directions = *run;
    if (!is_standard)
    {
        run->normals = run->tangents = NULL;
    }
    // A single call for both: compilers make a copy of the whole function for each call.
    uint32_t moved = move_run(run, args, method, move);
    if (is_standard)
    {
        return moved;
    }
    pelti_block_signs signs;
    directions.block_count = moved;
    directions.factor_planes =
        args->deformer->factor_planes + (size_t)factor_block->first_plane * PELTI_BLOCK;
    if (!is_constant)
    {
        directions.joints = args->deformer->factor_joints + factor_block->first_joint;
        directions.joint_count = factor_block->joint_count;
        directions.is_relative = true;
    }
    if (!set_least_square(&directions) || !set_signs(&directions, &signs, args, method))
    {
        return 0;
    }
    if (is_constant)
    {
        return derive_constant(&directions, method);
    }
    const uint32_t count = directions.joint_count;
    if (is_rigid)
    {
        return is_pair(count) ? derive_directions(directions, method, STRETCH_NONE, 2)
                              : derive_directions(directions, method, STRETCH_NONE, count);
    }
    return blends_motions(method) && !directions.is_local
               ? derive_directions(directions, method, STRETCH_AT_ORIGIN, count)
               : derive_directions(directions, method, STRETCH_AT, count);
}

PELTI_INLINE uint32_t move_blocks_accurately(const pelti_kernel_args* args, pelt_range blocks,
                                             pelti_joints_kind kind, const kernel_method* method,
                                             vector_mover move)
{
    uint32_t i = 0;
    for (bool is_covered = true; i < blocks.count && is_covered;)
    {
        block_run run;
        prepare_run(&run, args, blocks, i, kind);
        uint32_t moved = move_run_accurately(&run, args, blocks.first + i, method, move);
        is_covered = moved == run.block_count;
        i += moved;
    }
    end_blocks(args);
    return i;
}

// ---------------------------------------------------------------------------------------------
// The table of kernels
//
// Each entry is a function of its own, compiled from the loops above with constants for the method
// and the kind of joints, for each row of KERNEL_METHODS. Where size matters more than speed, as in
// the WebAssembly module, PELT_FEW_KERNELS leaves accurate normals of joints that scale to the
// reference.

#ifdef PELT_FEW_KERNELS
#define PELTI_MAYBE_UNUSED __attribute__((unused))
#else
#define PELTI_MAYBE_UNUSED
#endif
#define DEFINE_KERNELS(METHOD, KIND, move)                                                         \
    static uint32_t run_##METHOD##_##KIND(const pelti_kernel_args* args, pelt_range blocks)        \
    {                                                                                              \
        return move_blocks(args, blocks, PELTI_JOINTS_##KIND, &kernel_##METHOD, move);             \
    }                                                                                              \
    PELTI_MAYBE_UNUSED static uint32_t run_##METHOD##_##KIND##_accurate(                           \
        const pelti_kernel_args* args, pelt_range blocks)                                          \
    {                                                                                              \
        return move_blocks_accurately(args, blocks, PELTI_JOINTS_##KIND, &kernel_##METHOD, move);  \
    }
#define DEFINE_METHOD(METHOD, move, move_scaled)                                                   \
    DEFINE_KERNELS(METHOD, RIGID, move)                                                            \
    DEFINE_KERNELS(METHOD, UNIFORM, move)                                                          \
    DEFINE_KERNELS(METHOD, STRETCHED, move_scaled)

KERNEL_METHODS(DEFINE_METHOD)

#define RIGID(METHOD, ...) [PELT_METHOD_##METHOD] = run_##METHOD##_RIGID,
#define UNIFORM(METHOD, ...) [PELT_METHOD_##METHOD] = run_##METHOD##_UNIFORM,
#define STRETCHED(METHOD, ...) [PELT_METHOD_##METHOD] = run_##METHOD##_STRETCHED,
#define RIGID_ACCURATE(METHOD, ...) [PELT_METHOD_##METHOD] = run_##METHOD##_RIGID_accurate,
#define UNIFORM_ACCURATE(METHOD, ...) [PELT_METHOD_##METHOD] = run_##METHOD##_UNIFORM_accurate,
#define STRETCHED_ACCURATE(METHOD, ...) [PELT_METHOD_##METHOD] = run_##METHOD##_STRETCHED_accurate,

static const pelti_block_kernels kernels = {
    .isa = PELTI_WIDE_ISA,
    .morph = morph_block,
    .move = {[PELTI_JOINTS_RIGID] = {KERNEL_METHODS(RIGID)},
             [PELTI_JOINTS_UNIFORM] = {KERNEL_METHODS(UNIFORM)},
             [PELTI_JOINTS_STRETCHED] = {KERNEL_METHODS(STRETCHED)}},
    .move_accurate =
        {
            [PELTI_JOINTS_RIGID] = {KERNEL_METHODS(RIGID_ACCURATE)},
#ifndef PELT_FEW_KERNELS
            [PELTI_JOINTS_UNIFORM] = {KERNEL_METHODS(UNIFORM_ACCURATE)},
            [PELTI_JOINTS_STRETCHED] = {KERNEL_METHODS(STRETCHED_ACCURATE)},
#endif
        },
};
