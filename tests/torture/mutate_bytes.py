# SPDX-License-Identifier: MIT
"""Damage to bytes of any format, and the numbers that break programs."""
import struct

FLOATS = [float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 0.5, 1.0, -1.0, 16777217.0]
FLOATS += [1e-45, 1.2e-38, 1e-20, 1e10, 1e20, -1e20, 3.4e38, -3.4e38]
INTEGERS = [0, 3, 1000] + [2**k for k in (0, 1, 2, 3, 4, 6, 7, 8, 15, 16, 24, 31, 32, 53, 63, 64)]
INTEGERS += [-(2**k) for k in (0, 1, 31, 63)]


def pick_integer(random):
    return random.choice(INTEGERS) + random.choice([0, 0, 0, -1, 1])


def pick_float(random):
    return (
        random.choice(FLOATS)
        if random.random() < 0.8
        else random.gauss(0, 10 ** random.randint(-6, 12))
    )


def pick_span(random, size, longest=4096):
    """Where a stretch of bytes begins and ends."""
    start = random.randrange(size + 1)
    return start, min(size, start + random.choice([1, 2, 4, 8, 16, 64, random.randint(1, longest)]))


def flip_bits(random, data):
    for _ in range(random.choice([1, 1, 2, 4, 16, 64])):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def write_bytes(random, data):
    start, end = pick_span(random, len(data), 64)
    data[start:end] = random.choice(
        [bytes(end - start), b"\xff" * (end - start), random.randbytes(end - start)]
    )


def write_integer(random, data):
    size, form = random.choice([(1, "<B"), (2, "<H"), (4, "<I"), (4, ">I"), (8, "<Q")])
    if len(data) >= size:
        at = random.randrange(len(data) - size + 1)
        at -= at % size if random.random() < 0.7 else 0
        struct.pack_into(form, data, at, pick_integer(random) % (1 << 8 * size))


def write_float(random, data):
    for _ in range(random.choice([1, 1, 3, 30])):
        if len(data) >= 4:
            at = 4 * random.randrange(len(data) // 4)
            struct.pack_into("<f", data, at, random.choice(FLOATS))


def remove_span(random, data):
    start, end = pick_span(random, len(data))
    del data[start:end]


def repeat_span(random, data):
    start, end = pick_span(random, len(data))
    data[end:end] = data[start:end] * random.choice([1, 1, 2, 10])


def move_span(random, data):
    start, end = pick_span(random, len(data))
    span = bytes(data[start:end])
    del data[start:end]
    at = random.randrange(len(data) + 1)
    data[at:at] = span


def insert_noise(random, data):
    at = random.randrange(len(data) + 1)
    data[at:at] = random.randbytes(random.choice([1, 2, 3, 4, 8, 100]))


def truncate(random, data):
    del data[
        random.choice(
            [random.randrange(len(data) + 1), max(0, len(data) - random.randint(1, 64))]
        ) :
    ]


def double(random, data):
    data += data[random.choice([0, 0, random.randrange(len(data) + 1)]) :]


OPERATIONS = [
    flip_bits,
    write_bytes,
    write_integer,
    write_float,
    remove_span,
    repeat_span,
    move_span,
    insert_noise,
    truncate,
    double,
]


def mutate(random, data, names):
    """Change the bytearray `data` in one way, and note which."""
    if data:
        operation = random.choice(OPERATIONS)
        names.append(operation.__name__)
        operation(random, data)
