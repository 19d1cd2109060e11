# SPDX-License-Identifier: MIT
"""Damage to binary FBX whose records still say correctly where they end, and some that do not."""
import struct
import zlib

import mutate_bytes
from mutate_bytes import pick_float, pick_integer

HEADER_SIZE = 27
SCALARS = {"C": "<B", "B": "<B", "Z": "<B", "Y": "<h", "I": "<i", "F": "<f", "D": "<d", "L": "<q"}
ARRAYS = {"b": "<B", "c": "<B", "i": "<i", "l": "<q", "f": "<f", "d": "<d"}


class Record:
    """A node: values are pairs of type and bytes; those of arrays are unpacked where that works."""

    def __init__(self, name, values, children, has_end):
        self.name, self.values, self.children, self.has_end = name, values, children, has_end
        self.is_lying = False  # written with a wrong end, count or size


def read_value(data, at):
    kind = chr(data[at])
    at += 1
    if kind in SCALARS:
        size = struct.calcsize(SCALARS[kind])
        return (kind, data[at : at + size]), at + size
    if kind in "SR":
        (size,) = struct.unpack_from("<I", data, at)
        return (kind, data[at + 4 : at + 4 + size]), at + 4 + size
    count, is_packed, size = struct.unpack_from("<III", data, at)
    at += 12
    size = size if is_packed else count * struct.calcsize(ARRAYS[kind])
    body = data[at : at + size]
    return (kind, zlib.decompress(body) if is_packed else body), at + size


def read_records(data, at, end, word):
    records = []
    has_end = False
    while at < end:
        stop, count, size = struct.unpack_from("<" + word * 3, data, at)
        at += 3 * struct.calcsize(word)
        length = data[at]
        if stop == 0:
            has_end = True
            break
        name = data[at + 1 : at + 1 + length]
        at += 1 + length
        values = []
        for _ in range(count):
            value, at = read_value(data, at)
            values.append(value)
        children, child_end = read_records(data, at, stop, word)
        records.append(Record(name, values, children, child_end))
        at = stop
    return records, has_end


def parse(data):
    """Version and records of a file; raises when it is not what this knows."""
    (version,) = struct.unpack_from("<I", data, 23)
    records, _ = read_records(data, HEADER_SIZE, len(data), "Q" if version >= 7500 else "I")
    return version, records


def pack_value(random, kind, body):
    if kind in SCALARS:
        return kind.encode() + body
    if kind in "SR":
        return kind.encode() + struct.pack("<I", len(body)) + body
    count = len(body) // struct.calcsize(ARRAYS.get(kind, "<B"))
    packed = zlib.compress(body, 1) if len(body) > 128 and random.random() < 0.5 else None
    stored = body if packed is None else packed
    return kind.encode() + struct.pack("<III", count, packed is not None, len(stored)) + stored


def pack_records(random, records, at, word, has_end):
    out = bytearray()
    for record in records:
        values = b"".join(pack_value(random, kind, body) for kind, body in record.values)
        head = 3 * struct.calcsize(word) + 1 + len(record.name)
        inside = pack_records(
            random, record.children, at + len(out) + head + len(values), word, record.has_end
        )
        numbers = [
            at + len(out) + head + len(values) + len(inside),
            len(record.values),
            len(values),
        ]
        if record.is_lying:
            numbers[random.randrange(3)] = random.choice(
                [0, 1, numbers[0] + 1, numbers[0] - 1, abs(pick_integer(random))]
            )
        limit = 1 << 8 * struct.calcsize(word)
        out += struct.pack("<" + word * 3, *[number % limit for number in numbers])
        out += bytes([len(record.name)]) + record.name + values + inside
    if has_end:
        out += bytes(3 * struct.calcsize(word) + 1)
    return bytes(out)


def list_records(records, out):
    for record in records:
        out.append((records, record))
        list_records(record.children, out)
    return out


# ---------------------------------------------------------------------------------------------
# Changes of one record, given the list that holds it and all records of the file


def remove(random, holder, record, everything):
    holder.remove(record)


def repeat(random, holder, record, everything):
    holder.extend([record] * random.choice([1, 2, 20, 500 if len(record.children) < 3 else 2]))


def move(random, holder, record, everything):
    # A copy, since a record inside itself would have no end.
    _, target = random.choice(everything)
    target.children = target.children + [Record(record.name, record.values, [], False)]
    target.has_end = True


