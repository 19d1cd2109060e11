# SPDX-License-Identifier: MIT
"""Metrics, bakes and findings of characters."""
from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import Any, Iterable, Optional, Union

import numpy as np

from ._library import Error, NAMES, NONE, address, call, choose, lib, make_options
from .character import Character, Clip, Path, Pose


@dataclass(frozen=True)
class Summary:
    """One metric over the body, in `unit`: "m", "rad", "1" for ratios, "count".

    percentile95 is of the magnitude; `time` that of the largest magnitude in a clip. `values` are those of
    the vertices of all skinned instances, for a pose measured with values=True.
    """

    unit: str
    mean: float
    rms: float
    percentile95: float
    min: float
    max: float
    time: float
    values: Optional[np.ndarray]


class Metrics(dict):
    """Summaries by the name of the metric: "volume", "bulge", "collapse" ..."""

    frame_count: int = 1


def metrics(character: Character, motion: Union[None, Pose, str, int, Clip] = None, method: str = "lbs", *,
            normals: Optional[str] = None, reference: Optional[str] = None, rate: float = 30.0,
            values: bool = False, **options: Any) -> Metrics:
    """Measure a deformation: how much it bulges, collapses, folds and jumps; docs/metrics.md has all metrics.

    motion     a pose, or a clip, which is played at `rate` frames per second; None: the stored pose
    reference  another method, for "distance" in a clip
    values     for a pose: also the numbers of all vertices
    """
    how = make_options(method, normals, **options)
    names = NAMES["metric"]
    numbers, measured = (ctypes.c_double * (6 * len(names)))(), ctypes.c_uint32()
    found, arrays = Metrics(), {}
    if motion is None or isinstance(motion, Pose):
        if reference is not None:
            raise Error("a reference is for clips")
        locals, morphs = character._own(motion)._arrays()
        count = lib.pelt_python_body_vertices(character._handle)
        arrays = {name: np.zeros(count, np.float32) for name in names} if values else {}
        pointers = (ctypes.c_void_p * len(names))(*(address(arrays.get(name)) for name in names))
        with character._lock:
            call("pelt_python_measure_pose", character._handle, numbers, measured, pointers, address(locals),
                 address(morphs), how)
    else:
        if values:
            raise Error("values of vertices are for a pose; sample the clip with pose()")
        if not 0.0 < rate < 1e6:
            raise Error(f"rate is {rate} frames per second; it must be above 0")
        clip, frames = character.clip(motion).index, ctypes.c_uint32()
        against = make_options(reference, normals, **options) if reference is not None else None
        with character._lock:
            call("pelt_python_measure_clip", character._handle, numbers, measured, frames, clip, float(rate),
                 how, against)
        found.frame_count = frames.value
    for i, name in enumerate(names):
        if measured.value >> i & 1:
            found[name] = Summary(NAMES["unit"][i], *numbers[6 * i:6 * i + 6], arrays.get(name))
    return found


@dataclass(frozen=True)
class BakeReport:
    """What was written, and how far vertices are off, in meters, at keys and between them."""

    path: str
    bytes: int
    width: int
    height: int
    encoding: str
    max_error: float
    percentile99: float
    rms: float
    character_height: float


def bake(character: Character, path: Path, clips: Iterable[Union[str, int, Clip]] = (), *,
         encoding: Optional[str] = None, bits: int = 0, rate: float = 0.0, max_error: float = 0.0,
         relative: bool = False, max_bytes: int = 0, method: str = "lbs", format: str = "ktx2",
         **options: Any) -> BakeReport:
    """Bake clips into an animation texture: a .json file, a texture and the mesh.

    clips      names; none: all
    encoding   "qt", "local", "matrix", "dq" or "vertex"; None: "qt", or with a budget the smaller of "local"
               and "qt"
    bits       of the encoding; 0: its default, or what the budget needs
    rate       samples per second; 0: the keys of the clips, or what the budget needs
    max_error, relative  the budget: largest error in meters, or in meters per meter of height
    max_bytes  the budget: largest texture
    """
    if not (0 <= bits <= 128 and 0.0 <= rate < 1e6 and 0.0 <= max_error < 1e9 and 0 <= max_bytes < 2**63):
        raise Error(f"bits {bits}, rate {rate}, max_error {max_error}, max_bytes {max_bytes}: a number is out "
                    "of range")
    indices = [character.clip(clip).index for clip in ([clips] if isinstance(clips, (str, int, Clip)) else clips)]
    numbers = (ctypes.c_double * 8)()
    with character._lock:
        call("pelt_python_bake", character._handle, numbers, os.fsencode(path),
             -1 if encoding is None else choose("encoding", encoding), bits, float(max_error), relative,
             max_bytes, float(rate), (ctypes.c_uint32 * max(1, len(indices)))(*indices), len(indices),
             choose("format", format), make_options(method, **options))
    return BakeReport(os.fspath(path), int(numbers[0]), int(numbers[1]), int(numbers[2]),
                      NAMES["encoding"][int(numbers[3])], *numbers[4:8])


@dataclass(frozen=True)
class Finding:
    """Something that will go wrong with a character. Indices are -1 where a finding has none."""

    id: str
    severity: str
    message: str
    advice: str
    mesh: int
    vertex: int
    node: int
    clip: int
    time: float
    count: int
    value: float
    unit: Optional[str]


def doctor(character: Character, max_influences: int = 4) -> list[Finding]:
    """Examine a character, worst first; docs/doctor.md has all findings.

    max_influences  what the engine takes
    """
    if not 1 <= max_influences < NONE:
        raise Error(f"max_influences is {max_influences}; it must be 1 or more")
    count, found = ctypes.c_uint32(), []
    with character._lock:
        call("pelt_python_character_diagnose", character._handle, count, max_influences)
        for i in range(count.value):
            texts = [lib.pelt_python_finding_text(character._handle, i, kind) for kind in b"ismau"]
            words = [None if text is None else text.decode("utf-8", "replace") for text in texts]
            numbers = (ctypes.c_double * 7)()
            lib.pelt_python_finding_numbers(character._handle, i, numbers)
            mesh, vertex, node, clip, _, times, _ = (int(number) if number == number and abs(number) < 1e15
                                                     else 0 for number in numbers)
            found.append(Finding(*words[:4], mesh, vertex, node, clip, numbers[4], times, numbers[6], words[4]))
    return found
