# SPDX-License-Identifier: MIT
"""Properties of objects, and the panel in the sidebar of the 3D view, tab pelt."""
import textwrap

import bpy

from . import nodes, operators, pelt, preview, skins


class PeltFinding(bpy.types.PropertyGroup):
    """A finding of pelt doctor; `name` is its id."""

    severity: bpy.props.StringProperty()
    message: bpy.props.StringProperty()
    advice: bpy.props.StringProperty()


class PeltProperties(bpy.types.PropertyGroup):
    method: bpy.props.EnumProperty(name="Method", items=[(name, name, "") for name in pelt.methods()],
                                   default="dqs", update=preview.on_property,
                                   description="How vertices are moved; docs/methods.md compares them")
    mix: bpy.props.FloatProperty(name="Mix", default=0.5, min=0.0, max=1.0, update=preview.on_property,
                                 description="From lbs (0) to dqs (1), where the mesh has no mix factors")
    normals: bpy.props.EnumProperty(
        name="Normals", default="blender", update=preview.on_property,
        items=[("blender", "From faces", "Blender computes them from the deformed faces"),
               ("standard", "Standard", "Rotated with the vertex, as engines do"),
               ("accurate", "Accurate", "With the derivatives of weights and centers")])
    is_previewed: bpy.props.BoolProperty(name="Preview", update=preview.on_property,
                                         description="Show a mesh that pelt deforms")
    location: bpy.props.EnumProperty(
        name="Location", default="OVER", update=preview.on_property,
        items=[("OVER", "Both", "At the same location as the mesh, which is drawn as well"),
               ("PLACE", "In Place", "Instead of the mesh, which is drawn as a box and not rendered"),
               ("OFFSET", "Offset", "Next to the mesh, along X")])
    has_colors: bpy.props.BoolProperty(
        name="Difference", update=preview.on_colors,
        description="Color by the distance to the armature modifier, from dark violet to yellow")
    difference_range: bpy.props.FloatProperty(name="Yellow At", default=0.0, min=0.0, unit="LENGTH",
                                              update=preview.on_property,
                                              description="0: the largest distance of the frame")
    keeps_centers: bpy.props.BoolProperty(name="Follow Weights", default=True,
                                          description="Solve again after strokes that change weights")
    problem: bpy.props.StringProperty()
    difference: bpy.props.FloatProperty(unit="LENGTH")
    preview: bpy.props.PointerProperty(type=bpy.types.Object)
    is_source_hidden: bpy.props.BoolProperty()
    display_before: bpy.props.StringProperty()
    render_before: bpy.props.BoolProperty()


def _paragraph(layout, context, text, icon="NONE"):
    width = max(20, int(context.region.width / 8 / context.preferences.view.ui_scale))
    for i, line in enumerate(textwrap.wrap(text, width)):
        layout.label(text=line, icon=icon if i == 0 else "BLANK1" if icon != "NONE" else "NONE")


class PELT_PT_panel(bpy.types.Panel):
    bl_label = "pelt"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "pelt"

    def draw(self, context):
        item, layout = context.object, self.layout
        if item is None or item.type != "MESH":
            layout.label(text="Select a mesh below an armature")
            return
        props = item.pelt
        layout.prop(props, "is_previewed")
        column = layout.column()
        column.use_property_split, column.use_property_decorate = True, False
        column.prop(props, "method")
        if props.method == "mix" and skins.MIX not in item.data.attributes:
            column.prop(props, "mix")
        column.prop(props, "normals")
        column.prop(props, "location")
        column.prop(props, "has_colors")
        if props.has_colors:
            column.prop(props, "difference_range")
        if props.has_colors and props.is_previewed and not props.problem:
            length = bpy.utils.units.to_string(context.scene.unit_settings.system, "LENGTH", props.difference)
            column.label(text=f"largest: {length}")
        if props.problem:
            _paragraph(layout, context, props.problem, "ERROR")
        column = layout.column(align=True)
        column.operator(operators.PELT_OT_solve.bl_idname)
        column.operator(operators.PELT_OT_solve_mix.bl_idname)
        layout.prop(props, "keeps_centers")
        column = layout.column(align=True)
        column.operator(operators.PELT_OT_write.bl_idname)
        column.operator(operators.PELT_OT_bake.bl_idname)
        column.operator(operators.PELT_OT_bake_texture.bl_idname)
        if nodes.IS_SUPPORTED:
            column.operator(operators.PELT_OT_add_nodes.bl_idname)
        layout.operator(operators.PELT_OT_doctor.bl_idname)
        if context.scene.pelt_examined:
            _paragraph(layout, context, context.scene.pelt_examined)
        for finding in context.scene.pelt_findings:
            box = layout.box().column(align=True)
            _paragraph(box, context, finding.message, "ERROR" if finding.severity == "error" else "INFO")
            _paragraph(box, context, finding.advice)


CLASSES = (PeltFinding, PeltProperties, PELT_PT_panel)
