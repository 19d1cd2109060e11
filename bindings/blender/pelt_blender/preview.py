# SPDX-License-Identifier: MIT
"""The preview: a mesh of its own, a child of the object, updated after each change."""
import bpy
import mathutils
import numpy as np
from bpy.app.handlers import persistent

from . import nodes, pelt, skins
from .rig import armature_of, check_mode, find_modifier, rest_positions

COLORS = "pelt_difference"
# Dark violet to bright yellow: viridis, in linear light, which attributes of floats are in.
_RAMP = (np.array([(68, 1, 84), (72, 40, 120), (62, 74, 137), (49, 104, 142), (38, 130, 142), (31, 158, 137),
                   (53, 183, 121), (110, 206, 88), (181, 222, 43), (253, 231, 37)]) / 255.0) ** 2.2


def preview_of(item):
    """The preview of an object, or None. A duplicate still names the preview of the original."""
    preview = item.pelt.preview
    return preview if preview is not None and preview.parent == item else None


def previewed():
    return [item for item in bpy.data.objects if item.type == "MESH" and item.pelt.is_previewed]


def write_colors(item, mesh, positions, depsgraph):
    """Distances to what the armature modifier does; yellow is the largest one, or that of the property."""
    modifier = find_modifier(item)
    method = "dqs" if modifier.use_deform_preserve_volume else "lbs"
    distances = np.linalg.norm(positions - skins.deform(item, method, depsgraph), axis=1)
    scale = max(abs(factor) for factor in item.matrix_world.to_scale())
    item.pelt.difference = float(distances.max(initial=0.0)) * scale
    # Below a ten thousandth of the size it is rounding.
    least = 1e-4 * max(item.dimensions) or 1.0
    at = np.clip(distances * scale / (item.pelt.difference_range or max(item.pelt.difference, least)), 0.0, 1.0)
    steps = np.linspace(0.0, 1.0, len(_RAMP))
    colors = np.ones((len(distances), 4), np.float32)
    for channel in range(3):
        colors[:, channel] = np.interp(at, steps, _RAMP[:, channel])
    attribute = mesh.attributes.get(COLORS) or mesh.attributes.new(COLORS, "FLOAT_COLOR", "POINT")
    attribute.data.foreach_set("color", colors.ravel())
    mesh.color_attributes.active_color = attribute


def update_preview(item, depsgraph=None):
    preview, props = preview_of(item), item.pelt
    if preview is None:
        return
    try:
        normals = None if props.normals == "blender" else props.normals
        result = skins.deform(item, props.method, depsgraph, normals, props.mix)
        positions, normals = (result, None) if normals is None else result
        mesh = preview.data
        if len(mesh.vertices) != len(positions) or len(mesh.polygons) != len(item.data.polygons):
            build_mesh(item, mesh)
        if props.has_colors:
            write_colors(item, mesh, positions, depsgraph)
    except pelt.Error as error:
        if props.problem != str(error):
            props.problem = str(error)
        return
    if props.problem:
        props.problem = ""
    mesh.vertices.foreach_set("co", positions.ravel())
    if normals is not None:
        mesh.normals_split_custom_set_from_vertices(normals.tolist())
    mesh.update()


def build_mesh(item, mesh):
    """Faces, materials and UV sets of the object; no shape keys, groups or custom normals."""
    source, had_colors = item.data, COLORS in mesh.attributes
    mesh.clear_geometry()
    mesh.from_pydata(rest_positions(item).tolist(), [], [tuple(p.vertices) for p in source.polygons])
    for name in ("use_smooth", "material_index"):
        values = np.zeros(len(source.polygons), np.int32)
        source.polygons.foreach_get(name, values)
        mesh.polygons.foreach_set(name, values)
    for layer in source.uv_layers:
        values = np.empty(2 * len(source.loops), np.float32)
        layer.data.foreach_get("uv", values)
        mesh.uv_layers.new(name=layer.name).data.foreach_set("uv", values)
    if had_colors:
        mesh.attributes.new(COLORS, "FLOAT_COLOR", "POINT")


def color_material():
    """Emits the color attribute, so that light does not change what it says."""
    material = bpy.data.materials.get(COLORS)
    if material is None:
        material = bpy.data.materials.new(COLORS)
        material.use_nodes = True
        tree = material.node_tree
        tree.nodes.clear()
        color = tree.nodes.new("ShaderNodeAttribute")
        color.attribute_name = COLORS
        emission, output = tree.nodes.new("ShaderNodeEmission"), tree.nodes.new("ShaderNodeOutputMaterial")
        tree.links.new(color.outputs["Color"], emission.inputs["Color"])
        tree.links.new(emission.outputs["Emission"], output.inputs["Surface"])
    return material


