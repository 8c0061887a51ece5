"""Rows from `read_json` and `read_parquet` through FilterBatches, to `write_parquet`: `python3 ray_tables.py <folder>`.

Converts there and back in actors, and to one sample a turn in tasks; and calls whose arguments have different keys, which
Parquet merges into one struct. Ends with 1 if a row is lost, doubled or changed.
"""

import json
import os
import sys

import ray
from dragoman.batches import FilterBatches

ROWS = 500


def row(number):
    messages = [{"role": "user", "content": f"Question {number} \u2028"}, {"role": "assistant", "content": "Answer"}]
    return {"id": number, "messages": messages * turns_of(number)}


def turns_of(number):
    return 1 + number % 3


def arguments_of(number):
    return [{"city": f"Oslo {number}"}, {"days": number, "in": {"unit": "C"}}][number % 2]


def row_with_call(number):
    call = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": arguments_of(number)}}
    return {"id": number, "messages": [{"role": "user", "content": "?"}, {"role": "assistant", "tool_calls": [call]}]}


def convert(rows, source, target, json_columns=()):
    return rows.map_batches(
        FilterBatches,
        fn_constructor_args=(["convert", "--from", source, "--to", target],),
        fn_constructor_kwargs={"output": "columns", "bad": "raise", "json_columns": json_columns},
        batch_format="pyarrow",
        batch_size=100,
        concurrency=1,
        num_cpus=0.5,
    )


def main(folder):
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    source = os.path.join(folder, "tables.jsonl")
    with open(source, "w", encoding="utf8") as file:
        file.writelines(json.dumps(row(number), ensure_ascii=False) + "\n" for number in range(ROWS))
    there = os.path.join(folder, "there")
    back = os.path.join(folder, "back")
    convert(ray.data.read_json(source), "openai", "sharegpt").write_parquet(there)
    convert(ray.data.read_parquet(there), "sharegpt", "openai", ["conversations"]).write_parquet(back)
    rows = sorted(ray.data.read_parquet(back).take_all(), key=lambda one: one["id"])
    found = [{"id": one["id"], "messages": json.loads(one["messages"])} for one in rows]
    if found != [row(number) for number in range(ROWS)]:
        sys.exit(f"{len(found)} rows, the first is {found[:1]}")
    per_turn = FilterBatches(["convert", "--from", "openai", "--to", "prompt:hermes", "--per-turn"], output="columns")
    samples = ray.data.read_json(source).map_batches(per_turn, batch_format="pyarrow", batch_size=100).take_all()
    turns = sorted((one["id"], one["turn"]) for one in samples)
    if turns != [(number, turn + 1) for number in range(ROWS) for turn in range(turns_of(number))]:
        sys.exit(f"{len(turns)} samples of turns, the first are {turns[:5]}")
    calls = os.path.join(folder, "calls")
    ray.data.from_items([row_with_call(number) for number in range(ROWS)]).write_parquet(calls)
    converted = convert(ray.data.read_parquet(calls), "openai", "anthropic").take_all()
    rows = sorted(converted, key=lambda one: one["id"])
    inputs = [json.loads(one["messages"])[1]["content"][0]["input"] for one in rows]
    if inputs != [arguments_of(number) for number in range(ROWS)]:
        sys.exit(f"{len(inputs)} calls, the first have the arguments {inputs[:2]}")
    print(json.dumps({"rows": len(found), "samples": len(turns)}))


if __name__ == "__main__":
    main(sys.argv[1])
