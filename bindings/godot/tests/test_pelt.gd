# SPDX-License-Identifier: MIT
# Compares the add-on with `pelt deform`: cases.json has files, clips, times, methods, and OBJ files
# with the expected positions in the space of the scene.
extends SceneTree

const Readback := preload("readback.gd")

var _failed := 0
var _passed := 0
var _readback: Readback


func _initialize() -> void:
    _run()


func _run() -> void:
    await process_frame
    _readback = Readback.new(self)
    GLTFDocument.register_gltf_document_extension(PeltImport.new(), true)
    var cases: Dictionary = JSON.parse_string(FileAccess.get_file_as_string("res://cases.json"))
    for case in cases.skins:
        await _skin(case)
    for case in cases.crowds:
        await _crowd(case)
    await _behavior(cases.skins[0])
    for case in cases.bounds:
        await _bounds_page(case)
    await _page(cases.shots)
    print("%d passed, %d failed" % [_passed, _failed])
    quit(0 if _failed == 0 else 1)


func _check(is_good: bool, what: String) -> void:
    print(("ok      " if is_good else "FAILED  ") + what)
    if is_good:
        _passed += 1
    else:
        _failed += 1


static func obj_positions(path: String) -> PackedVector3Array:
    var result := PackedVector3Array()
    for line in FileAccess.get_file_as_string(path).split("\n"):
        if line.begins_with("v "):
            var n := line.substr(2).split_floats(" ")
            result.append(Vector3(n[0], n[1], n[2]))
    return result


static func box_of(points: PackedVector3Array) -> AABB:
    var box := AABB(points[0], Vector3.ZERO)
    for point in points:
        box = box.expand(point)
    return box


func _loaded(path: String, by_editor := true) -> Node3D:
    if by_editor and ResourceLoader.exists(path):
        return load(path).instantiate()
    var document := GLTFDocument.new()
    var state := GLTFState.new()
    if document.append_from_file(path, state) != OK:
        return null
    return document.generate_scene(state)


# The pose at a time. Files are imported with the rate of their keys.
func _pose(scene: Node3D, clip: String, time: float) -> void:
    var player: AnimationPlayer = scene.find_children("*", "AnimationPlayer", true, false)[0]
    # A clip without a name gets one of Godot's.
    player.play(clip if player.has_animation(clip) else player.get_animation_list()[0])
    player.pause()
    player.seek(time, true)
    await process_frame
    await process_frame


# Positions of all skinned meshes in the space of the scene, one mesh after another.
func _positions(scene: Node3D, method: int, box: AABB) -> PackedVector3Array:
    var result := PackedVector3Array()
    for mesh: MeshInstance3D in scene.find_children("*", "MeshInstance3D", true, false):
        if mesh.skin == null:
            continue
        var to_scene := scene.global_transform.affine_inverse() * mesh.global_transform
        var points := PackedVector3Array()
        if not mesh.skeleton.is_empty(): # Godot's own skinning
            var baked := mesh.bake_mesh_from_current_skeleton_pose()
            for i in baked.get_surface_count():
                points.append_array(baked.surface_get_arrays(i)[Mesh.ARRAY_VERTEX])
        else:
            var materials := range(mesh.mesh.get_surface_count()).map(mesh.get_surface_override_material)
            points = await _readback.positions(mesh.mesh, materials, (to_scene.affine_inverse() * box).grow(0.01))
        for point in points:
            result.append(to_scene * point)
    return result


static func largest_distance(a: PackedVector3Array, b: PackedVector3Array) -> float:
    var result := 0.0
    for i in mini(a.size(), b.size()):
        result = maxf(result, a[i].distance_to(b[i]))
    return result if a.size() == b.size() else INF


# Vertices at rest.
static func _rest(scene: Node3D) -> PackedVector3Array:
    var result := PackedVector3Array()
    for node: MeshInstance3D in scene.find_children("*", "MeshInstance3D", true, false):
        if node.skin != null:
            for i in node.mesh.get_surface_count():
                result.append_array(node.mesh.surface_get_arrays(i)[Mesh.ARRAY_VERTEX])
    return result


# The editor sorts vertices: the expected positions in its order, by positions at rest. Of vertices
# with one position, the one that fits best counts.
static func in_order_of(found: PackedVector3Array, rest: PackedVector3Array, wanted: PackedVector3Array,
        wanted_rest: PackedVector3Array) -> PackedVector3Array:
    if rest.size() != wanted_rest.size() or wanted.size() != rest.size():
        return PackedVector3Array()
    var near := 1e-4
    var cells := {}
    for i in wanted_rest.size():
        var cell := Vector3i((wanted_rest[i] / near).floor())
        cells[cell] = cells.get(cell, []) + [i]
    var result := PackedVector3Array()
    for i in rest.size():
        var best := Vector3(INF, INF, INF)
        var first := Vector3i((rest[i] / near - Vector3(0.5, 0.5, 0.5)).floor())
        for corner in 8:
            for k in cells.get(first + Vector3i(corner & 1, (corner >> 1) & 1, corner >> 2), []):
                if wanted_rest[k].distance_to(rest[i]) < 0.5 * near \
                        and found[i].distance_to(wanted[k]) < found[i].distance_to(best):
                    best = wanted[k]
        result.append(best)
    return result


