# SPDX-License-Identifier: MIT
"""Blender add-on: meshes below an armature, deformed by pelt next to Blender's own result."""
bl_info = {
    "name": "pelt",
    "author": "pelt",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > pelt",
    "description": "Skinning by dual quaternions, optimized centers of rotation and others",
    "category": "Animation",
}

import bpy
import numpy as np
from bpy.app.handlers import persistent

try:
    from . import pelt  # the zip file brings the package along
except ImportError:
    import pelt

CENTERS = "_PELT_COR"  # glTF exporters keep attributes that begin with "_"
_skins = {}  # address of an object: (Skin, names of bones); empty after undo, which moves objects


# ------------------------------------------------------------------------------------------------
# From Blender to arrays


def find_modifier(item):
    """The armature modifier of an object. Raises pelt.Error for what cannot be shown."""
    for modifier in item.modifiers:
        if modifier.type == "ARMATURE" and modifier.object is not None:
            if modifier.vertex_group or not modifier.use_vertex_groups:
                raise pelt.Error(f"{item.name}: the armature modifier must use vertex groups, and no mask")
            return modifier
        if modifier.show_viewport:
            raise pelt.Error(f"{item.name}: apply {modifier.name}, or move it below the armature modifier")
    raise pelt.Error(f"{item.name} has no armature modifier with an armature")


def deform_bones(armature):
    bones = [bone for bone in armature.data.bones if bone.use_deform]
    for bone in bones:
        if bone.bbone_segments > 1:
            raise pelt.Error(f"{armature.name}: bone {bone.name} bends; set its segments to 1")
    return bones


def evaluated(data, depsgraph):
    """Renders have a dependency graph of their own, whose poses and values are not written back."""
    return data if depsgraph is None else data.evaluated_get(depsgraph)


def rest_positions(item, depsgraph=None):
    """With shape keys at their present values, as the armature modifier sees them."""
    mesh = item.data
    positions = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", positions)
    if mesh.shape_keys is None:
        return positions.reshape(-1, 3)
    if not mesh.shape_keys.use_relative:
        raise pelt.Error(f"{item.name}: its shape keys are absolute; only relative ones are supported")
    blocks = {}
    for block in mesh.shape_keys.key_blocks:
        if block.vertex_group:
            raise pelt.Error(f"{item.name}: shape key {block.name} is masked by a vertex group")
        blocks[block.name] = np.empty_like(positions)
        block.data.foreach_get("co", blocks[block.name])
    result = blocks[mesh.shape_keys.reference_key.name].copy()
    values = {block.name: block.value for block in evaluated(mesh.shape_keys, depsgraph).key_blocks}
    for block in mesh.shape_keys.key_blocks:
        if block != mesh.shape_keys.reference_key and not block.mute:
            result += values[block.name] * (blocks[block.name] - blocks[block.relative_key.name])
    return result.reshape(-1, 3)


def weights_of(item, names):
    """V x J; vertex groups of other names, or of bones that do not deform, have no effect."""
    columns = {group.index: names.index(group.name) for group in item.vertex_groups if group.name in names}
    weights = np.zeros((len(item.data.vertices), len(names)), np.float32)
    for vertex in item.data.vertices:
        for group in vertex.groups:
            if group.group in columns:
                weights[vertex.index, columns[group.group]] = group.weight
    return weights


def triangles_of(item):
    item.data.calc_loop_triangles()
    triangles = np.empty(3 * len(item.data.loop_triangles), np.int32)
    item.data.loop_triangles.foreach_get("vertices", triangles)
    return triangles.reshape(-1, 3)


def read_centers(item):
    attribute = item.data.attributes.get(CENTERS)
    if attribute is None or attribute.domain != "POINT" or attribute.data_type != "FLOAT_VECTOR":
        return None
    centers = np.empty(3 * len(item.data.vertices), np.float32)
    attribute.data.foreach_get("vector", centers)
    return centers.reshape(-1, 3)


def skin_of(item, depsgraph=None):
    """A skin of the object as it is now, made again when the object has changed."""
    key = item.as_pointer()
    if key not in _skins:
        names = [bone.name for bone in deform_bones(find_modifier(item).object)]
        skin = pelt.Skin(rest_positions(item, depsgraph), triangles_of(item), weights_of(item, names),
                         centers=read_centers(item))
        _skins[key] = skin, names
    return _skins[key]


