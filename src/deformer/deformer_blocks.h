// SPDX-License-Identifier: MIT
// Ranges of blocks, by each method: what a set of kernels is from outside. Part of
// deformer_kernel.h.

// @param index  of the block in the range that is being written
PELTI_INLINE void prepare_job(block_job* job, const pelti_block_run* run, uint32_t block,
                              uint32_t index, bool is_rigid)
{
    const pelt_deformer* d = run->deformer;
    const pelti_block* from = &d->blocks[block];
    size_t at = (size_t)block * PELTI_BLOCK, weight = (size_t)from->first_joint * PELTI_BLOCK;
    size_t to = (size_t)index * PELTI_BLOCK;
    job->palette = run->palette;
    job->joints = d->joints + from->first_joint;
    job->joint_count = from->joint_count;
    job->is_rigid = is_rigid;
    job->is_relative = is_rigid;
    job->least_square = 1e-4f;
    job->weights = d->weights != NULL ? d->weights + weight : NULL;
    job->weights_u16 = d->weights_u16 + weight;
    job->positions = d->positions + 3 * at;
    job->normals = run->has_normals ? d->normals + 3 * at : NULL;
    job->tangents = run->has_tangents ? d->tangents + 4 * at : NULL;
    job->cors = d->cors + 3 * at;
    job->mix_factors = d->mix_factors != NULL ? d->mix_factors + at : NULL;
    job->mix = run->options->mix;
    job->is_local = run->options->scale_pivot == PELT_SCALE_LOCAL;
    job->moved_positions = run->positions + 3 * to;
    job->moved_normals = run->normals + 3 * to;
    job->moved_tangents = run->tangents + 4 * to;
    job->is_streamed = run->is_streamed;
    job->scratch = run->scratch;
}

// Blocks are small, and a processor begins anew to look ahead with each plane of each: four blocks
// later the data is in the cache. From a cache it comes soon enough by itself. A prefetch beyond
// the end does nothing.
PELTI_INLINE void prefetch_planes(const float* planes)
{
    enum
    {
        LINE = 16, // floats
        AHEAD = 4 * 3 * PELTI_BLOCK
    };
    for (int i = 0; i < 3 * PELTI_BLOCK && planes != NULL; i += LINE)
    {
        __builtin_prefetch(planes + AHEAD + i);
    }
}

// The joints around a block, and how their weights change.
PELTI_INLINE void prepare_around(block_job* job, const pelti_block_run* run, uint32_t block)
{
    const pelt_deformer* d = run->deformer;
    const pelti_factor_block* from = &d->factor_blocks[block];
    job->joints = d->factor_joints + from->first_joint;
    job->joint_count = from->joint_count;
    job->rows = pelti_factor_rows_of(d->factor_planes + (size_t)from->first_plane * PELTI_BLOCK,
                                     from->joint_count, d->cors != NULL);
    job->weights = job->rows.weights - PELTI_BLOCK; // the first joint has none
    job->is_relative = true;
}

PELTI_INLINE bool find_signs(block_job* job, const pelti_block_run* run, pelt_method method)
{
    job->signs.side = 1.0f;
    return (method == PELT_METHOD_LBS && job->is_rigid) ||
           pelti_block_signs_find(&job->signs, run, job->joints, job->joint_count);
}

PELTI_INLINE bool move_block(block_job* job, const pelti_block_run* run, pelt_method method,
                             block_mover move)
{
    if (job->is_rigid && job->joint_count == 1)
    {
        move_rigid(job);
        return true;
    }
    return job->joint_count <= PELTI_BLOCK_JOINTS_MAX && find_signs(job, run, method) && move(job);
}

// Before anyone reads what has gone past the caches.
PELTI_INLINE void end_blocks(const pelti_block_run* run)
{
    if (PELTI_WIDE_STREAMS && run->is_streamed)
    {
        wide_stream_end();
    }
}

PELTI_INLINE uint32_t move_blocks(const pelti_block_run* run, pelt_range blocks, bool is_rigid,
                                  pelt_method method, block_mover move)
{
    uint32_t i = 0;
    for (; i < blocks.count; ++i)
    {
        block_job job;
        prepare_job(&job, run, blocks.first + i, i, is_rigid);
        if (run->is_large)
        {
            prefetch_planes(job.positions);
            prefetch_planes(job.normals);
        }
        if (!move_block(&job, run, method, move))
        {
            break;
        }
    }
    end_blocks(run);
    return i;
}

// How large joints are decides what is left of a plane. False: some are so much larger than others
// that digits of these are lost.
PELTI_INLINE bool find_scale(block_job* job)
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
    job->least_square = job->is_rigid ? 1e-4f : 1e-4f / 9.0f * least * most;
    return job->is_rigid || (least > 0.0f && most < 100.0f * least);
}

