#!/bin/sh
# SPDX-License-Identifier: MIT
# GNU parallel over SHARDS parts, here or on other machines with --sshlogin:
# parallel.sh CHARACTERS OUT SHARDS
set -eu
# Exit code 2 says that a character has failed: the report names it, and trying again would not help.
parallel --halt never --retries 3 \
    "${PELT:-pelt}" batch "$1" -o "$2" --threads 1 --shard "{}/$3" -- enhance --cor "||" test '$?' -eq 2 \
    ::: $(seq "$3")
"${PELT:-pelt}" batch --merge -o "$2"