def matrices_of(item, names, depsgraph=None):
    """For each bone, from the rest pose to the pose, in the space of the object."""
    armature = evaluated(find_modifier(item).object, depsgraph)
    to_item = evaluated(item, depsgraph).matrix_world.inverted_safe() @ armature.matrix_world
    to_armature = to_item.inverted_safe()
    is_rest = armature.data.pose_position == "REST"
    matrices = np.empty((len(names), 4, 4))
    for index, name in enumerate(names):
        bone = armature.pose.bones[name]
        moved = bone.bone.matrix_local if is_rest else bone.matrix
        matrices[index] = to_item @ moved @ bone.bone.matrix_local.inverted_safe() @ to_armature
    return matrices


def deform(item, method, depsgraph=None):
    """Positions of the vertices in the space of the object. Raises pelt.Error."""
    skin, names = skin_of(item, depsgraph)
    if method == "crs" and skin.centers is None:
        raise pelt.Error(f"{item.name} has no centers of rotation; press Solve Centers")
    return skin.deform(matrices_of(item, names, depsgraph), method)


# ------------------------------------------------------------------------------------------------
# Preview: a mesh of its own, a child of the object, updated after each change of the pose


def preview_of(item):
    """None: there is none. A duplicate of the object still names the preview of the original."""
    preview = item.pelt.preview
    return preview if preview is not None and preview.parent == item else None


def update_preview(item, depsgraph=None):
    preview = preview_of(item)
    if preview is None:
        return
    try:
        if item.data.shape_keys is not None:
            _skins.pop(item.as_pointer(), None)  # rest positions follow the keys
        positions = deform(item, item.pelt.method, depsgraph)
    except pelt.Error as error:
        item.pelt.problem = str(error)
        return
    item.pelt.problem = ""
    if len(preview.data.vertices) != len(positions):
        item.pelt.problem = "the mesh has changed; switch the preview off and on"
        return
    preview.data.vertices.foreach_set("co", positions.ravel())
    preview.data.update()


def previewed():
    return [item for item in bpy.data.objects if item.type == "MESH" and item.pelt.is_previewed]


@persistent
def on_frame(scene, depsgraph=None):
    for item in previewed():
        update_preview(item, depsgraph)


_is_updating = False


@persistent
def on_update(scene, depsgraph):
    global _is_updating
    if _is_updating:
        return
    _is_updating = True
    try:
        changed = set()
        for update in depsgraph.updates:
            original = getattr(update.id, "original", update.id)
            if isinstance(original, bpy.types.Object):
                changed.add(original)
                if update.is_updated_geometry and original.type == "MESH":
                    _skins.pop(original.as_pointer(), None)
            elif isinstance(original, bpy.types.Mesh):
                for item in bpy.data.objects:
                    if item.data == original:
                        _skins.pop(item.as_pointer(), None)
                        changed.add(item)
        for item in previewed():
            armature = next((m.object for m in item.modifiers if m.type == "ARMATURE" and m.object), None)
            if item in changed or armature in changed:
                update_preview(item, depsgraph)
    finally:
        _is_updating = False


@persistent
def on_load(*_):
    _skins.clear()


def set_preview(item, context=None):
    preview = preview_of(item)
    if item.pelt.is_previewed and preview is None:
        mesh = bpy.data.meshes.new(item.name + " pelt")
        source = item.data
        mesh.from_pydata(rest_positions(item).tolist(), [], [tuple(p.vertices) for p in source.polygons])
        mesh.polygons.foreach_set("use_smooth", [p.use_smooth for p in source.polygons])
        for material in source.materials:
            mesh.materials.append(material)
        preview = bpy.data.objects.new(item.name + " pelt", mesh)
        for collection in item.users_collection:
            collection.objects.link(preview)
        preview.parent = item  # follows the object; its own transform stays the identity
        item.pelt.preview = preview
        update_preview(item)
    elif not item.pelt.is_previewed and preview is not None:
        mesh = preview.data
        bpy.data.objects.remove(preview)
        bpy.data.meshes.remove(mesh)


def on_property(self, context):
    item = self.id_data
    try:
        set_preview(item)
    except pelt.Error as error:
        self.problem = str(error)
    update_preview(item)


