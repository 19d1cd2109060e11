# SPDX-License-Identifier: MIT
"""The add-on against Blender's own armature modifier.

Usage: blender -b --factory-startup --python-exit-code 1 --python test_blender.py -- ADDON.zip [MODELS]
"""
import os
import sys
import tempfile
import traceback

import bpy
import numpy as np

np.bool = bool  # the glTF importer of Blender 3.4 needs it with numpy 1.24
arguments = sys.argv[sys.argv.index("--") + 1:]
passed, failed = 0, 0


def check(name, holds, detail=""):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    print(f"{'ok     ' if holds else 'FAILED '} {name} {detail}", flush=True)


def start():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="pelt_blender")


def make_arm():
    """A tube with three bones, animated from frame 1 to 20."""
    data = bpy.data.armatures.new("Rig")
    rig = bpy.data.objects.new("Rig", data)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for i in range(3):
        bone = data.edit_bones.new(f"bone{i}")
        bone.head, bone.tail, bone.parent = (0, 0, i), (0, 0, i + 1), parent
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.mesh.primitive_cylinder_add(vertices=16, radius=0.3, depth=3, location=(0, 0, 0))
    arm = bpy.context.object
    arm.name = "Arm"
    arm.data.transform(__import__("mathutils").Matrix.Translation((0, 0, 1.5)))
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide(number_cuts=6)
    bpy.ops.object.mode_set(mode="OBJECT")
    groups = [arm.vertex_groups.new(name=f"bone{i}") for i in range(3)]
    for vertex in arm.data.vertices:
        blend = min(max(vertex.co.z - 0.5, 0.0), 1.999)
        groups[int(blend)].add([vertex.index], 1 - blend % 1, "REPLACE")
        groups[int(blend) + 1].add([vertex.index], blend % 1, "REPLACE")
    arm.modifiers.new("Armature", "ARMATURE").object = rig
    rig.location, rig.rotation_euler = (0.5, 0.2, 0.1), (0.3, 0.1, 0.2)
    for i, angle in enumerate((0.2, 1.1, -0.9)):
        bone = rig.pose.bones[f"bone{i}"]
        bone.rotation_mode = "XYZ"
        for frame, value in ((1, 0.0), (20, angle)):
            bone.rotation_euler = (value, 0.5 * value, 0.3 * value)
            bone.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_end = 20
    bpy.context.scene.frame_set(15)
    return arm, rig


def coordinates(mesh):
    found = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", found)
    return found.reshape(-1, 3)


def modifier_result(item, preserves_volume):
    """What Blender makes of it, with the modifiers after the armature off."""
    modifier = next(m for m in item.modifiers if m.type == "ARMATURE")
    modifier.use_deform_preserve_volume = preserves_volume
    bpy.context.view_layer.update()
    return coordinates(item.evaluated_get(bpy.context.evaluated_depsgraph_get()).data)


def parity(item, name):
    import pelt_blender
    pelt_blender._skins.clear()
    for method, preserves, limit in (("lbs", False, 2e-6), ("dqs", True, 5e-6)):
        expected = modifier_result(item, preserves)
        size = float(np.abs(expected).max())
        error = float(np.abs(pelt_blender.deform(item, method) - expected).max()) / size
        check(f"{name}: {method} is that of the modifier", error < limit, f"{error:.1e} of the size")


def preview_of(item):
    return coordinates(item.pelt.preview.data)


