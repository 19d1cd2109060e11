#!/bin/sh
# SPDX-License-Identifier: MIT
# Tangents of pelt convert against npm's mikktspace: sh tests/outside/mikktspace_test.sh PELT SOURCE
# mikktspace is that of PELT_NPM, a folder of npm packages; nothing is fetched.

models=${PELT_MODELS:-$2/../shared/models}
if ! command -v node > /dev/null || [ ! -d "${PELT_NPM:-none}/node_modules/mikktspace" ]; then
    echo "SKIP mikktspace: there is no node, or no mikktspace in PELT_NPM"
    exit 77
fi
if [ ! -d "$models" ]; then
    echo "SKIP mikktspace: no models folder; set PELT_MODELS"
    exit 77
fi
set --  "$1" "$2" "$models/CesiumMan/CesiumMan.glb" "$models/KayKit_Knight/Knight.glb" \
    "$models/Godot_mannequiny/mannequiny.glb" "$models/WebXR_hand/generic_hand_left.glb" \
    "$models"/ufbx_maya_kenney_character/*binary.fbx
pelt=$1
source=$2
shift 2
node "$source/tests/outside/mikktspace.mjs" "$PELT_NPM/node_modules" "$pelt" "$@"
