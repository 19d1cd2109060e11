#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How two viewports of a screenshot differ.

Usage: compare_views.py PICTURE.png STATE.json A B CONDITION [OTHER.png]: ends with 0 if the condition
holds, in which `part` of the pixels differ by more than 8 of 255 in any channel, `changed` of them by
anything, and A has `colors` different ones. B is taken from the other screenshot of the same size,
if there is one. Corners with text are left out.
"""
import itertools
import json
import struct
import sys
import zlib

TEXT_ROWS = 48  # at the top and at the foot


def undo_average(row, before, step):
    for i in range(len(row)):
        left = row[i - step] if i >= step else 0
        row[i] = (row[i] + (left + before[i]) // 2) & 255


def undo_paeth(row, before, step):
    for i in range(step):
        row[i] = (row[i] + before[i]) & 255
    for i in range(step, len(row)):
        left, above, corner = row[i - step], before[i], before[i - step]
        by_left, by_above = above - corner, left - corner  # how far the sum of both is from each
        by_corner = abs(by_left + by_above)
        by_left, by_above = abs(by_left), abs(by_above)
        if by_left <= by_above and by_left <= by_corner:
            row[i] = (row[i] + left) & 255
        else:
            row[i] = (row[i] + (above if by_above <= by_corner else corner)) & 255


def unfilter(rows, stride, step):
    """Undo the filters of PNG, row by row."""
    before = bytearray(stride)
    for start in range(0, len(rows), stride + 1):
        kind, row = rows[start], bytearray(rows[start + 1:start + 1 + stride])
        if kind == 1:
            for i in range(step):
                row[i::step] = bytes(sum & 255 for sum in itertools.accumulate(row[i::step]))
        elif kind == 2:
            row = bytearray((a + b) & 255 for a, b in zip(row, before))
        elif kind == 3:
            undo_average(row, before, step)
        elif kind == 4:
            undo_paeth(row, before, step)
        before = row
        yield row


def read_png(path, height):
    """The size of a pixel, and the upper rows."""
    data = open(path, "rb").read()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, _, depth, color = struct.unpack(">IIBB", data[at + 8:at + 18])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    assert depth == 8 and color in (2, 6)
    step = 3 if color == 2 else 4
    return step, list(itertools.islice(unfilter(zlib.decompress(packed), width * step, step), height))


def crop(picture, rect):
    step, rows = picture
    x, y, width, height = rect
    return [bytes(rows[row][x * step:(x + width) * step])
            for row in range(y + TEXT_ROWS, y + height - TEXT_ROWS)], step


def main():
    controls = json.load(open(sys.argv[2]))["controls"]
    rects = [[int(value) for value in controls["view_" + name]] for name in sys.argv[3:5]]
    foot = max(rect[1] + rect[3] for rect in rects) - TEXT_ROWS
    picture = read_png(sys.argv[1], foot)
    other = read_png(sys.argv[6], foot) if len(sys.argv) > 6 else picture
    (a, step), (b, _) = (crop(source, rect) for source, rect in zip((picture, other), rects))
    pixels, different, changed, colors = 0, 0, 0, set()
    for row_a, row_b in zip(a, b):
        for i in range(0, len(row_a), step):
            pixel, other_pixel = row_a[i:i + 3], row_b[i:i + 3]
            colors.add(pixel)
            pixels += 1
            if pixel != other_pixel:
                changed += 1
                different += any(abs(p - q) > 8 for p, q in zip(pixel, other_pixel))
    figures = {"part": different / pixels, "colors": len(colors), "changed": changed / pixels}
    print(figures)
    sys.exit(not eval(sys.argv[5], figures))


main()
