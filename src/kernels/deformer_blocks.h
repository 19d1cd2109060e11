// SPDX-License-Identifier: MIT
// Ranges of blocks, by each method: what a set of kernels is from outside. Part of
// deformer_kernel.h.

// The blocks from one on that share its joints, as far as the range goes.
// @param index  of the block in the range that is being written
PELTI_INLINE void prepare_job(block_job* job, const pelti_block_run* run, pelt_range blocks,
                              uint32_t index, pelti_joints_kind kind)
{
    const pelt_deformer* d = run->deformer;
    const uint32_t block = blocks.first + index, left = blocks.count - index;
    const pelti_block* from = &d->blocks[block];
    const size_t at = (size_t)block * PELTI_BLOCK, to = (size_t)index * PELTI_BLOCK;
    const size_t weight = (size_t)from->first_joint * PELTI_BLOCK;
    job->palette = run->palette;
    job->joints = d->joints + from->first_joint;
    job->joint_count = from->joint_count;
    job->block_count = from->alike_count < left ? from->alike_count : left;
    job->is_rigid = kind != PELTI_JOINTS_STRETCHED;
    job->is_relative = job->is_rigid;
    job->scale = kind == PELTI_JOINTS_UNIFORM ? run->scale : 1.0f; // known where compiled
    job->least_square = 1e-4f;
    job->weights = d->weights != NULL ? d->weights + weight : NULL;
    job->weights_u16 = d->weights_u16 != NULL ? d->weights_u16 + weight : NULL;
    job->positions = d->positions + 3 * at;
    job->normals = run->has_normals ? d->normals + 3 * at : NULL;
    job->tangents = run->has_tangents ? d->tangents + 4 * at : NULL;
    job->cors = d->cors != NULL ? d->cors + 3 * at : NULL;
    job->mix_factors = d->mix_factors != NULL ? d->mix_factors + at : NULL;
    job->mix = run->options->mix;
    job->is_local = run->options->scale_pivot == PELT_SCALE_LOCAL;
    job->side = 1.0f;
    job->signs = NULL;
    job->moved_positions = run->positions + 3 * to;
    job->moved_normals = run->has_normals ? run->normals + 3 * to : NULL;
    job->moved_tangents = run->has_tangents ? run->tangents + 4 * to : NULL;
    job->is_streamed = run->is_streamed;
    job->factor_planes = NULL;
    job->rows = NULL;
}

// @param out  where the job has its signs from then on
PELTI_INLINE bool find_signs(block_job* job, pelti_block_signs* out, const pelti_block_run* run,
                             pelt_method method)
{
    job->side = 1.0f;
    job->signs = out->of;
    if (method == PELT_METHOD_LBS && job->is_rigid)
    {
        return true;
    }
    bool is_found = pelti_block_signs_find(out, run, job->joints, job->joint_count);
    job->side = out->side;
    return is_found;
}

// How large joints are decides what is left of a plane. False: some are so much larger than others
// that digits of these are lost.
PELTI_INLINE bool compare_sizes(block_job* job)
{
    float least = INFINITY, most = 0.0f;
    for (uint32_t i = 0; i < job->joint_count && !job->is_rigid; ++i)
    {
        const pelt_mat34* a = &job->palette->matrices[job->joints[i]];
        float square = 0.0f;
        for (int k = 0; k < 9; ++k)
        {
            square += a->m[k / 3][k % 3] * a->m[k / 3][k % 3];
        }
        least = square < least ? square : least;
        most = square > most ? square : most;
    }
    const float area = job->scale * job->scale;
    job->least_square = job->is_rigid ? 1e-4f * area * area : 1e-4f / 9.0f * least * most;
    return job->is_rigid || (least > 0.0f && most < 100.0f * least);
}

// Whether a number of joints has code of its own: most blocks that blend have two. With the 32
// registers of AVX-512 that gains nothing.
PELTI_INLINE bool is_pair(uint32_t joint_count)
{
    return PELTI_WIDE_LANES < 16 && joint_count == 2;
}

