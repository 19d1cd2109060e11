# SPDX-License-Identifier: MIT
"""Characters from files."""
from __future__ import annotations

import ctypes
import os
import pathlib
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from typing import Any, Iterable, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from ._library import Error, NONE, WriteError, address, call, floats, lib, make_options, view
from .skin import Skin

Path = Union[str, "os.PathLike[str]"]
_INFLUENCE = np.dtype([("joint", np.uint16), ("slot", np.uint16), ("weight", np.float32)])


def load(path: Path, clips: Iterable[Path] = (), max_influences: int = 0) -> "Character":
    """Load a character: .glb, .gltf, .fbx, .dae and others.

    clips  files with more clips for the same skeleton
    max_influences  keep only the strongest of each vertex; 0: all
    """
    character = Character(path, max_influences)
    for file in [clips] if isinstance(clips, (str, os.PathLike)) else clips:
        character.add_clips(file)
    return character


@dataclass(frozen=True)
class Clip:
    """A motion. `name` is that of the file, `duration` in seconds."""

    index: int
    name: str
    duration: float


@dataclass(frozen=True)
class Surface:
    """An instance of a mesh, deformed: positions and normals (or None) in model space, V x 3."""

    name: str
    positions: np.ndarray
    normals: Optional[np.ndarray]


class Pose:
    """Where every node is, relative to its parent: arrays that may be changed.

    locals  nodes x 10: translation, rotation as quaternion x y z w, scale
    morphs  weights of morph targets
    """

    def __init__(self, character: "Character", locals: np.ndarray, morphs: np.ndarray):
        self.character, self.locals, self.morphs = character, locals, morphs

    translations = property(lambda self: self.locals[:, 0:3], doc="nodes x 3, in meters")
    rotations = property(lambda self: self.locals[:, 3:7], doc="nodes x 4, unit quaternions x y z w")
    scales = property(lambda self: self.locals[:, 7:10], doc="nodes x 3")

    def copy(self) -> "Pose":
        return Pose(self.character, self.locals.copy(), self.morphs.copy())

    def rotate(self, node: Union[str, int], axis: ArrayLike, degrees: float) -> "Pose":
        """Rotate a node about an axis of its own, in place. Returns the pose."""
        index = self.character.node(node)
        axis = floats("axis", axis, (3,), np.float64)
        length = float(np.linalg.norm(axis))
        if not (np.isfinite(length) and length > 0 and np.isfinite(degrees)):
            raise Error(f"a rotation by {degrees} degrees about {axis.tolist()}; the axis must not be zero")
        half = np.radians(degrees) / 2
        x, y, z, w = *(np.sin(half) * axis / length), np.cos(half)
        a, b, c, d = self.locals[index, 3:7].astype(np.float64)
        self.locals[index, 3:7] = [d * x + a * w + b * z - c * y, d * y - a * z + b * w + c * x,
                                   d * z + a * y - b * x + c * w, d * w - a * x - b * y - c * z]
        return self

    def blend(self, other: "Pose", factor: float) -> "Pose":
        """A pose between this one (0) and another (1), in local space."""
        result = self.copy()
        arrays = [result, self, self.character._own(other)]
        lib.pelt_python_pose_blend(self.character._handle,
                                   *(address(array) for pose in arrays for array in pose._arrays()),
                                   float(factor))
        return result

    def _arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """Checked: users may have replaced them."""
        nodes, morphs = len(self.character.nodes), self.character._morph_count
        self.locals = floats("locals of a pose", self.locals, (nodes, 10))
        self.morphs = floats("morphs of a pose", self.morphs, (morphs,))
        if not (np.isfinite(self.locals).all() and np.isfinite(self.morphs).all()):
            raise Error("the pose has numbers that are not finite")
        return self.locals, self.morphs


