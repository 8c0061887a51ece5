// Writes functionary-v3.2 as its vendor does: calls, results, and the rules of a sampling grammar.

import type { Render } from '../../engine/dialect.js';
import { callField, resultField } from '../../engine/message-text.js';
import { resultText } from '../../engine/result-text.js';
import { argumentsText } from '../../families/writing/call-arguments.js';
import { readToolLines } from '../../families/writing/tool-lines.js';
import { writeShortForm } from '../../families/writing/tool-text.js';
import { all, any, argumentsValue, many, type Spelling, text } from '../../grammar/spelling.js';

const NEXT_RESULT = '<|eot_id|><|start_header_id|>tool<|end_header_id|>\n\n';

export const functionaryRender: Render = {
  instructions: (out, tools) =>
    writeShortForm(out, tools, {
      example: '>>>NAME\n{"key": "text", "count": 2}',
      rules:
        'The arguments are one JSON object. For several calls, write several, each behind its own >>>. Write text ' +
        'for the user, if any, behind a line >>>all.',
      result: 'text',
    }),
  calls: (out, calls, { afterText }) => {
    // The vendor has no line break here; without one, text that ends in `>` or in half a token would merge with the
    // mark.
    if (afterText && calls.length > 0) out.ours('\n');
    for (const call of calls) {
      const field = callField(call);
      out.ours('>>>').outside(call.name, field).ours('\n').jsonText(argumentsText(call), field);
    }
  },
  // The vendor gives each result a turn of its own, without a name: the turn's frame separates several in one message.
  results: (out, results) => {
    for (const [at, result] of results.entries())
      out.ours(at > 0 ? NEXT_RESULT : '').outside(resultText(result), resultField(result));
  },
  stop: ['<|eot_id|>'],
  back: { tools: readToolLines },
};

export const functionarySpelling: Spelling = {
  triggers: ['>>>'],
  calls: (tools, howMany) =>
    many(
      any(
        ...tools.map((tool) =>
          all(text(`>>>${tool.name}\n`), argumentsValue(tool, { type: 'json', without: ['<|eot_id|>'] })),
        ),
      ),
      howMany,
    ),
};