// @param joint_count  of the job, which may be known where this is compiled
PELTI_INLINE uint32_t blend_blocks(block_job job, pelt_method method, vector_mover move,
                                   uint32_t joint_count)
{
    const bool is_turned = job.is_rigid && (method == PELT_METHOD_DQS || method == PELT_METHOD_CRS);
    method_terms terms;
    job.joint_count = joint_count;
    fill_method_terms(&terms, &job, method);
    uint32_t block = 0;
    for (; block < job.block_count; ++block, next_block(&job))
    {
        wide_bits outside = {0};
        long_normals normals;
        WIDE_PAIRS
        for (uint32_t lane = 0; lane < PELTI_BLOCK; lane += PELTI_WIDE_LANES)
        {
            outside |= move(&normals, &terms, &job, lane);
        }
        outside |= is_turned ? (wide_bits){0} : put_normals(&job, &normals);
        if (wide_has_high_bit(outside))
        {
            break;
        }
    }
    return block;
}

// Returns how many blocks of a job have been moved, before the first one for the reference.
PELTI_INLINE uint32_t move_alike(const block_job* alike, const pelti_block_run* run,
                                 pelt_method method, vector_mover move)
{
    block_job job = *alike;
    pelti_block_signs signs;
    if (job.is_rigid && job.joint_count == 1)
    {
        return move_rigid(job);
    }
    if (job.joint_count > PELTI_BLOCK_JOINTS_MAX || !find_signs(&job, &signs, run, method))
    {
        return 0;
    }
    // Of many joints, one term less is not worth a look at all of them.
    job.is_relative = job.is_rigid || (job.joint_count <= 4 && compare_sizes(&job));
    if (job.joint_count == 1)
    {
        // All methods agree on a vertex that follows one joint, whose matrix is the mean.
        return blend_blocks(job, PELT_METHOD_LBS, move_lbs, 1);
    }
    return job.is_rigid && is_pair(job.joint_count)
               ? blend_blocks(job, method, move, 2)
               : blend_blocks(job, method, move, job.joint_count);
}

// Before anyone reads what has gone past the caches.
PELTI_INLINE void end_blocks(const pelti_block_run* run)
{
    if (PELTI_WIDE_STREAMS && run->is_streamed)
    {
        wide_stream_end();
    }
}

PELTI_INLINE uint32_t move_blocks(const pelti_block_run* run, pelt_range blocks,
                                  pelti_joints_kind kind, pelt_method method, vector_mover move)
{
    uint32_t i = 0;
    for (bool is_ordinary = true; i < blocks.count && is_ordinary;)
    {
        block_job job;
        prepare_job(&job, run, blocks, i, kind);
        uint32_t moved = move_alike(&job, run, method, move);
        is_ordinary = moved == job.block_count;
        i += moved;
    }
    end_blocks(run);
    return i;
}

enum
{
    STEP_BLOCKS = 32 // whose positions come before the directions of any
};

