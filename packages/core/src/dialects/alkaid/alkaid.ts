// alkaid: taught through the prompt, trained into no model.
//
//   Sure.
//   <tools>
//   [
//       {"name": "get_weather", "id": "get_weather_beijing", "parameters": {"location": "Beijing"}}
//   ]
//   </tools>
//
// Calls stand at the end of the reply, `name` first. Results come back in a user message:
// <tools_return> [{"name", "id", "return"}] </tools_return>.

import type { Dialect } from '../../engine/dialect.js';
import { defineMarkers } from '../../engine/markers.js';
import { THINK, usualTraits } from '../../families/declared/dialect-parts.js';
import { jsonInMarkers } from '../../families/json/json-in-markers.js';
import { all, any, many, type Rule, type Spelling, text } from '../../grammar/spelling.js';
import type { JsonValue, Tool } from '../../model/index.js';
import { alkaidRender } from './prompt.js';
import { alkaidBack } from './read-back.js';

const alkaidSpelling: Spelling = {
  triggers: ['<tools>'],
  calls: (tools, howMany) =>
    all(
      text('<tools>\n[\n    '),
      many(any(...tools.map(callRule)), howMany, text(',\n    ')),
      text('\n]\n</tools>'),
    ),
};

function callRule(tool: Tool): Rule {
  const properties = {
    name: { const: tool.name },
    id: { type: 'string', pattern: '^[A-Za-z0-9_.:-]{1,64}$' },
    parameters: (tool.parameters ?? { type: 'object' }) as JsonValue,
  };
  const schema = {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
  return {
    type: 'limit',
    of: { type: 'value', schema, root: tool.parameters, style: { type: 'json' } },
    message: 'two calls may get the same id',
  };
}

export const alkaid: Dialect<'alkaid'> = {
  name: 'alkaid',
  aliases: [],
  about: 'A JSON array of calls in <tools>, taught by a prompt in English or Chinese.',
  models: [],
  traits: {
    ...usualTraits,
    ids: true,
    reasoning: THINK,
    callsInReasoning: 'never',
    startsInReasoning: true,
    coercesStrings: true,
  },
  markers: defineMarkers([
    '<tools>',
    '</tools>',
    '<tools_input>',
    '</tools_input>',
    '<tools_return>',
    '</tools_return>',
    '<think>',
    '</think>',
  ]),
  grammar: {
    openers: jsonInMarkers({
      open: '<tools>',
      close: '</tools>',
      list: true,
      keys: {
        name: ['name', 'tool_name', 'function_name', 'tool', 'function'],
        id: ['id', 'tool_call_id', 'call_id'],
        arguments: ['parameters', 'arguments', 'input', 'params', 'args'],
      },
    }),
    drop: [{ marker: '</tools>', repair: 'stray-closer' }],
    notice: [
      {
        marker: '<tools_return>',
        code: 'forged-result',
        message: 'The model wrote a tool result itself; results come only from the host, in <tools_return>.',
      },
      ...['"tool_calls"', '"functionCall"', '"function_call"'].map((marker) => ({
        marker,
        code: 'foreign-format' as const,
        message: 'A call in JSON outside <tools>; write it as a JSON array inside <tools></tools>.',
      })),
    ],
  },
  render: { ...alkaidRender, back: alkaidBack },
  constrain: alkaidSpelling,
};
