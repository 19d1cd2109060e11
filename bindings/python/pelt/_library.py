# SPDX-License-Identifier: MIT
"""The shared library: its functions, its names, threads and errors."""
from __future__ import annotations

import ctypes
import os
import pathlib
from ctypes import (POINTER, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_int32, c_size_t, c_uint32,
                    c_void_p)
from typing import Optional, Sequence

import numpy as np

__version__ = "0.1.0"
NONE = 0xFFFFFFFF


class Error(ValueError):
    """Something is wrong with an argument or a file; the message says what, where and what to do."""


class ReadError(Error, OSError):
    """A file cannot be opened or read."""


class WriteError(Error, OSError):
    """A file cannot be written."""


class UnsupportedError(Error):
    """Valid, but not handled by this build."""


def _find_library() -> pathlib.Path:
    given = os.environ.get("PELT_PYTHON_LIBRARY")
    path = pathlib.Path(given) if given else pathlib.Path(__file__).parent / "_native" / "libpelt_python.so"
    if not path.exists():
        raise ImportError(f"pelt: there is no {path}; install the wheel that `make python` builds, or set "
                          "PELT_PYTHON_LIBRARY")
    return path


class Options(ctypes.Structure):
    """pelt_python_options."""

    _fields_ = [(name, c_int32) for name in ("method", "normal_rule", "sign_rule", "scale_pivot",
                                             "dqs_variant", "lms_variant")]
    _fields_ += [("mix", c_float), ("distance_correction", c_float)]


_FLOATS = c_void_p  # addresses of arrays, which are checked before
_ERROR = c_char_p
_FUNCTIONS = {
    # name: (result, arguments); functions that return c_int return a pelt_result
    "pelt_version": (c_char_p, []),
    "pelt_result_name": (c_char_p, [c_int]),
    "pelt_python_set_threads": (c_uint32, [c_uint32]),
    "pelt_python_forget_threads": (None, []),
    "pelt_python_name": (c_char_p, [c_char_p, c_uint32]),
    "pelt_python_skin_create": (c_int, [POINTER(c_void_p), POINTER(c_uint32)] + [_FLOATS] * 11 + [_ERROR]),
    "pelt_python_skin_deform": (c_int, [c_void_p] + [_FLOATS] * 3 + [POINTER(c_uint32), _FLOATS, c_int,
                                                                     c_uint32, POINTER(Options), _ERROR]),
    "pelt_skinner_prepare": (c_int, [c_void_p, c_uint32, _ERROR]),
    "pelt_skinner_destroy": (None, [c_void_p]),
    "pelt_skinner_normals": (c_void_p, [c_void_p]),
    "pelt_skinner_centers": (c_void_p, [c_void_p]),
    "pelt_skinner_mix_factors": (c_void_p, [c_void_p]),
    "pelt_python_character_load": (c_int, [POINTER(c_void_p), c_char_p, c_uint32, _ERROR]),
    "pelt_python_character_destroy": (None, [c_void_p]),
    "pelt_python_character_add_clips": (c_int, [c_void_p, POINTER(c_uint32), c_char_p, c_char_p, c_bool,
                                                _ERROR]),
    "pelt_python_character_counts": (None, [c_void_p, POINTER(c_uint32)]),
    "pelt_python_character_text": (c_char_p, [c_void_p, c_char, c_uint32]),
    "pelt_python_clip_duration": (c_float, [c_void_p, c_uint32]),
    "pelt_python_default_clip": (c_uint32, [c_void_p]),
    "pelt_python_node_parent": (c_uint32, [c_void_p, c_uint32]),
    "pelt_python_instance": (None, [c_void_p, c_uint32, POINTER(c_uint32)]),
    "pelt_python_mesh_counts": (None, [c_void_p, c_uint32, POINTER(c_uint32)]),
    "pelt_python_mesh_array": (c_void_p, [c_void_p, c_uint32, c_char]),
    "pelt_python_skin_arrays": (c_uint32, [c_void_p, c_uint32, POINTER(c_void_p), POINTER(c_void_p)]),
    "pelt_python_pose_sample": (c_int, [c_void_p, _FLOATS, _FLOATS, c_uint32, c_float, c_int, _ERROR]),
    "pelt_python_pose_blend": (None, [c_void_p] + [_FLOATS] * 6 + [c_float]),
    "pelt_python_pose_matrices": (c_int, [c_void_p, _FLOATS, _FLOATS, c_uint32, _FLOATS, _ERROR]),
    "pelt_python_character_solve": (c_int, [c_void_p, c_uint32, c_int, _ERROR]),
    "pelt_python_character_deform": (c_int, [c_void_p, _FLOATS, _FLOATS, POINTER(c_void_p),
                                             POINTER(c_void_p), POINTER(Options), _ERROR]),
    "pelt_python_character_bounds": (c_int, [c_void_p, _FLOATS, _FLOATS, POINTER(c_float), _ERROR]),
    "pelt_python_character_save": (c_int, [c_void_p, c_char_p, _FLOATS, _ERROR]),
    "pelt_python_character_diagnose": (c_int, [c_void_p, POINTER(c_uint32), c_uint32, _ERROR]),
    "pelt_python_finding_text": (c_char_p, [c_void_p, c_uint32, c_char]),
    "pelt_python_finding_numbers": (None, [c_void_p, c_uint32, POINTER(c_double)]),
    "pelt_python_measure_clip": (c_int, [c_void_p, POINTER(c_double), POINTER(c_uint32), POINTER(c_uint32),
                                         c_uint32, c_float, POINTER(Options), POINTER(Options), _ERROR]),
    "pelt_python_body_vertices": (c_uint32, [c_void_p]),
    "pelt_python_measure_pose": (c_int, [c_void_p, POINTER(c_double), POINTER(c_uint32), POINTER(c_void_p),
                                         _FLOATS, _FLOATS, POINTER(Options), _ERROR]),
    "pelt_python_bake": (c_int, [c_void_p, POINTER(c_double), c_char_p, c_int, c_uint32, c_double, c_int,
                                 c_size_t, c_float, POINTER(c_uint32), c_uint32, c_int, POINTER(Options),
                                 _ERROR]),
}


