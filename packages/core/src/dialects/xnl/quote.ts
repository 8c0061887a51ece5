// Reads xnl quotes: between !quote_start and !quote_end nothing is a call, and everything is text.

import { type MarkerSet, matchLiteral, NOT_YET } from '../../engine/markers.js';
import { type Mode, unbreaking } from '../../engine/reader.js';
import { isHighSurrogate } from '../../text/characters.js';
import { QUOTE_END, QUOTE_START } from './names.js';

export function readQuote(markers: MarkerSet): Mode {
  return (reader) => {
    reader.markup(QUOTE_START.length);
    return quoteStart(markers);
  };
}

/** !quote_start | \n text  — one line break on each side is layout. */
function quoteStart(markers: MarkerSet): Mode {
  return (reader) => {
    if (reader.at >= reader.text.length) return undefined;
    const layout = reader.text.charAt(reader.at) === '\n';
    if (layout) reader.markup(1);
    return quoteBody(markers, layout);
  };
}

function quoteBody(markers: MarkerSet, layout: boolean): Mode {
  const body: Mode = (reader) => {
    const { text, ended } = reader;
    let at = reader.at;
    for (;;) {
      at = text.indexOf('!', at);
      if (at < 0) break;
      const found = matchLiteral(text, at, QUOTE_END, ended);
      if (found === NOT_YET || at + 1 >= text.length) break;
      if (found > 0) {
        const end = layout && at > reader.at && text.charAt(at - 1) === '\n' ? at - 1 : at;
        reader.say(end - reader.at);
        reader.markup(at - end + found);
        return reader.plain;
      }
      if (text.charAt(at + 1) === '\\') {
        reader.say(at + 1 - reader.at);
        return unbreaking((ahead, tail, end) => markers.matchTail('!', ahead, tail, end), body);
      }
      at++;
    }
    const until = at < 0 ? text.length : at;
    const held = !ended && until > reader.at && text.charAt(until - 1) === '\n' ? 1 : 0;
    reader.say(ended ? text.length - reader.at : wellCut(text, until - held) - reader.at);
    return undefined;
  };
  return body;
}

/** Gives an end that does not split a surrogate pair. */
function wellCut(text: string, at: number): number {
  const code = at > 0 ? text.charCodeAt(at - 1) : 0;
  return at === text.length && isHighSurrogate(code) ? at - 1 : at;
}
