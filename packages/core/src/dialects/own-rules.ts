// The rules of the project's own dialects for a sampler: what their writers write. Apart from the dialects, because a page
// that reads answers needs no grammars; whoever loads the list of all dialects has them.

import type { TaggedCalls } from '../engine/declaration.js';
import type { Dialect } from '../engine/dialect.js';
import { jsonSpelling } from '../families/json/json-rules.js';
import { namedFamily } from '../families/named/named-family.js';
import { taggedRules } from '../families/tags/tagged-rules.js';
import type { Spelling } from '../grammar/spelling.js';
import { alkaid } from './alkaid/alkaid.js';
import { alkaidSpelling } from './alkaid/rules.js';
import { deepseekV31 } from './deepseek/deepseek-v3.1.js';
import { deepseekV32 } from './deepseek/deepseek-v3.2.js';
import { deepseekV41 } from './deepseek/deepseek-v4.1.js';
import { deepseekV4 } from './deepseek/deepseek-v4.js';
import type { DsmlSpelling } from './deepseek/dsml-calls.js';
import { glm45 } from './glm/glm-4.5.js';
import { glm47 } from './glm/glm-4.7.js';
import { glm45Layout, glm47Layout } from './glm/prompt.js';
import { hermes } from './hermes.js';
import { qwen3Coder } from './qwen3-coder/qwen3-coder.js';
import { xnlSpelling } from './xnl/spelling.js';
import { xnl } from './xnl/xnl.js';

const rules: readonly (readonly [Dialect, Spelling | undefined])[] = [
  [alkaid, alkaidSpelling],
  [xnl, xnlSpelling(xnl.markers)],
  [glm45, glmRules(glm45Layout.line)],
  [glm47, glmRules(glm47Layout.line)],
  [
    deepseekV31,
    namedFamily.spelling(
      {
        family: 'named',
        section: { open: '<｜tool▁calls▁begin｜>', close: '<｜tool▁calls▁end｜>' },
        open: '<｜tool▁call▁begin｜>',
        separator: '<｜tool▁sep｜>',
        close: '<｜tool▁call▁end｜>',
      },
      deepseekV31.markers,
    ),
  ],
  [deepseekV32, dsmlRules({ block: 'function_calls', space: '' })],
  [deepseekV4, dsmlRules({ block: 'tool_calls', space: '' })],
  [deepseekV41, dsmlRules({ block: 'calls', space: ' ' })],
  [
    hermes,
    jsonSpelling(
      {
        family: 'json',
        open: '<tool_call>',
        close: '</tool_call>',
        shape: 'object',
        inside: ['\n', '\n'],
        keys: { name: 'name', arguments: 'arguments' },
      },
      hermes.markers,
    ),
  ],
  [
    qwen3Coder,
    taggedRules(
      {
        family: 'tags',
        block: { open: '<tool_call>', close: '</tool_call>', each: true },
        call: { open: '<function={name}>', close: '</function>' },
        argument: { open: '<parameter={key}>', close: '</parameter>' },
        layout: { block: '\n', call: '\n', argument: '\n', behind: '\n' },
        lineLayout: 'written',
      },
      { words: 'python' },
    ),
  ],
];

/** Gives the dialects their rules. Called once, by the list. */
export function attachOwnRules(): void {
  for (const [dialect, spelling] of rules) if (spelling) dialect.constrain = spelling;
}

/** What the writer of glm-prompt.ts writes, as rules: `line` stands between the tags. */
function glmRules(line: '\n' | ''): Spelling {
  return taggedRules({
    family: 'tags',
    call: { open: '<tool_call>{name}', close: '</tool_call>' },
    argument: {
      key: { open: '<arg_key>', close: '</arg_key>' },
      value: { open: '<arg_value>', close: '</arg_value>' },
    },
    layout: { call: line, key: line, argument: line, behind: line },
  });
}

/** What the writer of dsml-calls.ts writes, as rules. */
function dsmlRules({ block, space }: DsmlSpelling): Spelling {
  const tag = `｜DSML｜${space}`;
  const calls: TaggedCalls = {
    family: 'tags',
    block: { open: `<${tag}${block}>`, close: `</${tag}${block}>` },
    call: { open: `<${tag}invoke name="{name}">`, close: `</${tag}invoke>` },
    argument: { open: `<${tag}parameter name="{key}"`, close: `</${tag}parameter>` },
    layout: { block: '\n', call: '\n', argument: '\n', behind: '\n' },
  };
  return taggedRules(calls, { typed: true, emptyLine: true });
}
