// Writes inkling as its vendor does: calls, results, and the rules of a sampling grammar.

import type { JsonCalls } from '../../engine/declaration.js';
import type { Render } from '../../engine/dialect.js';
import { callField, resultField } from '../../engine/message-text.js';
import { resultText } from '../../engine/result-text.js';
import { inputOf } from '../../families/writing/exact-input.js';
import { readToolLines } from '../../families/writing/tool-lines.js';
import { writeShortForm } from '../../families/writing/tool-text.js';
import { all, any, argumentsValue, many, type Rule, type Spelling, text } from '../../grammar/spelling.js';
import { stringifyJson, type Tool } from '../../model/index.js';

const MODEL = '<|message_model|>';
const CALL = '<|content_invoke_tool_json|>';
const END = '<|end_message|>';

export const inklingCalls: JsonCalls = {
  family: 'json',
  open: CALL,
  close: END,
  shape: 'object',
  keys: { name: 'name', arguments: 'args' },
};

export const inklingRender: Render = {
  instructions: (out, tools) =>
    writeShortForm(out, tools, {
      example: `${MODEL}NAME${CALL}{"name":"NAME","args":{"key":"text","count":2}}${END}`,
      rules: 'The call is one JSON object with "name" and "args". For several calls, write several messages.',
      result: `<|message_tool|>NAME<|content_text|>...${END}`,
    }),
  calls: (out, calls) => {
    for (const call of calls) {
      const field = callField(call);
      out.ours(MODEL).outside(call.name, field).ours(`${CALL}{"name":`).json(call.name, field);
      out
        .ours(',"args":')
        .jsonText(stringifyJson(inputOf(call), 'compact'), field)
        .ours(`}${END}`);
    }
  },
  results: (out, results) => {
    for (const result of results) {
      const field = resultField(result);
      out
        .ours('<|message_tool|>')
        .outside(result.name ?? '', field)
        .ours('<|content_text|>');
      out.outside(resultText(result), field).ours(END);
    }
  },
  stop: ['<|content_model_end_sampling|>'],
  back: { tools: readToolLines },
};

/** Grammar rules. The prompt ends with `<|message_model|>`, so the first call may omit it, and its label. */
export const inklingSpelling: Spelling = {
  triggers: [CALL],
  calls: (tools, { from, to }) => {
    const rest = { from: Math.max(0, from - 1), ...(to !== undefined && { to: to - 1 }) };
    const label = (tool: Tool) => text(MODEL + tool.name);
    const first = tools.map((tool) => all(many(label(tool), { from: 0, to: 1 }), callRule(tool)));
    return all(any(...first), many(any(...tools.map((tool) => all(label(tool), callRule(tool)))), rest));
  },
};

function callRule(tool: Tool): Rule {
  const open = `${CALL}{"name":${JSON.stringify(tool.name)},"args":`;
  return all(
    text(open),
    argumentsValue(tool, { type: 'json', without: [MODEL, CALL, END] }),
    text(`}${END}`),
  );
}
