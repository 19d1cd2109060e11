# SPDX-License-Identifier: MIT
# A PNG file decoded after its specification, compared with raw RGBA: FILE.png FILE.raw WIDTH HEIGHT
import struct
import sys
import zlib


def chunks(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    while at < len(data):
        (size,) = struct.unpack(">I", data[at:at + 4])
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + size]
        (crc,) = struct.unpack(">I", data[at + 8 + size:at + 12 + size])
        assert crc == zlib.crc32(kind + body), kind
        yield kind, body
        at += 12 + size


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def unfilter(raw, width, height, step):
    rows, before = [], bytearray(width * step)
    for y in range(height):
        start = y * (width * step + 1)
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + width * step])
        for i in range(len(row)):
            a = row[i - step] if i >= step else 0
            b, c = before[i], before[i - step] if i >= step else 0
            row[i] = (row[i] + (0, a, b, (a + b) // 2, paeth(a, b, c))[kind]) & 255
        rows.append(row)
        before = row
    return rows


png, raw = (open(name, "rb").read() for name in sys.argv[1:3])
width, height = (int(text) for text in sys.argv[3:5])
found = list(chunks(png))
assert found[0][0] == b"IHDR" and found[-1] == (b"IEND", b"")
w, h, depth, color, _, _, interlace = struct.unpack(">IIBBBBB", found[0][1])
assert (w, h, depth, interlace) == (width, height, 8, 0) and color in (2, 6)
assert (b"sRGB", b"\0") in found and (b"tEXt", b"Software\0pelt") in found
step = 3 if color == 2 else 4
data = zlib.decompress(b"".join(body for kind, body in found if kind == b"IDAT"))
for y, row in enumerate(unfilter(data, width, height, step)):
    for x in range(width):
        pixel = bytes(row[x * step:x * step + step]) + (b"\xff" if step == 3 else b"")
        at = 4 * (y * width + x)
        assert pixel == raw[at:at + 4], (x, y, pixel, raw[at:at + 4])
