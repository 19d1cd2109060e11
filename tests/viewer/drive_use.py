#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives pelt-view by real X events through what people do in their first hour with it.

Usage: drive_use.py PELT_VIEW MODEL BROKEN OTHER: in an empty folder, with DISPLAY set.
OTHER has another skeleton than MODEL.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.parse

import x_window
from drive_viewer import (LIMIT, STATE, center, check, click, drag, drop, next_frame, run, show,
                          state, wait_for, xdo)

CONFIG = os.path.abspath("use_config/pelt")


def write_config(**content):
    os.makedirs(CONFIG, exist_ok=True)
    with open(os.path.join(CONFIG, "view.json"), "w") as file:
        json.dump(content, file)


def kept(name):
    with open(os.path.join(CONFIG, "view.json")) as file:
        return json.load(file)[name]


def geometry():
    window = subprocess.run(["xdotool", "search", "--name", "^pelt-view$"], check=True,
                            capture_output=True, text=True).stdout.split()[-1]
    text = subprocess.run(["xdotool", "getwindowgeometry", "--shell", window], check=True,
                          capture_output=True, text=True).stdout
    numbers = dict(line.split("=") for line in text.split())
    return window, (int(numbers["WIDTH"]), int(numbers["HEIGHT"]))


# -------------------------------------------------------------------------------------------------
# Sizes

def look_at_size(pixels, least):
    window, size = geometry()
    check(f"the window has {pixels[0]} x {pixels[1]} pixels", size == pixels)
    check("  and a minimum size", x_window.least_size(window) == least)
    xdo("windowfocus", window)
    next_frame()
    xdo("key", "ctrl+q")


def drive_sizes(viewer):
    """A dense screen: 144 dots per inch are a scale of 1.5; the screen has 2000 x 1200 pixels."""
    def session(pixels, least):
        def steps():
            wait_for("a character is shown", lambda s: s["model"] == "rig:box" and s["frame"] > 1)
            look_at_size(pixels, least)
        run([viewer, "rig:box"], CONFIG, steps)

    settings = {"views": "1"}
    write_config(settings=settings)
    session((1920, 1080), (1260, 720))
    check("its size is kept without the scale of the screen", kept("window") == [1280, 720])
    session((1920, 1080), (1260, 720))
    check("  so that it stays the same", kept("window") == [1280, 720])
    write_config(settings=settings, window=[9000, 400])
    session((2000, 720), (1260, 720))
    check("a size beyond the screen fits, one below the minimum too", kept("window")[1] == 480)


# -------------------------------------------------------------------------------------------------
# Files and menus

def open_by_menu(name, text, path):
    click("file")
    wait_for("a click opens the menu of files", lambda s: "path" in s["controls"])
    next_frame()
    xdo("type", "--delay", 12, text)
    next_frame()
    xdo("key", "Return")
    wait_for(name, lambda s: s["model"] == path and s["error"] is None)
    wait_for("  and Enter closes the menu", lambda s: "path" not in s["controls"])


def close_by_escape(control, inside, name):
    click(control)
    wait_for(f"{name} opens", lambda s: inside in s["controls"])
    xdo("key", "Escape")
    wait_for("  and Escape closes it", lambda s: inside not in s["controls"])


def drive_menus(model, broken, other):
    window = show(model)
    xdo("key", "space")
    wait_for("space pauses", lambda s: not s["settings"]["play"])
    home = os.getcwd()
    spaced = os.path.join(home, "my hero.glb")
    shutil.copy(model, spaced)
    shutil.copy(model, os.path.join(home, "h.glb"))
    open_by_menu("a path that begins with ~ is opened, without a click on the field", "~/h.glb",
                 os.path.join(home, "h.glb"))
    open_by_menu("a URI replaces the path before", "file://" + urllib.parse.quote(spaced), spaced)
    open_by_menu("a path in quotes is opened", f"'{home}/h.glb'", os.path.join(home, "h.glb"))
    close_by_escape("file", "path", "the menu of files")
    close_by_escape("panes", "pane_side", "the menu of panes")
    close_by_escape("method_1", "method_1/DQS", "the list of methods")
    close_by_escape("show", "wire", "the menu of what is shown")

    drop(window, broken)
    wait_for("a broken file is a message", lambda s: s["error"])
    drop(window, other)
    wait_for("  which goes away with another file",
             lambda s: s["error"] is None and s["model"].endswith(other))
    click("heat")
    wait_for("  and leaves buttons free", lambda s: s["settings"]["colors"] == "difference")


