// The fixed instructions before and after the tool definitions in a dialect's taught prompt. They are found by
// rendering: the prompt is rendered for two lists of tools, and the common prefix and suffix are the frame.
//
//   # Tools … within <tools></tools> XML tags:\n<tools>\n   {…}\n{…}      \n</tools>\n\nFor each function call, …
//   before                                                  definitions   after

import { acceptTools, type Tool } from '../model/index.js';
import type { Dialect, RenderOptions } from './dialect.js';
import { Writer } from './writer.js';

export interface TaughtFrame {
  /** The language and length of the taught prompt with this frame. */
  options: RenderOptions;
  before: string;
  after: string;
}

/** One tool with a name only and one with every field, so that both prompts share only the fixed text. */
export const probeTools: readonly (readonly Tool[])[] = [
  acceptTools([{ name: 'f' }]),
  acceptTools([
    {
      type: 'function',
      function: {
        name: 'g',
        description: 'd',
        parameters: { type: 'object', properties: { p: { type: 'string' } }, required: ['p'] },
        strict: true,
      },
    },
  ]),
];

/** Gives the distinct frames over all languages and lengths. */
export function taughtFrames(dialect: Dialect): TaughtFrame[] {
  const found: TaughtFrame[] = [];
  for (const language of ['en', 'zh'] as const) {
    for (const short of [false, true]) {
      const frame = frameOf(dialect, { language, short });
      const isKnown = found.some(({ before, after }) => before === frame.before && after === frame.after);
      if (!isKnown) found.push(frame);
    }
  }
  return found;
}

function frameOf(dialect: Dialect, options: RenderOptions): TaughtFrame {
  const [one, two] = probeTools.map((tools) => oursAround(dialect, tools, options));
  if (!one || !two) return { options, before: '', after: '' };
  return {
    options,
    before: commonStart(one.before, two.before),
    after: commonEnd(one.after, two.after),
  };
}

/** Gives the first and the last span, where they are the dialect's own text. */
function oursAround(dialect: Dialect, tools: readonly Tool[], options: RenderOptions) {
  const out = new Writer(dialect.markers, options.safety);
  dialect.render.instructions(out, tools, options);
  const { text, spans } = out;
  const [first, last] = [spans[0], spans.at(-1)];
  return {
    before: first?.origin === 'ours' ? text.slice(0, first.end) : '',
    after: last?.origin === 'ours' ? text.slice(last.start) : '',
  };
}

function commonStart(one: string, two: string): string {
  let length = 0;
  while (length < one.length && one.charCodeAt(length) === two.charCodeAt(length)) length++;
  return one.slice(0, length);
}

function commonEnd(one: string, two: string): string {
  let length = 0;
  while (length < one.length && one.at(-1 - length) === two.at(-1 - length)) length++;
  return one.slice(one.length - length);
}
