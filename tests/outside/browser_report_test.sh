#!/bin/sh
# SPDX-License-Identifier: MIT
# The page of pelt compare in a browser: sh tests/outside/browser_report_test.sh PELT
# chromium is found by its name, or is PELT_CHROMIUM. With PELT_SHOTS, screenshots and the printed
# page are left in that folder, to be looked at; PELT_SUBJECT is another input than a small bar.

browser=${PELT_CHROMIUM:-$(command -v chromium)}
if ! command -v node > /dev/null || [ -z "$browser" ]; then
    echo "SKIP browser_report: there is no node or no chromium"
    exit 77
fi
exec node "${0%/*}/browser_report.mjs" "$1" "$browser"
