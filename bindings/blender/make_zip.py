# SPDX-License-Identifier: MIT
"""Makes the add-on: make_zip.py WHEEL ZIP puts the package of the wheel into it."""
import os
import pathlib
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
wheel, path = sys.argv[1:3]
os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
with zipfile.ZipFile(wheel) as package, zipfile.ZipFile(path + ".tmp", "w", zipfile.ZIP_DEFLATED) as out:
    for file in sorted((HERE / "pelt_blender").glob("*.py")):
        out.write(file, f"pelt_blender/{file.name}")
    for entry in package.infolist():
        if entry.filename.startswith("pelt/"):
            content, entry.filename = package.read(entry), "pelt_blender/" + entry.filename
            out.writestr(entry, content)
os.replace(path + ".tmp", path)
print(path)