def _open() -> ctypes.CDLL:
    library = ctypes.CDLL(str(_find_library()))
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    found = library.pelt_version().decode()
    if found != __version__:
        raise ImportError(f"pelt: the package is version {__version__} and its library version {found}; "
                          "install both from one wheel")
    return library


lib = _open()


def call(name: str, *arguments) -> None:
    """Call a function that returns a pelt_result; what is not PELT_OK becomes an exception."""
    message = ctypes.create_string_buffer(512)
    result = getattr(lib, name)(*arguments, message)
    if result == 0:
        return
    kind = lib.pelt_result_name(result).decode()
    sentence = message.value.decode("utf-8", "replace") or kind
    if kind == "memory":
        raise MemoryError(sentence)
    raise {"read": ReadError, "write": WriteError, "unsupported": UnsupportedError}.get(kind, Error)(sentence)


def _names(kind: str) -> list[str]:
    names: list[str] = []
    while (name := lib.pelt_python_name(kind.encode(), len(names))) is not None:
        names.append(name.decode())
    return names


_KINDS = {"method": "m", "normals": "n", "sign_rule": "s", "dqs_variant": "d", "lms_variant": "l",
          "scale_pivot": "p", "encoding": "e", "format": "t", "metric": "q", "unit": "u"}
NAMES = {kind: _names(letter) for kind, letter in _KINDS.items()}


def methods() -> list[str]:
    """The names of all skinning methods."""
    return list(NAMES["method"])


def choose(kind: str, name: str) -> int:
    """The index of a name."""
    if name not in NAMES[kind]:
        raise Error(f"there is no {kind} \"{name}\"; choose one of {', '.join(NAMES[kind])}")
    return NAMES[kind].index(name)


def make_options(method: str = "lbs", normals: Optional[str] = None, *, mix: float = 0.5,
                 sign_rule: str = "heaviest", scale_pivot: str = "local", dqs_variant: str = "antipodal",
                 lms_variant: str = "relative", distance_correction: float = 0.0) -> Options:
    return Options(choose("method", method), choose("normals", normals or "standard"),
                   choose("sign_rule", sign_rule), choose("scale_pivot", scale_pivot),
                   choose("dqs_variant", dqs_variant), choose("lms_variant", lms_variant), mix,
                   distance_correction)


def floats(name: str, values, shape: Sequence[Optional[int]], dtype=np.float32) -> np.ndarray:
    """Values as a packed array of that shape, in which None is any length."""
    try:
        array = np.ascontiguousarray(values, dtype=dtype)
    except (TypeError, ValueError) as problem:
        raise Error(f"{name}: {problem}") from None
    expected = " x ".join("any" if length is None else str(length) for length in shape)
    if array.ndim != len(shape) or any(a not in (None, b) for a, b in zip(shape, array.shape)):
        found = " x ".join(map(str, array.shape)) or "a single number"
        raise Error(f"{name} must be {expected}, not {found}")
    return array


def address(array: Optional[np.ndarray]) -> Optional[int]:
    return None if array is None else array.ctypes.data


def view(pointer: Optional[int], shape: tuple[int, ...], dtype, owner) -> Optional[np.ndarray]:
    """A read-only array in memory that the owner keeps."""
    if not pointer:
        return None
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    if size == 0:
        return np.empty(shape, dtype)
    memory = (c_char * size).from_address(pointer)
    memory._owner = owner  # the array keeps the memory object, and that the owner
    array = np.frombuffer(memory, dtype).reshape(shape)
    array.flags.writeable = False
    return array


def set_threads(count: int = 0) -> int:
    """Use that many threads; 0: one per core. Returns their number. Results do not depend on it."""
    if not 0 <= count <= 1024:
        raise Error(f"{count} threads; choose 0, one per core, to 1024")
    return lib.pelt_python_set_threads(count)


set_threads(int(os.environ.get("PELT_THREADS", "0")))
# The threads of a pool do not exist in a forked process.
os.register_at_fork(after_in_child=lambda: (lib.pelt_python_forget_threads(), set_threads())[0])
