#!/bin/sh
# SPDX-License-Identifier: MIT
# The fragment for three.js in docs/bounds.md, on four characters:
# sh tests/outside/three_bounds_test.sh PELT SOURCE
# three.js is that of PELT_NPM, a folder of npm packages; nothing is fetched.

pelt=$1
source=$2
models=${PELT_MODELS:-$source/../shared/models}
if ! command -v node > /dev/null || [ ! -d "${PELT_NPM:-none}/node_modules/three" ]; then
    echo "SKIP three_bounds: there is no node, or no three in PELT_NPM"
    exit 77
fi
if [ ! -d "$models" ]; then
    echo "SKIP three_bounds: no models folder; set PELT_MODELS"
    exit 77
fi
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
set --
for name in CesiumMan Fox RobotExpressive Quaternius_Velociraptor/Velociraptor; do
    file=$models/$name.glb
    [ -f "$file" ] || file=$models/$name/$name.glb
    output=$folder/$(basename "$name").glb
    "$pelt" enhance "$file" --bounds -o "$output" 2> "$folder/err" ||
        { cat "$folder/err"; exit 1; }
    set -- "$@" "$output"
done
node "$source/tests/outside/three_bounds.mjs" "$source/docs/bounds.md" \
    "$PELT_NPM/node_modules/three" "$@"
