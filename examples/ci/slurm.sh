#!/bin/sh
# SPDX-License-Identifier: MIT
# An array of 8 jobs: sbatch --array=1-8 slurm.sh CHARACTERS OUT, where both are on a shared folder.
#SBATCH --cpus-per-task=2
#SBATCH --requeue
set -eu
"${PELT:-pelt}" batch "$1" -o "$2" --threads "${SLURM_CPUS_PER_TASK:-1}" \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" -- enhance --cor
