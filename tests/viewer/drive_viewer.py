#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drives pelt-view by real X events and checks the state that it writes after each frame.

Usage: drive_viewer.py PELT_VIEW MODEL BROKEN MOVES CONFIG: in an empty folder, with DISPLAY set.
MOVES is a file with clips for the joints of MODEL.
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


def settled(control):
    """Where a control is once it stays there: lists move in their first frames."""
    end = time.monotonic() + LIMIT
    point = None
    while time.monotonic() < end:
        now = center(control)
        if now == point:
            return point
        point = now
        next_frame()
    raise Failure(control + " comes to rest")


def click(control):
    xdo("mousemove", *settled(control))
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


def show(model):
    """Wait for the window. Returns its number."""
    wait_for("a character is shown", lambda s: s["model"] == model and s["frame"] > 2)
    window = subprocess.run(["xdotool", "search", "--name", "^pelt-view$"], check=True,
                            capture_output=True, text=True).stdout.split()[-1]
    xdo("windowfocus", window)
    next_frame()
    return window


def drive_timeline():
    xdo("key", "space")
    wait_for("space pauses", lambda s: not s["settings"]["play"])
    # From the start: at the end of a clip the arrow would lead around to it.
    xdo("key", "Home")
    wait_for("Home goes to the start", lambda s: s["time"] == 0)
    xdo("key", "Right")
    wait_for("the right arrow steps to the next key", lambda s: s["time"] > 0)
    xdo("key", "Left")
    wait_for("the left arrow steps back", lambda s: s["time"] == 0)

    now = state()
    other = next(clip for clip in now["clips"] if clip != now["clip"])
    click("clip")
    wait_for("a click opens the list of clips", lambda s: "clip/" + other in s["controls"])
    click("clip/" + other)
    wait_for("a click on another clip plays it", lambda s: s["clip"] == other)


def drive_sliders():
    drag(center("mix", 0.5), center("mix", 0.9), 1)
    wait_for("dragging its slider changes the mix", lambda s: s["settings"]["mix"] > 0.8)
    drag(center("sigma", 0.4), center("sigma", 0.8), 1)
    wait_for("dragging sigma solves for centers again in the background",
             lambda s: s["settings"]["sigma"] > 0.2 and s["solved_sigma"] == s["settings"]["sigma"])


def drive_camera():
    camera = state()["camera"]
    point = center("view_1")
    drag(point, (point[0] + 60, point[1] + 10), 3)
    wait_for("a right drag rotates the camera",
             lambda s: abs(s["camera"]["azimuth"] - camera["azimuth"]) > 0.1)
    xdo("click", 4)
    wait_for("the wheel zooms", lambda s: s["camera"]["distance"] < 0.95 * camera["distance"])
    xdo("key", "r")
    wait_for("R resets the camera",
             lambda s: abs(s["camera"]["azimuth"] - camera["azimuth"]) < 1e-5)


def find_elbow():
    """Click on the forearm of rig:arm. Returns where it is."""
    xdo("key", "Home")
    next_frame()
    joints = state()["joints"]
    for part in (0.3, 0.4, 0.2, 0.5):  # from the elbow to the wrist
        if state()["joint"] != "elbow":
            point = center("view_1", *(a + part * (b - a)
                                       for a, b in zip(joints["elbow"], joints["wrist"])))
            xdo("mousemove", *point)
            next_frame()
            xdo("click", 1)
            next_frame()
    wait_for("a click on the character chooses its joint", lambda s: s["joint"] == "elbow")
    return point


