# SPDX-License-Identifier: MIT
"""Texture files decoded after their specifications, compared with their words.

Usage: texture_outside.py FILE WORDS TEXEL WIDTH HEIGHT, where WORDS is a file of little-endian
words and TEXEL rgba32ui, rgba16ui or rgba8ui. The extension of FILE is its format; a tiled EXR
file without compression, of one tile, is what exrmaketiled makes of one."""
import struct
import sys
import zlib

CHANNEL_SIZE = {"rgba32ui": 4, "rgba16ui": 2, "rgba8ui": 1}


def ktx2(data, texel, width, height):
    """KTX File Format Specification 2.0 and Khronos Data Format Specification 1.3."""
    size = CHANNEL_SIZE[texel]
    assert data[:12] == b"\xabKTX 20\xbb\r\n\x1a\n"
    assert struct.unpack_from("<9I", data, 12) == (
        {4: 107, 2: 95, 1: 41}[size], size, width, height, 0, 0, 1, 1, 0)
    dfd, dfd_size, notes, notes_size = struct.unpack_from("<4I", data, 48)
    assert struct.unpack_from("<2Q", data, 64) == (0, 0)
    start, length, plain = struct.unpack_from("<3Q", data, 80)
    assert length == plain == 4 * size * width * height and start + length == len(data)
    assert start % max(4, 4 * size) == 0 and dfd == 104 and dfd % 4 == 0
    assert notes == dfd + dfd_size and start - notes - notes_size < 16
    total, vendor, version, block, model, primaries, transfer, flags = struct.unpack_from(
        "<IIHHBBBB", data, dfd)
    assert (total, vendor, version, block) == (dfd_size, 0, 2, 24 + 16 * 4)
    assert (model, primaries, transfer, flags) == (1, 1, 1, 0)
    assert data[dfd + 16:dfd + 28] == bytes(4) + bytes([4 * size]) + bytes(7)
    for i, channel in enumerate((0, 1, 2, 15)):
        assert struct.unpack_from("<HBBIII", data, dfd + 28 + 16 * i) == (
            8 * size * i, 8 * size - 1, channel, 0, 0, 1)
    (pair_size,) = struct.unpack_from("<I", data, notes)
    pair = data[notes + 4:notes + 4 + pair_size]
    assert pair.startswith(b"KTXwriter\0pelt ") and pair.endswith(b"\0")
    return data[start:]


def dds(data, texel, width, height):
    """DDS_HEADER and DDS_HEADER_DXT10 of Direct3D."""
    size = CHANNEL_SIZE[texel]
    assert data[:4] == b"DDS " and data[84:88] == b"DX10"
    assert struct.unpack_from("<7I", data, 4) == (124, 0x100F, height, width, 4 * size * width, 0, 0)
    assert struct.unpack_from("<2I", data, 76) == (32, 4)
    assert struct.unpack_from("<I", data, 108) == (0x1000,)
    assert struct.unpack_from("<5I", data, 128) == ({4: 3, 2: 12, 1: 30}[size], 3, 0, 1, 0)
    return data[148:]


def png(data, texel, width, height):
    """ISO/IEC 15948, rows without filters."""
    found, at = [], 8
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size) == (zlib.crc32(kind + body),)
        found.append((kind, body))
        at += 12 + size
    assert [kind for kind, _ in found] == [b"IHDR", b"IDAT", b"IEND"]
    depth = 8 if texel == "rgba8ui" else 16
    width *= 2 if texel == "rgba32ui" else 1
    assert struct.unpack(">IIBBBBB", found[0][1]) == (width, height, depth, 6, 0, 0, 0)
    rows, out = zlib.decompress(found[1][1]), b""
    step = width * depth // 2 + 1
    for y in range(height):
        assert rows[y * step] == 0
        row = bytearray(rows[y * step + 1:(y + 1) * step])
        if depth == 16:
            row[0::2], row[1::2] = row[1::2], row[0::2]
        out += row
    return out


def exr_attributes(data):
    at, found = 8, {}
    while data[at]:
        name = data[at:data.index(0, at)]
        at += len(name) + 1
        kind = data[at:data.index(0, at)]
        at += len(kind) + 1
        (size,) = struct.unpack_from("<I", data, at)
        found[name.decode()] = (kind.decode(), data[at + 4:at + 4 + size])
        at += 4 + size
    return found, at + 1


def exr_unpack(packed, size):
    if len(packed) == size:
        return packed
    split = bytearray(zlib.decompress(packed))
    for i in range(1, len(split)):
        split[i] = (split[i] + split[i - 1] - 128) & 255
    half = (len(split) + 1) // 2
    return bytes(split[i // 2 + (i % 2) * half] for i in range(len(split)))


def exr(data, texel, width, height):
    """OpenEXR File Layout."""
    magic, version = struct.unpack_from("<2I", data, 0)
    is_tiled = version == 2 | 0x200
    assert magic == 20000630 and (version == 2 or is_tiled)
    found, at = exr_attributes(data)
    names = b"".join(name + struct.pack("<BIIII", 0, 0, 0, 1, 1) for name in (b"A", b"B", b"G", b"R"))
    assert found["channels"] == ("chlist", names + b"\0")
    window = ("box2i", struct.pack("<4i", 0, 0, width - 1, height - 1))
    assert found["dataWindow"] == window and found["displayWindow"] == window
    assert found["lineOrder"] == ("lineOrder", b"\0")
    lines, size = [], 16 * width
    if is_tiled:
        assert found["compression"] == ("compression", b"\0")
        (start,) = struct.unpack_from("<Q", data, at)
        assert struct.unpack_from("<5I", data, start) == (0, 0, 0, 0, size * height)
        lines = [data[start + 20 + y * size:start + 20 + (y + 1) * size] for y in range(height)]
    else:
        assert found["compression"] == ("compression", b"\2")
        for y in range(height):
            (start,) = struct.unpack_from("<Q", data, at + 8 * y)
            line, packed = struct.unpack_from("<2I", data, start)
            assert line == y
            lines.append(exr_unpack(data[start + 8:start + 8 + packed], size))
    out = b""
    for line in lines:
        values = struct.unpack(f"<{4 * width}I", line)
        for x in range(width):
            for c in (3, 2, 1, 0):  # R, G, B, A
                out += values[c * width + x].to_bytes(CHANNEL_SIZE[texel], "little")
    return out


def raw(data, *_):
    return data


path, texel = sys.argv[1], sys.argv[3]
width, height = (int(text) for text in sys.argv[4:6])
file, words = (open(name, "rb").read() for name in (path, sys.argv[2]))
decode = {"ktx2": ktx2, "dds": dds, "png": png, "exr": exr, "raw": raw}[path.rsplit(".", 1)[1]]
assert decode(file, texel, width, height) == words, path