# ------------------------------------------------------------------------------------------------
# Operators


def selected(context):
    return [item for item in context.selected_objects if item.type == "MESH"]


class PELT_OT_solve(bpy.types.Operator):
    """Compute centers of rotation, for crs, and store them as an attribute of the mesh"""

    bl_idname = "pelt.solve"
    bl_label = "Solve Centers"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        items = selected(context)
        try:
            for item in items:
                _skins.pop(item.as_pointer(), None)
                names = [bone.name for bone in deform_bones(find_modifier(item).object)]
                skin = pelt.Skin(rest_positions(item), triangles_of(item), weights_of(item, names))
                centers = skin.solve(centers=True).centers
                old = item.data.attributes.get(CENTERS)
                if old is not None:
                    item.data.attributes.remove(old)
                attribute = item.data.attributes.new(CENTERS, "FLOAT_VECTOR", "POINT")
                attribute.data.foreach_set("vector", centers.ravel())
                update_preview(item)
        except pelt.Error as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"solved {len(items)} meshes")
        return {"FINISHED"} if items else {"CANCELLED"}


class PELT_OT_bake(bpy.types.Operator):
    """Make a copy with one shape key for each frame of the scene, keyed so that it plays"""

    bl_idname = "pelt.bake_shape_keys"
    bl_label = "Bake to Shape Keys"
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        scene, before = context.scene, context.scene.frame_current
        try:
            for item in selected(context):
                find_modifier(item)
                if item.data.shape_keys is not None:
                    raise pelt.Error(f"{item.name} has shape keys of its own; bake a copy without them")
                copy = item.copy()
                copy.data = item.data.copy()
                copy.name = item.name + " baked"
                copy.modifiers.clear()
                copy.pelt.is_previewed = False
                context.collection.objects.link(copy)
                copy.shape_key_add(name="Basis")
                for frame in range(scene.frame_start, scene.frame_end + 1):
                    scene.frame_set(frame)
                    key = copy.shape_key_add(name=f"frame {frame}", from_mix=False)
                    key.data.foreach_set("co", deform(item, item.pelt.method).ravel())
                    for at, value in ((frame - 1, 0.0), (frame, 1.0), (frame + 1, 0.0)):
                        key.value = value
                        key.keyframe_insert("value", frame=at)
        except pelt.Error as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            scene.frame_set(before)
        return {"FINISHED"}


class PeltProperties(bpy.types.PropertyGroup):
    method: bpy.props.EnumProperty(name="Method", items=[(name, name, "") for name in pelt.methods()],
                                   default="dqs", update=on_property)
    is_previewed: bpy.props.BoolProperty(name="Preview", update=on_property,
                                         description="Show a mesh that pelt deforms")
    problem: bpy.props.StringProperty()
    preview: bpy.props.PointerProperty(type=bpy.types.Object)


class PELT_PT_panel(bpy.types.Panel):
    bl_label = "pelt"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "pelt"

    def draw(self, context):
        item = context.object
        if item is None or item.type != "MESH":
            self.layout.label(text="Select a mesh below an armature")
            return
        self.layout.prop(item.pelt, "method")
        self.layout.prop(item.pelt, "is_previewed")
        if item.pelt.problem:
            self.layout.label(text=item.pelt.problem, icon="ERROR")
        self.layout.operator(PELT_OT_solve.bl_idname)
        self.layout.operator(PELT_OT_bake.bl_idname)


CLASSES = (PeltProperties, PELT_OT_solve, PELT_OT_bake, PELT_PT_panel)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Object.pelt = bpy.props.PointerProperty(type=PeltProperties)
    bpy.app.handlers.frame_change_post.append(on_frame)
    bpy.app.handlers.depsgraph_update_post.append(on_update)
    bpy.app.handlers.load_post.append(on_load)
    bpy.app.handlers.undo_post.append(on_load)
    bpy.app.handlers.redo_post.append(on_load)


def unregister():
    for handlers, one in ((bpy.app.handlers.frame_change_post, on_frame),
                          (bpy.app.handlers.depsgraph_update_post, on_update),
                          (bpy.app.handlers.load_post, on_load), (bpy.app.handlers.undo_post, on_load),
                          (bpy.app.handlers.redo_post, on_load)):
        handlers.remove(one)
    del bpy.types.Object.pelt
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
    _skins.clear()