def dress(item, preview):
    """Materials, position and normals as the properties ask for."""
    props, mesh = item.pelt, preview.data
    mesh.materials.clear()
    for material in [color_material()] * max(1, len(item.data.materials)) if props.has_colors \
            else item.data.materials:
        mesh.materials.append(material)
    if not props.has_colors and COLORS in mesh.attributes:
        mesh.attributes.remove(mesh.attributes[COLORS])
    if mesh.has_custom_normals and props.normals == "blender":
        # They cost time in each frame. There is no call that removes them but this operator.
        build_mesh(item, mesh)
        if mesh.has_custom_normals:
            with bpy.context.temp_override(object=preview, active_object=preview):
                bpy.ops.mesh.customdata_custom_splitnormals_clear()
    if hasattr(mesh, "use_auto_smooth"):  # before Blender 4.1
        mesh.use_auto_smooth = props.normals != "blender"
    preview.location = _offset(item) if props.location == "OFFSET" else (0, 0, 0)
    hide_source(item, props.location == "PLACE")


def _offset(item):
    """Along X of the world, a little more than the width of the object; in the space of the object."""
    corners = [item.matrix_world @ mathutils.Vector(corner) for corner in item.bound_box]
    across = [corner.x for corner in corners]
    offset = mathutils.Vector((1.1 * (max(across) - min(across)), 0.0, 0.0))
    return item.matrix_world.inverted_safe().to_3x3() @ offset


def hide_source(item, is_hidden):
    """In place of the object there is the preview; the object is drawn as a box and not rendered."""
    props = item.pelt
    if is_hidden and not props.is_source_hidden:
        props.display_before, props.render_before = item.display_type, item.hide_render
        item.display_type, item.hide_render = "BOUNDS", True
    elif not is_hidden and props.is_source_hidden:
        item.display_type, item.hide_render = props.display_before, props.render_before
    props.is_source_hidden = is_hidden


def set_preview(item):
    preview = preview_of(item)
    if item.pelt.is_previewed:
        if preview is None:
            check_mode(item)
            mesh = bpy.data.meshes.new(item.name + " pelt")
            build_mesh(item, mesh)
            preview = bpy.data.objects.new(item.name + " pelt", mesh)
            for collection in item.users_collection:
                collection.objects.link(preview)
            preview.parent = item
            preview.hide_select = True
            item.pelt.preview = preview
        dress(item, preview)
        update_preview(item)
    elif preview is not None:
        mesh = preview.data
        hide_source(item, False)
        bpy.data.objects.remove(preview)
        bpy.data.meshes.remove(mesh)


def on_property(self, context):
    try:
        set_preview(self.id_data)
    except pelt.Error as error:
        self.problem = str(error)


def on_colors(self, context):
    """Solid views show attributes only if they are told to."""
    on_property(self, context)
    shown, hidden = ("VERTEX", "MATERIAL") if self.has_colors else ("MATERIAL", "VERTEX")
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D" and area.spaces[0].shading.color_type == hidden:
                area.spaces[0].shading.color_type = shown


# ------------------------------------------------------------------------------------------------
# Handlers

_is_updating = False
_changed_meshes = set()  # names of objects whose centers may be out of date


@persistent
def on_frame(scene, depsgraph=None):
    for item in previewed():
        update_preview(item, depsgraph)


@persistent
def on_update(scene, depsgraph):
    global _is_updating
    if _is_updating:
        return
    _is_updating = True
    try:
        update_changed(depsgraph)
    finally:
        _is_updating = False


def update_changed(depsgraph):
    changed, previews = set(), previewed()
    for update in depsgraph.updates:
        original = getattr(update.id, "original", update.id)
        if isinstance(original, bpy.types.Object):
            changed.add(original)
            if update.is_updated_geometry and original.type == "MESH":
                on_mesh(original)
        elif isinstance(original, bpy.types.Mesh):
            for item in bpy.data.objects:
                if item.data == original:
                    changed.add(item)
                    on_mesh(item)
        elif isinstance(original, bpy.types.Armature):
            for item in previews:
                armature = armature_of(item)
                if armature is not None and armature.data == original:
                    skins.forget(item)  # weights of bendy bones follow the bones at rest
    for item in previews:
        if item in changed or armature_of(item) in changed:
            update_preview(item, depsgraph)


def on_mesh(item):
    if item.mode == "EDIT":
        return
    skins.forget(item)
    if item.pelt.keeps_centers and skins.DIGEST in item.data:
        _changed_meshes.add(item.name)
        # A stroke changes the mesh many times a second: wait until it has ended.
        if not bpy.app.timers.is_registered(settle):
            bpy.app.timers.register(settle, first_interval=0.3)


def settle():
    """Solve again what has changed. Called by a timer."""
    items = [bpy.data.objects[name] for name in _changed_meshes if name in bpy.data.objects]
    items = [item for item in items if item.pelt.keeps_centers]
    _changed_meshes.clear()
    try:
        for item in skins.solve_again(items):
            nodes.update_influences(item)
            update_preview(item)
    except pelt.Error as error:
        for item in items:
            item.pelt.problem = str(error)


@persistent
def on_load(*_):
    skins.forget_all()
    _changed_meshes.clear()


_HANDLERS = (("frame_change_post", on_frame), ("depsgraph_update_post", on_update), ("load_post", on_load),
             ("undo_post", on_load), ("redo_post", on_load))


def register():
    for name, handler in _HANDLERS:
        getattr(bpy.app.handlers, name).append(handler)


def unregister():
    for name, handler in _HANDLERS:
        getattr(bpy.app.handlers, name).remove(handler)
    if bpy.app.timers.is_registered(settle):
        bpy.app.timers.unregister(settle)
    on_load()
