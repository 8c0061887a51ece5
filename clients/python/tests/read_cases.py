"""Reads cases from standard input, a JSON list a line, and prints their events: for test/python.e2e.test.ts."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import dragoman  # noqa: E402

for line in sys.stdin:
    case = json.loads(line)
    options = {"thinking": case.get("thinking", False), "policies": case.get("policies")}
    parser = dragoman.Parser(case["dialect"], case.get("tools"), **options)
    events = [parser.feed(piece) for piece in case["pieces"]] + [parser.finish()]
    answer = dragoman.parse(case["dialect"], "".join(case["pieces"]), case.get("tools"), **options)
    for end in (event for some in events for event in some if event["type"] == "call-end"):
        # The input is the value of `raw`, with every digit. JSON.parse would lose some.
        assert end.pop("input") == json.loads(end["raw"]), end
    print(json.dumps({"events": events, "calls": [[call.name, call.raw] for call in answer.calls]}))