// Blocks with accurate directions, which come after positions: a block for the reference is the end
// of a step, and those behind it have their positions once more.
PELTI_INLINE uint32_t move_alike_accurately(block_job* job, const pelti_block_run* run,
                                            uint32_t block, pelt_method method, vector_mover move)
{
    const bool is_rigid = job->is_rigid;
    const pelti_factor_block* around = &run->deformer->factor_blocks[block];
    bool is_even = around->joint_count == 0;
    bool is_bent = !is_rigid && job->joint_count > 1 && job->is_local &&
                   (method == PELT_METHOD_DQS || method == PELT_METHOD_MIX);
    bool is_standard = is_even && !is_bent;
    bool is_covered = around->joint_count <= PELTI_BLOCK_JOINTS_MAX &&
                      !(is_bent && around->is_tilted) &&
                      !(job->tangents != NULL && around->is_skewed);
    if (!is_standard && !is_covered)
    {
        return 0;
    }
    uint32_t most = around->alike_count < STEP_BLOCKS ? around->alike_count : STEP_BLOCKS;
    job->block_count = job->block_count < most ? job->block_count : most;
    block_job directions = *job;
    if (!is_standard)
    {
        job->normals = job->tangents = NULL;
    }
    // One call for both: compilers make a copy of all of it for each.
    uint32_t moved = move_alike(job, run, method, move);
    if (is_standard)
    {
        return moved;
    }
    pelti_block_signs signs;
    directions.block_count = moved;
    directions.factor_planes =
        run->deformer->factor_planes + (size_t)around->first_plane * PELTI_BLOCK;
    if (!is_even)
    {
        directions.joints = run->deformer->factor_joints + around->first_joint;
        directions.joint_count = around->joint_count;
        directions.is_relative = true;
    }
    if (!compare_sizes(&directions) || !find_signs(&directions, &signs, run, method))
    {
        return 0;
    }
    if (is_even)
    {
        return derive_even(&directions, method);
    }
    bool has_pivot = method == PELT_METHOD_DQS || method == PELT_METHOD_MIX;
    const uint32_t count = directions.joint_count;
    if (is_rigid)
    {
        return is_pair(count) ? derive_directions(directions, method, STRETCH_NONE, 2)
                              : derive_directions(directions, method, STRETCH_NONE, count);
    }
    return has_pivot && !directions.is_local
               ? derive_directions(directions, method, STRETCH_AT_ORIGIN, count)
               : derive_directions(directions, method, STRETCH_AT, count);
}

PELTI_INLINE uint32_t move_blocks_accurately(const pelti_block_run* run, pelt_range blocks,
                                             pelti_joints_kind kind, pelt_method method,
                                             vector_mover move)
{
    uint32_t i = 0;
    for (bool is_ordinary = true; i < blocks.count && is_ordinary;)
    {
        block_job job;
        prepare_job(&job, run, blocks, i, kind);
        uint32_t moved = move_alike_accurately(&job, run, blocks.first + i, method, move);
        is_ordinary = moved == job.block_count;
        i += moved;
    }
    end_blocks(run);
    return i;
}

static uint32_t run_lbs(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, PELTI_JOINTS_RIGID, PELT_METHOD_LBS, move_lbs);
}

static uint32_t run_dqs(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, PELTI_JOINTS_RIGID, PELT_METHOD_DQS, move_dqs);
}

static uint32_t run_mix(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, PELTI_JOINTS_RIGID, PELT_METHOD_MIX, move_mix);
}

static uint32_t run_crs(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, PELTI_JOINTS_RIGID, PELT_METHOD_CRS, move_crs);
}

static uint32_t run_lbs_uniform(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, PELTI_JOINTS_UNIFORM, PELT_METHOD_LBS, move_lbs);
}

static uint32_t run_dqs_uniform(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, PELTI_JOINTS_UNIFORM, PELT_METHOD_DQS, move_dqs);
}

static uint32_t run_mix_uniform(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, PELTI_JOINTS_UNIFORM, PELT_METHOD_MIX, move_mix);
}

static uint32_t run_crs_uniform(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, PELTI_JOINTS_UNIFORM, PELT_METHOD_CRS, move_crs);
}

static uint32_t run_lbs_scaled(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, PELTI_JOINTS_STRETCHED, PELT_METHOD_LBS, move_lbs);
}

static uint32_t run_dqs_scaled(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, PELTI_JOINTS_STRETCHED, PELT_METHOD_DQS, move_dqs_scaled);
}

static uint32_t run_mix_scaled(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, PELTI_JOINTS_STRETCHED, PELT_METHOD_MIX, move_mix_scaled);
}

static uint32_t run_crs_scaled(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, PELTI_JOINTS_STRETCHED, PELT_METHOD_CRS, move_crs_scaled);
}

