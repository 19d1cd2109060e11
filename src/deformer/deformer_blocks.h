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
    job->is_streamed = run->is_large;
    job->scratch = run->scratch;
}

// Blocks are small, and a processor begins anew to look ahead with each plane of each: four blocks
// later the data is in the cache. Within caches it is so by itself. A prefetch beyond the end does
// nothing.
PELTI_INLINE void prefetch_planes(const float* planes)
{
    enum
    {
        LINE = 16, // floats
        AHEAD = 4 * 3 * PELTI_BLOCK
    };
    for (int i = 0; i < 3 * PELTI_BLOCK; i += LINE)
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
    if (PELTI_WIDE_STREAMS && run->is_large)
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
            prefetch_planes(job.normals != NULL ? job.normals : job.positions);
        }
        if (!move_block(&job, run, method, move))
        {
            break;
        }
    }
    end_blocks(run);
    return i;
}

// The same with accurate normals, which come after the rest.
PELTI_INLINE uint32_t move_blocks_accurately(const pelti_block_run* run, pelt_range blocks,
                                             pelt_method method, block_mover move)
{
    uint32_t i = 0;
    for (; i < blocks.count; ++i)
    {
        block_job job;
        uint32_t block = blocks.first + i, count = run->deformer->factor_blocks[block].joint_count;
        prepare_job(&job, run, block, i, true);
        const float* normals = job.normals;
        job.normals = count > 0 ? NULL : normals;
        if (count > PELTI_BLOCK_JOINTS_MAX || !move_block(&job, run, method, move))
        {
            break;
        }
        if (count > 0)
        {
            job.normals = normals;
            prepare_around(&job, run, block);
            if (!find_signs(&job, run, method) || !derive_normals(&job, method))
            {
                break;
            }
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
    return move_blocks_accurately(run, blocks, PELT_METHOD_LBS, move_lbs);
}

static uint32_t run_dqs_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, PELT_METHOD_DQS, move_dqs);
}

static uint32_t run_mix_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, PELT_METHOD_MIX, move_mix);
}

static uint32_t run_crs_accurate(const pelti_block_run* run, pelt_range blocks)
{
    return move_blocks_accurately(run, blocks, PELT_METHOD_CRS, move_crs);
}

static const pelti_block_kernels kernels = {
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
    .large_surface = PELTI_LARGE_SURFACE,
};
