"""Gives the file to unsloth's own `sft_prepare_dataset`, with the collator that it chooses.

DRAGOMAN_UNSLOTH_ZOO names the folder unsloth_zoo of its sources. Its `dataset_utils.py` is loaded alone: the package
asks for a GPU when it is imported.
"""

import importlib.util
import os
import re
from types import SimpleNamespace

from small_model import answer, make_model, make_tokenizer, need, rows_of, versions

need("torch", "datasets", "transformers")
folder = os.environ.get("DRAGOMAN_UNSLOTH_ZOO")
if folder is None:
    answer(missing="DRAGOMAN_UNSLOTH_ZOO does not name its sources")
spec = importlib.util.spec_from_file_location("dataset_utils", os.path.join(folder, "dataset_utils.py"))
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
release = re.search(r'__version__ = "(.*)"', open(os.path.join(folder, "__init__.py")).read())[1]

from datasets import load_dataset  # noqa: E402

tokenizer = make_tokenizer()
data = load_dataset("parquet", data_files="tokens.parquet", split="train").select_columns(["input_ids", "labels"])
trainer = SimpleNamespace(model=make_model(tokenizer))
args = SimpleNamespace(max_length=4096, dataset_text_field="text", remove_unused_columns=True)
prepared = module.sft_prepare_dataset(trainer, data, tokenizer, args, False, None, "train")
rows = list(prepared)
seen = [row for at in range(0, len(rows), 4) for row in rows_of(trainer.data_collator(rows[at : at + 4]))]
answer(versions={"unsloth_zoo": release, **versions("transformers", "datasets")}, rows=seen)
