"""Runs the recipe of docs/training.md for TRL, and gives the rows that reached the loss: `check_trl.py tokens|turns`.

The recipe is run as the page has it, with a model and a tokenizer; only what the page leaves to the defaults is set: a
CPU, one epoch, no reports. `turns` reads the text of the turns instead of the tokens, as the page says below it.
"""

import sys

from small_model import answer, make_model, make_tokenizer, need, rows_of, versions

need("torch", "datasets", "peft", "trl")
import trl  # noqa: E402

seen = []


class SeenTrainer(trl.SFTTrainer):
    def compute_loss(self, model, inputs, *args, **kwargs):
        seen.extend(rows_of(inputs))
        return super().compute_loss(model, inputs, *args, **kwargs)


Config = trl.SFTConfig
trl.SFTTrainer = SeenTrainer
trl.SFTConfig = lambda **given: Config(
    **given, use_cpu=True, bf16=False, num_train_epochs=1, report_to="none", save_strategy="no", disable_tqdm=True
)
recipe = open("recipe.py").read()
if sys.argv[1] == "turns":
    for old, new in {
        '"parquet", data_files="tokens.parquet"': '"json", data_files="turns.jsonl"',
        '["input_ids", "labels"]': '["prompt", "completion"]',
    }.items():
        assert old in recipe, old
        recipe = recipe.replace(old, new)
tokenizer = make_tokenizer()
exec(recipe, {"model": make_model(tokenizer), "tokenizer": tokenizer})
answer(versions=versions("trl", "transformers", "datasets", "peft", "torch"), rows=seen)
