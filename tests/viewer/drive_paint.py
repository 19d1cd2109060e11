#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Paints weights in pelt-view by real X events.

Usage: drive_paint.py PELT_VIEW MODEL CONFIG: as drive_viewer.py.
"""
import sys

from drive_viewer import (center, check, click, drag, find_elbow, next_frame, run, show, state,
                          wait_for, xdo)


def choose(control, item):
    """An item of a list that opens."""
    click(control)
    wait_for(f"  a click opens the list of {control}", lambda s: f"{control}/{item}" in s["controls"])
    click(f"{control}/{item}")


def weight():
    return state()["weights"]["joint"]


def stroke(point, name, condition):
    before = weight()
    drag(point, (point[0] + 10, point[1] + 6), 1)
    return wait_for(name, lambda s: condition(s["weights"]["joint"], before))


def drive_tools(point):
    first = weight()
    xdo("key", "i")
    wait_for("I shows weights and the brush",
             lambda s: s["settings"]["brush"] and s["settings"]["colors"] == "weights")
    choose("brush_tool", "subtract")
    wait_for("a tool can be chosen", lambda s: s["settings"]["brush.tool"] == "subtract")
    now = stroke(point, "a drag takes weight from the joint", lambda a, b: a < b - 1e-3)
    check("  and centers of rotation follow", now["weights"]["centers"] > 0)
    choose("brush_tool", "smooth")
    stroke(point, "smoothing changes it again", lambda a, b: abs(a - b) > 1e-4)
    choose("brush_tool", "add")
    stroke(point, "adding gives it back and more", lambda a, b: a > b + 1e-3)
    for _ in range(3):
        xdo("key", "ctrl+z")
        next_frame()
    wait_for("Ctrl+Z takes all three strokes back",
             lambda s: abs(s["weights"]["joint"] - first) < 1e-9)


def drive_controls(point):
    drag(center("brush_radius", 0.3), center("brush_radius", 0.7), 1)
    wait_for("a slider sets the radius", lambda s: s["settings"]["brush.radius"] > 0.1)
    drag(center("brush_strength", 0.9), center("brush_strength", 0.5), 1)
    wait_for("another the strength", lambda s: 0.3 < s["settings"]["brush.strength"] < 0.7)
    click("brush_mirror")
    wait_for("a click paints both sides", lambda s: s["settings"]["brush.mirror"])
    stroke(point, "  with these, too", lambda a, b: a > b + 1e-3)
    drive_choosing()


def drive_choosing():
    """A click somewhere along the arm while Ctrl is held."""
    joint, before = state()["joint"], state()["weights"]["revision"]
    xdo("keydown", "ctrl")
    next_frame()
    for across in (0.45, 0.4, 0.35, 0.3, 0.65, 0.7):
        for down in (0.6, 0.55, 0.65):
            if state()["joint"] == joint:
                xdo("mousemove", *center("view_1", across, down))
                next_frame()
                xdo("mousedown", 1)
                next_frame()
                xdo("mouseup", 1)
                next_frame()
    xdo("keyup", "ctrl")
    now = wait_for("Ctrl+click chooses another joint", lambda s: s["joint"] != joint)
    check("  and paints nothing", now["weights"]["revision"] == before)


def drive_saving():
    click("save_path")
    xdo("type", "--delay", 12, "saved.glb")
    next_frame()
    xdo("key", "Return")
    next_frame()
    click("save_model")
    wait_for("Save writes the character", lambda s: s["note"] and "saved.glb" in s["note"])
    click("weight_brush")
    wait_for("a click on its button puts the brush away",
             lambda s: not s["settings"]["brush"] and s["settings"]["colors"] == "materials")
    click("brush")
    wait_for("  and that of factors is another",
             lambda s: s["settings"]["brush.target"] == "mix factors" and
             s["settings"]["colors"] == "mix factor")


def drive(model):
    show(model)
    xdo("key", "space")
    next_frame()
    xdo("key", "space") if state()["settings"]["play"] else None
    wait_for("it is still and centers are solved",
             lambda s: not s["settings"]["play"] and s["is_solved"] and not s["is_busy"])
    point = find_elbow()
    drive_tools(point)
    drive_controls(point)
    drive_saving()
    xdo("key", "ctrl+q")


def main():
    viewer, model, config = sys.argv[1:4]
    run([viewer, model, "--size", "840x640"], config, lambda: drive(model))


main()
