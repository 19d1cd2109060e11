# SPDX-License-Identifier: MIT
"""pelt deforms skinned characters: linear blend, dual quaternions, optimized centers of rotation.

    hero = pelt.load("hero.glb")
    hero.solve(centers=True, normals=True)
    body = hero.deform(hero.pose("walk", 0.5), "crs", normals="accurate")[0]
    body.positions                                   # numpy, V x 3

    skin = pelt.Skin(positions, triangles, weights)  # arrays of your own
    skin.deform(matrices, "dqs", out=buffer)         # J x 4 x 4, or N x J x 4 x 4

Arrays are numpy arrays of float32. Errors are exceptions with a sentence: pelt.Error, of which
MemoryError and OSError variants exist where they fit.
"""
from ._library import (Error, ReadError, WriteError, __version__, methods, set_threads)
from .character import (Character, Clip, Mesh, Pose, Surface, load)
from .skin import Skin
from .tools import (BakeReport, Finding, Metrics, Summary, bake, doctor, metrics)

__all__ = ["BakeReport", "Character", "Clip", "Error", "Finding", "Mesh", "Metrics", "Pose", "ReadError",
           "Skin", "Summary", "Surface", "WriteError", "__version__", "bake", "doctor", "load", "methods",
           "metrics", "set_threads"]
