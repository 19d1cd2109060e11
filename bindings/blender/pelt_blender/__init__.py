# SPDX-License-Identifier: MIT
"""Blender add-on: meshes below an armature, deformed by pelt next to Blender's own result."""
bl_info = {  # for Blender before 4.2; later ones read blender_manifest.toml
    "name": "pelt",
    "author": "pelt",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > pelt",
    "description": "Skinning by dual quaternions, optimized centers of rotation and others",
    "category": "Animation",
}

import bpy

from . import operators, panel, preview

CLASSES = panel.CLASSES[:2] + operators.CLASSES + panel.CLASSES[2:]


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Object.pelt = bpy.props.PointerProperty(type=panel.PeltProperties)
    bpy.types.Scene.pelt_findings = bpy.props.CollectionProperty(type=panel.PeltFinding)
    bpy.types.Scene.pelt_examined = bpy.props.StringProperty()
    preview.register()


def unregister():
    preview.unregister()
    del bpy.types.Scene.pelt_examined
    del bpy.types.Scene.pelt_findings
    del bpy.types.Object.pelt
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
