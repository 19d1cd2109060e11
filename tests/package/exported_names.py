#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Functions of the public headers against the dynamic symbols of the libraries.

Usage: exported_names.py CC INCLUDE LIBRARY...
"""
import pathlib
import re
import subprocess
import sys


def declared_names(compiler, headers):
    """Functions that headers declare and do not define."""
    includes = "".join(f'#include "{header}"\n' for header in headers)
    text = subprocess.run([compiler, "-std=c17", "-E", "-P", "-x", "c", "-"], check=True,
                          input=includes, capture_output=True, text=True).stdout
    while re.search(r"\{[^{}]*\}", text):
        text = re.sub(r"\{[^{}]*\}", " BODY;", text)
    # Attributes have parentheses of their own.
    text = re.sub(r"__attribute__\s*\(\([^;]*?\)\)+", " ", text)
    statements = [one for one in text.split(";") if not re.search(r"\b(BODY|typedef)\b", one)]
    names = (re.match(r"[\w\s*]*?\b(pelti?_\w+)\s*\(", one) for one in statements)
    return {match.group(1) for match in names if match}


def exported_names(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return {line.split()[-1] for line in lines}


def main():
    compiler, include, libraries = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    declared = declared_names(compiler, sorted((include / "pelt").glob("*.h")))
    owners = {}
    problems = []
    for library in libraries:
        for name in exported_names(library):
            if name in owners:
                problems.append(f"{name}: in {owners[name]} and in {library}")
            owners[name] = library
    problems += [f"{name}: declared, not exported" for name in sorted(declared - set(owners))]
    problems += [f"{name}: exported by {owners[name]}, in no header"
                 for name in sorted(set(owners) - declared)]
    print("\n".join(problems))
    print(f"{len(declared)} declared, {len(owners)} exported, problems: {len(problems)}")
    return 1 if problems or len(declared) < 50 else 0


sys.exit(main())