def drive_slow_frames(program):
    """Two clicks that arrive in one frame."""
    drag(center("mix", 0.5), center("mix", 0.9), 1)
    wait_for("a drag moves a slider", lambda s: s["settings"]["mix"] > 0.8)
    os.kill(program(), signal.SIGSTOP)
    xdo("click", "--repeat", 2, "--delay", 40, 1)
    os.kill(program(), signal.SIGCONT)
    wait_for("a double click within a slow frame resets a slider",
             lambda s: s["settings"]["mix"] == 0.5)


def drive_signal(program):
    xdo("key", "Tab")
    wait_for("Tab hides the panes", lambda s: not s["settings"]["pane.side"])
    os.kill(program(), signal.SIGTERM)


# -------------------------------------------------------------------------------------------------
# Centers

def drive_centers(model):
    shown = wait_for("a character is shown before its centers are solved",
                     lambda s: s["model"] == model and not s["is_solved"] and s["is_busy"] and
                     "cancel" in s["controls"])
    check("  by LBS, which the viewport says",
          shown["views"][1]["hints"] == ["LBS until centers of rotation are solved"])
    bar, cancel = shown["controls"]["progress"], shown["controls"]["cancel"]
    fps = shown["controls"]["fps"]
    check("  with a bar, Cancel and the frame rate side by side",
          bar[0] + bar[2] <= cancel[0] and cancel[0] + cancel[2] <= fps[0] and
          fps[0] + fps[2] <= 1024)
    check("  and no distance", shown["views"][1]["farthest"] == 0)
    said = set()

    def is_crs(s):
        said.update(s["views"][1]["hints"])
        return s["is_solved"] and not s["views"][1]["hints"] and s["views"][1]["farthest"] > 1e-3
    wait_for("CRS is shown when they are there", is_crs)
    check("  and no frame in between says that there are none",
          said <= {"LBS until centers of rotation are solved"})
    xdo("windowfocus", geometry()[0])
    next_frame()


def drive_joints():
    xdo("key", "space")
    wait_for("space pauses", lambda s: not s["settings"]["play"])
    xdo("key", "Home")
    wait_for("Home goes to the start", lambda s: s["time"] == 0)
    before = state()["joint"]
    for across in (0.5, 0.54, 0.58, 0.46):  # a leg, about there
        if state()["joint"] == before:
            xdo("mousemove", *center("view_1", across, 0.66))
            next_frame()
            xdo("click", 1)
            next_frame()
    wait_for("a click on a leg chooses its joint", lambda s: s["joint"] != before)

    def is_in_view(s):
        _, y, _, height = s["controls"]["list_chosen"]
        _, top, _, room = s["controls"]["list"]
        return top <= y and y + height <= top + room
    wait_for("  and the list of joints shows it", is_in_view)
    xdo("key", "ctrl+q")


# -------------------------------------------------------------------------------------------------

def run_until_signal(viewer, model, broken, other):
    os.remove(STATE)
    write_config(settings={"views": "1"})
    program = subprocess.Popen([viewer, model, "--size", "720x400", "--state", STATE],
                               env={**os.environ, "XDG_CONFIG_HOME": os.path.dirname(CONFIG),
                                    "HOME": os.getcwd()})
    try:
        drive_menus(model, broken, other)
        drive_slow_frames(lambda: program.pid)
        drive_signal(lambda: program.pid)
        check("SIGTERM ends it, and its parent knows", program.wait(LIMIT) == -signal.SIGTERM)
        check("  after settings were kept", kept("settings")["pane.side"] is False)
    finally:
        if program.poll() is None:
            program.kill()


def main():
    viewer, model, broken, other = sys.argv[1:5]
    with x_window.resolution(144):
        drive_sizes(viewer)
    human = "rig:human?vertices=12000"
    write_config(settings={"views": "2"})
    run([viewer, human, "--size", "1024x600"], CONFIG,
        lambda: (drive_centers(human), drive_joints()))
    try:
        run_until_signal(viewer, model, broken, other)
    except Exception as error:
        print(f"FAILED  {error}")
        print({name: state().get(name) for name in ("model", "error", "settings", "is_busy")})
        sys.exit(1)


main()
