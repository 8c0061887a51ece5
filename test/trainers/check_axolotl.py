"""Loads the file with axolotl's own functions, as its configuration in docs/training.md says, with its collator behind."""

from small_model import answer, make_tokenizer, need, rows_of, versions

need("torch", "datasets", "yaml", "axolotl.utils.data", "axolotl.utils.collators")
import yaml  # noqa: E402
from axolotl.utils.collators import DataCollatorForSeq2Seq  # noqa: E402
from axolotl.utils.data import prepare_datasets  # noqa: E402
from axolotl.utils.dict import DictDefault  # noqa: E402


def main():
    recipe = yaml.safe_load(open("recipe.yaml"))
    cfg = DictDefault(
        **recipe,
        sequence_len=4096,
        min_sample_len=2,
        dataset_prepared_path="prepared",
        dataset_num_proc=1,
        val_set_size=0,
        num_epochs=1,
        micro_batch_size=2,
        gradient_accumulation_steps=1,
        batch_size=2,
        world_size=1,
        seed=1,
        tokenizer_config="small",
    )
    tokenizer = make_tokenizer()
    train, _, steps, _ = prepare_datasets(cfg, tokenizer)
    assert steps > 0, steps
    collate = DataCollatorForSeq2Seq(tokenizer, return_tensors="pt")
    columns = ["input_ids", "attention_mask", "labels"]
    rows = [dict(row) for row in train.select_columns(columns)]
    seen = [row for at in range(0, len(rows), 4) for row in rows_of(collate(rows[at : at + 4]))]
    answer(versions=versions("axolotl", "transformers", "datasets"), rows=seen)


# The processes that prepare the data import this file.
if __name__ == "__main__":
    main()
