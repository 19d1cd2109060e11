#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the findings of `pelt batch ... -- doctor`, on GitHub as annotations, and joins them as SARIF.

Usage: annotate_findings.py FOLDER [SARIF]
"""
import json
import os
import pathlib
import sys

COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def escape(text):
    """As workflow commands of GitHub want it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def print_finding(path, finding, is_github):
    severity, message = finding["severity"], finding["message"]
    if is_github:
        place = escape(path).replace(",", "%2C").replace(":", "%3A")
        print(f"::{COMMANDS[severity]} file={place},title=pelt {finding['kind']}::{escape(message)}")
    elif severity != "note":
        print(f"{path}: {severity}: {message} [{finding['kind']}]")


def result_of(path, finding):
    return {"ruleId": finding["kind"], "level": finding["severity"],
            "message": {"text": f"{finding['message']}. {finding.get('advice') or ''}".strip()},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": path.replace(os.sep, "/")}}}]}


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    is_github = os.environ.get("GITHUB_ACTIONS") == "true"
    results = []
    for job in report["jobs"]:
        path = os.path.normpath(job["input"])
        findings = []
        if job["output"]:
            findings = json.loads((folder / job["output"]).read_text(encoding="utf-8"))["findings"]
        elif job["failed"]:
            findings = [{"kind": "unreadable", "severity": "error", "message": job["message"]}]
        for finding in findings:
            print_finding(path, finding, is_github)
            results.append(result_of(path, finding))
    if len(sys.argv) == 3 and sys.argv[2]:
        rules = [{"id": kind} for kind in sorted({result["ruleId"] for result in results})]
        log = {"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
               "runs": [{"tool": {"driver": {"name": "pelt", "version": report["pelt"], "rules": rules}},
                         "results": results}]}
        pathlib.Path(sys.argv[2]).write_text(json.dumps(log, indent=2) + "\n", encoding="utf-8")


main()