func _skin(case: Dictionary) -> void:
    var as_stored := _loaded(case.file, false)
    var wanted_rest := _rest(as_stored)
    var scene := _loaded(case.file)
    root.add_child(scene)
    var skins := scene.find_children("*", "PeltSkin", true, false)
    _check(skins.size() > 0, "%s: the import adds PeltSkin" % case.file)
    if skins.is_empty():
        return
    _check(skins[0].method == PeltSkin.Method.keys().find(case.import_method.to_upper()),
            "%s: with the method of the file" % case.file)
    # The editor simplifies clips, so the pose is that of the file as it is.
    root.add_child(as_stored)
    await _pose(as_stored, case.clip, case.time)
    var bones: Skeleton3D = skins[0].get_parent()
    var posed: Skeleton3D = as_stored.find_children("*", "Skeleton3D", true, false)[0]
    for i in bones.get_bone_count():
        bones.set_bone_pose(i, posed.get_bone_pose(posed.find_bone(bones.get_bone_name(i))))
    as_stored.free()
    await process_frame
    for expected in case.expected:
        var wanted := obj_positions(expected.obj)
        var box := box_of(wanted)
        var method: int = PeltSkin.Method.keys().find(expected.method.to_upper())
        skins[0].method = method
        await process_frame
        var found := await _positions(scene, method, box)
        # Godot has weights of 16 bits.
        var off := largest_distance(found, in_order_of(found, _rest(scene), wanted, wanted_rest)) / box.size.length()
        _check(off < 2e-5, "%s: %s is that of pelt deform: %d vertices, %.1f millionths of the size" %
                [case.file, expected.method, found.size(), 1e6 * off])
        # Boxes are written for one method.
        for mesh: MeshInstance3D in scene.find_children("*", "MeshInstance3D", true, false):
            if expected.method == case.import_method:
                var held: AABB = (scene.global_transform.affine_inverse() * mesh.global_transform * mesh.custom_aabb).grow(1e-4)
                _check(Array(found).all(held.has_point), "%s: custom_aabb holds them" % case.file)
    scene.free()


func _crowd(case: Dictionary) -> void:
    var crowd := PeltCrowd.new()
    crowd.bake_path = case.bake
    crowd.instance_count = 3
    crowd.is_playing = false
    root.add_child(crowd)
    if crowd.bake == null:
        _check(false, "%s: is read" % case.bake)
        return
    crowd.time = 10.0
    for i in 3:
        crowd.play(i, case.clip, case.times[i])
    await process_frame
    var node: MultiMeshInstance3D = crowd.get_child(0)
    var mesh := node.multimesh.mesh
    var as_stored := _loaded(case.bake.get_basename() + ".glb", false)
    var stored_rest := _rest(as_stored)
    as_stored.free()
    var rest := PackedVector3Array()
    var wanted_rest := PackedVector3Array()
    var wanted := PackedVector3Array()
    var apart := Vector3(100, 0, 0) # so that vertices of instances are not mistaken for each other
    for i in 3:
        wanted.append_array(obj_positions(case.obj[i]))
        for k in mesh.get_surface_count():
            for point in mesh.surface_get_arrays(k)[Mesh.ARRAY_VERTEX]:
                rest.append(point + i * apart)
        for point in stored_rest:
            wanted_rest.append(point + i * apart)
    var materials := range(mesh.get_surface_count()).map(mesh.surface_get_material)
    var found := await _readback.positions(mesh, materials, box_of(wanted).grow(0.05), 3)
    var off := largest_distance(found, in_order_of(found, rest, wanted, wanted_rest))
    _check(off < case.error, "%s: instances play as pelt deform does: %d vertices, %.2f mm" %
            [case.bake, found.size(), 1000 * off])
    # A fade ends where the other clip is.
    crowd.play(0, case.clip, case.times[1], 1.0, true, 0.5)
    crowd.time = 10.25
    await process_frame
    var fading := await _readback.positions(mesh, range(mesh.get_surface_count()).map(mesh.surface_get_material),
            box_of(wanted).grow(0.05), 3)
    _check(largest_distance(fading.slice(0, fading.size() / 3), found.slice(0, found.size() / 3)) > case.error,
            "%s: a fade moves the instance" % case.bake)
    crowd.time = 10.5
    crowd.play(1, case.clip, case.times[1] + 0.5)
    await process_frame
    var faded := await _readback.positions(mesh, range(mesh.get_surface_count()).map(mesh.surface_get_material),
            box_of(wanted).grow(0.05), 3)
    var count: int = faded.size() / 3
    _check(largest_distance(faded.slice(0, count), faded.slice(count, 2 * count)) < 1e-6,
            "%s: and ends in the other clip" % case.bake)
    var held: AABB = mesh.custom_aabb.grow(1e-3)
    _check(Array(faded).all(held.has_point), "%s: the box of the mesh holds it" % case.bake)
    crowd.free()


