"""Ray Data on a file of JSON lines, as docs/scale.md has it: `python3 ray_rows.py <input> <output> <cpus> [<way>]`.

Prints a line of JSON: the seconds of the conversion, without the start of Ray, and the load of the machine after it.
`cold`: the first pipeline of a new cluster whose worker processes have started; it also starts Ray Data's own actors, and
workers import what they need.
`warm`: on a cluster that has run a first pipeline.
`actors`: as `cold`, with the class in actors instead of an object in tasks.
`identity`: as `warm`, but the rows are written as they are, without a filter: what Ray itself takes.
Where DRAGOMAN_WATCHED names a folder, each worker writes the process id of its filter to a file there that is named by
its own, so that a test can kill both.
"""

import contextlib
import json
import os
import sys
import time

import ray
from dragoman.batches import FilterFiles, line_ranges, read_range


ARGUMENTS = ["convert", "--from", "openai", "--to", "anthropic"]


def name_filter(folder, process_id):
    """The file is renamed when it is complete: whoever reads it never finds it empty."""
    path = os.path.join(folder, str(os.getpid()))
    with open(path + ".new", "w") as file:
        file.write(str(process_id))
    os.replace(path + ".new", path)


class WatchedFiles(FilterFiles):
    @contextlib.contextmanager
    def _running(self):
        with super()._running() as self._seen:
            yield self._seen

    def __getstate__(self):
        return {**super().__getstate__(), "_seen": None}

    def __call__(self, batch):
        folder = os.environ.get("DRAGOMAN_WATCHED")
        for table in super().__call__(batch):
            child = self._seen._child
            if folder and child:
                name_filter(folder, child.process.pid)
            yield table


class SameRows:
    """Rows as FilterFiles gives them, from the same reads, without a filter."""

    def __call__(self, batch):
        import pyarrow
        from dragoman.batches import _string_array

        for path, start, end in zip(*[batch.column(name).to_pylist() for name in ("path", "start", "end")]):
            for text in read_range(path, start, end, step=8 << 20):
                yield pyarrow.table({"text": _string_array([text])})


def work_a_moment():
    time.sleep(0.05)
    return os.getpid()


def main(source, target, cpus, way="cold"):
    ray.init(num_cpus=cpus, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    # `ray.init` comes back before the processes of its workers have started.
    started = set()
    while len(started) < cpus:
        started.update(ray.get([ray.remote(work_a_moment).remote() for _ in range(cpus)]))
    if way in ("warm", "identity"):
        ray.data.range(cpus, override_num_blocks=cpus).map_batches(lambda batch: batch).write_parquet(target + ".first")
    start = time.time()
    parts = ray.data.from_items(line_ranges([source]))
    if way == "actors":
        pool = {"concurrency": cpus, "num_cpus": 0.5, "max_restarts": -1, "max_task_retries": -1}
        done = parts.map_batches(
            WatchedFiles, fn_constructor_args=(ARGUMENTS,), batch_format="pyarrow", batch_size=1, **pool
        )
    else:
        same_or_converted = SameRows() if way == "identity" else WatchedFiles(ARGUMENTS)
        done = parts.map_batches(same_or_converted, batch_format="pyarrow", batch_size=1)
    # Rows are unique: a dictionary of them costs time and saves nothing.
    done.write_parquet(target, use_dictionary=False)
    print(json.dumps({"seconds": time.time() - start, "load": os.getloadavg()[0]}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:])