def drive_gizmo():
    """An eighth of a ring is on record as a rectangle: from one corner to the other."""
    wait_for("it has rings", lambda s: any(name.startswith("ring_") for name in s["controls"]))
    for axis, name in enumerate(("twist", "bend", "side")):
        ring = "ring_" + name
        if ring not in state()["controls"]:
            continue
        xdo("mousemove", *center(ring, 0, 0))
        next_frame()
        drag(center(ring, 0, 0), center(ring, 1, 1), 1)
        now = wait_for(f"dragging the ring rotates the joint ({name})",
                       lambda s: s["edits"] and s["edits"][0]["degrees"][axis] != 0)
        degrees = now["edits"][0]["degrees"]
        # Pixels are whole, and where rings cross another one may be nearer.
        if abs(abs(degrees[axis]) - 45) > 5 or any(degrees[i] for i in range(3) if i != axis):
            raise Failure(f"by 45 degrees: {degrees}")
        print("ok      by 45 degrees, and nothing else", flush=True)
        xdo("key", "ctrl+z")
        wait_for("Ctrl+Z takes it back",
                 lambda s: all(value == 0 for value in s["edits"][0]["degrees"]))


def drive_brush(point):
    xdo("key", "v")
    wait_for("V shows mix factors and the brush",
             lambda s: s["settings"]["brush"] and s["settings"]["colors"] == "mix factor")
    drag(point, (point[0] + 6, point[1] + 6), 1)
    once = wait_for("a drag paints factors", lambda s: s["painted"] > 0)["painted"]
    drag((point[0] - 6, point[1] + 8), (point[0] - 6, point[1] + 12), 1)
    wait_for("another one paints more", lambda s: s["painted"] > once)
    xdo("key", "ctrl+z")
    wait_for("Ctrl+Z takes a stroke back", lambda s: s["painted"] == once)
    xdo("key", "ctrl+z")
    wait_for("and the one before", lambda s: s["painted"] == 0)
    xdo("key", "v")
    wait_for("V puts the brush away",
             lambda s: not s["settings"]["brush"] and s["settings"]["colors"] == "materials")


def drive_panes():
    xdo("key", "Tab")
    wait_for("Tab hides the panes", lambda s: not s["settings"]["pane.side"])
    xdo("key", "p")
    wait_for("P shows the performance pane", lambda s: s["settings"]["pane.performance"])

    click("mode_1")
    wait_for("a click shows a crowd, not all of it",
             lambda s: 0 < s["crowd"]["visible"] < s["crowd"]["members"])
    xdo("key", "m")
    wait_for("M goes to the next mode", lambda s: s["settings"]["mode"] == "Benchmark")
    xdo("key", "m")
    wait_for("and back to the first", lambda s: s["settings"]["mode"] == "Compare")


def expect_message(model, broken, how):
    failed = wait_for(f"a broken file that is {how} is a message that names it",
                      lambda s: s["error"] and os.path.basename(broken) in s["error"])
    if failed["model"] != model:
        raise Failure("the old character stays")
    print("ok      the old character stays", flush=True)
    xdo("key", "Escape")
    wait_for("Escape closes the message", lambda s: s["error"] is None)


def drop(window, *paths):
    """As a file manager does."""
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.run([sys.executable, os.path.join(here, "xdnd_drop.py"), window,
                    *map(str, center("view_1")), *paths], check=True, timeout=2 * LIMIT)


def drive_files(window, model, broken, moves):
    click("file")
    click("path")
    xdo("type", "--delay", 12, broken)
    next_frame()
    xdo("key", "Return")
    expect_message(model, broken, "typed")
    xdo("key", "Escape")
    next_frame()

    drop(window, broken)
    expect_message(model, broken, "dropped")
    before = state()["clips"]
    drop(window, moves)
    now = wait_for("a dropped file with clips of the same skeleton adds them",
                   lambda s: len(s["clips"]) > len(before) and s["model"] == model)
    if now["clip"] != now["clips"][len(before)] or "added" not in (now["note"] or ""):
        raise Failure("and plays the first of them, and says so")
    print("ok      and plays the first of them, and says so", flush=True)


def drive(model, broken, moves):
    window = show(model)
    drive_timeline()
    drive_sliders()
    drive_camera()
    point = find_elbow()
    drive_gizmo()
    drive_brush(point)
    drive_panes()
    drive_files(window, model, broken, moves)
    xdo("key", "ctrl+q")


def check(name, condition):
    if not condition:
        raise Failure(name)
    print("ok      " + name, flush=True)


