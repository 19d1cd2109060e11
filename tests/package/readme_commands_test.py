#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands of README.md: on a built-in character, and with PELT_SWEEP=full on every model.

Usage: readme_commands_test.py SOURCE PELT

A command names a file as hero.glb, a clip as walk and a joint as elbow. They become the file, its first
clip with tracks and its first joint with weights. A command that needs a clip or a joint is left out for
a character that has none. All other commands have to succeed and to write what -o names.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

source, pelt = (os.path.abspath(path) for path in sys.argv[1:3])
is_full = os.environ.get("PELT_SWEEP") == "full"
models = os.environ.get("PELT_MODELS", os.path.join(source, "..", "shared", "models"))
passed = failed = skipped = 0


def check(name, holds, detail=""):
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
    print(f"{'ok     ' if holds else 'FAILED '} {name}{'' if holds else ': ' + detail.strip()}", flush=True)


def skip(name, why):
    global skipped
    skipped += 1
    print(f"SKIP {name}: {why}")


def run(arguments, folder):
    return subprocess.run([pelt, *arguments], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, errors="replace")


def readme_commands():
    """Argument lists of all `build/pelt ...` lines in shell blocks, each once."""
    with open(os.path.join(source, "README.md"), encoding="utf-8") as file:
        blocks = re.findall(r"^```sh\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
    found = []
    for line in "".join(blocks).splitlines():
        if line.startswith("build/pelt "):
            words = shlex.split(line, comments=True)[1:]
            if words not in found:
                found.append(words)
    return found


class Character:
    """A file, and what `pelt info` says of it."""

    def __init__(self, path, folder):
        self.path = path
        result = run(["info", path, "--json"], folder)
        self.code = result.returncode
        self.error = result.stderr
        info = json.loads(result.stdout) if self.code == 0 else {}
        self.has_mesh = bool(info.get("meshes"))
        self.clip = next((clip["name"] for clip in info.get("clips", []) if clip["tracks"] > 0), None)
        self.joint = next((joint for skin in info.get("skins", [])
                           for joint in skin["joints"] if joint), None)


def fill_in(words, character):
    """The command for a character, or None when the character lacks what the command is about."""
    filled = []
    for word in words:
        if re.fullmatch(r"hero\.(glb|gltf|fbx|dae)", word) and filled[-1:] != ["-o"]:
            word = character.path
        elif word == "walk":
            word = character.clip
        elif "elbow" in word:
            word = character.joint and word.replace("elbow", character.joint)
        if word is None:
            return None
        filled.append(word)
    command = words[0]
    needs_clip = command == "bake" or words[:2] == ["bench", "bake"]
    if needs_clip and character.clip is None or command != "info" and not character.has_mesh:
        return None
    return filled + (["--quick"] if command == "bench" else [])


def check_command(words, folder):
    result = run(words, folder)
    name = "pelt " + shlex.join(words)
    check(name, result.returncode == 0, f"exit {result.returncode}: {result.stderr}")
    if result.returncode == 0 and "-o" in words:
        output = os.path.join(folder, words[words.index("-o") + 1])
        check("  writes " + words[words.index("-o") + 1], os.path.exists(output))


def model_files():
    with open(os.path.join(models, "MANIFEST.md"), encoding="utf-8") as file:
        rows = re.findall(r"^\| ([^ |]+/[^|]*?) \|", file.read(), re.MULTILINE)
    return [os.path.join(models, row) for row in rows if re.search(r"\.(glb|gltf|fbx|dae|bvh)$", row)]


def check_characters(commands, characters, folder):
    folders = set()
    for character in characters:
        if character.code == 3:
            skip(character.path, character.error.strip())
            continue
        check("pelt info " + character.path, character.code == 0, character.error)
        # Files of one folder are variants of each other: one of them is enough for what takes seconds.
        is_first = os.path.dirname(character.path) not in folders
        folders.add(os.path.dirname(character.path))
        for words in commands:
            filled = fill_in(words, character)
            if filled is not None and (is_first or words[0] not in ("compare", "render")):
                check_command(filled, folder)


def main():
    # Slow commands have tests of their own that run by default.
    left_out = ("view",) if is_full else ("view", "bench", "compare")
    commands = [words for words in readme_commands() if words[0] not in left_out]
    about_hero = [words for words in commands if any(word.startswith("hero.") for word in words)]
    about_rigs = [words for words in commands if words not in about_hero]
    check("README.md has commands about a file and about built-in characters",
          len(about_hero) >= 10 and len(about_rigs) >= 2)
    with tempfile.TemporaryDirectory() as folder:
        hero = os.path.join(folder, "hero.glb")
        written = run(["rig", "human?vertices=2000" if is_full else "arm?vertices=400", "-o", hero],
                      folder)
        check("a built-in character becomes a file", written.returncode == 0, written.stderr)
        for words in about_rigs:
            check_command(words + (["--quick"] if words[0] == "bench" else []), folder)
        check_characters(about_hero, [Character(hero, folder)], folder)
        if not os.path.exists(os.path.join(models, "MANIFEST.md")):
            skip("every model", "no models folder")
        elif not is_full:
            skip("every model", "only with PELT_SWEEP=full")
        else:
            commands = [words for words in about_hero if words[0] != "bench"]
            check_characters(commands, [Character(path, folder) for path in model_files()], folder)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


sys.exit(main())
