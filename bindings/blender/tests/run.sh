#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the add-on as the page says and tests it in Blender, with settings of its own.
# Usage: xvfb-run -a run.sh BUILD [ROOT]; the folder of characters is PELT_MODELS. ROOT is a folder that
# tools/debian_root has made: the Blender in there is tested, which takes the add-on as an extension.
set -eu
source=$(cd "$(dirname "$0")/../../.." && pwd)
build=$(cd "$1" && pwd)
root=${2:-}
models=${PELT_MODELS:-$source/../shared/models}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/models" "$folder/build" "$folder/home"
[ ! -d "$models" ] || models_folder=$(cd "$models" && pwd)
cp "$build/pelt_blender.zip" "$folder/build"
cp -R "$build/extension" "$folder/build"
cp -R "$source/bindings/blender/tests" "$folder"
[ -z "${XAUTHORITY:-}" ] || cp "$XAUTHORITY" "$folder/xauth"

# in_blender COMMAND...: in the folder of the test, which is /mnt/test in a root of its own.
in_blender() {
    if [ -n "$root" ]; then
        "$source/tools/in_debian_root" "$root" "$folder:test" "${models_folder:-$folder/models}:models" -- \
            /usr/bin/env HOME=/mnt/test/home XDG_CONFIG_HOME=/mnt/test/home XAUTHORITY=/mnt/test/xauth sh -c "cd /mnt/test && $*"
    else
        (cd "$folder" && export HOME="$folder/home" XDG_CONFIG_HOME="$folder/home" && sh -c "$*")
    fi
}

# commands BLOCK: the commands of the page, with the build folder of the test.
commands() {
    sed -n "/^<!-- $1 -->\$/,/^\`\`\`\$/p" "$source/bindings/blender/README.md" |
        sed -e '/^<!--/d' -e '/^```/d' -e 's/build-blender/build/g'
}

said=$folder/said
if [ -n "$root" ]; then
    version=4
    module=bl_ext.user_default.pelt_blender
    models_there=/mnt/models
else
    version=3
    module=pelt_blender
    models_there=${models_folder:-}
fi
commands "$version" > "$folder/install.sh"
grep -q '^blender' "$folder/install.sh"
in_blender "sh -e install.sh" > "$said" 2>&1 || { cat "$said"; exit 1; }
! grep -iE '^(error|traceback|fatal)|is not valid' "$said" || { cat "$said"; exit 1; }
echo "ok      the commands of the page install the add-on"
[ -n "${models_folder:-}" ] || models_there=""
is_failed=""
in_blender "blender -b --python-exit-code 1 --python tests/test_blender.py -- $module $models_there" \
    > "$said" 2>&1 || { cat "$said"; is_failed=yes; }
if [ -n "${DISPLAY:-}" ] && [ -z "$is_failed" ]; then
    in_blender "blender --python tests/test_panel.py -- $module" >> "$said" 2>&1 || { cat "$said"; is_failed=yes; }
fi
# The file of test_nodes, in a Blender without the add-on.
if [ "$version" = 4 ]; then
    in_blender "blender -b --factory-startup --python-exit-code 1 nodes.blend --python tests/test_nodes.py" \
        >> "$said" 2>&1 || { cat "$said"; is_failed=yes; }
fi
[ -z "${PELT_SHOTS:-}" ] || cp "$folder"/*.png "$PELT_SHOTS"
[ -z "$is_failed" ] || exit 1
grep -E '^(ok|FAILED|SKIP|Blender [0-9.]*,)|passed' "$said"
