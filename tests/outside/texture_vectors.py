#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small animation textures with what they decode to, for decoders in other languages.

Both the textures and the numbers are made here, after docs/texture_format.md and without pelt:
    tests/outside/texture_vectors.py > tests/data/texture_vectors.txt
"""
import math
import random
import struct

MAGIC, NONE = 0x544C4550, 0xFFFFFFFF


def word_of(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def float_of(word):
    return struct.unpack("<f", struct.pack("<I", word & 0xFFFFFFFF))[0]


# ---------------------------------------------------------------------------------------------
# Writing


class Bits:
    def __init__(self):
        self.value, self.count = 0, 0

    def put(self, value, width):
        self.value |= value << self.count
        self.count += width

    def words(self):
        return [self.value >> 32 * i & NONE for i in range((self.count + 31) // 32)]


def component(width, low, m, x):
    return width | m << 5 | x << 10 | word_of(low) & 0xFFFF8000


def constant(value):
    return word_of(value) & ~31


def path(*axes):
    return sum((width | m << 4 | x << 5) << 10 * i for i, (width, m, x) in enumerate(axes))


def three(*values):
    return sum(v << 10 * i for i, v in enumerate(values))


def run_words(run, first, key_words, table):
    return [word_of(run["start"]), word_of(run["rate"]), len(run["keys"]), first, key_words, table,
            run.get("held", 0), 0]


def make_texture(kind, count, joints, unit, stretch_unit, clips):
    """clips: [(duration, flags, [{start, rate, table, keys, held}])]; equal tables are shared."""
    words = [MAGIC, 1, kind, count, 12 if joints else 0, len(clips), 12 + 4 * len(joints),
             word_of(unit), word_of(stretch_unit), 0, 0, 0]
    for parent, pivot in joints:
        words += [parent] + [word_of(v) for v in pivot]
    runs_at = len(words) + 4 * len(clips)
    run_count = sum(len(runs) for _, _, runs in clips)
    at_word, entries, tables, payload = runs_at + 8 * run_count, [], {}, []
    for _, _, runs in clips:
        for run in runs:
            key = tuple(run["table"])
            if key not in tables:
                tables[key] = at_word + len(payload)
                payload += run["table"]
            first = at_word + len(payload)
            for words_of_key in run["keys"]:
                payload += words_of_key
            entries += run_words(run, first, len(run["keys"][0]), tables[key])
    at = runs_at
    for duration, flags, runs in clips:
        words += [at, len(runs), word_of(duration), flags]
        at += 8 * len(runs)
    return words + entries + payload


# ---------------------------------------------------------------------------------------------
# Reading


def bits_at(words, first, bit, width):
    return sum((words[first + (bit + i) // 32] >> (bit + i) % 32 & 1) << i for i in range(width))


def mul(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]


def conj(q):
    return [-q[0], -q[1], -q[2], q[3]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def scaled(a, s):
    return [x * s for x in a]


def mix(a, b, u):
    return [(1 - u) * x + u * y for x, y in zip(a, b)]


def rotate(q, v):
    return mul(mul(q, list(v) + [0.0]), conj(q))[:3]


def q_of(a):
    s = dot(a, a)
    return scaled([2 * a[0], 2 * a[1], 2 * a[2], 1 - s], 1 / (1 + s))


def q_of_word(word):
    return q_of([((word >> 10 * i & 1023) - 511) / 511 for i in range(3)])


def slerp(a, b, u):
    if dot(a, b) < 0:
        b = scaled(b, -1)
    angle = math.acos(min(1.0, dot(a, b)))
    if angle < 1e-9:
        return mix(a, b, u)
    return [(math.sin((1 - u) * angle) * x + math.sin(u * angle) * y) / math.sin(angle)
            for x, y in zip(a, b)]


class Reader:
    """The components of a record, one after the other, in one key."""

    def __init__(self, words, record, key):
        self.words, self.at, self.key = words, record + 1, key
        self.bit = words[record] & 0xFFFFF

    def word(self):
        self.at += 1
        return self.words[self.at - 1]

    def value(self, scale):
        word = self.word()
        width = word & 31
        if width == 0:
            return float_of(word & ~31)
        bits = 32 if width == 31 else width
        value = bits_at(self.words, self.key, self.bit, bits)
        self.bit += bits
        if width == 31:
            return float_of(value)
        reach = scale * (32 + (word >> 5 & 31)) * 2.0 ** ((word >> 10 & 31) - 28)
        return float_of(word & 0xFFFF8000) + reach * (value / (2 ** width - 1))

    def path(self, scale):
        word, out = self.word(), []
        for i in range(3):
            own = word >> 10 * i
            width, m, x = own & 15, own >> 4 & 1, own >> 5 & 31
            value = bits_at(self.words, self.key, self.bit, width)
            self.bit += width
            reach = scale * (2 + m) * 2.0 ** (x - 30)
            out.append(reach * (value - 2 ** (width - 1)) / 2 ** width if width else 0.0)
        return out


def read_joint(words, record, key, pivot):
    """All parts of a joint in a key; those that its kind lacks are none."""
    unit, stretch_unit = float_of(words[7]), float_of(words[8])
    own = {"q": [0, 0, 0, 1], "p": list(pivot), "s": [1, 1, 1, 0, 0, 0], "bq": None, "bp": None,
           "a": [1, 0, 0, 0, 1, 0, 0, 0, 1], "real": [0, 0, 0, 1],
           "dual": scaled(list(pivot) + [0], 0.5)}
    if record is None:
        return own
    flags, r = words[record], Reader(words, record, key)
    kind, stretch = flags >> 20 & 3, flags >> 25 & 3
    if kind == 1:
        own["a"] = [r.value(stretch_unit) for _ in range(9)]
        own["p"] = [r.value(unit) for _ in range(3)]
        return own
    none = [0, 0, 0, 1]
    if kind == 0:
        reference = q_of_word(r.word()) if flags >> 22 & 1 else none
        rotation_axes = q_of_word(r.word()) if flags >> 29 & 1 else none
        axes = q_of_word(r.word()) if flags >> 30 & 1 else none
        own["q"] = reference
        if flags >> 23 & 1:
            rotation = rotate(rotation_axes, [r.value(1.0) for _ in range(3)])
            own["q"] = mul(reference, q_of(rotation))
        if flags >> 24 & 1:
            own["p"] = rotate(axes, [r.value(unit) for _ in range(3)])
    else:
        own["real"] = [r.value(1.0) for _ in range(4)]
        own["dual"] = [r.value(unit) for _ in range(4)]
    if stretch == 1:
        own["s"] = [r.value(stretch_unit)] * 3 + [0, 0, 0]
    elif stretch == 2:
        own["s"] = [r.value(stretch_unit) for _ in range(6)]
    if kind == 0 and flags >> 27 & 1:
        own["bq"] = rotate(rotation_axes, r.path(1.0))
    if kind == 0 and flags >> 28 & 1:
        own["bp"] = rotate(axes, r.path(unit))
    return own


def mix_joint(a, b, u):
    sign = -1 if dot(a["real"], b["real"]) < 0 else 1
    real = mix(a["real"], scaled(b["real"], sign), u)
    dual = mix(a["dual"], scaled(b["dual"], sign), u)
    length = math.sqrt(dot(real, real))
    out = {key: mix(a[key], b[key], u) for key in ("p", "s", "a")}
    out.update(q=slerp(a["q"], b["q"], u), real=scaled(real, 1 / length),
               dual=scaled(dual, 1 / length))
    return out


def find_moment(words, moment):
    clip, t, wrap = moment
    runs_at, run_count, duration, flags = words[words[6] + 4 * clip:words[6] + 4 * clip + 4]
    duration = float_of(duration)
    if wrap == "loop":
        t = t - math.floor(t / duration) * duration if duration > 0 else 0.0
    else:
        t = min(max(t, 0.0), duration)
    run = runs_at
    for i in range(run_count):
        if float_of(words[runs_at + 8 * i]) <= t:
            run = runs_at + 8 * i
    n = words[run + 2]
    x = (t - float_of(words[run])) * float_of(words[run + 1])
    if flags & 1:
        x = min(max(x, 0.0), n)
        k = min(math.floor(x), n - 1)
        after = (k + 1) % n
    else:
        x = min(max(x, 0.0), n - 1)
        k = math.floor(x)
        after = min(k + 1, n - 1)
    u = 0.0 if words[run + 6] & 1 else x - k
    return run, words[run + 3] + k * words[run + 4], words[run + 3] + after * words[run + 4], u


def record_of(words, run, joint):
    table = words[run + 5]
    at_word = words[table + joint // 2] >> 16 * (joint % 2) & 0xFFFF
    return table + at_word if at_word else None


def joint_at(words, moment, joint, pivot):
    run, key, after, u = find_moment(words, moment)
    record = record_of(words, run, joint)
    a, b = read_joint(words, record, key, pivot), read_joint(words, record, after, pivot)
    out = mix_joint(a, b, u)
    hump = 4 * u * (1 - u)
    if a["bq"]:
        q = mul(out["q"], scaled(a["bq"], hump) + [1])
        out["q"] = scaled(q, 1 / math.sqrt(dot(q, q)))
    if a["bp"]:
        out["p"] = [p + hump * b for p, b in zip(out["p"], a["bp"])]
    return out


def add_change(out, words, moment, joint, pivot, weight):
    run = words[words[6] + 4 * moment[0]]
    first = read_joint(words, record_of(words, run, joint), words[run + 3], pivot)
    now = joint_at(words, moment, joint, pivot)
    change = slerp([0, 0, 0, 1], mul(conj(first["q"]), now["q"]), weight)
    out["q"] = mul(out["q"], change)
    for key in ("p", "s"):
        out[key] = [x + weight * (n - f) for x, n, f in zip(out[key], now[key], first[key])]


def matrix_of(own, kind, pivot):
    s = own["s"]
    columns = [[s[0], s[5], s[4]], [s[5], s[1], s[3]], [s[4], s[3], s[2]]]
    position = own["p"]
    if kind == 1:
        columns = [own["a"][k::3] for k in range(3)]
    elif kind == 0:
        columns = [rotate(own["q"], c) for c in columns]
    else:
        columns = [rotate(own["real"], c) for c in columns]
        position = scaled(mul(own["dual"], conj(own["real"])), 2)[:3]
    return [[columns[k][i] for k in range(3)] +
            [position[i] - sum(columns[k][i] * pivot[k] for k in range(3))] for i in range(3)]


def product(a, b):
    return [[sum(a[i][j] * b[j][k] for j in range(3)) + (a[i][3] if k == 3 else 0)
             for k in range(4)] for i in range(3)]


def decode(words, kind, play):
    motions = []
    for joint in range(words[3]):
        entry = words[words[4] + 4 * joint:words[4] + 4 * joint + 4]
        pivot = [float_of(w) for w in entry[1:]]
        own = joint_at(words, play["base"], joint, pivot)
        if "next" in play:
            own = mix_joint(own, joint_at(words, play["next"], joint, pivot), play["fade"])
        if "additive" in play:
            add_change(own, words, play["additive"], joint, pivot, play["weight"])
        motion = matrix_of(own, kind, pivot)
        # Parents come first in these textures.
        motions.append(motion if entry[0] == NONE else product(motions[entry[0]], motion))
    return motions


def normalized(v):
    return scaled(v, 1 / math.sqrt(dot(v, v)))


def vertex_key(words, table, key, vertex):
    width, normal_width = words[table] & 255, words[table] >> 8 & 255
    first = table + 1 + (0 if words[table] >> 16 & 1 else 3 * vertex)
    bit, offset = vertex * (3 * width + 2 * normal_width), []
    for i in range(3):
        word = words[first + i]
        value = bits_at(words, key, bit + i * width, width)
        reach = float_of(words[7]) * (32 + (word >> 5 & 31)) * 2.0 ** ((word >> 10 & 31) - 28)
        offset.append(float_of(word & ~31) if word & 31 == 0 else
                      float_of(word & 0xFFFF8000) + reach * (value / (2 ** width - 1)))
    bit += 3 * width
    x, y = (2 * bits_at(words, key, bit + i * normal_width, normal_width) /
            (2 ** normal_width - 1) - 1 for i in range(2))
    z = 1 - abs(x) - abs(y)
    if z < 0:
        x, y = (1 - abs(y)) * (-1 if x < 0 else 1), (1 - abs(x)) * (-1 if y < 0 else 1)
    return offset, normalized([x, y, z])


def decode_vertex(words, play, rest, vertex):
    both_keys = []
    for moment in [play["base"]] + ([play["next"]] if "next" in play else []):
        run, key, after, u = find_moment(words, moment)
        a = vertex_key(words, words[run + 5], key, vertex)
        b = vertex_key(words, words[run + 5], after, vertex)
        both_keys.append((mix(a[0], b[0], u), normalized(mix(a[1], b[1], u))))
    offset, normal = both_keys[0]
    if "next" in play:
        offset = mix(offset, both_keys[1][0], play["fade"])
        normal = normalized(mix(normal, both_keys[1][1], play["fade"]))
    return [r + o for r, o in zip(rest, offset)] + normal


# ---------------------------------------------------------------------------------------------
# The textures


def table_of(records, joint_count):
    """records: [(joint, [words])], with the first bit left to be filled in: 0 to begin with."""
    at_words, body, start = [0] * joint_count, [], (joint_count + 1) // 2
    for joint, words in records:
        at_words[joint] = start + len(body)
        body += words
    at_words.append(0)
    return [at_words[2 * i] | at_words[2 * i + 1] << 16 for i in range(start)] + body


def random_key(dice, bits):
    out = Bits()
    out.put(dice.getrandbits(bits), bits)
    return out.words()


def pose_texture(dice):
    # Joint 0 has everything, with a uniform stretch; joint 1 hangs on it and has a constant
    # component, a symmetric stretch and no reference; joint 2 has no record and moves with joint
    # 1; joint 3 has none either and stays.
    joints = [(NONE, (0.25, 1.0, -0.5)), (0, (0.25, 1.5, -0.5)), (1, (0.0, 2.0, 0.0)),
              (NONE, (1.0, 0.0, 0.0))]
    first = [1 << 22 | 1 << 23 | 1 << 24 | 1 << 25 | 1 << 27 | 1 << 28 | 1 << 29 | 1 << 30,
             three(600, 480, 300), three(511, 700, 511), three(400, 511, 650),
             component(11, -0.25, 3, 22), component(9, -0.125, 20, 21), component(10, -0.5, 0, 23),
             component(14, -1.0, 7, 24), component(12, 0.5, 31, 23), component(13, -0.75, 16, 24),
             component(8, 0.75, 0, 21),
             path((5, 0, 25), (4, 1, 24), (0, 0, 0)), path((6, 1, 26), (0, 0, 0), (7, 0, 27))]
    bits = 11 + 9 + 10 + 14 + 12 + 13 + 8 + 5 + 4 + 6 + 7
    second = [bits | 1 << 23 | 1 << 24 | 2 << 25,
              component(10, -0.5, 0, 23), constant(0.125), component(16, -0.375, 9, 22),
              constant(0.25), component(15, 1.25, 2, 22), constant(-0.5),
              component(7, 0.75, 0, 22), component(7, 0.5, 8, 22), constant(1.125),
              component(6, -0.125, 0, 20), constant(0.0), component(5, -0.25, 0, 21)]
    bits += 10 + 16 + 15 + 7 + 7 + 6 + 5
    table = table_of([(0, first), (1, second)], 4)
    # The second clip has a table of its own: joint 0 rotates only, by floats, and joint 1 only moves.
    rotation = [0 | 1 << 23, 31, constant(-0.0625), component(24, -0.5, 1, 22)]
    move = [32 + 24 | 1 << 24, component(1, 0.0, 0, 22), constant(1.5), component(17, -0.5, 0, 22)]
    other = table_of([(0, rotation), (1, move)], 4)

    def other_key(rotation_x):
        out = Bits()
        out.put(word_of(rotation_x), 32)
        out.put(dice.getrandbits(24 + 1 + 17), 24 + 1 + 17)
        return out.words()

    walk = {"start": 0.0, "rate": 4.0, "table": table,
            "keys": [random_key(dice, bits) for _ in range(3)]}
    first_run = {"start": 0.125, "rate": 8.0, "table": other,
                 "keys": [other_key(x) for x in (0.1, 0.35, -0.2)]}
    held_run = {"start": 0.5, "rate": 4.0, "held": 1, "table": other,
                "keys": [other_key(x) for x in (0.4, -0.3)]}
    return make_texture(0, 4, joints, 0.5, 2.0,
                        [(0.75, 3, [walk]), (1.0, 0, [first_run, held_run])])


def matrix_texture(dice):
    joints = [(NONE, (0.0, 0.5, 0.0)), (NONE, (1.0, 1.0, 1.0))]
    first = [1 << 20] + [component(8, -1.0, 0, 23)] * 4 + [constant(0.5)] + [
        component(16, -0.5, 5, 22)] * 4 + [component(12, -1.0, 0, 25)] * 3
    bits = 4 * 8 + 4 * 16 + 3 * 12
    second = [bits | 1 << 20] + [31] + [component(9, -0.75, 12, 22)] * 11

    def key():
        out = Bits()
        out.put(dice.getrandbits(bits), bits)
        out.put(word_of(0.625 + 0.25 * dice.random()), 32)
        out.put(dice.getrandbits(99), 99)
        return out.words()

    run = {"start": 0.0, "rate": 10.0, "table": table_of([(0, first), (1, second)], 2),
           "keys": [key() for _ in range(4)]}
    return make_texture(0, 2, joints, 1.0, 2.0, [(0.3, 0, [run])])


def dual_texture(dice):
    # Real parts around (0.5, -0.25, 0.5, 0.75) and its opposite, so that signs matter.
    joints = [(NONE, (0.0, 0.5, 0.0)), (NONE, (1.0, 1.0, 1.0)), (0, (0.0, 1.0, 0.0))]
    first = [2 << 20 | 1 << 25] + [component(12, -1.0, 0, 24)] * 4 + [
        component(14, -0.5, 3, 24)] * 4 + [component(10, 0.5, 0, 22)]
    bits = 4 * 12 + 4 * 14 + 10
    second = [bits | 2 << 20 | 2 << 25] + [component(16, -1.0, 0, 24)] * 4 + [31] * 4 + [
        component(9, 0.75, 0, 21)] * 3 + [constant(0.125), component(6, -0.25, 0, 21),
                                          constant(0.0)]

    def key(sign):
        out = Bits()
        for width in (12, 16):
            for center in (0.5, -0.25, 0.5, 0.75):
                real = sign * (center + dice.uniform(-0.1, 0.1))
                out.put(round((real + 1) / 2 * (2 ** width - 1)), width)
            if width == 12:
                out.put(dice.getrandbits(4 * 14 + 10), 4 * 14 + 10)
        for _ in range(4):
            out.put(word_of(dice.uniform(-0.5, 0.5)), 32)
        out.put(dice.getrandbits(3 * 9 + 6), 3 * 9 + 6)
        return out.words()

    run = {"start": 0.0, "rate": 10.0, "table": table_of([(0, first), (1, second)], 3),
           "keys": [key(sign) for sign in (1, -1, 1, 1)]}
    return make_texture(0, 3, joints, 1.0, 1.0, [(0.3, 0, [run])])


def vertex_texture(dice):
    width, normal_width = 10, 6
    own = [width | normal_width << 8] + [
        component(width, -0.5, i, 20 + i % 3) if i != 4 else constant(0.375) for i in range(9)]
    shared = [width | normal_width << 8 | 1 << 16] + [component(width, -0.25, 2 * i, 22)
                                                      for i in range(3)]
    bits = 3 * (3 * width + 2 * normal_width)
    rotation = {"start": 0.0, "rate": 5.0, "table": own,
            "keys": [random_key(dice, bits) for _ in range(5)]}
    fall = {"start": 0.0, "rate": 2.0, "table": shared,
            "keys": [random_key(dice, bits) for _ in range(3)]}
    return make_texture(1, 3, [], 0.5, 1.0, [(1.0, 3, [rotation]), (1.0, 0, [fall])])


# ---------------------------------------------------------------------------------------------
# The file


def play_text(play):
    text = "base %d %.9g %s" % play["base"]
    if "next" in play:
        text += " next %d %.9g %s" % play["next"] + " fade %.9g" % play["fade"]
    if "additive" in play:
        text += " additive %d %.9g %s" % play["additive"] + " weight %.9g" % play["weight"]
    return text


def numbers(values):
    return " ".join("%.9g" % (v + 0.0) for v in values)


def show_texture(name, words):
    print("\ntexture %s %d" % (name, len(words)))
    for i in range(0, len(words), 8):
        print(" ".join("%08x" % w for w in words[i:i + 8]))


def show_joints(name, kind, words, plays):
    show_texture(name, words)
    for play in plays:
        print("play " + play_text(play))
        for motion in decode(words, kind, play):
            print(numbers(v for row in motion for v in row))


def main():
    dice = random.Random(2024)
    print("# Animation textures and what they decode to, for decoders in other languages: see\n"
          "# docs/texture_format.md, \"Test vectors\". Made by tests/outside/texture_vectors.py.")
    # Times are binary fractions, and none lies on a jump.
    show_joints("pose", 0, pose_texture(dice), [
        {"base": (0, 0.0, "clamp")}, {"base": (0, 0.25, "loop")}, {"base": (0, 0.3125, "loop")},
        {"base": (0, 0.6875, "loop")}, {"base": (0, 0.6875, "clamp")}, {"base": (0, -0.5, "loop")},
        {"base": (0, 9.0, "clamp")}, {"base": (1, 0.0, "clamp")}, {"base": (1, 0.21875, "clamp")},
        {"base": (1, 0.4375, "clamp")}, {"base": (1, 0.6875, "clamp")},
        {"base": (1, 0.8125, "clamp")}, {"base": (1, -0.25, "loop")},
        {"base": (0, 0.4375, "loop"), "next": (1, 0.1875, "clamp"), "fade": 0.25},
        {"base": (0, 0.4375, "loop"), "additive": (1, 0.3125, "clamp"), "weight": 0.5},
        {"base": (1, 0.75, "clamp"), "next": (0, 0.125, "loop"), "fade": 0.75,
         "additive": (0, 0.5625, "loop"), "weight": 1.0}])
    show_joints("matrix", 1, matrix_texture(dice), [
        {"base": (0, 0.0, "clamp")}, {"base": (0, 0.15625, "clamp")},
        {"base": (0, 0.25, "clamp"), "next": (0, 0.0625, "clamp"), "fade": 0.5}])
    show_joints("dual", 2, dual_texture(dice), [
        {"base": (0, 0.0, "clamp")}, {"base": (0, 0.0625, "clamp")}, {"base": (0, 0.25, "clamp")},
        {"base": (0, 0.03125, "clamp"), "next": (0, 0.125, "clamp"), "fade": 0.5}])
    words = vertex_texture(dice)
    show_texture("vertex", words)
    rest = [(0.0, 0.0, 0.0), (1.0, 0.5, -0.25), (-0.5, 2.0, 0.125)]
    for play in [{"base": (0, 0.0, "loop")}, {"base": (0, 0.28125, "loop")},
                 {"base": (0, 0.9375, "loop")}, {"base": (1, 0.625, "clamp")},
                 {"base": (1, 5.0, "clamp")},
                 {"base": (0, 0.5, "loop"), "next": (1, 0.25, "clamp"), "fade": 0.375}]:
        print("play " + play_text(play))
        for vertex in range(3):
            print(numbers(rest[vertex]) + "  " +
                  numbers(decode_vertex(words, play, rest[vertex], vertex)))


main()
