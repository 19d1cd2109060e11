#!/bin/sh
# SPDX-License-Identifier: MIT
# Animation textures in a browser: sh tests/outside/browser_bake_test.sh PELT BAKE_CASES
# chromium is found by its name, or is PELT_CHROMIUM.

browser=${PELT_CHROMIUM:-$(command -v chromium)}
if ! command -v node > /dev/null || [ -z "$browser" ]; then
    echo "SKIP browser_bake: there is no node or no chromium"
    exit 77
fi
exec node "${0%/*}/browser_bake.mjs" "$1" "$2" "$browser"
