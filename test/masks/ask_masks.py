# Answers a line each: {"tokenizer", "pieces"} in, {"ids", "mask"} out, by transformers' own
# `return_assistant_tokens_mask`. The pieces are written one after the other; every second one is of the assistant.
# Or {"tokenizer", "template", "messages"}: messages by a chat template that has the tags itself.
import json
import sys

import transformers
from transformers import PreTrainedTokenizerFast

TEMPLATE = (
    "{%- for piece in pieces -%}{%- if loop.index0 % 2 == 1 -%}{% generation %}{{- piece -}}{% endgeneration %}"
    "{%- else -%}{{- piece -}}{%- endif -%}{%- endfor -%}"
)
known = {}
print(json.dumps({"version": transformers.__version__}))
for line in sys.stdin:
    asked = json.loads(line)
    path = asked["tokenizer"]
    if path not in known:
        known[path] = PreTrainedTokenizerFast(tokenizer_file=path)
    answer = known[path].apply_chat_template(
        asked.get("messages", [{"role": "user", "content": ""}]),
        chat_template=asked.get("template", TEMPLATE),
        pieces=asked.get("pieces"),
        bos_token="<|endoftext|>",
        tokenize=True,
        return_dict=True,
        return_assistant_tokens_mask=True,
    )
    print(json.dumps({"ids": list(answer["input_ids"]), "mask": list(answer["assistant_masks"])}))
