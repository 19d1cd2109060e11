#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether a glTF file has everything that another one has.

Usage: gltf_same.py [--longer] [--without MEMBER]... SOURCE COPY

Both files are written out as trees in which every accessor and image is a digest of its own bytes,
wherever these lie, so that containers, buffers and views may differ and nothing else. MEMBER is a
list at the root that the copy may lack, or lack items of, such as animations; or a vertex attribute,
which the copy may also have alone. With --longer lists of the copy may go on after those of the
source, and nodes may get their first children.
Members that only the copy has are allowed when their names begin with _PELT_ or pelt_.
"""
import base64
import hashlib
import json
import os
import struct
import sys
import urllib.parse

SIZES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


class File:
    def __init__(self, path):
        self.folder = os.path.dirname(path)
        data = open(path, "rb").read()
        self.chunk = b""
        text = data
        if data[:4] == b"glTF":
            size = struct.unpack_from("<I", data, 12)[0]
            text = data[20:20 + size]
            if len(data) > 20 + size:
                length = struct.unpack_from("<I", data, 20 + size)[0]
                self.chunk = data[28 + size:28 + size + length]
        self.json = json.loads(text)
        self.buffers = {}

    def uri(self, uri):
        if uri.startswith("data:"):
            return base64.b64decode(uri[uri.index(",") + 1:])
        path = os.path.join(self.folder, urllib.parse.unquote(uri))
        return open(path, "rb").read() if os.path.exists(path) else uri.encode()

    def buffer(self, index):
        if index not in self.buffers:
            uri = self.json["buffers"][index].get("uri")
            self.buffers[index] = self.chunk if uri is None else self.uri(uri)
        return self.buffers[index]

    def view(self, index):
        """The bytes of a view; of a compressed one, those that it is made of."""
        view = self.json["bufferViews"][index]
        extensions = view.get("extensions", {})
        packed = [extensions[name] for name in extensions if name.endswith("meshopt_compression")]
        view = packed[0] if packed else view
        start = view.get("byteOffset", 0)
        return self.buffer(view["buffer"])[start:start + view["byteLength"]]

    def accessor(self, index):
        accessor = dict(self.json["accessors"][index])
        size = SIZES[accessor["componentType"]] * WIDTHS[accessor["type"]]
        content = b""
        if "bufferView" in accessor:
            view = self.json["bufferViews"][accessor.pop("bufferView")]
            data = self.view(self.json["accessors"][index]["bufferView"])
            offset = accessor.pop("byteOffset", 0)
            if "extensions" in view:
                content = data + str(offset).encode()
            else:
                stride = view.get("byteStride", size)
                content = b"".join(data[offset + i * stride:offset + i * stride + size]
                                   for i in range(accessor["count"]))
        for part in accessor.get("sparse", {}).values():
            if isinstance(part, dict):
                content += self.view(part["bufferView"])[part.get("byteOffset", 0):]
        accessor.pop("sparse", None)
        accessor["content"] = hashlib.sha256(content).hexdigest()
        return accessor

    def image(self, image):
        image = dict(image)
        uri = image.pop("uri", "")
        content = self.view(image.pop("bufferView")) if "bufferView" in image else self.uri(uri)
        # Only pictures are copied; any other file stays a name.
        is_picture = content[:4] in (b"\x89PNG", b"RIFF", b"\xabKTX") or content[:2] == b"\xff\xd8"
        content = content if is_picture else uri.encode()
        image.pop("mimeType", None)
        image["content"] = hashlib.sha256(content).hexdigest()
        return image

    def tree(self):
        root = {key: value for key, value in self.json.items()
                if key not in ("buffers", "bufferViews", "accessors")}
        root["images"] = [self.image(image) for image in self.json.get("images", [])]
        for mesh in root.get("meshes", []):
            for part in mesh["primitives"]:
                for owner in [part["attributes"]] + part.get("targets", []):
                    for name in owner:
                        owner[name] = self.accessor(owner[name])
                if "indices" in part:
                    part["indices"] = self.accessor(part["indices"])
                draco = part.get("extensions", {}).get("KHR_draco_mesh_compression")
                if draco:
                    content = self.view(draco["bufferView"])
                    draco["bufferView"] = hashlib.sha256(content).hexdigest()
        for skin in root.get("skins", []):
            if "inverseBindMatrices" in skin:
                skin["inverseBindMatrices"] = self.accessor(skin["inverseBindMatrices"])
        for clip in root.get("animations", []):
            for sampler in clip["samplers"]:
                sampler["input"] = self.accessor(sampler["input"])
                sampler["output"] = self.accessor(sampler["output"])
        return root


def is_own(name):
    return name.startswith("_PELT_") or name.startswith("pelt_")


LONGER = "--longer"


def compare(a, b, path, without):
    """Sentences on what of a is not in b."""
    if isinstance(a, dict) and isinstance(b, dict):
        found = []
        for key in a:
            if key in without:
                continue
            if key not in b:
                found.append(f"{path}/{key} is missing")
            else:
                found += compare(a[key], b[key], f"{path}/{key}", without)
        return found + [f"{path}/{key} is new" for key in b if key not in a and not is_own(key) and
                        key not in without and not (LONGER in without and key == "children") and
                        not (key == "extras" and all(map(is_own, b[key])))]
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b) and not (LONGER in without and len(a) < len(b)):
            return [f"{path} has {len(b)} items instead of {len(a)}"]
        return [s for i in range(len(a)) for s in compare(a[i], b[i], f"{path}/{i}", without)]
    same = a == b and isinstance(a, bool) == isinstance(b, bool)
    return [] if same else [f"{path} is {b} instead of {a}"]


def main():
    arguments, without = sys.argv[1:], set()
    while arguments[0] in ("--without", LONGER):
        is_longer = arguments[0] == LONGER
        without.add(arguments[0 if is_longer else 1])
        arguments = arguments[1 if is_longer else 2:]
    found = compare(File(arguments[0]).tree(), File(arguments[1]).tree(), "", without)
    for sentence in found[:20]:
        print(sentence)
    sys.exit(1 if found else 0)


main()
