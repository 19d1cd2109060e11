#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives pelt-view by real X events through what people do to judge a character.

Usage: drive_judge.py PELT_VIEW MODEL OTHER SICK: in a folder with these, with DISPLAY set.
"""
import json
import os
import sys

from drive_viewer import center, check, click, drag, next_frame, run, show, state, wait_for, xdo

CONFIG = os.path.abspath("judge_config/pelt")


def write_config(**settings):
    os.makedirs(CONFIG, exist_ok=True)
    with open(os.path.join(CONFIG, "view.json"), "w") as file:
        json.dump({"settings": settings}, file)


def choose(combo, item):
    click(combo)
    wait_for(f"the list of {combo} opens", lambda s: f"{combo}/{item}" in s["controls"])
    click(f"{combo}/{item}")


def drive_own():
    click("own_2")
    wait_for("the menu of a viewport opens", lambda s: "own_mix_2" in s["controls"])
    drag(center("own_mix_2", 0.5), center("own_mix_2", 0.99), 1)
    wait_for("its ratio on DQS is its own",
             lambda s: s["settings"]["view.2.mix"] > 0.9 and s["settings"]["mix"] == 0.5)
    choose("own_sign_2", "running")
    wait_for("  so is its sign rule", lambda s: s["settings"]["view.2.sign"] == "running")
    choose("own_with_2", "2")
    wait_for("  and the viewport to compare with", lambda s: s["settings"]["view.2.with"] == "2")
    xdo("key", "Escape")
    wait_for("Escape closes the menu", lambda s: "own_mix_2" not in s["controls"])


def drive_heat():
    click("heat")
    now = wait_for("a heat map is measured over the clip",
                   lambda s: s["heat"]["worst"] and s["heat"]["moments"] > 10 and
                   s["heat"]["vertices"] == 2 * s["vertices"])
    worst = now["heat"]["worst"]
    check("  its range is the largest value", abs(now["heat"]["scale"] / worst["value"] - 1) < 0.1)
    distance = now["camera"]["distance"]
    click("worst")
    now = wait_for("Jump to worst goes to its moment, close up",
                   lambda s: abs(s["time"] - worst["time"]) < 1e-3 and
                   s["camera"]["distance"] < 0.8 * distance and
                   abs(s["views"][1]["farthest"] - worst["value"]) < 0.02 * worst["value"])
    check("  and pauses", not now["settings"]["play"])
    mark, slider = now["controls"]["worst_moment"], now["controls"]["time"]
    xdo("key", "Home")
    wait_for("Home goes to the start", lambda s: s["time"] == 0)
    xdo("mousemove", round(mark[0] + 0.5 * mark[2]), round(slider[1] + 0.5 * slider[3]))
    next_frame()
    xdo("mousedown", 1)
    next_frame()
    xdo("mouseup", 1)
    wait_for("a click below its mark on the timeline goes there, too",
             lambda s: abs(s["time"] - worst["time"]) < 0.02)
    choose("heat_range", "fixed")
    wait_for("the range can be fixed", lambda s: abs(s["heat"]["scale"] - 0.01) < 1e-6)
    drag(center("heat_high", 0.6), center("heat_high", 0.3), 1)
    wait_for("  by a slider", lambda s: s["heat"]["scale"] < 0.005)
    choose("heat_colors", "radius")
    now = wait_for("metrics of pelt compare are colors", lambda s: s["settings"]["colors"] == "radius")
    xdo("key", "r")
    wait_for("  with their own worst", lambda s: s["heat"]["worst"])
    choose("heat_colors", "materials")
    next_frame()


def drive_overlays():
    xdo("key", "k")
    now = wait_for("K lays two viewports over each other, with a line between",
                   lambda s: s["settings"]["overlay"] == "wipe" and "split" in s["controls"] and
                   "view_2" not in s["controls"] and len(s["views"]) == 2)
    x, y, _, height = now["controls"]["split"]
    middle = round(y + 0.5 * height)
    drag((round(x + 2), middle), (round(x - 100), middle), 1)
    now = wait_for("  which is dragged", lambda s: s["settings"]["overlay.split"] < 0.42)
    check("  while the camera stays", abs(now["camera"]["azimuth"] - 0.6109) < 1e-3)
    xdo("key", "o")
    wait_for("O makes an onion skin", lambda s: s["settings"]["overlay"] == "onion skin")
    xdo("key", "o")
    wait_for("  and O again two viewports", lambda s: "view_2" in s["controls"])
    xdo("key", "c")
    wait_for("C is a gray material", lambda s: s["settings"]["show.gray"])
    xdo("key", "c")
    xdo("key", "F12")
    wait_for("F12 saves a picture", lambda s: s["note"] == "wrote pelt.png")
    with open("pelt.png", "rb") as file:
        head = file.read(24)
    now = state()
    views = now["controls"]["view_1"], now["controls"]["view_2"]
    width = round(views[1][0] + views[1][2] - views[0][0])
    check("  of the viewports", head[1:4] == b"PNG" and
          int.from_bytes(head[16:20], "big") == width and
          int.from_bytes(head[20:24], "big") == round(views[0][3]))


def drive_presets():
    click("view")
    wait_for("the menu of viewports opens", lambda s: "preset_1" in s["controls"])
    click("preset_1")
    now = wait_for("a preset shows mix in four viewports",
                   lambda s: [view["method"] for view in s["views"]] == 4 * ["mix"])
    factors = [round(now["settings"][f"view.{i}.mix"], 3) for i in range(1, 5)]
    check("  from 0 to 1", factors == [0, 0.333, 0.667, 1])
    xdo("key", "2")
    next_frame()


def drive_camera():
    xdo("key", "Home")
    before = wait_for("the character takes most of the height or of the width, and no more",
                      lambda s: s["time"] == 0 and s["fill"][1] < 0.85 and s["fill"][0] < 0.97 and
                      max(s["fill"]) > 0.55)
    x, y, width, height = before["controls"]["view_1"]
    corner = (round(x + 0.9 * width), round(y + 0.2 * height))

    def camera(name, condition):
        return wait_for(name, lambda s: condition(s["camera"], before["camera"]))
    drag(corner, (corner[0] - 60, corner[1]), 1)
    camera("a left drag on empty space rotates the camera",
           lambda c, old: abs(c["azimuth"] - old["azimuth"]) > 0.1)
    xdo("key", "r")
    camera("R resets it", lambda c, old: abs(c["azimuth"] - old["azimuth"]) < 1e-5)
    xdo("keydown", "shift")
    drag(corner, (corner[0] - 40, corner[1] + 20), 1)
    xdo("keyup", "shift")
    camera("Shift+drag moves it", lambda c, old: c["target"] != old["target"] and
           c["azimuth"] == old["azimuth"])
    xdo("key", "r")
    next_frame()
    xdo("keydown", "space")
    drag(corner, (corner[0] - 40, corner[1] + 20), 1)
    xdo("keyup", "space")
    now = camera("Space+drag moves it", lambda c, old: c["target"] != old["target"])
    check("  and neither plays nor pauses", not now["settings"]["play"])
    xdo("key", "r")
    next_frame()
    xdo("mousemove", *corner)
    next_frame()
    xdo("click", 4)
    camera("the wheel zooms toward the cursor",
           lambda c, old: c["distance"] < old["distance"] and c["target"] != old["target"])
    xdo("key", "f")
    camera("F frames the character",
           lambda c, old: abs(c["distance"] / old["distance"] - 1) < 0.02)
    xdo("key", "KP_1")
    camera("1 of the number pad looks from the front",
           lambda c, _: c["azimuth"] == 0 and c["elevation"] == 0)
    next_frame()
    front = state()["fill"]
    click("view")
    click("orthographic")
    camera("the menu has an orthographic camera", lambda c, _: c["lens"] < 0.01)
    drag(center("lens", 0.3), center("lens", 0.6), 1)
    click("orthographic")
    camera("  and a field of view", lambda c, _: c["lens"] > 0.8)
    next_frame()
    check("  with the size that the character had", abs(state()["fill"][0] - front[0]) < 0.15)
    click("top")
    camera("  and sides", lambda c, _: c["elevation"] > 1.5)
    xdo("key", "r")
    next_frame()


def open_in_browser(name):
    xdo("key", "ctrl+o")
    wait_for("Ctrl+O opens the file browser",
             lambda s: s["browser"] and "entry/" + name in s["controls"])
    click("entry/" + name)
    click("browser_done")


def drive_files(other):
    home = os.path.realpath(".")
    os.mkdir("sub")
    open_in_browser(os.path.basename(other))
    wait_for("  a click and Open show another character",
             lambda s: s["model"] == os.path.join(home, other) and not s["browser"])
    xdo("key", "ctrl+o")
    wait_for("the browser lists folders", lambda s: "entry/sub" in s["controls"])
    click("entry/sub")
    wait_for("  a click goes into one", lambda s: s["browser"] == os.path.join(home, "sub"))
    click("entry/..")
    wait_for("  and back", lambda s: s["browser"] == home and "entry/arm.glb" in s["controls"])
    click("entry/arm.glb")
    click("browser_done")
    now = wait_for("  a click and Open show the first again",
                   lambda s: s["model"] == home + "/arm.glb")
    xdo("key", "v")
    wait_for("V is the brush", lambda s: s["settings"]["brush"])
    joints = now["joints"]
    point = center("view_1", *(0.5 * (a + b) for a, b in zip(joints["elbow"], joints["wrist"])))
    drag(point, (point[0] + 4, point[1] + 4), 1)
    wait_for("a stroke paints", lambda s: s["painted"] > 0)
    xdo("key", "v")
    open_in_browser(os.path.basename(other))
    wait_for("another file asks about what was painted", lambda s: s["question"] == 2)
    click("unsaved_cancel")
    wait_for("  Cancel stays", lambda s: s["question"] == 0 and s["model"] == home + "/arm.glb")
    xdo("key", "ctrl+q")
    wait_for("quitting asks, too", lambda s: s["question"] == 1)
    click("unsaved_cancel")
    open_in_browser(os.path.basename(other))
    wait_for("it asks again", lambda s: s["question"] == 2)
    click("unsaved_save")
    wait_for("  Save as opens the browser", lambda s: "browser_name" in s["controls"])
    click("browser_done")
    wait_for("  the file is written, and the other one shown",
             lambda s: os.path.exists("painted.glb") and s["model"] == os.path.join(home, other))


def drive_doctor(sick):
    open_in_browser(sick)
    wait_for("a character with triangles without area is shown",
             lambda s: s["model"].endswith(sick))
    click("section_heat")
    click("section_doctor")
    now = wait_for("the doctor's findings are listed",
                   lambda s: s["findings"] and "finding_1" in s["controls"])
    distance = now["camera"]["distance"]
    click("finding_1")  # the first is a joint that moves nothing
    wait_for("  a click goes to the place of one",
             lambda s: s["camera"]["distance"] < 0.8 * distance)
    click("doctor_fix")
    fixed = sick.replace(".glb", "-fixed.glb")
    now = wait_for("  Fix writes a copy and shows it, with fewer",
                   lambda s: s["model"].endswith(fixed) and s["findings"] is not None and
                   s["findings"] < now["findings"])
    click("section_doctor")


def drive_crowd():
    click("mode_1")
    wait_for("a crowd is shown", lambda s: s["crowd"]["visible"] > 0)
    choose("crowd_method", "DQS")
    wait_for("its method is chosen", lambda s: s["settings"]["crowd.method"] == "DQS")
    xdo("key", "y")
    wait_for("Y shows its texture", lambda s: s["texture"] and "texels" in s["controls"])
    xdo("key", "y")
    click("mode_0")
    next_frame()


def main():
    viewer, model, other, sick = sys.argv[1:5]
    write_config(**{"views": "2", "view.2.method": "mix", "crowd.count": 12, "pane.parameters": False})

    def steps():
        show(model)
        xdo("key", "space")
        wait_for("space pauses", lambda s: not s["settings"]["play"])
        drive_camera()
        drive_heat()
        drive_overlays()
        drive_own()
        drive_presets()
        drive_files(other)
        drive_doctor(sick)
        drive_crowd()
        xdo("key", "ctrl+q")
    run([viewer, model, "--size", "1024x600"], CONFIG, steps)


main()
