#!/bin/sh
# SPDX-License-Identifier: MIT
# A script that reads what pelt has written by packages of npm:
#
#     sh tests/outside/npm_test.sh SCRIPT.mjs PELT MODELS
#
# The packages are in PELT_NPM; without them, without node or without models the test is skipped.

name=${1%.mjs}
models=${PELT_MODELS:-$3}
if ! command -v node > /dev/null || [ ! -d "${PELT_NPM:-none}/node_modules" ]; then
    echo "SKIP $name: there is no node, or no PELT_NPM"
    exit 77
fi
if [ ! -f "$models/MANIFEST.md" ]; then
    echo "SKIP $name: no models folder"
    exit 77
fi
exec node "${0%/*}/$1" "$2" "$models" "$PELT_NPM"
