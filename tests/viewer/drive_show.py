#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives the Show and Texture panes of pelt-view by real X events.

Usage: drive_show.py PELT_VIEW MODEL CONFIG: as drive_viewer.py.
"""
import sys

from drive_viewer import center, click, next_frame, run, state, wait_for, xdo


def with_control(*words):
    """Mouse events while Ctrl is held, each drawn before the next."""
    xdo("keydown", "ctrl")
    next_frame()
    for word in words:
        xdo(*word)
        next_frame()
    xdo("keyup", "ctrl")
    next_frame()


def drive(model):
    wait_for("a character is shown", lambda s: s["model"] == model and s["frame"] > 2)
    xdo("key", "n")
    wait_for("N shows normals", lambda s: s["settings"]["show.normals"])
    click("joint_boxes")
    wait_for("a click shows boxes of bones", lambda s: s["settings"]["show.joint_boxes"])
    click("textures")
    wait_for("another hides textures", lambda s: not s["settings"]["show.textures"])

    wait_for("the texture is baked and measured",
             lambda s: s["texture"] and s["texture"]["error"] and not s["is_busy"])
    before = state()
    point = center("view_1")
    xdo("mousemove", *point)
    with_control(("click", 4))
    wait_for("Ctrl and the wheel zoom the texture",
             lambda s: s["texture"]["zoom"] > 1.2 * before["texture"]["zoom"])
    zoomed = state()
    with_control(("mousedown", 2), ("mousemove", point[0] + 40, point[1] + 10), ("mouseup", 2))
    wait_for("Ctrl and the middle button move it",
             lambda s: abs(s["texture"]["x"] - zoomed["texture"]["x"] - 40) < 1 and
             not s["texture"]["follows"])
    wait_for("  and leave the camera", lambda s: s["camera"] == before["camera"])
    xdo("key", "ctrl+r")
    wait_for("Ctrl+R resets the texture",
             lambda s: s["texture"]["zoom"] == 4 and s["texture"]["x"] == 0 and
             s["texture"]["follows"])
    xdo("key", "ctrl+q")


def main():
    viewer, model, config = sys.argv[1:4]
    run([viewer, model, "--size", "500x640"], config, lambda: drive(model))


main()
