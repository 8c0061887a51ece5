// The sampling grammar of a request, for an upstream that takes one. It makes `required` and a named tool certain, and
// gives arguments the right shape. Each inference engine has its own member for it.

import type { Dialect } from '../../engine/dialect.js';
import { constrain } from '../../families/constrain.js';
import type { Constraint, GrammarFormat } from '../../grammar/constrain.js';
import { type Extra, type ModelRequest, UsageError } from '../../model/index.js';

export interface Holding {
  format: GrammarFormat;
  /** Whether the model may reason first; `open`: the prompt ends inside the reasoning. */
  reasoning: 'no' | 'yes' | 'open';
}

/** Gives members for the request's body; none where the tools or the dialect have no such grammar. */
export function grammarMembers(request: ModelRequest, dialect: Dialect, holding: Holding): Extra {
  const { tools, toolChoice } = request.conversation;
  if (tools.length === 0 || toolChoice === 'none') return {};
  const parallel = request.settings.parallelCalls !== false;
  try {
    return membersOf(constrain(dialect, tools, toolChoice, { ...holding, parallel }));
  } catch (error) {
    // Without a grammar the prompt and reasks have to do, as with other upstreams.
    if (error instanceof UsageError) return {};
    throw error;
  }
}

/** llama.cpp's number for a trigger that is a word. */
const WORD = 1;

function membersOf({ format, grammar, lazy, triggers }: Constraint): Extra {
  if (grammar === undefined) return {};
  if (format === 'json-schema')
    return {
      response_format: { type: 'json_schema', json_schema: { name: 'calls', strict: true, schema: grammar } },
    };
  if (format === 'structural-tag') return { response_format: grammar };
  if (format === 'lark') return { structured_outputs: { grammar } };
  if (!lazy) return { grammar };
  return {
    grammar,
    grammar_lazy: true,
    grammar_triggers: triggers.map((value) => ({ type: WORD, value })),
    preserved_tokens: [...triggers],
  };
}
