// minimax-m3: MiniMax M3.
//
//   ]<]minimax[>[<tool_call>
//   ]<]minimax[>[<invoke name="order">]<]minimax[>[<city>Beijing]<]minimax[>[</city>]<]minimax[>[<items>…
//   ]<]minimax[>[</tool_call>
//
// A token stands before every tag. Arguments are elements of their own name; objects and lists are elements in
// elements, those of a list are called <item>. Two members of one name, which engines make a list of, are an issue
// here: arguments are delivered as they are written. The whole prompt leaves out arguments that are null, as the vendor's
// template does.

import type { TaggedCalls } from '../../engine/declaration.js';
import { defineDialect } from '../../families/declared/define-dialect.js';
import { taggedFamily } from '../../families/tags/tagged-family.js';
import { minimaxM3Prompt, minimaxM3Tools } from './m3-prompt.js';
import { minimaxTokens } from './tokens.js';

const calls: TaggedCalls = {
  family: 'tags',
  namespace: ']<]minimax[>[',
  block: { open: '<tool_call>', close: '</tool_call>' },
  call: { open: '<invoke name="{name}">', close: '</invoke>' },
  argument: { open: '<{key}>', close: '</{key}>' },
  nested: 'item',
  layout: { before: '', block: '\n', behind: '\n' },
};

export const minimaxM3 = defineDialect(
  {
    name: 'minimax-m3',
    aliases: ['minimax_m3'],
    about: 'A token before every tag; one element an argument, elements in elements for objects and lists.',
    models: ['MiniMax-M3'],
    calls,
    reasoning: { open: '<mm:think>', close: '</mm:think>', starts: true, kept: 'all' },
    results: { each: '<response>{output}</response>', between: '\n' },
    teach: minimaxM3Tools,
    ends: ['[e~['],
    tokens: [']~!b[', ']~b]', ']<]image[>[', ']<]video[>['],
    // Around the vendor's words in the system text.
    special: [
      ...['<thinking_instructions>', '</thinking_instructions>'],
      ...minimaxTokens,
      ...[']<]frame[>[', '<|content_altered_placeholder|>', '<minimax:tool_call>', '</minimax:tool_call>'],
    ],
  },
  { prompt: minimaxM3Prompt(taggedFamily.writeCalls(calls)) },
);
