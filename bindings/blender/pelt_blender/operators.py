# SPDX-License-Identifier: MIT
"""What the buttons do."""
import os
import tempfile

import bpy
import numpy as np

from . import nodes, pelt, preview, skins
from .rig import armature_of, find_modifier


def selected(context):
    """Selected meshes, or the active one; no previews."""
    items = [item for item in context.selected_objects if item.type == "MESH"]
    if not items and context.object is not None and context.object.type == "MESH":
        items = [context.object]
    previews = {other.pelt.preview for other in bpy.data.objects if other.type == "MESH"}
    return [item for item in items if item not in previews]


class Operator(bpy.types.Operator):
    """Errors of pelt become reports of Blender."""

    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        try:
            items = selected(context)
            if not items:
                raise pelt.Error("select a mesh below an armature")
            message = self.run(context, items)
        except (pelt.Error, MemoryError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, message)
        return {"FINISHED"}


class PELT_OT_solve(Operator):
    """Compute centers of rotation, for crs, and store them as an attribute. All meshes of an armature are solved together"""

    bl_idname = "pelt.solve"
    bl_label = "Solve Centers"

    def run(self, context, items):
        return _solve(items, True, False)


class PELT_OT_solve_mix(Operator):
    """Compute mix factors, for mix, from the motion range of the skeleton, and store them as an attribute"""

    bl_idname = "pelt.solve_mix"
    bl_label = "Solve Mix Factors"

    def run(self, context, items):
        return _solve(items, False, True)


def _solve(items, centers, mix):
    done = skins.solve(items, centers, mix)
    for item in done:
        nodes.update_influences(item)
    for item in preview.previewed():
        preview.update_preview(item)
    return f"solved {len(done)} meshes"


class PELT_OT_write(Operator):
    """Store centers and mix factors as attributes that a glTF export keeps; switch Attributes on in it. Press again after the object has moved"""

    bl_idname = "pelt.write"
    bl_label = "Write for Export"

    def run(self, context, items):
        for item in items:
            skins.write_export(item)
        return f"wrote {' and '.join(skins.EXPORT)} of {len(items)} meshes; export with Attributes on"


class PELT_OT_bake(Operator):
    """Make a copy with one shape key for each frame of the scene, keyed so that it plays"""

    bl_idname = "pelt.bake_shape_keys"
    bl_label = "Bake to Shape Keys"
    step: bpy.props.IntProperty(name="Step", default=1, min=1, description="Frames from one key to the next")

    def run(self, context, items):
        scene, before = context.scene, context.scene.frame_current
        for item in items:
            find_modifier(item)
            if item.data.shape_keys is not None:
                raise pelt.Error(f"{item.name} has shape keys of its own; bake a copy without them")
        frames = list(range(scene.frame_start, scene.frame_end + 1, self.step))
        surfaces = {item: [] for item in items}
        try:
            for frame in frames:
                scene.frame_set(frame)
                for item in items:
                    surfaces[item].append(skins.deform(item, item.pelt.method, mix=item.pelt.mix))
        finally:
            scene.frame_set(before)
        for item in items:
            self.copy(context, item, frames, surfaces[item])
        return f"baked {len(frames)} frames of {len(items)} meshes"

    def copy(self, context, item, frames, surfaces):
        copy = item.copy()
        copy.data = item.data.copy()
        copy.name = item.name + " baked"
        copy.pelt.is_previewed = False
        if copy.pelt.is_source_hidden:
            preview.hide_source(copy, False)
        for modifier in [m for m in copy.modifiers if m.type == "ARMATURE" or m.name == nodes.MODIFIER]:
            copy.modifiers.remove(modifier)
        context.collection.objects.link(copy)
        copy.shape_key_add(name="Basis")
        for frame, surface in zip(frames, surfaces):
            key = copy.shape_key_add(name=f"frame {frame}", from_mix=False)
            key.data.foreach_set("co", surface.ravel())
            for at, value in ((frame - self.step, 0.0), (frame, 1.0), (frame + self.step, 0.0)):
                key.value = value
                key.keyframe_insert("value", frame=at)
        # Between frames the two next to them add up to one.
        for curve in copy.data.shape_keys.animation_data.action.fcurves:
            for point in curve.keyframe_points:
                point.interpolation = "LINEAR"


