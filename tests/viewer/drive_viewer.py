#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives pelt-view by real X events and checks the state that it writes after each frame.

Usage: drive_viewer.py PELT_VIEW MODEL BROKEN CONFIG: in an empty folder, with DISPLAY set.
Prints a line for each fact, as the functions of tests/cli/cli_support.sh do.
"""
import json
import os
import subprocess
import sys
import time

STATE = "live.json"
LIMIT = 60.0  # seconds for what takes a few frames, on a machine that does much else


class Failure(Exception):
    pass


def state():
    with open(STATE) as file:
        return json.load(file)


def xdo(*words):
    subprocess.run(["xdotool", *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def wait_for(name, condition):
    """Look at the state until it fulfils a condition."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        try:
            now = state()
            if condition(now):
                print("ok      " + name, flush=True)
                return now
        except (OSError, ValueError, KeyError):
            pass
        time.sleep(0.02)
    raise Failure(name)


def next_frame():
    """Wait until what was sent so far has been drawn."""
    frame = state()["frame"]
    end = time.monotonic() + LIMIT
    while state()["frame"] < frame + 2 and time.monotonic() < end:
        time.sleep(0.01)


def center(control, across=0.5, down=0.5):
    x, y, width, height = state()["controls"][control]
    return round(x + across * width), round(y + down * height)


def click(control):
    xdo("mousemove", *center(control))
    next_frame()
    xdo("mousedown", 1)
    next_frame()
    xdo("mouseup", 1)
    next_frame()


def drag(start, end, button):
    xdo("mousemove", *start)
    next_frame()
    xdo("mousedown", button)
    next_frame()
    xdo("mousemove", *end)
    next_frame()
    xdo("mouseup", button)
    next_frame()


def drive(model, broken):
    wait_for("a character is shown", lambda s: s["model"] == model and s["frame"] > 2)
    window = subprocess.run(["xdotool", "search", "--name", "^pelt-view$"], check=True,
                            capture_output=True, text=True).stdout.split()[-1]
    xdo("windowfocus", window)
    next_frame()

    xdo("key", "space")
    wait_for("space pauses", lambda s: not s["settings"]["play"])
    # From the start: at the end of a clip the arrow would lead around to it.
    xdo("key", "Home")
    wait_for("Home goes to the start", lambda s: s["time"] == 0)
    xdo("key", "Right")
    wait_for("the right arrow steps to the next key", lambda s: s["time"] > 0)
    xdo("key", "Left")
    wait_for("the left arrow steps back", lambda s: s["time"] == 0)

    drag(center("mix", 0.5), center("mix", 0.9), 1)
    wait_for("dragging its slider changes the mix", lambda s: s["settings"]["mix"] > 0.8)

    drag(center("sigma", 0.4), center("sigma", 0.8), 1)
    wait_for("dragging sigma solves for centers again in the background",
             lambda s: s["settings"]["sigma"] > 0.2 and s["solved_sigma"] == s["settings"]["sigma"])

    camera = state()["camera"]
    place = center("view_1")
    drag(place, (place[0] + 60, place[1] + 10), 3)
    wait_for("a right drag rotates the camera",
             lambda s: abs(s["camera"]["azimuth"] - camera["azimuth"]) > 0.1)
    xdo("click", 4)
    wait_for("the wheel zooms", lambda s: s["camera"]["distance"] < 0.95 * camera["distance"])
    xdo("key", "r")
    wait_for("R resets the camera",
             lambda s: abs(s["camera"]["azimuth"] - camera["azimuth"]) < 1e-5)

    xdo("key", "Home")
    next_frame()
    for down in (0.54, 0.57, 0.6, 0.63, 0.66):  # the forearm of rig:arm is about there
        if state()["joint"] != "elbow":
            xdo("mousemove", *center("view_1", 0.58, down))
            next_frame()
            xdo("click", 1)
            next_frame()
    wait_for("a click on the character chooses its joint", lambda s: s["joint"] == "elbow")

    xdo("key", "Tab")
    wait_for("Tab hides the panes", lambda s: not s["settings"]["pane.side"])
    xdo("key", "p")
    wait_for("P shows the performance pane", lambda s: s["settings"]["pane.performance"])

    click("mode_1")
    wait_for("a click shows a crowd, not all of it",
             lambda s: 0 < s["crowd"]["visible"] < s["crowd"]["members"])
    xdo("key", "m")
    wait_for("M goes back", lambda s: s["settings"]["mode"] == "Compare")

    click("file")
    click("path")
    xdo("type", "--delay", 30, broken)
    next_frame()
    xdo("key", "Return")
    failed = wait_for("a broken file is a message that names it",
                      lambda s: s["error"] and os.path.basename(broken) in s["error"])
    if failed["model"] != model:
        raise Failure("the old character stays")
    print("ok      the old character stays", flush=True)
    xdo("key", "Escape")
    wait_for("Escape closes the message", lambda s: s["error"] is None)
    xdo("key", "Escape")
    next_frame()
    xdo("key", "ctrl+q")


def main():
    viewer, model, broken, config = sys.argv[1:5]
    program = subprocess.Popen([viewer, model, "--size", "960x600", "--state", STATE],
                               env={**os.environ, "XDG_CONFIG_HOME": os.path.dirname(config)})
    try:
        drive(model, broken)
        if program.wait(LIMIT) != 0:
            raise Failure("Ctrl+Q quits")
        print("ok      Ctrl+Q quits")
    except (Failure, subprocess.SubprocessError, OSError) as error:
        print(f"FAILED  {error}")
        if os.path.exists(STATE):
            now = state()
            print({name: now.get(name) for name in ("frame", "model", "time", "error", "settings")})
        sys.exit(1)
    finally:
        if program.poll() is None:
            program.kill()


main()
