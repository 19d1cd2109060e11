#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks every #include of the repository against the table of docs/includes.md, and every include
guard against the name of its file.

Usage: include_arrows_test.py SOURCE [TABLE], where TABLE replaces docs/includes.md.
"""
import pathlib
import re
import sys

ROW = re.compile(r"^\| `([^`]+)` \|(.*)\|(.*)\|$")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
ANYTHING = "everything"


class Row:
    def __init__(self, path, arrows, libraries):
        self.path = path
        self.may_include_all = ANYTHING in arrows
        self.arrows = re.findall(r"`([^`]+)`", arrows)
        self.libraries = re.findall(r"`([^`]+)`", libraries)


def read_table(page):
    rows = [Row(*match.groups()) for match in map(ROW.match, page.read_text().splitlines()) if match]
    return {row.path: row for row in rows}


def read_includes(source):
    """{file: [(is_system, name)]}, without build folders and what starts with a dot."""
    includes = {}
    for path in sorted(source.rglob("*.[ch]*")):
        name = path.relative_to(source).as_posix()
        if path.suffix in (".c", ".h", ".cpp", ".hpp") and not re.match(r"build|\.", name):
            text = path.read_text()
            includes[name] = [(mark == "<", what) for mark, what in INCLUDE.findall(text)]
    return includes


def resolve(includer, name, files):
    """As the compiler does: relative to the file, else in the one folder that has it."""
    path = pathlib.PurePosixPath(includer).parent / name
    parts = []
    for part in path.parts:
        parts = parts[:-1] if part == ".." else parts + [part]
    if "/".join(parts) in files:
        return "/".join(parts)
    return next((file for file in files if file.endswith("/" + name)), None)


def row_of(file, table):
    """The row with the longest path that is the file or a folder around it."""
    paths = [path for path in table if file == path or file.startswith(path + "/")]
    return table[max(paths, key=len)] if paths else None


def reach(path, table, seen=()):
    """All that a row may include: its arrows, and what these may include."""
    if path in seen:
        return None
    paths = {path}
    for arrow in table[path].arrows:
        behind = reach(arrow, table, (*seen, path))
        if behind is None:
            return None
        paths |= behind
    return paths


def find_cycle(graph):
    """A list of files that include each other, or an empty one."""
    done, path = set(), []

    def visit(file):
        if file in path:
            return path[path.index(file):] + [file]
        if file in done:
            return []
        path.append(file)
        for target in graph[file]:
            cycle = visit(target)
            if cycle:
                return cycle
        done.add(path.pop())
        return []

    return next(filter(None, map(visit, graph)), [])


def check_table(table):
    for row in table.values():
        for arrow in row.arrows:
            if arrow not in table:
                yield f"the table lets {row.path} include {arrow}, which has no row"
                return
        if reach(row.path, table) is None:
            yield f"the table has a cycle through {row.path}"
            return


def check_files(includes, table):
    used = set()
    libraries = {library for row in table.values() for library in row.libraries}
    for file, names in includes.items():
        row = row_of(file, table)
        if row is None:
            yield f"{file}: its folder has no row in the table"
            continue
        for is_system, name in names:
            target = resolve(file, name, includes)
            library = next((one for one in libraries if re.match(re.escape(one) + r"\b", name)), "")
            if target is None and library and library not in row.libraries:
                if not row.may_include_all:
                    yield f"{file} includes <{name}>, but {row.path} may not use {library}"
            if target is None and not library and not is_system:
                yield f"{file} includes {name}, which is not in the repository"
            if target is None:
                used.add((row.path, library))
                continue
            to = row_of(target, table)
            used.add((row.path, to.path if to else ""))
            if to and not row.may_include_all and to.path not in reach(row.path, table):
                yield f"{file} includes {target}, but {row.path} may not include {to.path}"
    for row in table.values():
        for arrow in row.arrows + row.libraries:
            if (row.path, arrow) not in used:
                yield f"the table lets {row.path} include {arrow}, and no file of it does"


def check_guards(source, files):
    for file in files:
        guard = re.search(r"^#ifndef (\w+)\n#define \1$", (source / file).read_text(), re.MULTILINE)
        name = re.sub(r"\W", "_", pathlib.PurePosixPath(file).name).upper()
        if file.endswith(".h") and guard and not re.fullmatch(f"(PELTI?_)?{name}", guard[1]):
            yield f"{file}: the guard {guard[1]} is not named after the file"


def main():
    source = pathlib.Path(sys.argv[1])
    page = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else source / "docs/includes.md"
    table, includes = read_table(page), read_includes(source)
    problems = list(check_table(table)) or list(check_files(includes, table))
    problems += check_guards(source, includes)
    cycle = find_cycle({file: [target for _, name in names
                               if (target := resolve(file, name, includes))]
                        for file, names in includes.items()})
    if cycle:
        problems.append("files include each other: " + " -> ".join(cycle))
    print("\n".join(problems))
    print(f"{len(includes)} files, {len(table)} rows, problems: {len(problems)}")
    return 1 if problems or len(includes) < 100 else 0


sys.exit(main())
