// Grammar rules for xnl: values are JSON with bare keys, which is JavaScript. Ids are short words, and the marker is
// always `#`, so no string may contain its closer.
//
//   !unquote_start
//   <tool_call id="a1" lang="javascript" #>
//   Tools.f({x: 1})
//   </#>
//   !unquote_end

import type { MarkerSet } from '../../engine/markers.js';
import { all, any, argumentsValue, many, type Rule, type Spelling, text } from '../../grammar/spelling.js';
import type { Tool } from '../../model/index.js';
import { toXnlPath } from './names.js';

/** The model makes the ids. Two of a few letters may be equal, and then the later call wins. */
const letters: Rule = any(
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'.split('').map(text),
);
const id: Rule = { type: 'many', of: letters, from: 1, to: 32 };

export function xnlSpelling({ literals: without }: MarkerSet): Spelling {
  const call = (tool: Tool): Rule =>
    all(
      text('<tool_call id="'),
      id,
      text(`" lang="javascript" #>\n${toXnlPath(tool.name)}(`),
      argumentsValue(tool, { type: 'javascript', without }),
      text(')\n</#>\n'),
    );
  return {
    triggers: ['!unquote_start'],
    calls: (tools, howMany) =>
      all(text('!unquote_start\n'), many(any(...tools.map(call)), howMany), text('!unquote_end')),
  };
}
