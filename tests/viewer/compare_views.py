#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How two viewports of a screenshot differ.

Usage: compare_views.py PICTURE.png STATE.json A B [OTHER.png]: prints the part of pixels that differ
by more than 8 of 255 in any channel, the number of different colors in A, and the part that differs
at all. B is taken from the other screenshot of the same size, if there is one. Corners with text are
left out.
"""
import json
import struct
import sys
import zlib

TEXT_ROWS = 48  # at the top and at the foot


def unfilter(rows, stride, step):
    """Undo the filters of PNG, row by row."""
    before = bytearray(stride)
    for start in range(0, len(rows), stride + 1):
        kind, row = rows[start], bytearray(rows[start + 1:start + 1 + stride])
        for i in range(stride if kind else 0):
            left = row[i - step] if i >= step else 0
            corner = before[i - step] if i >= step else 0
            guess = [0, left, before[i], (left + before[i]) // 2, 0][kind]
            if kind == 4:
                near = left + before[i] - corner
                guess = min((left, before[i], corner), key=lambda value: abs(near - value))
            row[i] = (row[i] + guess) & 255
        before = row
        yield row


def read_png(path):
    data = open(path, "rb").read()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", data[at + 8:at + 18])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    assert depth == 8 and color in (2, 6)
    step = 3 if color == 2 else 4
    return step, list(unfilter(zlib.decompress(packed), width * step, step))


def crop(picture, rect):
    step, rows = picture
    x, y, width, height = (int(value) for value in rect)
    return [bytes(rows[row][x * step:(x + width) * step])
            for row in range(y + TEXT_ROWS, y + height - TEXT_ROWS)], step


def main():
    picture = read_png(sys.argv[1])
    other = read_png(sys.argv[5]) if len(sys.argv) > 5 else picture
    controls = json.load(open(sys.argv[2]))["controls"]
    (a, step), (b, _) = (crop(source, controls["view_" + name])
                         for source, name in zip((picture, other), sys.argv[3:5]))
    pixels, different, changed, colors = 0, 0, 0, set()
    for row_a, row_b in zip(a, b):
        for i in range(0, len(row_a), step):
            pixel = row_a[i:i + 3]
            colors.add(pixel)
            pixels += 1
            other_pixel = row_b[i:i + 3]
            different += any(abs(p - q) > 8 for p, q in zip(pixel, other_pixel))
            changed += pixel != other_pixel
    print(f"{different / pixels:.5f} {len(colors)} {changed / pixels:.7f}")


main()
