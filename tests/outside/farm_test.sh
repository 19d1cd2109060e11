#!/bin/sh
# SPDX-License-Identifier: MIT
# pelt batch as an array of jobs: GNU parallel, Snakemake and Slurm run the files of examples/ci on 200
# characters, and one worker is killed in the middle. Nothing is lost or done twice, and the results are
# the same bytes as in one run.
# Usage: tests/outside/farm_test.sh PELT
set -u
[ $# -eq 1 ] || { echo "usage: farm_test.sh PELT" >&2; exit 2; }
PELT=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
export PELT
examples=$(cd "$(dirname "$0")/../../examples/ci" && pwd)
folder=$(mktemp -d)
slurm_is_ours=""
stop()
{
    if [ -n "$slurm_is_ours" ]; then
        [ -e "$folder/slurmd.pid" ] && kill "$(cat "$folder/slurmd.pid")"
        [ -e "$folder/slurmctld.pid" ] && kill "$(cat "$folder/slurmctld.pid")"
        kill "$munge" 2> /dev/null
        sleep 2 # they write their state once more
    fi
    rm -rf "$folder"
}
trap stop EXIT
cd "$folder" || exit 2
passed=0
failed=0
ok()
{
    fact=$1
    shift
    if "$@" > /dev/null 2>&1; then
        passed=$((passed + 1)); echo "ok      $fact"
    else
        failed=$((failed + 1)); echo "FAILED  $fact: $*"
    fi
}

mkdir characters
"$PELT" rig box -o box.glb 2> /dev/null
"$PELT" rig 'arm?vertices=600' -o arm.glb 2> /dev/null
i=0
while [ $i -lt 200 ]; do
    if [ $((i % 4)) -eq 0 ]; then source=arm; else source=box; fi
    cp $source.glb "characters/$i.glb"
    i=$((i + 1))
done

# same_as_one FOLDER: outputs and joined report are those of one run.
same_as_one()
{
    for name in one "$1"; do
        (cd $name && find . -name .pelt-batch -prune -o -type f ! -name 'report-*' -print | sort |
            xargs sha256sum) > "$name.sums"
    done
    [ "$(wc -l < one.sums)" -eq 202 ] && diff one.sums "$1.sums"
}

"$PELT" batch characters -o one -- enhance --cor 2> one.log
ok "one run does all" grep -q '^pelt: 200 characters: 0 up to date, 0 failed' one.log

# kill_one FOLDER: once some are done, kill one `pelt batch` that writes to FOLDER; print how many were.
kill_one()
{
    tries=0
    while [ "$(ls "$1" 2> /dev/null | grep -c 'glb$')" -lt 20 ] && [ $tries -lt 1200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    victim=$(pgrep -f "pelt batch .*-o $1 " | tail -n 1)
    [ -n "$victim" ] && kill -9 "$victim"
}

if command -v parallel > /dev/null; then
    sh "$examples/parallel.sh" characters farm_parallel 4 > parallel.log 2>&1 &
    worker=$!
    kill_one farm_parallel
    wait $worker
    ok "GNU parallel: the same as one run, with a worker killed" same_as_one farm_parallel
    ok "  a worker was started again and left out what was done" \
        grep -Eq '50 characters: [1-9][0-9]* up to date' parallel.log
else
    echo "SKIP GNU parallel: there is none"
fi

if command -v snakemake > /dev/null; then
    snake()
    {
        snakemake -q -s "$examples/Snakefile" --cores 2 --rerun-incomplete --config pelt="$PELT" \
            characters=characters out=farm_snakemake shards=4 > snakemake.log 2>&1
    }
    snake &
    worker=$!
    kill_one farm_snakemake
    wait $worker
    snake
    ok "Snakemake: the same as one run, with a worker killed" same_as_one farm_snakemake
else
    echo "SKIP Snakemake: there is none"
fi

# One node on the loopback interface, as root: its own munge key, controller and daemon.
start_slurm()
{
    host=$(hostname -s)
    mkdir -p state spool
    dd if=/dev/urandom of=munge.key bs=1 count=1024 2> /dev/null
    chmod 600 munge.key
    munged --key-file="$folder/munge.key" --socket="$folder/munge.socket" --force \
        --pid-file="$folder/munge.pid" --log-file="$folder/munge.log" --seed-file="$folder/munge.seed" \
        --foreground > /dev/null 2>&1 &
    munge=$!
    slurm_is_ours=yes
    cat > slurm.conf << END
ClusterName=pelt
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
SlurmctldPort=16817
SlurmdPort=16818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SchedulerType=sched/builtin
SelectType=select/cons_tres
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    export SLURM_CONF="$folder/slurm.conf"
    sleep 1
    slurmctld > /dev/null 2>&1
    slurmd > /dev/null 2>&1
    tries=0
    until sinfo -h -o %T 2> /dev/null | grep -q idle || [ $tries -ge 60 ]; do
        sleep 0.5
        tries=$((tries + 1))
    done
    sinfo -h -o %T 2> /dev/null | grep -q idle
}

if ! command -v slurmctld > /dev/null || [ "$(id -u)" -ne 0 ]; then
    echo "SKIP Slurm: it needs slurm-wlm and root"
elif ! start_slurm; then
    echo "SKIP Slurm: its daemons do not start here: $(tail -n 1 slurmctld.log slurmd.log 2> /dev/null | tr '\n' ' ')"
else
    submit() { sbatch --wait -Q --array=1-4 --cpus-per-task=1 -o "slurm-%a.log" "$examples/slurm.sh" \
        "$folder/characters" "$folder/farm_slurm"; }
    ln -s "$folder/characters" characters_by_slurm
    submit &
    worker=$!
    kill_one "$folder/farm_slurm"
    wait $worker
    submit
    ok "Slurm: no job has failed after a second run of the array" [ $? -eq 0 ]
    "$PELT" batch --merge -o farm_slurm 2> merge.log
    sed -i "s,$folder/characters,characters,g" farm_slurm/report.json farm_slurm/report.html
    ok "Slurm: the same as one run, with a worker killed" same_as_one farm_slurm
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
