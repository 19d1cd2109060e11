#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What SARIF 2.1.0 (OASIS) asks of the members that pelt doctor writes.

Usage: check_sarif.py FILE...
"""
import json
import re
import sys

# RFC 3986: characters allowed in the path of a relative reference.
PATH = re.compile(r"([A-Za-z0-9\-._~!$&'()*+,;=@/]|%[0-9A-F]{2})+")


def check_object(value, required, optional=()):
    """An object with these members and no others, which section 3 knows by these names."""
    assert isinstance(value, dict), value
    assert set(required) <= set(value) <= set(required) | set(optional), sorted(value)


def check_message(value):
    check_object(value, ["text"])  # 3.11.8, 3.12.3
    assert isinstance(value["text"], str) and value["text"]


def check_location(location):
    check_object(location, ["physicalLocation"], ["logicalLocations"])  # 3.28
    physical = location["physicalLocation"]
    check_object(physical, ["artifactLocation", "region"])  # 3.29
    check_object(physical["artifactLocation"], ["uri"])  # 3.4.3
    assert PATH.fullmatch(physical["artifactLocation"]["uri"])
    check_object(physical["region"], ["startLine"])  # 3.30.5: counted from 1
    assert physical["region"]["startLine"] >= 1
    for logical in location.get("logicalLocations", []):
        check_object(logical, ["name", "kind"])  # 3.33
        assert all(isinstance(text, str) for text in logical.values())


def check_result(result, rules):
    check_object(result, ["message"],
                 ["ruleId", "ruleIndex", "level", "locations", "properties"])  # 3.27
    check_message(result["message"])
    assert result["level"] in ("none", "note", "warning", "error")  # 3.27.10
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]  # 3.27.6
    assert isinstance(result["properties"], dict)
    for location in result["locations"]:
        check_location(location)


def check_log(log):
    check_object(log, ["version", "runs"], ["$schema"])  # 3.13
    assert log["version"] == "2.1.0"
    for run in log["runs"]:
        check_object(run, ["tool"], ["results"])  # 3.14
        check_object(run["tool"], ["driver"])  # 3.18
        driver = run["tool"]["driver"]
        check_object(driver, ["name"], ["version", "rules"])  # 3.19
        assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
        for rule in driver["rules"]:
            check_object(rule, ["id"], ["shortDescription", "help"])  # 3.49
            check_message(rule["shortDescription"])
            check_message(rule["help"])
        for result in run["results"]:
            check_result(result, driver["rules"])


for path in sys.argv[1:]:
    check_log(json.load(open(path)))
