"""Prints the microseconds that a text of a batch takes: for test/python-batch.alone.test.ts."""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

import dragoman  # noqa: E402

texts = [line.replace("\\n", "\n") for line in sys.stdin.read().split("\n")]
list(dragoman.parse_batch("hermes", texts))
best = float("inf")
for _ in range(5):
    start = time.perf_counter()
    calls = sum(len(answer.calls) for answer in dragoman.parse_batch("hermes", texts))
    best = min(best, time.perf_counter() - start)
    assert calls == len(texts)
print(best / len(texts) * 1e6)
