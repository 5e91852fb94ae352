#!/usr/bin/env bash
# Runs the parts of a batch analysis as a Slurm array job.
#
#     sbatch --array=0-63 slurm-array.sh RUN PARTS
#
# RUN is the folder, or the address in a bucket, of what `analyze-cli plan` has made, PARTS the number of parts that it printed. The tasks of the array divide the
# parts among themselves, so an array may be smaller than the number of parts (Slurm's limit is MaxArraySize). Submit the job again
# if it fails: complete parts are skipped.
#SBATCH --job-name=audio-companion
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --requeue
set -uo pipefail

run=$1
parts=$2
status=0
for ((part = SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN; part < parts; part += SLURM_ARRAY_TASK_COUNT)); do
    "${ANALYZE_CLI:-analyze-cli}" part "$run" --part "$part" || status=1
done
exit "$status"
