# SPDX-License-Identifier: MIT
"""Makes the add-on of Blender 3.4 to 4.1, a zip file, and the folder of the extension for later ones.

Usage: make_zip.py LIBRARY FOLDER; LIBRARY is libpelt_python.so of a build without assimp and Draco. The libraries
that it needs and official builds of Blender do not have come along, next to it.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
SHARED = re.compile(r"lib(jansson|z|meshoptimizer)\.so")


def files(library):
    """{name: content}"""
    found = {path.name: path for path in (HERE / "pelt_blender").glob("*.py")}
    found["LICENSE"] = HERE.parent.parent / "LICENSE"
    found.update({f"pelt/{path.name}": path for path in (HERE.parent / "python" / "pelt").glob("*.py")})
    found["pelt/_native/libpelt_python.so"] = library
    needed = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    for name, path in re.findall(r"^\s*(\S+) => (\S+)", needed, re.MULTILINE):
        if SHARED.match(name):
            found[f"pelt/_native/{name}"] = path
            package = "zlib1g" if name.startswith("libz.") else name.split(".")[0] + "[0-9]*"
            for terms in pathlib.Path("/usr/share/doc").glob(f"{package}/copyright"):
                found[f"pelt/_native/{name}.copyright"] = terms
    return {name: pathlib.Path(path).read_bytes() for name, path in sorted(found.items())}


def main(library, folder):
    folder = pathlib.Path(folder)
    extension = folder / "extension"
    shutil.rmtree(extension, ignore_errors=True)
    contents = files(library)
    contents_of_extension = {**contents, "blender_manifest.toml":
                             (HERE / "pelt_blender" / "blender_manifest.toml").read_bytes()}
    for name, content in contents_of_extension.items():
        (extension / name).parent.mkdir(parents=True, exist_ok=True)
        (extension / name).write_bytes(content)
    path = folder / "pelt_blender.zip"
    with zipfile.ZipFile(str(path) + ".tmp", "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in contents.items():
            out.writestr(zipfile.ZipInfo(f"pelt_blender/{name}", (2020, 1, 1, 0, 0, 0)), content,
                         zipfile.ZIP_DEFLATED)
    os.replace(str(path) + ".tmp", path)
    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