def drive_benchmark():
    """Benchmark mode, with the configuration of write_benchmark_config()."""
    wait_for("the next character is shown", lambda s: s["model"] == "rig:box" and s["frame"] > 2)
    click("mode_2")
    wait_for("a click switches to benchmark mode",
             lambda s: s["settings"]["mode"] == "Benchmark" and "crowd" in s["controls"])
    drag(center("bench_instances", 0.3), center("bench_instances", 0.1), 1)
    wait_for("fewer instances are shown", lambda s: s["settings"]["bench.instances"] < 10)
    click("bench_start")
    wait_for("Start runs the benchmark",
             lambda s: s["benchmark"]["state"] == "running" and "bench_cancel" in s["controls"])
    click("bench_cancel")
    wait_for("Cancel ends it",
             lambda s: s["benchmark"]["state"] == "canceled" and "bench_start" in s["controls"])
    check("and nothing is written", not os.path.exists("crowd"))
    drag(center("bench_seconds", 0.9), center("bench_seconds", 0.0), 1)
    wait_for("the pace can be quick", lambda s: s["settings"]["bench.seconds"] < 0.2)
    click("bench_start")
    wait_for("a short run ends with files",
             lambda s: s["benchmark"]["state"] == "written" and "bench_start" in s["controls"])
    with open("crowd/crowd.json") as file:
        found = json.load(file)
    check("with the techniques that were checked",
          [row["technique"] for row in found["techniques"]] == ["control", "gpu-matrix"])
    check("and ratings", all(row["rating"] > 0 for row in found["points"]))
    check("and A/B tests", [row["off"] for row in found["toggles"]] == ["nothing", "upload"])
    check("and a plot", os.path.getsize("crowd/crowd.svg") > 1000)
    click("bench_start")
    wait_for("another run writes to another folder",
             lambda s: s["benchmark"]["folder"] == "crowd-2" and
             s["benchmark"]["state"] in ("running", "written"))
    with open("crowd/crowd.json") as file:
        check("and the results before stay", json.load(file) == found)
    xdo("key", "m")
    wait_for("M switches back", lambda s: s["settings"]["mode"] == "Compare")
    xdo("key", "ctrl+q")


def write_benchmark_config():
    """Two techniques, one stage, and a pace that nobody waits for."""
    names = ["gpu-dq", "gpu-crs", "matrix-texture", "dq-texture", "qt-texture", "vertex-texture",
             "matrix-posed", "qt-posed", "cpu-matrix", "thesis-matrix-texture", "thesis-dq-texture",
             "thesis-vertex-texture"]
    settings = {"bench.test." + name: False for name in names}
    settings.update({"bench.without.upload": True, "bench.seconds": 60.0, "play": False,
                     "bench.technique": "control"})
    config = os.path.abspath("benchmark_config/pelt")
    os.makedirs(config)
    with open(os.path.join(config, "view.json"), "w") as file:
        json.dump({"settings": settings}, file)
    return config


def run(command, config, steps):
    """Start the viewer, drive it, and say how it ended."""
    if os.path.exists(STATE):
        os.remove(STATE)
    program = subprocess.Popen([*command, "--state", STATE],
                               env={**os.environ, "XDG_CONFIG_HOME": os.path.dirname(config)})
    try:
        steps()
        if program.wait(LIMIT) != 0:
            raise Failure("Ctrl+Q quits")
        print("ok      Ctrl+Q quits")
    except (Failure, subprocess.SubprocessError, OSError) as error:
        print(f"FAILED  {error}")
        if os.path.exists(STATE):
            now = state()
            print({name: now.get(name) for name in ("frame", "model", "time", "error", "note", "benchmark",
                                                    "settings")})
        sys.exit(1)
    finally:
        if program.poll() is None:
            program.kill()


def main():
    viewer, model, broken, moves, config = sys.argv[1:6]
    run([viewer, model, "--size", "720x340"], config, lambda: drive(model, broken, moves))
    run([viewer, "rig:box", "--size", "500x600"], write_benchmark_config(), drive_benchmark)


if __name__ == "__main__":
    main()
