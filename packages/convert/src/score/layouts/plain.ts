// Rows that say what they have: {"id"?, "dialect"?, "model"?, "thinking"?, "text", "tools", "expect"}.

import type { ExactValue } from '@dragoman/core/internal';
import { wrongRow } from '../../forms/form.js';
import { memberOf } from '../../forms/members.js';
import { expectedAt, idOf, type Layout, memberAtPath, readersAt, toolsAt } from './layout.js';

export const plainLayout: Layout = {
  name: 'plain',
  about: 'Rows with `text`, `tools` and `expect`, and if you like `id`, `dialect`, `model`, `thinking`.',
  read(row, { text = 'text', tools = 'tools', expect = 'expect', reader }) {
    const written = memberAtPath(row, text);
    if (typeof written !== 'string') throw wrongRow(text, "the model's text", written);
    return {
      ...idOf(memberOf(row, 'id')),
      ...named('dialect', memberOf(row, 'dialect')),
      ...named('model', memberOf(row, 'model')),
      thinking: memberOf(row, 'thinking') === true,
      tools: toolsAt(row, [tools]),
      expected: expectedAt(row, expect),
      outputs: [[written]],
      readers: readersAt(row, reader, 1),
    };
  },
};

function named<Key extends 'dialect' | 'model'>(key: Key, value: ExactValue | undefined) {
  return typeof value === 'string' ? ({ [key]: value } as Record<Key, string>) : {};
}
