#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Evaluates skinning methods on a set of motions: one row for each motion and method, as CSV.

Usage: motion_set.py CHARACTER [MOTION...]; motions are files with the same skeleton, the clips of the
character are used too.
"""
import csv
import sys

import pelt

if len(sys.argv) < 2:
    sys.exit(__doc__)
METRICS = ["bulge", "collapse", "edge", "rigidity", "fold", "jump"]
hero = pelt.load(sys.argv[1])
for path in sys.argv[2:]:
    try:
        hero.add_clips(path)
    except pelt.Error as error:
        print(f"left out: {error}", file=sys.stderr)
hero.solve(centers=True)
table = csv.writer(sys.stdout)
table.writerow(["clip", "method", "frames"] + [f"{name}_{part}" for name in METRICS for part in ("rms", "max")])
for clip in hero.clips:
    for method in ("lbs", "dqs", "crs"):
        found = pelt.metrics(hero, clip, method)
        numbers = [f"{value:.5g}" for name in METRICS
                   for value in ((found[name].rms, found[name].max) if name in found else (0.0, 0.0))]
        table.writerow([clip.name, method, found.frame_count] + numbers)
