# SPDX-License-Identifier: MIT
"""Damage models, run pelt on them, check that it answers as promised: tools/torture --help."""
import argparse
import collections
import multiprocessing
import os
import pathlib
import resource
import select
import shlex
import shutil
import sys
import tempfile
import time

import cases
import checks
import models

MEGABYTE = 1 << 20
PROMISED_SIZE = MEGABYTE  # bounds of memory and time are promised for inputs up to this
PROMISED_MEMORY = 512 * MEGABYTE
PROMISED_SECONDS = 10

settings = None  # of the workers: arguments, models and environment


class Settings:
    def __init__(self, arguments, found):
        self.pelt, self.seed, self.keep = (
            os.path.abspath(arguments.pelt),
            arguments.seed,
            os.path.abspath(arguments.keep),
        )
        self.models, self.commands = found, arguments.commands.split(",")
        self.is_sanitized = b"__asan_init" in pathlib.Path(arguments.pelt).read_bytes()
        # A sanitizer takes several times as long and as much.
        self.seconds = PROMISED_SECONDS * (4 if self.is_sanitized else 1)


def read_arguments():
    parser = argparse.ArgumentParser(
        prog="tools/torture",
        description="Damage models by their format, make others whose counts and numbers are "
        "extreme, and run pelt on them. Each run has to "
        "end within bounds of time and memory, with a documented exit code, one sentence when it "
        "is not 0, "
        "no sanitizer report, no file left behind, and no NaN in what it wrote.",
    )
    parser.add_argument(
        "--models",
        action="append",
        metavar="DIR",
        help="folder of models, may be given again; default: "
        "PELT_MODELS or ../shared/models, and what assimp-testmodels installs",
    )
    parser.add_argument("--count", type=int, default=500, help="runs; default 500")
    parser.add_argument(
        "--pelt",
        default="build/pelt",
        help="program to run; default build/pelt. One with AddressSanitizer "
        "finds more, one without has its memory measured",
    )
    parser.add_argument(
        "--seed", default="1", help="other seeds, other damage; the same seed, the same"
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count(), help="runs at a time; default: one per core"
    )
    parser.add_argument(
        "--only", type=int, metavar="N", help="run number N alone, and keep its files"
    )
    parser.add_argument(
        "--kinds",
        default=",".join(cases.SHARES),
        help="what to damage, with commas between; default: all, %(default)s",
    )
    parser.add_argument(
        "--commands",
        default=",".join(cases.COMMAND_NAMES),
        help="commands to run, info among them; default: all, %(default)s",
    )
    parser.add_argument(
        "--max-size",
        type=int,
        default=300000,
        help="bytes of the largest model to take; default 300000",
    )
    parser.add_argument(
        "--shape-size",
        type=int,
        default=1000000,
        help="bytes of the largest shape to make: small ones take less time; default 1000000",
    )
    parser.add_argument(
        "--keep",
        default="build-torture",
        metavar="DIR",
        help="where inputs of failed runs go; default build-torture",
    )
    return parser.parse_args()


def find_folders(arguments):
    if arguments.models:
        return arguments.models
    root = pathlib.Path(__file__).resolve().parents[2]
    choices = [
        os.environ.get("PELT_MODELS") or root.parent / "shared" / "models",
        "/usr/share/assimp/models",
    ]
    return [folder for folder in choices if os.path.isdir(folder)]


def make_environment(kind, isa):
    environment = {
        name: value for name, value in os.environ.items() if not name.endswith("SAN_OPTIONS")
    }
    environment["PELT_ISA"] = isa
    if settings.is_sanitized:
        # What a crash inside assimp becomes is pelt's to say; one in pelt itself is never caught.
        handlers = (
            ""
            if kind == "other"
            else ":handle_segv=2:handle_sigbus=2:handle_sigfpe=2:handle_abort=2"
        )
        # Drivers keep what they allocate until the end, and assimp leaks by itself.
        leaks = "0" if kind in ("other", "picture") else "1"
        environment["ASAN_OPTIONS"] = (
            f"allocator_may_return_null=1:hard_rss_limit_mb=4096:detect_leaks={leaks}" + handlers
        )
    return environment