class Mesh:
    """A mesh of a character in the bind pose: read-only arrays, None where there are none.

    positions, normals, tangents, uvs, triangles, centers, mix_factors
    first, joints, influences  vertex v has influences first[v] to first[v + 1]: joints and weights
    """

    def __init__(self, character: "Character", index: int):
        self._character, self._index = character, index
        self.name = character._text("m", index)
        counts = (ctypes.c_uint32 * 5)()
        lib.pelt_python_mesh_counts(character._handle, index, counts)
        self.vertex_count, self._index_count, self.joint_count, self._influence_count, self.morph_count = counts

    def _array(self, kind: str, shape: tuple, dtype=np.float32) -> Optional[np.ndarray]:
        pointer = lib.pelt_python_mesh_array(self._character._handle, self._index, kind.encode())
        return view(pointer, shape, dtype, self._character)

    positions = property(lambda self: self._array("p", (self.vertex_count, 3)))
    normals = property(lambda self: self._array("n", (self.vertex_count, 3)))
    tangents = property(lambda self: self._array("t", (self.vertex_count, 4)))
    uvs = property(lambda self: self._array("u", (self.vertex_count, 2)))
    centers = property(lambda self: self._array("c", (self.vertex_count, 3)))
    mix_factors = property(lambda self: self._array("x", (self.vertex_count,)))
    triangles = property(lambda self: self._array("i", (self._index_count // 3, 3), np.uint32))
    first = property(lambda self: self._array("f", (self.vertex_count + 1,), np.uint32))

    @property
    def influences(self) -> Optional[np.ndarray]:
        """Structured: "joint" and "weight" of each influence, strongest first for each vertex."""
        return self._array("w", (self._influence_count,), _INFLUENCE)

    @property
    def weights(self) -> Optional[np.ndarray]:
        """V x J, of all joints. A copy."""
        first, influences = self.first, self.influences
        if first is None or influences is None:
            return None
        weights = np.zeros((self.vertex_count, self.joint_count), np.float32)
        vertices = np.repeat(np.arange(self.vertex_count), np.diff(first.astype(np.int64)))
        weights[vertices, influences["joint"]] = influences["weight"]
        return weights


class Character:
    """A character from a file: see load()."""

    def __init__(self, path: Path, max_influences: int = 0):
        self._handle: Optional[ctypes.c_void_p] = None
        self._lock = threading.RLock()
        handle = ctypes.c_void_p()
        call("pelt_python_character_load", handle, os.fsencode(path), max_influences)
        self._handle = handle
        self.path = os.fspath(path)
        self._refresh()

    def __del__(self):
        if getattr(self, "_handle", None) is not None:
            lib.pelt_python_character_destroy(self._handle)
            self._handle = None

    def __repr__(self) -> str:
        return (f"<pelt.Character {pathlib.Path(self.path).name}: {len(self.meshes)} meshes, "
                f"{len(self.nodes)} nodes, {len(self.clips)} clips>")

    def _text(self, kind: str, index: int) -> str:
        text = lib.pelt_python_character_text(self._handle, kind.encode(), index)
        return text.decode("utf-8", "replace") if text else ""

    def _refresh(self) -> None:
        counts = (ctypes.c_uint32 * 8)()
        lib.pelt_python_character_counts(self._handle, counts)
        texts = {kind: [self._text(kind, i) for i in range(count)]
                 for kind, count in zip("nmsc", (counts[0], counts[1], counts[2], counts[4]))}
        #: Names of nodes, parents before children.
        self.nodes: list[str] = texts["n"]
        self._node_index = {name: i for i, name in reversed(list(enumerate(self.nodes)))}
        #: Parent of each node; -1: none.
        self.parents = np.array([lib.pelt_python_node_parent(self._handle, i) for i in range(counts[0])],
                                np.uint32).astype(np.int32)
        self.meshes = [Mesh(self, i) for i in range(counts[1])]
        self.clips = [Clip(i, name, lib.pelt_python_clip_duration(self._handle, i))
                      for i, name in enumerate(texts["c"])]
        self._instances = []
        for i in range(counts[3]):
            numbers = (ctypes.c_uint32 * 3)()
            lib.pelt_python_instance(self._handle, i, numbers)
            self._instances.append(tuple(-1 if n == NONE else n for n in numbers))
        self._skin_count, self._morph_count = counts[2], counts[5]
        #: What was fixed on load, and what a written file lacks, one sentence each.
        self.repairs = [self._text("r", i) for i in range(counts[6])]
        self.losses = [self._text("l", i) for i in range(counts[7])]

    def node(self, name: Union[str, int]) -> int:
        """The index of a node."""
        if isinstance(name, str):
            if name not in self._node_index:
                raise Error(f"{self.path} has no node \"{name}\"; its nodes are {_some(self.nodes)}")
            return self._node_index[name]
        if not 0 <= int(name) < len(self.nodes):
            raise Error(f"there is no node {name}; {self.path} has {len(self.nodes)}")
        return int(name)

    def clip(self, name: Union[str, int, Clip]) -> Clip:
        """A clip by its name or index."""
        if isinstance(name, Clip):
            name = name.index
        for clip in self.clips:
            if name in (clip.name, clip.index):
                return clip
        names = _some([clip.name for clip in self.clips])
        raise Error(f"{self.path} has no clip \"{name}\"; its clips are {names}")

    def add_clips(self, path: Path, relative_to_rest: bool = False) -> int:
        """Add the clips of another file with the same skeleton, by names of nodes. Returns their number.

        relative_to_rest  its rest pose is another: apply the motion relative to both
        """
        counts = (ctypes.c_uint32 * 3)()
        with self._lock:
            call("pelt_python_character_add_clips", self._handle, counts, os.fsencode(path),
                 os.fsencode(pathlib.Path(path).stem), bool(relative_to_rest))
            self._refresh()
        if counts[0] == 0:
            raise Error(f"{os.fspath(path)} has no clip that moves a node of {self.path}; nodes are matched "
                        "by name")
        return counts[0]

    def solve(self, centers: bool = False, normals: bool = False, mix: bool = False,
              again: bool = False, smoothing: bool = False) -> "Character":
        """Compute what methods need: centers of rotation for "crs", factors for normals="accurate", mix
        factors for "mix" from the clips, smoothed weights for "ddm". Those of the file are kept unless
        `again`. Returns the character."""
        what = (1 if centers else 0) | (2 if normals else 0) | (4 if mix else 0) | (8 if smoothing else 0)
        with self._lock:
            call("pelt_python_character_solve", self._handle, what, again)
        return self

    def pose(self, clip: Union[None, str, int, Clip] = None, time: float = 0.0, loop: bool = False) -> Pose:
        """The pose of a clip at a time in seconds; without a clip the stored pose."""
        index = NONE if clip is None else self.clip(clip).index
        pose = Pose(self, np.empty((len(self.nodes), 10), np.float32),
                    np.zeros(self._morph_count, np.float32))
        call("pelt_python_pose_sample", self._handle, address(pose.locals), address(pose.morphs), index,
             float(time), bool(loop))
        return pose

    def _own(self, pose: Optional[Pose]) -> Pose:
        if pose is None:
            return self.pose()
        if not isinstance(pose, Pose) or pose.character is not self:
            raise Error("the pose is not one of this character; make it by its pose()")
        return pose

    def deform(self, pose: Optional[Pose] = None, method: str = "lbs",
               normals: Union[None, bool, str] = None, **options: Any) -> list[Surface]:
        """Deform all instances of meshes; None is the stored pose. `normals` is "standard", "accurate" or
        "paper", or True for "standard"; without it there are none. Options are those of Skin.deform()."""
        rule = "standard" if normals in (None, False, True) else str(normals)
        how = make_options(method, rule, **options)
        locals, morphs = self._own(pose)._arrays()
        surfaces = []
        for mesh, _, _ in self._instances:
            shape = (self.meshes[mesh].vertex_count, 3)
            has_normals = bool(normals) and self.meshes[mesh].normals is not None
            surfaces.append(Surface(self.meshes[mesh].name, np.empty(shape, np.float32),
                                    np.empty(shape, np.float32) if has_normals else None))
        pointers = ctypes.c_void_p * len(surfaces)
        with self._lock:
            call("pelt_python_character_deform", self._handle, address(locals), address(morphs),
                 pointers(*(address(s.positions) for s in surfaces)),
                 pointers(*(address(s.normals) for s in surfaces)), how)
        return surfaces

    def matrices(self, pose: Optional[Pose] = None, skin: int = 0) -> np.ndarray:
        """For each joint of a skin, from the bind pose to the pose: J x 4 x 4, for Skin.deform()."""
        if not 0 <= skin < self._skin_count:
            raise Error(f"there is no skin {skin}; {self.path} has {self._skin_count}")
        return self._matrices(pose, skin, len(self.joints(skin)))

    def world(self, pose: Optional[Pose] = None) -> np.ndarray:
        """The matrix of each node in model space, nodes x 4 x 4."""
        return self._matrices(pose, None, len(self.nodes))

    def _matrices(self, pose: Optional[Pose], skin: Optional[int], count: int) -> np.ndarray:
        locals, _ = self._own(pose)._arrays()
        rows = np.empty((count, 3, 4), np.float32)
        nodes, joints = (address(rows), None) if skin is None else (None, address(rows))
        call("pelt_python_pose_matrices", self._handle, address(locals), nodes, skin or 0, joints)
        matrices = np.zeros((count, 4, 4), np.float32)
        matrices[:, :3], matrices[:, 3, 3] = rows, 1.0
        return matrices

    def joints(self, skin: int = 0) -> np.ndarray:
        """The node of each joint of a skin. Read-only."""
        if not 0 <= skin < self._skin_count:
            raise Error(f"there is no skin {skin}; {self.path} has {self._skin_count}")
        nodes, binds = ctypes.c_void_p(), ctypes.c_void_p()
        count = lib.pelt_python_skin_arrays(self._handle, skin, nodes, binds)
        found = view(nodes.value, (count,), np.uint32, self)
        return np.empty(0, np.uint32) if found is None else found

    def skin(self, instance: int = 0) -> Skin:
        """A Skin with the mesh of an instance, for batches of poses; use matrices() of its skin."""
        if not 0 <= instance < len(self._instances) or self._instances[instance][1] < 0:
            raise Error(f"there is no skinned instance {instance}; {self.path} has {len(self._instances)} "
                        "instances")
        mesh_index, skin, _ = self._instances[instance]
        mesh, joint_count = self.meshes[mesh_index], len(self.joints(skin))
        first, influences = mesh.first, mesh.influences
        if first is None or influences is None:
            raise Error(f"mesh \"{mesh.name}\" has no weights")
        counts = np.diff(first.astype(np.int64))
        width = int(counts.max(initial=0))
        columns = np.arange(len(influences)) - np.repeat(first[:-1].astype(np.int64), counts)
        rows = np.repeat(np.arange(mesh.vertex_count), counts)
        joints = np.zeros((mesh.vertex_count, width), np.int64)
        weights = np.zeros((mesh.vertex_count, width), np.float32)
        joints[rows, columns], weights[rows, columns] = influences["joint"], influences["weight"]
        return Skin(mesh.positions, mesh.triangles, weights, joints, normals=mesh.normals,
                    tangents=mesh.tangents, centers=mesh.centers, mix_factors=mesh.mix_factors,
                    joint_count=joint_count)

    def bounds(self, pose: Optional[Pose] = None) -> np.ndarray:
        """The box of all vertices under lbs: 2 x 3, least and largest coordinates."""
        locals, morphs = self._own(pose)._arrays()
        box = (ctypes.c_float * 6)()
        call("pelt_python_character_bounds", self._handle, address(locals), address(morphs), box)
        return np.array(box, np.float32).reshape(2, 3)

    def save(self, path: Path, pose: Optional[Pose] = None) -> None:
        """Write .glb or .gltf, with all clips and what solve() computed. A character that came from glTF
        keeps everything that its file has. With a pose, that becomes the stored one, in a new file."""
        locals = None if pose is None else self._own(pose)._arrays()[0]
        with self._lock:
            call("pelt_python_character_save", self._handle, os.fsencode(path), address(locals))

    def render(self, path: Path, pose: Optional[Pose] = None, method: str = "lbs", *,
               clip: Union[None, str, int, Clip] = None, time: Optional[float] = None,
               size: tuple[int, int] = (960, 720), normals: Optional[str] = None,
               show: Optional[str] = None, view: Optional[str] = None) -> None:
        """Draw a picture (.png) of a pose, or of a clip at a time; or an animation (.webp) of a clip.

        method  one, or several as "lbs,dqs,crs" for panels side by side
        show, view  as of `pelt render`: "wire,bones", "difference:crs" ...; "front", "side" ...

        Runs the program `pelt`, which the package brings along, with OpenGL and without a window.
        """
        if pose is not None and clip is not None:
            raise Error("pass a pose or a clip, not both")
        for name in method.split(","):
            make_options(name, (normals or "standard").split(",")[0])
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "character.glb")
            locals = self._own(pose)._arrays()[0]
            with self._lock:
                call("pelt_python_character_save", self._handle, os.fsencode(file), address(locals))
            arguments = ["render", file, "-o", os.fspath(path), "--method", method,
                         "--size", f"{int(size[0])}x{int(size[1])}"]
            if clip is not None:
                arguments += ["--clip", self.clip(clip).name]
            for option, value in (("--time", time if clip is not None else None), ("--normals", normals),
                                  ("--show", show), ("--view", view)):
                arguments += [] if value is None else [option, str(value)]
            run_program(arguments)


def run_program(arguments: list[str]) -> str:
    """Run the program pelt. Returns what it prints."""
    program = os.environ.get("PELT_PROGRAM") or str(pathlib.Path(__file__).parent / "_native" / "pelt")
    if not os.path.exists(program):
        raise Error(f"there is no program {program}; set PELT_PROGRAM")
    done = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        kind = WriteError if done.returncode == 4 else Error
        raise kind(lines[-1])
    return done.stdout


def _some(names: list[str]) -> str:
    listed = ", ".join(f"\"{name}\"" for name in names[:12])
    return (listed or "none") + (f" and {len(names) - 12} more" if len(names) > 12 else "")
