// seed-oss: Seed-OSS.
//
//   <seed:tool_call>
//   <function=get_weather>
//   <parameter=location>Beijing</parameter>
//   </function>
//   </seed:tool_call>
//
// As qwen3-coder in a wrapper of its own, values without lines of their own. Reasoning in <seed:think>.

import type { DialectDeclaration, TaggedCalls } from '../../engine/declaration.js';
import { defineDialect } from '../../families/declared/define-dialect.js';
import { taggedFamily } from '../../families/tags/tagged-family.js';
import { seedOssPrompt } from './prompt.js';

const declaration: DialectDeclaration & { calls: TaggedCalls } = {
  name: 'seed-oss',
  aliases: ['seed_oss', 'seed36b'],
  about: 'One element a call and one an argument, as qwen3-coder, in <seed:tool_call>.',
  models: ['Seed-OSS-36B-Instruct'],
  calls: {
    family: 'tags',
    block: { open: '<seed:tool_call>', close: '</seed:tool_call>', each: true },
    call: { open: '<function={name}>', close: '</function>' },
    argument: { open: '<parameter={key}>', close: '</parameter>' },
    layout: { before: '\n\n', block: '\n', call: '\n', argument: '\n', behind: '\n' },
    lineLayout: 'read',
    bareCalls: 'if-declared',
    pythonWords: true,
  },
  reasoning: { open: '<seed:think>', close: '</seed:think>', starts: true, kept: 'all' },
  ends: ['<seed:eos>'],
  tokens: ['<seed:bos>'],
  special: ['<seed:pad>', '<seed:cot_budget_reflect>', '</seed:cot_budget_reflect>'],
};

export const seedOss = defineDialect(declaration, {
  prompt: seedOssPrompt(taggedFamily.writeCalls(declaration.calls)),
});
