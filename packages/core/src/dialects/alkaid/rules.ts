// Grammar rules for alkaid's calls: an indented JSON list, name first, then the id, then the parameters.

import { all, any, many, type Rule, type Spelling, text } from '../../grammar/spelling.js';
import type { JsonValue, Tool } from '../../model/index.js';

export const alkaidSpelling: Spelling = {
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
