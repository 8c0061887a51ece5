# Renders chat templates and reads answers as transformers does. Requests are lines of JSON on stdin, answers on stdout.
#
#   {"template", "request", "variables", "generate", "now"}   ->  {"text"}      render_jinja_template
#   {"responseTemplate", "prompt", "answer", "tools"}         ->  {"message"}   parse_response
#
# What transformers raises is {"error"}. The first line is {"version"}. See transformers.mjs.

import json
import os
import sys
from datetime import datetime

os.environ["TRANSFORMERS_VERBOSITY"] = "error"

import transformers
from transformers.utils import chat_template_utils


class Clock(datetime):
    """The clock of `strftime_now`."""

    told = None

    @classmethod
    def now(cls, tz=None):
        return cls.told


chat_template_utils.datetime = Clock


def render(asked):
    if "now" in asked:
        Clock.told = datetime.fromisoformat(asked["now"].replace("Z", "+00:00"))
    request = asked["request"]
    texts, _ = chat_template_utils.render_jinja_template(
        conversations=[[given(message) for message in request["messages"]]],
        tools=request.get("tools") or None,
        chat_template=asked["template"],
        add_generation_prompt=asked.get("generate", True),
        **asked.get("variables", {}),
    )
    return {"text": texts[0]}


def given(message):
    """Arguments as an object, and no text as an empty one: transformers asks its callers for both."""
    if message["role"] == "assistant":
        message = {**message, "content": message.get("content") or ""}
    if "tool_calls" in message:
        message = {**message, "tool_calls": [parsed(call) for call in message["tool_calls"]]}
    return message


def parsed(call):
    function = call["function"]
    return {**call, "function": {**function, "arguments": json.loads(function["arguments"])}}


def read(asked):
    from transformers.utils.chat_parsing import parse_response

    template, tools = asked["responseTemplate"], asked["tools"]
    return {"message": parse_response(asked["answer"], template, prefix=asked["prompt"], tools=tools)}


def answer(asked):
    try:
        return render(asked) if "template" in asked else read(asked)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


print(json.dumps({"version": transformers.__version__}))
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))))