# What a program does with the nodes, and what it may do wrong.
func _behavior(case: Dictionary) -> void:
    var scene := _loaded(case.file)
    root.add_child(scene)
    await process_frame
    var skin: PeltSkin = scene.find_children("*", "PeltSkin", true, false)[0]
    var mesh: MeshInstance3D = skin.get_parent().find_children("*", "MeshInstance3D", true, false)[0]
    skin.method = PeltSkin.Method.CRS
    _check(mesh.skeleton.is_empty() and mesh.get_surface_override_material(0) is ShaderMaterial, "crs takes the mesh over")
    skin.method = PeltSkin.Method.LBS
    _check(not mesh.skeleton.is_empty() and mesh.get_surface_override_material(0) == null, "lbs is Godot's own skinning")
    skin.method = PeltSkin.Method.DQS
    skin.get_parent().remove_child(skin)
    _check(not mesh.skeleton.is_empty() and mesh.get_surface_override_material(0) == null,
            "without the node meshes are as before")
    skin.free()
    scene.free()
    var stretched := Basis(Quaternion(Vector3(1, 2, 3).normalized(), 1.1)) * Basis(Vector3(3, 0.4, 0), Vector3(0.4, 0.5, 0.1), Vector3(0, 0.1, 1))
    var q := PeltSkin.rotation_of(stretched)
    _check(q.angle_to(Quaternion(Vector3(1, 2, 3).normalized(), 1.1)) < 1e-3, "rotations are polar factors")
    q = PeltSkin.rotation_of(stretched * Basis.from_scale(Vector3(-1, -1, -1)))
    _check(q.angle_to(Quaternion(Vector3(1, 2, 3).normalized(), 1.1)) < 1e-3, "also of mirrors")
    _check(PeltSkin.rotation_of(Basis.from_scale(Vector3(1, 0, 1))).is_finite(), "flat matrices have some rotation")
    _check(PeltBake.open("res://cases.json") == null, "a file that is no bake gets a sentence")
    _check(PeltBake.open("res://no.json") == null, "so does a file that is not there")


# The fragment of docs/bounds.md, for a file loaded while the program runs.
func _bounds_page(case: Dictionary) -> void:
    var page: Node = load("res://bounds.gd").new()
    var scene: Node3D = page.load_with_bounds(case.file)
    page.free()
    root.add_child(scene)
    await _pose(scene, case.clip, case.time)
    for expected in case.expected:
        if expected.method == case.import_method:
            var wanted := obj_positions(expected.obj)
            for mesh: MeshInstance3D in scene.find_children("*", "MeshInstance3D", true, false):
                if mesh.skin != null:
                    var to_scene := scene.global_transform.affine_inverse() * mesh.global_transform
                    var box: AABB = (to_scene * mesh.custom_aabb).grow(1e-4)
                    _check(Array(wanted).all(box.has_point) and box.size.length() < 3.0 * box_of(wanted).size.length(),
                            "docs/bounds.md: the box holds vertices of %s" % case.file)
    scene.free()


# The script of the page draws a crowd behind a character, which looks as with Godot's own skinning.
func _page(shots: String) -> void:
    var camera := Camera3D.new()
    var light := DirectionalLight3D.new()
    root.size = Vector2i(480, 320)
    light.rotation = Vector3(-0.9, 0.5, 0)
    var hero := _loaded("res://hero.glb")
    hero.position = Vector3(20, 0, 27)
    for node: Node in [camera, light]:
        root.add_child(node)
    camera.look_at_from_position(Vector3(21, 2.2, 30), Vector3(20, 0.7, 20))
    var empty := await _picture()
    root.add_child(hero)
    var skin: PeltSkin = hero.find_children("*", "PeltSkin", true, false)[0]
    var ours := await _picture()
    skin.method = PeltSkin.Method.LBS
    var own := await _picture()
    var size := _differing(empty, own)
    var off := _differing(ours, own)
    _check(size > 0.005 and off < 0.01 * size, "at rest a character looks as before: %.2f %% of its pixels differ" %
            (100.0 * off / size))
    skin.method = PeltSkin.Method.CRS
    var crowd: Node3D = load("res://page.gd").new()
    root.add_child(crowd)
    var full := await _picture()
    _check(_differing(ours, full) > 0.1, "the script of the page draws its crowd")
    if shots != "":
        full.save_png(shots)
    for node: Node in [camera, light, hero, crowd]:
        node.free()


func _picture() -> Image:
    for i in 3:
        await RenderingServer.frame_post_draw
    return root.get_texture().get_image()


# How much of two pictures differs by more than rounding.
static func _differing(a: Image, b: Image) -> float:
    var count := 0
    for y in range(0, a.get_height(), 2):
        for x in range(0, a.get_width(), 2):
            var c := a.get_pixel(x, y) - b.get_pixel(x, y)
            if maxf(absf(c.r), maxf(absf(c.g), absf(c.b))) > 0.02:
                count += 1
    return 4.0 * count / (a.get_width() * a.get_height())
