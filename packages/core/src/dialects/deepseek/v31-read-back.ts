// Reads prompts of DeepSeek V3.1 back. Definitions are sections of Markdown there, each with a line of JSON.

import type { ReadBack } from '../../engine/dialect.js';
import { defineMarkers, restore } from '../../engine/markers.js';
import { readToolLines } from '../../families/writing/tool-lines.js';
import { deepseekTokens } from './dsml-calls.js';
import { deepseekTurns } from './read-back.js';

export const deepseekV31Back: ReadBack = {
  turns: [
    ...deepseekTurns,
    { token: '<｜tool▁output▁begin｜>', role: 'tool', keep: 'behind' },
    { token: '<｜tool▁output▁end｜>', next: 'assistant', keep: 'before' },
  ],
  tools: (text, { short }) => (short ? readToolLines(text) : readV31Tools(text)),
};

const v31Markers = defineMarkers(deepseekTokens);
const V31_TOOL = '\n### ';
const V31_DESCRIPTION = '\nDescription: ';
const V31_PARAMETERS = '\n\nParameters: ';

/** Reads the definitions, from after the first `### `. Parameters are JSON, which has no raw line breaks. */
function readV31Tools(text: string): unknown[] | undefined {
  const tools: unknown[] = [];
  for (let at = 0; at < text.length; ) {
    const middle = text.indexOf(V31_PARAMETERS, at);
    if (middle < 0) return undefined;
    const start = middle + V31_PARAMETERS.length;
    const end = text.indexOf('\n', start);
    const [parameters] = readToolLines(text.slice(start, end < 0 ? text.length : end)) ?? [];
    if (parameters === undefined) return undefined;
    const head = text.slice(at, middle);
    const cut = head.indexOf(V31_DESCRIPTION);
    const description =
      cut < 0 ? {} : { description: restore(head.slice(cut + V31_DESCRIPTION.length), v31Markers) };
    tools.push({ name: cut < 0 ? head : head.slice(0, cut), ...description, parameters });
    at = end < 0 ? text.length : end + 1 + V31_TOOL.length;
  }
  return tools;
}
