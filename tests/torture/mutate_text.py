# SPDX-License-Identifier: MIT
"""Damage to formats of words and numbers: FBX text, Collada, BVH, MD5, SMD, OBJ, poses."""
import re

from mutate_bytes import pick_float, pick_integer

NUMBER = re.compile(rb"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])")
WORD = re.compile(rb"[A-Za-z_]\w{2,}")
TOKENS = [
    b"nan",
    b"-nan(ind)",
    b"inf",
    b"1.#QNAN",
    b"1e999",
    b"-1e38",
    b"1e-46",
    b"0x7fffffff",
    b"",
    b"-",
    b"+",
    b".",
    b"1e",
    b"00000000000000000001",
    b"9" * 400,
    b"0." + b"1" * 400,
]
OPENERS = [
    b"{",
    b"[",
    b"(",
    b"<",
    b'"',
    b"/*",
    b"<node>",
    b"<a><b>",
    b"JOINT a {\n",
    b"<![CDATA[",
    b"a: {\n",
    b"*1 {a: ",
    b"#",
    b"\\\n",
]


def find_one(random, pattern, data):
    """A match somewhere in the data, found without listing all of them."""
    start = random.randrange(len(data))
    return pattern.search(data, start) or pattern.search(data)


def make_number(random):
    kind = random.random()
    if kind < 0.4:
        return str(pick_integer(random)).encode()
    return random.choice(TOKENS) if kind < 0.6 else repr(pick_float(random)).encode()


def change_number(random, data):
    for _ in range(random.choice([1, 1, 1, 2, 20])):
        found = find_one(random, NUMBER, data) if data else None
        if found:
            data[found.start() : found.end()] = make_number(random)


def swap_numbers(random, data):
    one, two = find_one(random, NUMBER, data), find_one(random, NUMBER, data)
    if one and two and one.end() <= two.start():
        first, second = one.group(), two.group()
        data[two.start() : two.end()] = first
        data[one.start() : one.end()] = second


def change_word(random, data):
    """One word becomes another of the file: names, types and keywords that do not belong there."""
    one, two = find_one(random, WORD, data), find_one(random, WORD, data)
    if one and two:
        data[one.start() : one.end()] = bytes(two.group())


def lengthen_word(random, data):
    found = find_one(random, WORD, data)
    if found:
        data[found.end() : found.end()] = random.choice(
            [b"A", b"%s%n", b"\xff", b"../"]
        ) * random.choice([40, 300, 70000])


def pick_lines(random, data):
    """Where a few whole lines begin and end."""
    start = data.rfind(b"\n", 0, random.randrange(len(data) + 1)) + 1
    end = start
    for _ in range(random.choice([1, 1, 2, 5, 40])):
        end = data.find(b"\n", end) + 1 or len(data)
    return start, end


def remove_lines(random, data):
    start, end = pick_lines(random, data)
    del data[start:end]


def repeat_lines(random, data):
    start, end = pick_lines(random, data)
    times = random.choice([1, 2, 10, 300])
    data[end:end] = data[start:end] * min(times, 200000 // (end - start + 1))


def move_lines(random, data):
    start, end = pick_lines(random, data)
    lines = bytes(data[start:end])
    del data[start:end]
    at = data.rfind(b"\n", 0, random.randrange(len(data) + 1)) + 1
    data[at:at] = lines


def nest(random, data):
    at = data.rfind(b"\n", 0, random.randrange(len(data) + 1)) + 1
    data[at:at] = random.choice(OPENERS) * random.choice([1, 60, 2000, 20000])


def remove_mark(random, data):
    at = random.randrange(len(data))
    for mark in (b"}", b"]", b">", b'"', b",", b":"):
        found = data.find(mark, at)
        if found >= 0:
            data[found : found + 1] = random.choice([b"", mark + mark])
            return


OPERATIONS = [
    change_number,
    change_number,
    swap_numbers,
    change_word,
    lengthen_word,
    remove_lines,
    repeat_lines,
    move_lines,
    nest,
    remove_mark,
]


def mutate(random, data, names):
    """Change the bytearray `data` in one way, and note which."""
    if data:
        operation = random.choice(OPERATIONS)
        names.append(operation.__name__)
        operation(random, data)
