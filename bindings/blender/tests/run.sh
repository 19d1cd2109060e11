#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the add-on and tests it in Blender, with settings of its own.
# Usage: run.sh BUILD [PYTHON]; the folder of characters is PELT_MODELS.
set -eu
build=$(cd "$1" && pwd)
python=${2:-python3}
source=$(cd "$(dirname "$0")/../../.." && pwd)
models=${PELT_MODELS:-$source/../shared/models}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/addons"
zip=$build/blender/pelt_blender.zip
"$python" "$source/bindings/blender/make_zip.py" "$build"/python/pelt-*.whl "$zip"
[ -d "$models" ] || models=""
# shellcheck disable=SC2086
BLENDER_USER_SCRIPTS=$folder BLENDER_USER_CONFIG=$folder blender -b --factory-startup \
    --python-exit-code 1 --python "$source/bindings/blender/tests/test_blender.py" -- "$zip" $models \
    > "$folder/said" 2>&1 || { cat "$folder/said"; exit 1; }
grep -E '^(ok|FAILED|SKIP)|passed' "$folder/said"