def rename(random, holder, record, everything):
    record.name = random.choice([random.choice(everything)[1].name, b"", b"A" * 255])


def wrap(random, holder, record, everything):
    inner = record
    for _ in range(random.choice([1, 3, 63, 70, 400])):
        inner = Record(record.name, record.values[:1], [inner], True)
    holder[holder.index(record)] = inner


def change_kind(random, holder, record, everything):
    if record.values:
        at = random.randrange(len(record.values))
        kind, body = record.values[at]
        new = random.choice("CBZYIFDLSRbcilfdX")
        size = struct.calcsize(SCALARS[new]) if new in SCALARS else len(body)
        record.values[at] = (new, (body + bytes(8))[:size] if new in SCALARS else body)


def change_count(random, holder, record, everything):
    if record.values and random.random() < 0.5:
        del record.values[random.randrange(len(record.values))]
    else:
        record.values = record.values * random.choice([2, 3, 200]) or [("I", bytes(4))]


def pack_number(random, form):
    if form[1] in "fd":
        try:
            return struct.pack(form, random.choice([pick_float(random), 1e300, -1e300]))
        except OverflowError:
            return struct.pack(form, 3.4e38)
    size = struct.calcsize(form)
    return (pick_integer(random) % (1 << 8 * size)).to_bytes(size, "little")


def change_values(random, holder, record, everything):
    """Numbers that no program writes; arrays longer and shorter than their use."""
    if not record.values:
        return
    at = random.randrange(len(record.values))
    kind, body = record.values[at]
    if kind in SCALARS:
        record.values[at] = (kind, pack_number(random, SCALARS[kind]))
    elif kind in "SR":
        body = bytearray(body or b"x")
        mutate_bytes.mutate(random, body, [])
        record.values[at] = (kind, bytes(body))
    elif kind in ARRAYS:
        size = struct.calcsize(ARRAYS[kind])
        body = bytearray(body)
        for _ in range(random.choice([1, 1, 5, 50])):
            if len(body) >= size:
                slot = size * random.randrange(len(body) // size)
                body[slot : slot + size] = pack_number(random, ARRAYS[kind])
        shape = random.random()
        if shape < 0.15:
            del body[size * random.randrange(len(body) // size + 1) :]
        elif shape < 0.3:
            body += body * random.choice([1, 3, 50])
        elif shape < 0.33:
            body = bytearray(random.choice([1 << 20, 8 << 20]))
        record.values[at] = (kind, bytes(body[: 16 << 20]))


def swap_values(random, holder, record, everything):
    _, other = random.choice(everything)
    record.values, other.values = other.values, record.values


def connect(random, holder, record, everything):
    """Objects of the wrong kinds, cycles among them, and ones that do not exist."""
    links = [r for _, r in everything if r.name == b"C" and len(r.values) >= 3]
    if links:
        link, other = random.choice(links), random.choice(links)
        number = random.choice(
            [other.values[1], other.values[2], ("L", bytes(8)), ("L", random.randbytes(8))]
        )
        link.values[random.choice([1, 2])] = number


def lie(random, holder, record, everything):
    record.is_lying = True


OPERATIONS = [
    remove,
    remove,
    repeat,
    move,
    rename,
    wrap,
    change_kind,
    change_count,
    change_values,
    change_values,
    change_values,
    change_values,
    swap_values,
    connect,
    connect,
    connect,
    lie,
]


def mutate(random, data, times, names):
    """The file after `times` changes; with changed bytes when it cannot be taken apart."""
    try:
        version, records = parse(data)
    except (struct.error, zlib.error, IndexError, KeyError):
        out = bytearray(data)
        mutate_bytes.mutate(random, out, names)
        return bytes(out)
    for _ in range(times):
        everything = list_records(records, [])
        if everything:
            holder, record = random.choice(everything)
            operation = random.choice(OPERATIONS)
            names.append(operation.__name__)
            operation(random, holder, record, everything)
    if random.random() < 0.05:
        version = random.choice([6100, 7000, 7300, 7400, 7500, 7700, 0, 2**32 - 1])
        names.append("change_version")
    body = pack_records(random, records, HEADER_SIZE, "Q" if version >= 7500 else "I", True)
    return data[:23] + struct.pack("<I", version) + body
