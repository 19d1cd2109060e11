#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the wheel, installs it as users do, without a network, and runs all tests against it.
# Usage: run.sh BUILD [PYTHON]; the folder of characters is PELT_MODELS.
set -eu
build=$(cd "$1" && pwd)
python=${2:-python3}
source=$(cd "$(dirname "$0")/../../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
unset PELT_PYTHON_LIBRARY PELT_PROGRAM PYTHONPATH

"$python" "$source/bindings/python/backend/pelt_wheel.py" "$build" "$build/python"
# The command of the page, into a folder of its own.
command=$(sed -n 's/^pip \(install .*whl\)$/\1/p' "$source/docs/python.md")
# shellcheck disable=SC2086
(cd "$build/.." && "$python" -m pip $command -q --target "$folder/site")
# From the sources, by the build backend.
PELT_BUILD=$build "$python" -m pip install -q --no-index --no-deps --target "$folder/from_source" \
    "$source/bindings/python"
diff -r -x __pycache__ "$folder/site/pelt" "$folder/from_source/pelt"
echo "ok   the wheel and the sources install the same package, without a network"

cd "$folder"
export PYTHONPATH="$folder/site" PELT_VECTORS="$source/bindings/vectors"
export PELT_MODELS="${PELT_MODELS:-$source/../shared/models}"
"$python" -W error::DeprecationWarning "$source/bindings/python/tests/test_pelt.py"
"$python" "$source/bindings/python/tests/run_pages.py" "$source" "$folder/site/pelt/_native/pelt" \
    docs/python.md bindings/python/README.md