// A block with accurate directions, which come after positions.
PELTI_INLINE bool move_block_accurately(block_job* job, const pelti_block_run* run, uint32_t block,
                                        pelt_method method, bool is_rigid, block_mover move)
{
    const pelti_factor_block* around = &run->deformer->factor_blocks[block];
    const float *normals = job->normals, *tangents = job->tangents;
    bool is_even = around->joint_count == 0;
    bool is_bent =
        !is_rigid && job->is_local && (method == PELT_METHOD_DQS || method == PELT_METHOD_MIX);
    bool is_standard = is_even && !is_bent;
    bool is_covered = around->joint_count <= PELTI_BLOCK_JOINTS_MAX &&
                      !(is_bent && around->is_tilted) && !(tangents != NULL && around->is_skewed);
    if (!is_standard)
    {
        job->normals = job->tangents = NULL;
    }
    // One call for both: compilers make a copy of all of it for each.
    if (!(is_standard || is_covered) || !move_block(job, run, method, move))
    {
        return false;
    }
    if (is_standard)
    {
        return true;
    }
    job->normals = normals;
    job->tangents = tangents;
    if (is_even)
    {
        const float* planes =
            run->deformer->factor_planes + (size_t)around->first_plane * PELTI_BLOCK;
        return find_scale(job) && derive_even(job, planes, method);
    }
    prepare_around(job, run, block);
    if (!find_scale(job) || !find_signs(job, run, method))
    {
        return false;
    }
    bool has_pivot = method == PELT_METHOD_DQS || method == PELT_METHOD_MIX;
    return is_rigid                      ? derive_directions(job, method, STRETCH_NONE)
           : has_pivot && !job->is_local ? derive_directions(job, method, STRETCH_AT_ORIGIN)
                                         : derive_directions(job, method, STRETCH_AT);
}

PELTI_INLINE uint32_t move_blocks_accurately(const pelti_block_run* run, pelt_range blocks,
                                             bool is_rigid, pelt_method method, block_mover move)
{
    uint32_t i = 0;
    for (; i < blocks.count; ++i)
    {
        block_job job;
        prepare_job(&job, run, blocks.first + i, i, is_rigid);
        if (!move_block_accurately(&job, run, blocks.first + i, method, is_rigid, move))
        {
            break;
        }
    }
    end_blocks(run);
    return i;
}

static uint32_t run_lbs(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, true, PELT_METHOD_LBS, move_lbs);
}

static uint32_t run_dqs(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, true, PELT_METHOD_DQS, move_dqs);
}

static uint32_t run_mix(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, true, PELT_METHOD_MIX, move_mix);
}

static uint32_t run_crs(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, true, PELT_METHOD_CRS, move_crs);
}

static uint32_t run_lbs_scaled(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, false, PELT_METHOD_LBS, move_lbs);
}

static uint32_t run_dqs_scaled(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, false, PELT_METHOD_DQS, move_dqs_scaled);
}

static uint32_t run_mix_scaled(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, false, PELT_METHOD_MIX, move_mix_scaled);
}

static uint32_t run_crs_scaled(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks(run, blocks, false, PELT_METHOD_CRS, move_crs_scaled);
}

static uint32_t run_lbs_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, true, PELT_METHOD_LBS, move_lbs);
}

static uint32_t run_dqs_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, true, PELT_METHOD_DQS, move_dqs);
}

static uint32_t run_mix_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, true, PELT_METHOD_MIX, move_mix);
}

static uint32_t run_crs_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, true, PELT_METHOD_CRS, move_crs);
}

static uint32_t run_lbs_scaled_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, false, PELT_METHOD_LBS, move_lbs);
}

static uint32_t run_dqs_scaled_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, false, PELT_METHOD_DQS, move_dqs_scaled);
}

static uint32_t run_mix_scaled_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, false, PELT_METHOD_MIX, move_mix_scaled);
}

static uint32_t run_crs_scaled_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, false, PELT_METHOD_CRS, move_crs_scaled);
}

static const pelti_block_kernels kernels = {
    .isa = PELTI_WIDE_ISA,
    .move = {[PELT_METHOD_LBS] = run_lbs,
             [PELT_METHOD_DQS] = run_dqs,
             [PELT_METHOD_MIX] = run_mix,
             [PELT_METHOD_CRS] = run_crs},
    .move_scaled = {[PELT_METHOD_LBS] = run_lbs_scaled,
                    [PELT_METHOD_DQS] = run_dqs_scaled,
                    [PELT_METHOD_MIX] = run_mix_scaled,
                    [PELT_METHOD_CRS] = run_crs_scaled},
    .move_accurate = {[PELT_METHOD_LBS] = run_lbs_accurate,
                      [PELT_METHOD_DQS] = run_dqs_accurate,
                      [PELT_METHOD_MIX] = run_mix_accurate,
                      [PELT_METHOD_CRS] = run_crs_accurate},
    .move_scaled_accurate = {[PELT_METHOD_LBS] = run_lbs_scaled_accurate,
                             [PELT_METHOD_DQS] = run_dqs_scaled_accurate,
                             [PELT_METHOD_MIX] = run_mix_scaled_accurate,
                             [PELT_METHOD_CRS] = run_crs_scaled_accurate},
};
