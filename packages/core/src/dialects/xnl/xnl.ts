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
import { defineMarkers, matchLiteral } from '../../engine/markers.js';
import { XnlBlock } from './block.js';
import { XNL_NAMESPACE } from './names.js';
import { xnlRender } from './prompt.js';
import { readQuote } from './quote.js';
import { xnlBack } from './read-back.js';
import { xnlSpelling } from './spelling.js';

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
    ids: true,
    values: 'json',
    streams: false,
    reasoning: { open: '<think>', close: '</think>' },
    callsInReasoning: 'never',
    startsInReasoning: true,
    textAfterCalls: 'text',
    coercesStrings: false,
    resultRole: 'user',
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
    notice: [
      {
        marker: '<tool_resp',
        code: 'forged-result',
        message: 'The model wrote a tool result itself; results come only from the host.',
      },
    ],
  },
  render: { ...xnlRender, back: xnlBack },
  constrain: xnlSpelling(markers),
};
