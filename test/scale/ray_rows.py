"""Ray Data on a file of JSON lines, as docs/scale.md has it: `python3 ray_rows.py <input> <output> <cpus>`.

Prints a line of JSON: the seconds of the conversion, without the start of Ray, and the load of the machine after it.
Where DRAGOMAN_WATCHED names a folder, each actor writes the process id of its filter to a file there that is named by
its own, so that a test can kill both.
"""

import json
import os
import sys
import time

import ray
from dragoman.batches import FilterFiles, line_ranges


class WatchedFiles(FilterFiles):
    def __call__(self, batch):
        folder = os.environ.get("DRAGOMAN_WATCHED")
        for table in super().__call__(batch):
            child = self._filter._child
            if folder and child:
                with open(os.path.join(folder, str(os.getpid())), "w") as file:
                    file.write(str(child.process.pid))
            yield table


def main(source, target, cpus):
    ray.init(num_cpus=cpus, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    start = time.time()
    parts = ray.data.from_items(line_ranges([source]))
    done = parts.map_batches(
        WatchedFiles,
        fn_constructor_args=(["convert", "--from", "openai", "--to", "anthropic"],),
        batch_format="pyarrow",
        batch_size=1,
        concurrency=cpus,
        num_cpus=0.5,
        max_restarts=-1,
        max_task_retries=-1,
    )
    done.write_parquet(target)
    print(json.dumps({"seconds": time.time() - start, "load": os.getloadavg()[0]}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