def run(arguments, kind, isa):
    """Exit code (negative: a signal), usage, stdout and stderr of pelt in the current folder."""
    actions = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0)]
    for number, name in ((1, "stdout"), (2, "stderr")):
        actions.append(
            (os.POSIX_SPAWN_OPEN, number, name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        )
    pid = os.posix_spawn(
        settings.pelt, ["pelt", *arguments], make_environment(kind, isa), file_actions=actions
    )
    if not settings.is_sanitized:
        # Past what is promised, and short of what would bring the machine down.
        resource.prlimit(pid, resource.RLIMIT_AS, (8192 * MEGABYTE, 8192 * MEGABYTE))
    limit = 3 * settings.seconds
    resource.prlimit(pid, resource.RLIMIT_CPU, (limit, limit))
    # The processor's time decides; the clock on the wall only stops what sleeps forever.
    handle = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    if not poll.poll(20 * settings.seconds * 1000):
        os.kill(pid, 9)
    os.close(handle)
    _, status, usage = os.wait4(pid, 0)
    texts = [
        pathlib.Path(name).read_bytes().decode("utf-8", "replace") for name in ("stdout", "stderr")
    ]
    return os.waitstatus_to_exitcode(status), usage, *texts


def check_bounds(case, usage):
    """Memory and time, where they are promised."""
    if sum(len(data) for data in case.files.values()) > PROMISED_SIZE:
        return None
    seconds = usage.ru_utime + usage.ru_stime
    if seconds > settings.seconds:
        return f"took {seconds:.1f} s"
    if not settings.is_sanitized and usage.ru_maxrss * 1024 > PROMISED_MEMORY:
        return f"took {usage.ru_maxrss / 1024:.0f} MB"
    return None


def read_back(case):
    """What pelt wrote, pelt reads."""
    code, _, _, err = run(["info", "out/" + case.output], case.model.kind, case.isa)
    return None if code == 0 else f"exit 0 and an output that is not read back: {err.strip()[:200]}"


def write_files(folder, files):
    for name, data in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)


def keep_case(case, reason, err):
    folder = os.path.join(settings.keep, f"case-{case.index:06d}")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "out"))
    write_files(os.path.join(folder, "in"), case.files)
    words = shlex.join([settings.pelt, *case.arguments])
    command = f"cd {shlex.quote(folder)} && PELT_ISA={case.isa} {words}"
    pathlib.Path(folder, "what").write_text(
        f"{reason}\n{case.model.name}: {', '.join(case.names)}\n{command}\n\n{err}"
    )
    return command


def run_case(index):
    """One case: number, kind, exit code, what is wrong or None, command to repeat it."""
    case = cases.make_case(index, settings.seed, settings.models, settings.commands)
    for folder in ("in", "out"):
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
    write_files("in", case.files)
    code, usage, out, err = run(
        case.arguments,
        "picture" if case.arguments[0] in ("render", "compare") else case.model.kind,
        case.isa,
    )
    reason = check_bounds(case, usage) or checks.check_run(case, code, out, err)
    if (
        reason is None
        and code == 0
        and case.arguments[0] in ("convert", "enhance")
        and index % 3 == 0
    ):
        reason = read_back(case)
    command = keep_case(case, reason, err) if reason else None
    return index, case.model.kind, code, reason, command


def start_worker(shared, scratch):
    global settings
    settings = shared
    sys.setrecursionlimit(20000)
    os.chdir(tempfile.mkdtemp(dir=scratch))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_all(shared, numbers, jobs, scratch):
    """Failures in order, and how often each kind ended with each exit code."""
    failures, endings = [], collections.Counter()
    with multiprocessing.Pool(jobs, start_worker, (shared, scratch)) as pool:
        for index, kind, code, reason, command in pool.imap_unordered(
            run_case, numbers, chunksize=4
        ):
            endings[kind, code] += 1
            if reason:
                failures.append((index, reason))
                print(f"FAILED  {index} ({kind}): {reason}\n        {command}", flush=True)
    return sorted(failures), endings


def main():
    arguments = read_arguments()
    with tempfile.TemporaryDirectory(prefix="torture-") as scratch:
        made = os.path.join(scratch, "made")
        os.mkdir(made)
        found = models.make_models(os.path.abspath(arguments.pelt), made, arguments.max_size)
        found += models.list_shapes(arguments.shape_size)
        for folder in find_folders(arguments):
            found += models.read_folder(folder, arguments.max_size)
        found = [model for model in found if model.kind in arguments.kinds.split(",")]
        shared = Settings(arguments, found)
        numbers = range(arguments.count) if arguments.only is None else [arguments.only]
        start = time.monotonic()
        failures, endings = run_all(shared, numbers, arguments.jobs, scratch)
        seconds = time.monotonic() - start
    for kind in sorted({kind for kind, _ in endings}):
        row = ", ".join(
            f"exit {code}: {n}" for (k, code), n in sorted(endings.items()) if k == kind
        )
        print(f"{kind:10} {row}")
    print(
        f"{len(numbers)} runs on {len(found)} models, seed {arguments.seed}, {seconds:.0f} s: "
        f"{len(failures)} failed" + (f"; their files are in {arguments.keep}" if failures else "")
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
