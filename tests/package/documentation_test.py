#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands and compiles the C fragments of README.md and docs/*.md.

Usage: documentation_test.py SOURCE PELT CC

Commands are the lines of `sh` blocks that start with build/pelt. They run on a built-in character; with
PELT_SWEEP=full slow ones run too, and those of README.md and docs/commands.md run on every model.
They name a file as hero.glb, a clip as walk and a joint as elbow, which become the file, its first clip
with tracks and its first joint. A command that needs a clip or a joint is left out for a character that
has none. All other commands have to succeed and to write what -o names.

C fragments of docs are compiled as the body of a function. A comment <!-- C: DECLARATIONS --> before a
block declares the variables that the fragment does not.
"""
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

source, pelt = (os.path.abspath(path) for path in sys.argv[1:3])
compiler = sys.argv[3]
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


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def commands_of(page):
    """Argument lists of all `build/pelt ...` lines in shell blocks, each once."""
    found = []
    for block in re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)[1:]
            if line.startswith("build/pelt ") and words not in found:
                found.append(words)
    return found


def check_fragments(path, page, folder):
    """Compile the C blocks of a page. README.md has a program, which the test `package` runs."""
    blocks = re.findall(r"(?:^<!-- C: ([^>]*?) -->\n+)?^```c\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    for number, (declarations, fragment) in enumerate(blocks, 1):
        name = f"C fragment {number} of {os.path.basename(path)} compiles"
        headers = sorted(os.listdir(os.path.join(source, "include", "pelt")))
        if "glUniform" in fragment:
            if not os.path.exists("/usr/include/epoxy/gl.h"):
                skip(name, "there is no epoxy")
                continue
            headers.insert(0, "../epoxy/gl.h")
        file = os.path.join(folder, "fragment.c")
        with open(file, "w", encoding="utf-8") as out:
            out.writelines(f"#include <pelt/{header}>\n".replace("pelt/../", "") for header in headers)
            out.write(f"void fragment(void);\nvoid fragment(void)\n{{\n{declarations}\n{fragment}}}\n")
        options = ["-std=c17", "-Wall", "-Werror", "-Wno-unused", "-fsyntax-only"]
        result = subprocess.run([compiler, *options, "-I", os.path.join(source, "include"), file],
                                text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        check(name, result.returncode == 0, result.stdout)


def check_width(path, page):
    """Lines outside code, tables and links have 100 columns at most."""
    prose = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    long = [line for line in prose.splitlines()
            if len(line) > 100 and not re.match(r"\s*\||    |!\[|\S*\[?\S*\]?\(\S*\)\S*$", line)]
    check(f"{os.path.relpath(path, source)} is wrapped at 100 columns", not long, "\n".join(long[:3]))


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
    quick = ["--quick"] if words[0] in ("bench", "reproduce") and "--quick" not in words else []
    if "--seconds" in words:  # of each of many measurements
        words = words[:words.index("--seconds")] + words[words.index("--seconds") + 2:]
    if not any(word.startswith("hero.") for word in words):
        return words + quick
    filled = []
    for word in words:
        if re.fullmatch(r"hero\.(glb|gltf|fbx|dae|vrm)", word) and filled[-1:] != ["-o"]:
            word = character.path
        elif re.fullmatch(r"(walk|run)\.(glb|fbx|bvh)", word) and "--clips" in words:
            word = character.path
        elif word == "walk":
            word = character.clip
        elif word.startswith("walk=") and filled[-1:] == ["--clip"]:
            word = character.clip and word.replace("walk", character.clip, 1)
        elif "elbow" in word:
            word = character.joint and word.replace("elbow", character.joint)
        if word is None:
            return None
        filled.append(word)
    command = words[0]
    needs_clip = command == "bake" or words[:2] == ["bench", "bake"] or "--clips" in words
    if needs_clip and character.clip is None or command != "info" and not character.has_mesh:
        return None
    return filled + quick


def check_command(words, folder):
    result = run(words, folder)
    name = "pelt " + shlex.join(words)
    check(name, result.returncode == 0, f"exit {result.returncode}: {result.stderr}")
    if result.returncode == 0 and "-o" in words:
        output = os.path.join(folder, words[words.index("-o") + 1])
        check("  writes " + words[words.index("-o") + 1], os.path.exists(output))


def check_budget(words, folder):
    """A bake within a budget in millimeters per meter keeps it, and its JSON file is the small one."""
    result = run([*words, "--json"], folder)
    report = json.loads(result.stdout) if result.returncode == 0 else {"error": {}, "clips": []}
    budget = float(re.fullmatch(r"([\d.]+)mm/m", words[words.index("--max-error") + 1]).group(1))
    reached = report["error"].get("max_per_meter", 1.0)
    check("  keeps its budget", 1000 * reached <= budget, f"{1000 * reached:.4} mm/m {result.stderr}")
    if len(report["clips"]) >= 8:
        sizes = [os.path.getsize(os.path.join(folder, file)) for end in (".json", ".ktx2")
                 for file in report["files"] if file.endswith(end)]
        check("  its JSON file is smaller than its texture", sizes[0] < sizes[1], str(sizes))


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
                if words[0] == "bake" and "mm/m" in " ".join(words):
                    check_budget(filled, folder)


def check_script_verbs(manual):
    """The manual names the verbs that viewer/script.c compares with."""
    code = read(os.path.join(source, "viewer", "script.c"))
    verbs = set(re.findall(r'strcmp\(verb, "(\w+)"\)', code)) | {"twist", "bend", "side"}
    text = re.search(r"The verbs are (.*?);", manual, re.DOTALL).group(1)
    named = set(re.findall(r"\*\*(\w+)\*\*", text))
    check("pelt.1.md has the verbs of scripts", verbs == named, f"differ in {sorted(verbs ^ named)}")


def check_manual():
    """The manual page and the completions follow from the option tables of the program."""
    made = subprocess.run([os.path.join(source, "tools", "manual"), pelt, "--check"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    check("tools/manual has nothing to change", made.returncode == 0, made.stdout)
    folder = os.path.join(source, "cli", "completions")
    for shell, file in (("bash", "pelt.bash"), ("zsh", "_pelt"), ("fish", "pelt.fish")):
        if shutil.which(shell) is None:
            skip(f"{file} is valid", f"there is no {shell}")
            continue
        parsed = subprocess.run([shell, "-n", os.path.join(folder, file)], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        check(f"{file} is valid", parsed.returncode == 0, parsed.stdout)
    for line, wanted in (("re", "render reproduce"), ("render --view or", "orbit"), ("bench cr", "crowd"),
                         ("render --method lbs,dq", "lbs,dqs"), ("render --view = ba", "back"),
                         ("convert --format gl", "glb gltf"), ("info --ret", "--retarget-rest")):
        words = shlex.split(line)
        script = (f'complete() {{ :; }}; . "{folder}/pelt.bash"; COMP_WORDS=(pelt "$@"); '
                  f'COMP_CWORD=$#; _pelt; echo "${{COMPREPLY[*]}}"')
        told = subprocess.run(["bash", "-c", script, "bash", *words], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        check(f"bash completes pelt {line}", told.stdout.strip() == wanted, told.stdout)


def main():
    # Slow commands have tests of their own that run by default; windows need a display.
    left_out = ("view",) if is_full else ("view", "bench", "compare", "demo", "reproduce")
    overview = [os.path.join(source, "README.md"), os.path.join(source, "docs", "commands.md")]
    pages = {path: read(path) for path in overview + sorted(glob.glob(os.path.join(source, "docs", "*.md")))}
    commands = {path: [words for words in commands_of(page) if words[0] not in left_out]
                for path, page in pages.items()}
    about_hero = [words for path in overview for words in commands[path]
                  if any(word.startswith("hero.") for word in words)]
    check("README.md and docs/commands.md have commands about a file", len(about_hero) >= 10)
    check_manual()
    check_script_verbs(pages[os.path.join(source, "docs", "pelt.1.md")])
    with tempfile.TemporaryDirectory() as folder:
        for path, page in pages.items():
            if path != overview[0]:
                check_fragments(path, page, folder)
            if not path.endswith("pelt.1.md"):
                check_width(path, page)
        hero = os.path.join(folder, "hero.glb")
        written = run(["rig", "human?vertices=2000", "-o", hero], folder)
        check("a built-in character becomes a file", written.returncode == 0, written.stderr)
        os.mkdir(os.path.join(folder, "characters"))
        shutil.copy(hero, os.path.join(folder, "characters"))
        character, done = Character(hero, folder), []
        for words in (words for page in commands.values() for words in page):
            filled = fill_in(words, character)
            if filled not in done:
                check_command(filled, folder)
                done.append(filled)
        if not os.path.exists(os.path.join(models, "MANIFEST.md")):
            skip("every model", "no models folder")
        elif not is_full:
            skip("every model", "only with PELT_SWEEP=full")
        else:
            about_hero = [words for words in about_hero if words[0] != "bench"]
            check_characters(about_hero, [Character(path, folder) for path in model_files()], folder)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


sys.exit(main())
