#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plots how far a bent elbow bulges and a twisted one collapses, over the angle, by each method.

Usage: bulge.py [CHARACTER [JOINT]] -o PLOT.svg; without a character a tube with two joints.
"""
import argparse

import numpy as np
import pelt

COLORS = {"lbs": "#0072b2", "dqs": "#d55e00", "crs": "#009e73"}


def make_tube(rings=60, sides=24, radius=0.15):
    """A tube along x from -1 to 1 with a joint in its middle; weights blend over a radius."""
    x, angle = np.meshgrid(np.linspace(-1, 1, rings), np.arange(sides) * 2 * np.pi / sides, indexing="ij")
    positions = np.stack([x, radius * np.cos(angle), radius * np.sin(angle)], -1).reshape(-1, 3)
    i, k = np.meshgrid(np.arange(rings - 1), np.arange(sides), indexing="ij")
    a, b = i * sides + k, i * sides + (k + 1) % sides
    triangles = np.stack([a, b, a + sides, b, b + sides, a + sides], -1).reshape(-1, 3)
    upper = np.clip(0.5 + positions[:, 0] / (2 * radius), 0, 1)
    return pelt.Skin(positions, triangles, np.stack([1 - upper, upper], -1)).solve(centers=True), positions


def rotation(axis, degrees):
    """About x or z, as 4 x 4."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1]] if axis == "x" else
                    [[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])


def measure_tube(angles):
    """Largest distance to the bone over the radius when bent, and smallest when twisted: {method: 2 x N}."""
    skin, rest = make_tube()
    radius = np.hypot(rest[0, 1], rest[0, 2])
    curves = {}
    for method in COLORS:
        rows = []
        for axis in "zx":
            poses = np.stack([[np.eye(4), rotation(axis, a)] for a in angles])
            moved = skin.deform(poses, method)
            c, s = np.cos(np.radians(angles))[:, None], np.sin(np.radians(angles))[:, None]
            along = [moved[..., 0], moved[..., 0] * c + moved[..., 1] * s if axis == "z" else moved[..., 0]]
            bones = [np.where(along[0] < 0, along[0], 0), np.where(along[1] > 0, along[1], 0)]
            heads = [np.stack([bones[0], 0 * bones[0], 0 * bones[0]], -1),
                     np.stack([bones[1] * c, bones[1] * s, 0 * bones[1]], -1) if axis == "z" else
                     np.stack([bones[1], 0 * bones[1], 0 * bones[1]], -1)]
            distance = np.minimum(*(np.linalg.norm(moved - head, axis=-1) for head in heads))
            rows.append(distance.max(1) / radius if axis == "z" else distance.min(1) / radius)
        curves[method] = np.array(rows)
    return curves, ["bend: largest distance to the bone / radius", "twist: least distance / radius"]


def measure_character(path, joint, angles):
    hero = pelt.load(path).solve(centers=True)
    joint = joint or hero.nodes[hero.joints()[len(hero.joints()) // 2]]
    curves = {}
    for method in COLORS:
        found = [pelt.metrics(hero, hero.pose().rotate(joint, [0, 0, 1], a), method) for a in angles]
        curves[method] = np.array([[m["bulge"].max for m in found], [m["collapse"].max for m in found]])
    return curves, [f"{joint}: largest bulge in meters", "largest collapse"]


def write_plot(path, angles, curves, titles):
    width, height, margin = 420, 300, 50
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * width}" height="{height}" '
           'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>']
    for panel, title in enumerate(titles):
        low = min(curve[panel].min() for curve in curves.values())
        high = max(curve[panel].max() for curve in curves.values())
        high += (high == low) * 1e-6
        left = panel * width + margin

        def point_at(angle, value):
            x = left + (width - 2 * margin) * (angle - angles[0]) / (angles[-1] - angles[0])
            return f"{x:.1f},{height - margin - (height - 2 * margin) * (value - low) / (high - low):.1f}"

        svg.append(f'<text x="{left}" y="24">{title}</text>'
                   f'<path d="M{point_at(angles[0], high)} L{point_at(angles[0], low)} L{point_at(angles[-1], low)}" '
                   'fill="none" stroke="#888"/>')
        svg += [f'<text x="{left - 44}" y="{height - margin}">{low:.3g}</text>',
                f'<text x="{left - 44}" y="{margin + 4}">{high:.3g}</text>',
                f'<text x="{left}" y="{height - margin + 18}">{angles[0]:.0f}°</text>',
                f'<text x="{left + width - 2 * margin - 20}" y="{height - margin + 18}">{angles[-1]:.0f}°</text>']
        for row, (method, curve) in enumerate(curves.items()):
            points = " ".join(point_at(angle, value) for angle, value in zip(angles, curve[panel]))
            svg.append(f'<polyline points="{points}" fill="none" stroke="{COLORS[method]}" stroke-width="2"/>'
                       f'<text x="{left + 60 * row}" y="{height - 12}" fill="{COLORS[method]}">{method}</text>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(svg) + "\n</svg>\n")


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("character", nargs="?")
parser.add_argument("joint", nargs="?")
parser.add_argument("-o", "--output", required=True)
arguments = parser.parse_args()
degrees = np.linspace(0, 150, 31)
if arguments.character:
    found_curves, names = measure_character(arguments.character, arguments.joint, degrees)
else:
    found_curves, names = measure_tube(degrees)
write_plot(arguments.output, degrees, found_curves, names)
for name, values in found_curves.items():
    print(f"{name}: " + ", ".join(f"{title} {row[-1]:.3f} at 150 degrees" for title, row in zip(names, values)))
