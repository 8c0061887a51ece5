// Writes harmony as its vendor does: calls, results, and the rules of a sampling grammar.
//
//   <|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{…}<|call|>
//   <|start|>functions.f to=assistant<|channel|>commentary<|message|>"…"<|end|>

import type { Render, Writer } from '../../engine/dialect.js';
import { callField, resultField } from '../../engine/message-text.js';
import { resultText } from '../../engine/result-text.js';
import { argumentsText } from '../../families/writing/call-arguments.js';
import { readToolLines } from '../../families/writing/tool-lines.js';
import { writeShortForm } from '../../families/writing/tool-text.js';
import { all, any, argumentsValue, many, type Spelling, text } from '../../grammar/spelling.js';
import type { ToolCall, ToolResult } from '../../model/index.js';

const NEXT = '<|start|>assistant';
const OPEN = '<|channel|>commentary to=functions.';
const BODY = ' <|constrain|>json<|message|>';
const CLOSE = '<|call|>';

/** Writes calls. The prompt already wrote `<|start|>assistant` for the first message; every later one needs its own. */
function writeCalls(out: Writer, calls: readonly ToolCall[], afterText: boolean): void {
  for (const [at, call] of calls.entries()) {
    const field = callField(call);
    out.ours((afterText || at > 0 ? NEXT : '') + OPEN).outside(call.name, field);
    out.ours(BODY).jsonText(argumentsText(call), field).ours(CLOSE);
  }
}

export function writeHarmonyResult(out: Writer, result: ToolResult): void {
  const field = resultField(result);
  out.ours('<|start|>functions.').outside(result.name ?? '', field);
  out.ours(' to=assistant<|channel|>commentary<|message|>').json(resultText(result), field).ours('<|end|>');
}

export const harmonyRender: Render = {
  instructions: (out, tools) =>
    writeShortForm(out, tools, {
      example: `${OPEN}NAME${BODY}{"key": "text", "count": 2}${CLOSE}`,
      rules: `The arguments are one JSON object. For several calls, write several, each behind ${NEXT}.`,
      result: '<|start|>functions.NAME to=assistant<|channel|>commentary<|message|>...<|end|>',
    }),
  calls: (out, calls, { afterText }) => writeCalls(out, calls, afterText),
  results: (out, results) => {
    for (const result of results) writeHarmonyResult(out, result);
  },
  stop: ['<|return|>', CLOSE],
  back: { tools: readToolLines },
};

/** Markers that no string of a sampled call may contain. */
const TOKENS = [
  '<|start|>',
  '<|channel|>',
  '<|constrain|>',
  '<|message|>',
  '<|call|>',
  '<|end|>',
  '<|return|>',
];

export const harmonySpelling: Spelling = {
  triggers: [OPEN],
  calls: (tools, howMany) =>
    many(
      any(
        ...tools.map((tool) =>
          all(
            text(OPEN + tool.name + BODY),
            argumentsValue(tool, { type: 'json', without: TOKENS }),
            text(CLOSE),
          ),
        ),
      ),
      howMany,
      text(NEXT),
    ),
};
