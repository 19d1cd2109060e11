# SPDX-License-Identifier: MIT
"""Runs the Python blocks of pages, one after the other, and their commands that start an example.

Usage: run_pages.py SOURCE PROGRAM PAGE...; the page's files are in the current folder, where hero.glb is.
"""
import pathlib
import re
import shlex
import subprocess
import sys

source, program, pages = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
subprocess.run([program, "rig", "human?vertices=2000", "-o", "hero.glb"], check=True, stderr=subprocess.DEVNULL)
for page in pages:
    text = (source / page).read_text(encoding="utf-8")
    names, count = {}, 0
    for language, block in re.findall(r"^```(python|sh)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if language == "python":
            line = text[:text.index(block)].count("\n")
            exec(compile("\n" * line + block, page, "exec"), names)
            count += 1
        for command in block.splitlines() if language == "sh" else ():
            words = shlex.split(command)
            if words[0] == "python3":
                subprocess.run([sys.executable, str(source / words[1]), *words[2:]], check=True)
                count += 1
    print(f"ok   {count} blocks and commands of {page}")
    if count == 0:
        sys.exit(f"{page} has nothing to run")
plot = pathlib.Path("bulge.svg").read_text(encoding="utf-8")
if plot.count("<polyline") != 6:
    sys.exit("the plot has not three curves in two panels")
