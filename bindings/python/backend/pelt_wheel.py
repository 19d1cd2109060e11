# SPDX-License-Identifier: MIT
"""Builds the wheel of pelt from a finished build; it needs nothing but Python.

As a program: pelt_wheel.py BUILD FOLDER. As the build backend of pip (pyproject.toml) it takes the build
from PELT_BUILD, or from the folder `build` of the repository.
"""
import base64
import hashlib
import os
import pathlib
import platform
import re
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent.parent
DATE = (2020, 1, 1, 0, 0, 0)  # The same input gives the same wheel.


def _version():
    return re.search(r'__version__ = "(.*)"', (HERE / "pelt" / "_library.py").read_text()).group(1)


def _metadata():
    return (f"Metadata-Version: 2.1\nName: pelt\nVersion: {_version()}\n"
            "Summary: Skinned characters that deform well\nLicense: MIT\nRequires-Python: >=3.9\n"
            "Requires-Dist: numpy\nDescription-Content-Type: text/markdown\n\n"
            + (HERE / "README.md").read_text())


def _tag():
    return f"py3-none-linux_{platform.machine()}"


def _files(build):
    """{name in the wheel: (content, is a program)}"""
    native = {name: build / name for name in ("libpelt_python.so", "pelt")}
    for path in native.values():
        if not path.exists():
            raise SystemExit(f"pelt_wheel: there is no {path}; run `make python` in the folder of pelt first")
    files = {f"pelt/{path.name}": (path.read_bytes(), False) for path in sorted((HERE / "pelt").iterdir())
             if path.suffix in (".py", ".typed") or path.name == "py.typed"}
    for name, path in native.items():
        files[f"pelt/_native/{name}"] = (path.read_bytes(), True)
    info = f"pelt-{_version()}.dist-info"
    files[f"{info}/METADATA"] = (_metadata().encode(), False)
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: pelt\nRoot-Is-Purelib: false\nTag: {_tag()}\n"
                              .encode(), False)
    files[f"{info}/LICENSE"] = ((HERE.parent.parent / "LICENSE").read_bytes(), False)
    rows = []
    for name, (content, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        rows.append(f"{name},sha256={digest},{len(content)}\n")
    files[f"{info}/RECORD"] = ("".join(rows + [f"{info}/RECORD,,\n"]).encode(), False)
    return files


def _write(folder, build):
    name = f"pelt-{_version()}-{_tag()}.whl"
    path = pathlib.Path(folder) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file, (content, is_program) in _files(build).items():
            entry = zipfile.ZipInfo(file, DATE)
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
    os.replace(temporary, path)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = os.environ.get("PELT_BUILD", HERE.parent.parent / "build")
    return _write(wheel_directory, pathlib.Path(build))


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("pelt_wheel: there is no source distribution; `make python` builds the wheel")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: pelt_wheel.py BUILD FOLDER")
    print(pathlib.Path(sys.argv[2]) / _write(sys.argv[2], pathlib.Path(sys.argv[1]).resolve()))
