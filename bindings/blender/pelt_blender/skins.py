# SPDX-License-Identifier: MIT
"""Skins of objects as they are now, and what is solved for them: centers of rotation, mix factors.

They are stored as attributes of the mesh in its own space, `pelt_centers` and `pelt_mix_factors`. What
glTF exporters keep are other attributes, in the space of the file: write_export().
"""
import zlib

import bpy
import mathutils
import numpy as np

from . import pelt
from .rig import (armature_of, check_mode, coordinates, find_modifier, joints_of, matrices_of, rest_positions,
                  skeleton_of, to_armature, triangles_of, weights_of)

CENTERS, MIX, DIGEST = "pelt_centers", "pelt_mix_factors", "pelt_digest"
# Blender 3.x adds the underscore that glTF asks for; 4.x exports names that begin with it.
EXPORT = ("PELT_COR", "PELT_MIX") if bpy.app.version < (4, 0) else ("_PELT_COR", "_PELT_MIX")
_KINDS = {3: ("FLOAT_VECTOR", "vector"), 1: ("FLOAT", "value")}
_Z_UP = mathutils.Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))  # from Y up

_skins = {}  # address of an object: Entry; empty after undo and loading, which move objects


class Entry:
    """A skin, its joints, and what tells whether it still fits."""

    def __init__(self, item, depsgraph):
        check_mode(item)
        armature = find_modifier(item).object
        self.joints = joints_of(armature)
        self.weights = weights_of(item, self.joints)
        self.rest = rest_positions(item, depsgraph)
        self.triangles = triangles_of(item)
        self.has_keys = item.data.shape_keys is not None
        self.mesh = item.data.name
        self.has_factors = False
        self.skin = pelt.Skin(self.rest, self.triangles, self.weights,
                              normals=coordinates(item.data.vertices, "normal"),
                              centers=read_centers(item, self.weights), mix_factors=read(item.data, MIX, 1))

    def fits(self, item, depsgraph):
        has_keys = item.data.shape_keys is not None
        if (self.mesh, self.has_keys) != (item.data.name, has_keys) or \
                self.joints != joints_of(find_modifier(item).object):
            return False
        # Rest positions follow the keys.
        return not has_keys or np.array_equal(self.rest, rest_positions(item, depsgraph))


def forget(item):
    _skins.pop(item.as_pointer(), None)


def forget_all():
    _skins.clear()


def entry_of(item, depsgraph=None):
    key = item.as_pointer()
    entry = _skins.get(key)
    if entry is None or not entry.fits(item, depsgraph):
        entry = _skins[key] = Entry(item, depsgraph)
    return entry


def deform(item, method, depsgraph=None, normals=None, mix=0.5):
    """Positions of the vertices in the space of the object, and normals if asked for. Raises pelt.Error."""
    entry = entry_of(item, depsgraph)
    if method == "crs" and entry.skin.centers is None:
        raise pelt.Error(f"{item.name} has no centers of rotation; press Solve Centers")
    if normals == "accurate" and not entry.has_factors:
        entry.skin.solve(normals=True)
        entry.has_factors = True
    return entry.skin.deform(matrices_of(item, entry.joints, depsgraph), method, normals=normals, mix=mix)


# ------------------------------------------------------------------------------------------------
# Attributes


def read(mesh, name, width):
    kind, member = _KINDS[width]
    attribute = mesh.attributes.get(name)
    if attribute is None or attribute.domain != "POINT" or attribute.data_type != kind:
        return None
    values = np.empty(width * len(mesh.vertices), np.float32)
    attribute.data.foreach_get(member, values)
    return values.reshape(-1, width) if width > 1 else values


def write(mesh, name, values):
    """Create or replace an attribute of vertices; None removes it."""
    kind = "INT" if values is not None and values.dtype.kind == "i" else None
    kind, member = (kind, "value") if kind else _KINDS[1 if values is None or values.ndim == 1 else 3]
    attribute = mesh.attributes.get(name)
    if attribute is not None and (values is None or attribute.data_type != kind or attribute.domain != "POINT"):
        mesh.attributes.remove(attribute)
        attribute = None
    if values is not None:
        attribute = attribute or mesh.attributes.new(name, kind, "POINT")
        attribute.data.foreach_set(member, np.ascontiguousarray(values).ravel())


def apply_matrix(matrix, points):
    matrix = np.array(matrix)
    return (points @ matrix[:3, :3].T + matrix[:3, 3]).astype(np.float32)


