# SPDX-License-Identifier: MIT
"""A file with geometry nodes, opened in a Blender without the add-on, moves as pelt says.

Usage: blender -b --factory-startup --python-exit-code 1 nodes.blend --python test_nodes.py
"""
import sys

import bpy
import numpy as np

item = bpy.data.objects["Arm"]
expected = np.load("nodes.npy")
for frame, positions in zip((6, 17), expected):
    bpy.context.scene.frame_set(frame)
    mesh = item.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    found = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", found)
    error = np.abs(found.reshape(-1, 3) - positions).max()
    print(f"{'ok     ' if error < 1e-5 else 'FAILED '} without the add-on, nodes evaluate crs at frame {frame} "
          f"{error:.1e}")
    if not error < 1e-5 or hasattr(item, "pelt"):
        sys.exit(1)