# ------------------------------------------------------------------------------------------------
# What needs a file: the selection and its armatures by Blender's glTF exporter


def load_selection(context, items, folder, animations):
    """A pelt.Character of the objects."""
    path = os.path.join(folder, "character.glb")
    chosen, active = list(context.selected_objects), context.view_layer.objects.active
    wanted = set(items) | {find_modifier(item).object for item in items}
    try:
        for item in context.view_layer.objects:
            item.select_set(item in wanted)
        bpy.ops.export_scene.gltf(filepath=path, export_format="GLB", use_selection=True, export_apply=False,
                                  export_animations=animations)
    except RuntimeError as error:
        raise pelt.Error(f"Blender's glTF export failed: {error}") from None
    finally:
        for item in context.view_layer.objects:
            item.select_set(item in chosen)
        context.view_layer.objects.active = active
    return pelt.load(path)


class PELT_OT_doctor(Operator):
    """Examine the selected meshes and their armature as an engine will get them"""

    bl_idname = "pelt.doctor"
    bl_label = "Examine"
    max_influences: bpy.props.IntProperty(name="Influences", default=4, min=1, max=64,
                                          description="Influences of a vertex that the engine takes")

    def run(self, context, items):
        with tempfile.TemporaryDirectory() as folder:
            character = load_selection(context, items, folder, True)
            findings = pelt.doctor(character, self.max_influences)
        listed = context.scene.pelt_findings
        listed.clear()
        for finding in findings:
            row = listed.add()
            row.name, row.severity = finding.id, finding.severity
            row.message, row.advice = finding.message, finding.advice
        context.scene.pelt_examined = f"{', '.join(item.name for item in items)}: {len(findings)} findings"
        return context.scene.pelt_examined


class PELT_OT_bake_texture(Operator):
    """Bake the actions of the armature into an animation texture for engines: .json, .ktx2 and .glb"""

    bl_idname = "pelt.bake_texture"
    bl_label = "Bake Animation Texture"
    filepath: bpy.props.StringProperty(subtype="FILE_PATH")
    filter_glob: bpy.props.StringProperty(default="*.json", options={"HIDDEN"})
    max_error: bpy.props.FloatProperty(name="Largest Error", default=0.001, min=0.0, precision=5, unit="LENGTH",
                                       description="Budget that chooses encoding and rate; 0: none")

    def invoke(self, context, event):
        self.filepath = self.filepath or bpy.path.ensure_ext(bpy.data.filepath[:-6] or "character", ".json")
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def run(self, context, items):
        if not self.filepath:
            raise pelt.Error("choose a file to write")
        props = items[0].pelt
        with tempfile.TemporaryDirectory() as folder:
            character = load_selection(context, items, folder, True)
            if not character.clips:
                raise pelt.Error(f"{armature_of(items[0]).name} has no action to bake")
            character.solve(centers=props.method == "crs", mix=props.method == "mix")
            report = pelt.bake(character, bpy.path.ensure_ext(bpy.path.abspath(self.filepath), ".json"),
                               max_error=self.max_error, method=props.method)
        return (f"{report.width} x {report.height} texels, {report.encoding}, largest error "
                f"{1000 * report.max_error:.2f} mm: {os.path.basename(report.path)}")


class PELT_OT_add_nodes(Operator):
    """Replace the armature modifier by geometry nodes that evaluate crs; the file then works without this add-on"""

    bl_idname = "pelt.add_nodes"
    bl_label = "Add Geometry Nodes"

    def run(self, context, items):
        for item in items:
            nodes.add_nodes(item)
        return f"{len(items)} meshes are deformed by geometry nodes"


CLASSES = (PELT_OT_solve, PELT_OT_solve_mix, PELT_OT_write, PELT_OT_bake, PELT_OT_doctor, PELT_OT_bake_texture,
           PELT_OT_add_nodes)
