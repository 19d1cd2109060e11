# SPDX-License-Identifier: MIT
"""What must hold after every run of pelt, whatever the input was."""
import array
import base64
import json
import math
import os
import re
import struct

EXIT_CODES = (0, 1, 2, 3, 4)
# Files of outputs that are several.
OUTPUTS = {
    "out.json": ["out.json", "out.glb", "out.ktx2", "out_error.svg"],
    "report": ["report/report.html", "report/report.json"],
}
REPORTS = re.compile(r"ERROR: \w+Sanitizer.*|.*: runtime error: .*|SUMMARY: \w+Sanitizer.*")
BAD_OBJ = re.compile(rb"^v[nt]? .*(?:nan|inf)", re.MULTILINE | re.IGNORECASE)
DATA_URI = re.compile(rb"base64,([A-Za-z0-9+/\\=]+)")
NUMBER_BYTES = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "float": 4}


def refuse_number(text):
    raise ValueError("the JSON holds " + text)


def parse_number(text):
    number = float(text)
    return number if math.isfinite(number) else refuse_number(text)


def parse_json(text):
    """Strict: no NaN, no number that overflows on reading."""
    return json.loads(text, parse_constant=refuse_number, parse_float=parse_number)


def is_finite(data):
    """All floats at once: a sum in double is finite when each of them is."""
    numbers = array.array("f")
    numbers.frombytes(data[: len(data) // 4 * 4])
    return math.isfinite(sum(numbers))


def read_sources(files):
    """All bytes that the arrays of a glTF may come from, with those of its data URIs."""
    parts = list(files.values())
    for text in files.values():
        for found in DATA_URI.findall(text):
            try:
                parts.append(base64.b64decode(found.replace(b"\\/", b"/") + b"=="))
            except ValueError:
                pass  # damaged, so that nothing was read from it
    return b"".join(parts)


def read_floats(tree, accessor, body):
    """The bytes of an array of floats; none where they are elsewhere, packed or interleaved."""
    if accessor["componentType"] != 5126 or "bufferView" not in accessor:
        return b""
    view = tree["bufferViews"][accessor["bufferView"]]
    if view["buffer"] != 0 or "byteStride" in view or "extensions" in view:
        return b""
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
    return body[start : start + 4 * width * accessor["count"]]


def check_gltf(data, source):
    """@param source  bytes of a glTF that was added to, which may stay in it; None: pelt wrote all"""
    body = None
    if data[:4] == b"glTF":
        (size,) = struct.unpack_from("<I", data, 12)
        body, data = data[28 + size :], data[20 : 20 + size]
    tree = parse_json(data) if source is None else json.loads(data)
    buffers = tree.get("buffers") or [{}]
    if body is None:
        uri = buffers[0].get("uri", "")
        if not uri.startswith("data:"):
            return
        body = base64.b64decode(uri.split(",", 1)[1])
    own = set()
    for mesh in tree.get("meshes", []):
        for primitive in mesh.get("primitives", []):
            names = primitive["attributes"] if source is None else primitive.get("attributes", {})
            own |= {names[name] for name in names if name.startswith("_PELT_")}
    for i, accessor in enumerate(tree.get("accessors", [])):
        may_stay = source is not None and i not in own
        try:
            numbers = read_floats(tree, accessor, body)
        except (KeyError, IndexError, TypeError):
            if not may_stay:
                raise
            continue
        if not is_finite(numbers) and not (may_stay and numbers in source):
            raise ValueError(f"accessor {i} holds numbers that are not finite")


def check_ply(data):
    head, _, body = data.partition(b"end_header\n")
    count, size, columns = 0, 0, []
    for line in head.decode().splitlines():
        words = line.split()
        if words[:2] == ["element", "vertex"]:
            count = int(words[2])
        elif words[0] == "property" and words[1] in NUMBER_BYTES:
            columns += [size] if words[1] == "float" else []
            size += NUMBER_BYTES[words[1]]
    for i in range(count):
        for column in columns:
            if not is_finite(body[i * size + column : i * size + column + 4]):
                raise ValueError(f"vertex {i} holds a number that is not finite")


def check_output(case, data, err):
    if case.output.endswith(".obj"):
        found = BAD_OBJ.search(data)
        if found:
            raise ValueError("the OBJ holds " + found.group().decode())
    elif case.output.endswith(".ply"):
        check_ply(data)
    elif case.output.endswith((".glb", ".gltf")):
        # A glTF that is added to keeps its own numbers, whatever they are. Twist joints are no
        # addition: with them all is written anew.
        is_kept = "--twist" not in case.arguments or "no bone needs twist joints" in err
        is_edited = (
            case.arguments[0] in ("convert", "enhance", "doctor")
            and case.model.kind in ("glb", "gltf")
            and is_kept
        )
        check_gltf(data, read_sources(case.files) if is_edited else None)


def list_files(folder):
    return sorted(
        os.path.relpath(os.path.join(where, name), folder)
        for where, _, names in os.walk(folder)
        for name in names
    )


def check_words(code, out, err, is_doctor):
    """A sentence when it failed, at most after notes on what was assumed, and no result."""
    lines = err.split("\n")
    if code == 0 or (is_doctor and out):
        return None
    if (
        lines.pop()
        or not 1 <= len(lines) <= 3
        or not all(line.startswith("pelt: ") and len(line) > 15 for line in lines)
    ):
        return f"exit {code} without a sentence on stderr: {err[:200]!r}"
    if not all(line.isprintable() for line in lines):
        return f"the sentence is not plain text: {err[:200]!r}"
    return f"exit {code} with something on stdout" if out else None


def check_files(case, code):
    left = list_files("in")
    if left != sorted(case.files):
        return f"the folder of the input holds {left}"
    made = list_files("out")
    if code != 0:
        # What was found may be severe, and is repaired and written all the same.
        is_doctor = case.arguments[0] == "doctor"
        return f"exit {code} and files are left: {made}" if made and not is_doctor else None
    expected = OUTPUTS.get(case.output, [case.output] if case.output else [])
    if not set(expected) <= set(made):
        return f"exit 0 without an output file: {made}"
    strange = [name for name in made if name not in expected and name not in case.files]
    return f"other files next to the output: {strange}" if strange else None


def check_run(case, code, out, err):
    """What is wrong with a run in the current folder; None: nothing."""
    report = REPORTS.search(err)
    if report:
        return report.group()[:300]
    if code < 0:
        return f"ended by signal {-code}"
    if code not in EXIT_CODES:
        return f"exit {code}"
    wrong = check_words(code, out, err, case.arguments[0] == "doctor") or check_files(case, code)
    if wrong or code != 0:
        return wrong
    try:
        if "--json" in case.arguments:
            parse_json(out)
        if case.output and case.output not in OUTPUTS:
            with open(os.path.join("out", case.output), "rb") as file:
                check_output(case, file.read(), err)
        for name in OUTPUTS.get(case.output, []):
            if name.endswith(".json"):
                with open(os.path.join("out", name), "rb") as file:
                    parse_json(file.read())
    except (ValueError, KeyError, IndexError, TypeError, struct.error) as problem:
        return f"exit 0 and a bad result: {type(problem).__name__}: {problem}"
    return None