static uint32_t run_lbs_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, PELTI_JOINTS_RIGID, PELT_METHOD_LBS, move_lbs);
}

static uint32_t run_dqs_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, PELTI_JOINTS_RIGID, PELT_METHOD_DQS, move_dqs);
}

static uint32_t run_mix_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, PELTI_JOINTS_RIGID, PELT_METHOD_MIX, move_mix);
}

static uint32_t run_crs_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, PELTI_JOINTS_RIGID, PELT_METHOD_CRS, move_crs);
}

static uint32_t run_lbs_uniform_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, PELTI_JOINTS_UNIFORM, PELT_METHOD_LBS, move_lbs);
}

static uint32_t run_dqs_uniform_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, PELTI_JOINTS_UNIFORM, PELT_METHOD_DQS, move_dqs);
}

static uint32_t run_mix_uniform_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, PELTI_JOINTS_UNIFORM, PELT_METHOD_MIX, move_mix);
}

static uint32_t run_crs_uniform_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, PELTI_JOINTS_UNIFORM, PELT_METHOD_CRS, move_crs);
}

static uint32_t run_lbs_scaled_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, PELTI_JOINTS_STRETCHED, PELT_METHOD_LBS, move_lbs);
}

static uint32_t run_dqs_scaled_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, PELTI_JOINTS_STRETCHED, PELT_METHOD_DQS,
                                  move_dqs_scaled);
}

static uint32_t run_mix_scaled_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, PELTI_JOINTS_STRETCHED, PELT_METHOD_MIX,
                                  move_mix_scaled);
}

static uint32_t run_crs_scaled_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, PELTI_JOINTS_STRETCHED, PELT_METHOD_CRS,
                                  move_crs_scaled);
}

static const pelti_block_kernels kernels = {
    .isa = PELTI_WIDE_ISA,
    .shape = shape_block,
    .move = {[PELTI_JOINTS_RIGID] = {[PELT_METHOD_LBS] = run_lbs,
                                     [PELT_METHOD_DQS] = run_dqs,
                                     [PELT_METHOD_MIX] = run_mix,
                                     [PELT_METHOD_CRS] = run_crs},
             [PELTI_JOINTS_UNIFORM] = {[PELT_METHOD_LBS] = run_lbs_uniform,
                                       [PELT_METHOD_DQS] = run_dqs_uniform,
                                       [PELT_METHOD_MIX] = run_mix_uniform,
                                       [PELT_METHOD_CRS] = run_crs_uniform},
             [PELTI_JOINTS_STRETCHED] = {[PELT_METHOD_LBS] = run_lbs_scaled,
                                         [PELT_METHOD_DQS] = run_dqs_scaled,
                                         [PELT_METHOD_MIX] = run_mix_scaled,
                                         [PELT_METHOD_CRS] = run_crs_scaled}},
    .move_accurate = {[PELTI_JOINTS_RIGID] = {[PELT_METHOD_LBS] = run_lbs_accurate,
                                              [PELT_METHOD_DQS] = run_dqs_accurate,
                                              [PELT_METHOD_MIX] = run_mix_accurate,
                                              [PELT_METHOD_CRS] = run_crs_accurate},
                      [PELTI_JOINTS_UNIFORM] = {[PELT_METHOD_LBS] = run_lbs_uniform_accurate,
                                                [PELT_METHOD_DQS] = run_dqs_uniform_accurate,
                                                [PELT_METHOD_MIX] = run_mix_uniform_accurate,
                                                [PELT_METHOD_CRS] = run_crs_uniform_accurate},
                      [PELTI_JOINTS_STRETCHED] = {[PELT_METHOD_LBS] = run_lbs_scaled_accurate,
                                                  [PELT_METHOD_DQS] = run_dqs_scaled_accurate,
                                                  [PELT_METHOD_MIX] = run_mix_scaled_accurate,
                                                  [PELT_METHOD_CRS] = run_crs_scaled_accurate}},
};
