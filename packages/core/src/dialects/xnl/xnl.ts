// xnl: JavaScript calls in text elements, behind a quote and unquote mechanism. Taught, not trained.
//
//   !unquote_start
//   <tool_call id="abcd" lang="javascript" #>
//   SysBuiltIn.bash({ command: "ls -al", timeoutMs: 2000 })
//   </#>
//   !unquote_end
//
// Outside a block everything is text, also a <tool_call …>. Between !quote_start and !quote_end nothing
// counts. The calls of a block run only when it has closed, so arguments do not stream. The code is read
// statically and never run. Results come back in a user message, each as <tool_resp id="abcd" #>…</#>.

import type { Dialect } from '../../engine/dialect.js';
import { defineMarkers, type MarkerSet, matchLiteral } from '../../engine/markers.js';
import { forgedResults, THINK, usualTraits } from '../../families/declared/dialect-parts.js';
import { all, any, argumentsValue, many, type Rule, type Spelling, text } from '../../grammar/spelling.js';
import type { Tool } from '../../model/index.js';
import { XnlBlock } from './block.js';
import { toXnlPath, XNL_NAMESPACE } from './names.js';
import { xnlBack, xnlRender } from './prompt.js';
import { readQuote } from './quote.js';

/** The model makes the ids. Two of a few letters may be equal, and then the later call wins. */
const letters: Rule = any(
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'.split('').map(text),
);
const id: Rule = { type: 'many', of: letters, from: 1, to: 32 };

function xnlSpelling({ literals: without }: MarkerSet): Spelling {
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

const quoteMarkers = defineMarkers(['!quote_end']);

const markers = defineMarkers([
  '!quote_start',
  '!quote_end',
  '!unquote_start',
  '!unquote_end',
  '<tool_call',
  '<tool_resp',
  '</#',
]);

export const xnl: Dialect<'xnl'> = {
  name: 'xnl',
  aliases: [],
  about: 'JavaScript calls in XNL elements between !unquote_start and !unquote_end, taught by a prompt.',
  models: [],
  traits: {
    ...usualTraits,
    ids: true,
    streams: false,
    reasoning: THINK,
    callsInReasoning: 'never',
    startsInReasoning: true,
    namespace: XNL_NAMESPACE,
  },
  markers,
  grammar: {
    openers: [
      {
        firsts: '!',
        next: ['un'],
        match: (text, at, ended) => matchLiteral(text, at, '!unquote_start', ended),
        open: (reader, hold) => new XnlBlock(hold).open(reader),
      },
      {
        firsts: '!',
        next: ['qu'],
        match: (text, at, ended) => matchLiteral(text, at, '!quote_start', ended),
        inline: true,
        open: readQuote(quoteMarkers),
      },
    ],
    notice: forgedResults('<tool_resp'),
  },
  render: { ...xnlRender, back: xnlBack },
  constrain: xnlSpelling(markers),
};
