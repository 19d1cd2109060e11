# SPDX-License-Identifier: MIT
"""Skins made of arrays."""
from __future__ import annotations

import ctypes
import threading
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from ._library import Error, NONE, address, call, floats, lib, make_options, view

_CENTERS, _NORMALS, _FACTORS, _MIX, _SMOOTHING = 2, 1, 4, 8, 16
# What sentences of the library say to C programs, and what helps here.
_ADVICE = {"prepare the skinner with PELT_SKINNER_CENTERS": "call solve(centers=True)",
           "prepare the skinner with PELT_SKINNER_SMOOTHING": "call solve(smoothing=True)",
           "prepare the skinner with PELT_SKINNER_NORMAL_FACTORS": "call solve(normals=True)",
           "pass them, or add PELT_SKINNER_NORMALS to compute them": "pass `normals`",
           "PELT_SIGN_HIERARCHY and PELT_DQS_OPTIMIZED need": "sign_rule=\"hierarchy\" and "
           "dqs_variant=\"optimized\" need", "deform a scene instead": "use a Character"}
Deformed = Union[np.ndarray, "tuple[np.ndarray, ...]"]


class Skin:
    """A mesh in the bind pose with the weights of its joints.

    positions  V x 3
    triangles  T x 3 indices; None: none, which is enough for methods that need no preparation
    weights    V x J, of all joints; or V x K with `joints`, V x K, the joint of each weight
    normals    V x 3; None: solve(normals=True) takes those of the triangles
    tangents   V x 4, or None
    centers, mix_factors  V x 3 and V, what solve() computed before, or None
    joint_positions, joint_parents  J x 3 and J, -1 for a root: the skeleton in the bind pose, for
                          solve(mix=True) and distance_correction; or None
    max_influences  keep only the strongest of each vertex; 0: all

    Arrays are copied. Weights of a vertex are normalized to a sum of one. One thread at a time uses
    a skin; others wait.
    """

    def __init__(self, positions: ArrayLike, triangles: Optional[ArrayLike], weights: ArrayLike,
                 joints: Optional[ArrayLike] = None, *, normals: Optional[ArrayLike] = None,
                 tangents: Optional[ArrayLike] = None, centers: Optional[ArrayLike] = None,
                 mix_factors: Optional[ArrayLike] = None, joint_count: Optional[int] = None,
                 joint_positions: Optional[ArrayLike] = None, joint_parents: Optional[ArrayLike] = None,
                 max_influences: int = 0):
        self._handle: Optional[ctypes.c_void_p] = None
        self._lock = threading.Lock()
        positions = floats("positions", positions, (None, 3))
        count = len(positions)
        indices = _integers("triangles", np.empty((0, 3), int) if triangles is None else triangles, (None, 3))
        weights = floats("weights", weights, (count, None))
        first = None
        if joints is None:
            joint_count = weights.shape[1] if joint_count is None else joint_count
            if joint_count != weights.shape[1]:
                raise Error(f"weights have {weights.shape[1]} columns, one for each of {joint_count} joints; "
                            "pass `joints` for other layouts")
            rows, columns = np.nonzero(weights)  # NaN is not zero, so it is found
            first = np.zeros(count + 1, np.uint32)
            np.cumsum(np.bincount(rows, minlength=count), out=first[1:])
            packed, named = np.ascontiguousarray(weights[rows, columns]), columns.astype(np.uint32)
        else:
            named = _integers("joints", joints, weights.shape)
            packed = weights
            if joint_count is None:
                joint_count = int(named[weights != 0].astype(np.int64).max(initial=-1)) + 1
                if joint_positions is not None:
                    joint_count = len(np.asarray(joint_positions))
        arrays = [positions, _optional("normals", normals, (count, 3)),
                  _optional("tangents", tangents, (count, 4)), indices if indices.size else None, first, named,
                  packed, _optional("centers", centers, (count, 3)),
                  _optional("mix_factors", mix_factors, (count,)),
                  _optional("joint_positions", joint_positions, (joint_count, 3)), None]
        if joint_parents is not None:
            arrays[-1] = _integers("joint_parents", joint_parents, (joint_count,), least=-1)
        if not 0 <= max_influences < NONE:
            raise Error(f"max_influences is {max_influences}; it must not be negative")
        per_vertex = weights.shape[1] if joints is not None else 1
        if joints is not None and per_vertex == 0:
            first = arrays[4] = np.zeros(count + 1, np.uint32)
        counts = (ctypes.c_uint32 * 5)(count, joint_count, indices.size, per_vertex, max_influences)
        handle = ctypes.c_void_p()
        call("pelt_python_skin_create", handle, counts, *map(address, arrays))
        self._handle = handle
        self.vertex_count, self.joint_count = count, int(joint_count)
        self._has_normals, self._has_tangents = normals is not None, tangents is not None
        self._has_factors = False

    def __del__(self):
        if getattr(self, "_handle", None) is not None:
            lib.pelt_skinner_destroy(self._handle)
            self._handle = None

    def __repr__(self) -> str:
        return f"<pelt.Skin: {self.vertex_count} vertices, {self.joint_count} joints>"

    def solve(self, centers: bool = False, normals: bool = False, mix: bool = False,
              smoothing: bool = False) -> "Skin":
        """Compute what methods need: centers of rotation for "crs", normals and their factors for
        normals="accurate", mix factors for "mix", smoothed weights for "ddm". Needs triangles.
        Returns the skin."""
        what = (_CENTERS if centers else 0) | (_MIX if mix else 0) | (_SMOOTHING if smoothing else 0)
        what |= _NORMALS | _FACTORS if normals else 0
        if centers and self._has_factors:
            what |= _FACTORS  # They depend on the centers.
        with self._lock:
            _call("pelt_skinner_prepare", self._handle, what)
            self._has_normals = self._has_normals or normals
            self._has_factors = self._has_factors or normals
        return self

    @property
    def centers(self) -> Optional[np.ndarray]:
        """Centers of rotation, V x 3, or None. A copy."""
        return self._array("centers", (self.vertex_count, 3))

    @property
    def normals(self) -> Optional[np.ndarray]:
        """Normals in the bind pose, V x 3, or None. A copy."""
        return self._array("normals", (self.vertex_count, 3))

    @property
    def mix_factors(self) -> Optional[np.ndarray]:
        """From 0 for lbs to 1 for dqs, V, or None. A copy."""
        return self._array("mix_factors", (self.vertex_count,))

    def _array(self, name: str, shape) -> Optional[np.ndarray]:
        with self._lock:
            found = view(getattr(lib, "pelt_skinner_" + name)(self._handle), shape, np.float32, self)
            return None if found is None else found.copy()

    def deform(self, matrices: ArrayLike, method: str = "lbs", *, normals: Union[None, bool, str] = None,
               tangents: bool = False, out: Optional[np.ndarray] = None,
               normals_out: Optional[np.ndarray] = None, tangents_out: Optional[np.ndarray] = None,
               **options: Any) -> Deformed:
        """Deform the mesh.

        matrices  J x 4 x 4 or J x 3 x 4: for each joint, from the bind pose to the pose (its world
                  matrix times its inverse bind matrix); or N such poses, which all cores share
        normals   "standard", "accurate" or "paper", or True for "standard": also return normals
        tangents  also return tangents, V x 4
        out, normals_out, tangents_out  float32 arrays to write into, which may be columns of a wider one
        options   mix, sign_rule, scale_pivot, dqs_variant, lms_variant, distance_correction

        Returns positions, V x 3 or N x V x 3, or a tuple of positions, normals and tangents as asked for.
        """
        rule = "standard" if normals in (None, False, True) else str(normals)
        how = make_options(method, rule, **options)
        matrices = np.asarray(matrices)
        if matrices.ndim not in (3, 4) or matrices.shape[-2:] not in ((4, 4), (3, 4)) or \
                matrices.shape[-3] != self.joint_count:
            found = " x ".join(map(str, matrices.shape))
            raise Error(f"matrices must be {self.joint_count} x 4 x 4, or N x {self.joint_count} x 4 x 4, "
                        f"not {found}")
        matrices = floats("matrices", matrices, matrices.shape)
        poses = matrices.shape[:-3]
        has_normals = bool(normals) or normals_out is not None
        has_tangents = tangents or tangents_out is not None
        asked = [(True, out, 3, "out"), (has_normals, normals_out, 3, "normals_out"),
                 (has_tangents, tangents_out, 4, "tangents_out")]
        arrays, strides = [], []
        for is_asked, given, width, name in asked:
            array, stride = self._target(name, given, poses, width) if is_asked else (None, 0)
            arrays.append(array)
            strides.append(stride)
        layout = 0 if matrices.shape[-2] == 3 else 1
        with self._lock:
            _call("pelt_python_skin_deform", self._handle, *map(address, arrays),
                  (ctypes.c_uint32 * 3)(*strides), address(matrices), layout,
                  poses[0] if poses else 1, how)
        results = tuple(array for array in arrays if array is not None)
        return results if len(results) > 1 else results[0]

    def _target(self, name: str, given, poses, width: int):
        shape = (*poses, self.vertex_count, width)
        if given is None:
            return np.empty(shape, np.float32), 4 * width
        if not isinstance(given, np.ndarray) or given.dtype != np.float32 or given.shape != shape:
            raise Error(f"{name} must be a float32 array of {' x '.join(map(str, shape))}")
        stride = given.strides[-2]
        is_regular = given.strides[-1] == 4 and stride >= 4 * width and stride % 4 == 0
        if poses and poses[0] > 1:
            is_regular = is_regular and given.strides[0] == stride * self.vertex_count
        if not given.flags.writeable or (given.size and not is_regular):
            raise Error(f"{name} must be writable, with the numbers of a vertex side by side and vertices at "
                        f"equal distances; its strides are {given.strides}")
        return given, stride if given.size else 0


def _call(name: str, *arguments) -> None:
    try:
        call(name, *arguments)
    except Error as error:
        sentence = str(error)
        for words, advice in _ADVICE.items():
            sentence = sentence.replace(words, advice)
        raise type(error)(sentence) from None


def _integers(name: str, values: ArrayLike, shape, least: int = 0) -> np.ndarray:
    array = np.asarray(values)
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise Error(f"{name} must be integers, not {array.dtype}")
    array = floats(name, array, shape, np.int64)
    if array.size and (array.min() < least or array.max() >= NONE):
        raise Error(f"{name} go from {array.min()} to {array.max()}; they must not be less than {least}")
    return np.where(array < 0, NONE, array).astype(np.uint32)


def _optional(name: str, values: Optional[ArrayLike], shape) -> Optional[np.ndarray]:
    return None if values is None else floats(name, values, shape)
