"""What the checks share: the small tokenizer of test/masks, a model of one layer for it, and answers to run.mjs."""

import importlib
import json
import sys
from importlib.metadata import PackageNotFoundError, version


def answer(**members):
    print(json.dumps(members))
    sys.exit(0)


def need(*modules):
    """Ends with the first module that cannot be imported."""
    for name in modules:
        try:
            importlib.import_module(name)
        except Exception as error:  # Some complain of a GPU when they are imported.
            answer(missing=f"{name} cannot be imported: {type(error).__name__}: {str(error)[:200]}")


def versions(*packages):
    found = {}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "from its sources"
    return found


def make_tokenizer():
    """Its EOS is the end token of the dialect, as in the models of that dialect."""
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(
        tokenizer_file="tokenizer.json", eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )


def make_model(tokenizer):
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=2,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
    )
    return LlamaForCausalLM(config)


def rows_of(batch):
    """The rows of a batch, without what was added to fill it up, of which nothing may be learnt."""
    rows = []
    for ids, mask, labels in zip(*(batch[name].tolist() for name in ("input_ids", "attention_mask", "labels"))):
        assert all(label == -100 for label, kept in zip(labels, mask) if kept == 0), labels
        kept = [at for at, one in enumerate(mask) if one == 1]
        rows.append({"input_ids": [ids[at] for at in kept], "labels": [labels[at] for at in kept]})
    return rows