def test_arm():
    import pelt_blender
    start()
    arm, rig = make_arm()
    parity(arm, "arm")
    # The preview follows the frame, and a pose that is set by hand.
    arm.pelt.method = "lbs"
    arm.pelt.is_previewed = True
    for frame in (3, 18):
        bpy.context.scene.frame_set(frame)
        error = np.abs(preview_of(arm) - modifier_result(arm, False)).max()
        check(f"the preview follows frame {frame}", error < 1e-5, f"{error:.1e}")
    rig.pose.bones["bone2"].rotation_euler = (0.7, 0, 0)
    bpy.context.view_layer.update()
    error = np.abs(preview_of(arm) - modifier_result(arm, False)).max()
    check("the preview follows a pose", error < 1e-5, f"{error:.1e}")
    # Weights and shape keys change the preview as they change the modifier.
    arm.vertex_groups["bone0"].add(range(40), 0.5, "REPLACE")
    arm.data.update_tag()
    bpy.context.view_layer.update()
    error = np.abs(preview_of(arm) - modifier_result(arm, False)).max()
    check("the preview follows weights", error < 1e-5, f"{error:.1e}")
    arm.shape_key_add(name="Basis")
    key = arm.shape_key_add(name="wide", from_mix=False)
    key.data.foreach_set("co", (coordinates(arm.data) * [1.5, 1, 1]).ravel())
    key.value = 0.6
    bpy.context.scene.frame_set(12)
    error = np.abs(preview_of(arm) - modifier_result(arm, False)).max()
    check("the preview follows shape keys", error < 1e-5, f"{error:.1e}")
    # Centers are an attribute, and survive a file.
    arm.shape_key_clear()
    bpy.ops.object.select_all(action="DESELECT")
    arm.select_set(True)
    check("crs without centers says what to do", problem(arm, "crs") == "Arm has no centers of rotation; "
          "press Solve Centers", problem(arm, "crs"))
    check("centers are solved", bpy.ops.pelt.solve() == {"FINISHED"})
    arm.pelt.method = "crs"
    check("crs needs nothing else", arm.pelt.problem == "", arm.pelt.problem)
    shown = preview_of(arm)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "arm.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
    arm = bpy.data.objects["Arm"]
    bpy.context.scene.frame_set(11)
    bpy.context.scene.frame_set(12)
    check("the preview is the same after loading", np.abs(preview_of(arm) - shown).max() < 1e-6)
    arm.select_set(True)
    check("shape keys are baked", bpy.ops.pelt.bake_shape_keys() == {"FINISHED"})
    baked = bpy.data.objects["Arm baked"]
    bpy.context.scene.frame_set(7)
    found = coordinates(baked.evaluated_get(bpy.context.evaluated_depsgraph_get()).data)
    error = np.abs(found - preview_of(bpy.data.objects["Arm"])).max()
    check("and play as the preview does", error < 1e-5, f"{error:.1e}")
    # Another name, a duplicate and undo.
    arm = bpy.data.objects["Arm"]
    arm.name = "Renamed"
    bpy.context.scene.frame_set(9)
    shown = preview_of(arm)
    twin = arm.copy()
    bpy.context.collection.objects.link(twin)
    bpy.context.scene.frame_set(10)
    check("another name keeps the preview", np.abs(preview_of(arm) - shown).max() > 1e-3)
    bpy.ops.ed.undo_push(message="before")
    arm.pelt.method = "lbs"
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    arm = bpy.data.objects["Renamed"]
    check("undo brings the method back", arm.pelt.method == "crs", arm.pelt.method)
    bpy.context.scene.frame_set(9)
    check("and the preview with it", np.abs(preview_of(arm) - shown).max() < 1e-6)
    scene = bpy.context.scene
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    scene.camera, camera.location, camera.rotation_euler = camera, (0.5, -8, 1.5), (1.57, 0, 0)
    scene.render.engine, scene.cycles.samples = "CYCLES", 1
    scene.render.resolution_x = scene.render.resolution_y = 48
    scene.cycles.use_denoising = False
    scene.world = bpy.data.worlds.new("World")
    scene.world.color = (1, 1, 1)
    for item in bpy.data.objects:
        item.hide_render = item.type == "MESH" and item != arm.pelt.preview
    pictures = []
    with tempfile.TemporaryDirectory() as folder:
        for frame in (1, 20):
            scene.frame_start = scene.frame_end = frame
            scene.render.filepath = os.path.join(folder, f"{frame}_")
            bpy.ops.render.render(animation=True)
            image = bpy.data.images.load(os.path.join(folder, f"{frame}_{frame:04d}.png"))
            pictures.append(np.array(image.pixels).reshape(-1, 4)[:, :3])
    check("rendered frames show the preview in its pose", np.abs(pictures[0] - pictures[1]).max() > 0.02)
    arm.pelt.is_previewed = False
    check("the preview goes away", arm.pelt.preview is None)


def problem(item, method):
    import pelt_blender
    try:
        pelt_blender.deform(item, method)
    except pelt_blender.pelt.Error as error:
        return str(error)
    return ""


def test_refusals():
    import pelt_blender
    start()
    arm, rig = make_arm()
    arm.modifiers.new("Subdivision", "SUBSURF")
    check("a modifier after the armature is no problem", problem(arm, "lbs") == "")
    arm.modifiers.clear()
    arm.modifiers.new("Subdivision", "SUBSURF")
    arm.modifiers.new("Armature", "ARMATURE").object = rig
    check("one before it gets a sentence", "Subdivision" in problem(arm, "lbs"), problem(arm, "lbs"))
    arm.modifiers.remove(arm.modifiers["Subdivision"])
    rig.data.bones["bone1"].bbone_segments = 4
    pelt_blender._skins.clear()
    check("so do bones that bend", "bone1 bends" in problem(arm, "lbs"), problem(arm, "lbs"))
    rig.data.bones["bone1"].bbone_segments = 1
    rig.data.bones["bone2"].use_deform = False
    parity(arm, "a bone that does not deform")
    arm.modifiers.clear()
    check("so does a mesh without an armature", "no armature modifier" in problem(arm, "lbs"))
    linked = bpy.data.objects.new("Linked", arm.data)
    bpy.context.collection.objects.link(linked)
    linked.pelt.is_previewed = True
    check("a preview of it says so too", "no armature modifier" in linked.pelt.problem, linked.pelt.problem)


def test_models(folder):
    for path in ("CesiumMan/CesiumMan.glb", "Fox/Fox.glb", "RiggedFigure/RiggedFigure.glb",
                 "RiggedSimple/RiggedSimple.glb"):
        if not os.path.exists(os.path.join(folder, path)):
            print(f"SKIP {path}: not in the models folder")
            continue
        start()
        bpy.ops.import_scene.gltf(filepath=os.path.join(folder, path))
        bpy.context.scene.frame_set(9)
        item = next(one for one in bpy.data.objects
                    if one.type == "MESH" and any(m.type == "ARMATURE" for m in one.modifiers))
        parity(item, path)


try:
    bpy.ops.preferences.addon_install(filepath=arguments[0], overwrite=True)
    test_arm()
    test_refusals()
    if len(arguments) > 1:
        test_models(arguments[1])
except Exception:  # the exit code must tell
    traceback.print_exc()
    failed += 1
print(f"{passed} passed, {failed} failed")
sys.stdout.flush()
sys.exit(1 if failed else 0)