def read_centers(item, weights):
    """Those of the mesh; or those of a glTF file, which importers leave in the space of the file."""
    centers = read(item.data, CENTERS, 3)
    if centers is not None:
        return centers
    centers = read(item.data, "_PELT_COR", 3)
    if centers is None:
        return None
    centers = apply_matrix(item.matrix_world.inverted_safe() @ _Z_UP, centers)
    # A vertex with one joint is its own center. Otherwise the object has moved, or the mesh is another.
    positions = coordinates(item.data.vertices)
    own = np.count_nonzero(weights, axis=1) == 1
    size = np.abs(positions - positions.mean(axis=0)).max(initial=0.0)
    fits = own.any() and np.abs(centers - positions)[own].max() <= 1e-3 * size
    return centers if fits else None


def write_export(item):
    """Centers and mix factors as attributes that survive a glTF export: in world space, Y up."""
    check_mesh(item)
    centers, mix = read(item.data, CENTERS, 3), read(item.data, MIX, 1)
    if centers is None and mix is None:
        raise pelt.Error(f"{item.name} has no centers of rotation and no mix factors; press Solve Centers")
    if centers is not None:
        centers = apply_matrix(_Z_UP.inverted() @ item.matrix_world, centers)
    write(item.data, EXPORT[0], centers)
    write(item.data, EXPORT[1], mix)


def check_mesh(item):
    check_mode(item)
    if item.data.library is not None or item.library is not None:
        raise pelt.Error(f"{item.name} is linked from another file; make it local to store anything with it")


# ------------------------------------------------------------------------------------------------
# Solving


def digest_of(rest, triangles, weights):
    return zlib.crc32(weights.tobytes(), zlib.crc32(triangles.tobytes(), zlib.crc32(rest.tobytes())))


def basis_positions(item):
    """Positions without shape keys, for which centers are solved."""
    keys = item.data.shape_keys
    return coordinates(item.data.vertices if keys is None else keys.reference_key.data)


def digest_now(item):
    joints = joints_of(find_modifier(item).object)
    return digest_of(basis_positions(item), triangles_of(item), weights_of(item, joints))


def is_out_of_date(item):
    """Whether what was solved belongs to other weights or another mesh."""
    return item.data.get(DIGEST) is not None and str(digest_now(item)) != item.data[DIGEST]


def partners_of(item):
    """All meshes of an armature: one character, whose meshes share their centers."""
    armature, found, meshes = armature_of(item), [], set()
    for other in [item] + [one for one in bpy.context.scene.objects if one.type == "MESH" and one != item]:
        if armature_of(other) != armature or other.data.name in meshes or other.mode == "EDIT":
            continue
        try:
            find_modifier(other)
            check_mesh(other)
        except pelt.Error:
            if other == item:
                raise
            continue
        meshes.add(other.data.name)
        found.append(other)
    return found


def solve(items, centers=True, mix=False):
    """Solve for objects and all meshes of their armatures together. Returns the objects."""
    done = []
    for item in items:
        check_mesh(item)
        find_modifier(item)
        if item.data.name in (other.data.name for other in done):
            continue
        group = partners_of(item)
        solve_group(group, centers, mix)
        done += group
    return done


def solve_group(group, centers, mix):
    armature = armature_of(group[0])
    joints = joints_of(armature)
    spaces = [to_armature(item) for item in group]
    rests = [basis_positions(item) for item in group]
    weights = [weights_of(item, joints) for item in group]
    triangles = [triangles_of(item) for item in group]
    firsts = np.cumsum([0] + [len(rest) for rest in rests])
    positions, parents = skeleton_of(armature, joints)
    skin = pelt.Skin(np.concatenate([apply_matrix(s, r) for s, r in zip(spaces, rests)]),
                     np.concatenate([t + first for t, first in zip(triangles, firsts)]),
                     np.concatenate(weights), joint_positions=positions, joint_parents=parents)
    skin.solve(centers=centers, mix=mix)
    for i, item in enumerate(group):
        part = slice(firsts[i], firsts[i + 1])
        if centers:
            write(item.data, CENTERS, apply_matrix(spaces[i].inverted_safe(), skin.centers[part]))
        if mix:
            write(item.data, MIX, skin.mix_factors[part])
        item.data[DIGEST] = str(digest_of(rests[i], triangles[i], weights[i]))
        if any(name in item.data.attributes for name in EXPORT):
            write_export(item)
        forget(item)


def solve_again(items):
    """Those that are out of date, with what they have. Returns the objects that were solved."""
    done = []
    for item in items:
        if item.data.name not in (other.data.name for other in done) and is_out_of_date(item):
            has = [name in item.data.attributes for name in (CENTERS, MIX)]
            done += solve([item], *has)
    return done
