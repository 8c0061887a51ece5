// Quick = long: a row is converted the same with the quick ways, without one of them, and without all: the same text,
// the same notes, the same refusals. Rows are those of the corpus, drawn ones full of markers, and the same with
// something put in or taken out. DRAGOMAN_EFFORT multiplies what is drawn: 1 is the full measure; CONVERT_SEED draws
// others.

import { createRandom, type Dialect, ingredients, markerMix } from '@dragoman/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFullyTried, readPromptsOf, representatives } from '../../../core/src/dialects/every.fixture.js';
import { openaiForm } from '../forms/api-form.js';
import { anyTranscript, corpusTranscripts, plainTranscript } from '../forms/conversations.fixture.js';
import { type ConvertLine, createConvertLine } from '../forms/convert.js';
import { type Form, RowError } from '../forms/form.js';
import { forms } from '../forms/forms.js';
import { createMessagesForm } from '../text/messages-form.js';
import { createPromptForm } from '../text/prompt-form.js';
import { type QuickWay, quickWays, withoutQuickWays } from './index.js';
import { writeJson } from './plain-json.js';

const effort = Number(process.env.DRAGOMAN_EFFORT ?? 0.2);
const runs = Math.ceil(30 * effort);
const seed = Number(process.env.CONVERT_SEED ?? 5);

/** Of the corpus a part, where little is to be drawn. */
const isTried = (_: unknown, at: number) => effort >= 0.2 || at % 5 === 0;

const rows: string[] = [
  ...corpusTranscripts()
    .filter(isTried)
    .map(({ transcript }) => transcript),
  ...fc.sample(plainTranscript, { numRuns: runs, seed }),
  ...fc.sample(anyTranscript, { numRuns: runs, seed }),
].map((transcript) => writeJson(openaiForm.write(transcript).row as never));

function outcome(convert: ConvertLine, line: string): string {
  try {
    return JSON.stringify(convert(line));
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    return `${error.path}: ${error.message}`;
  }
}

/** Says how many rows were converted, not refused. Ways take turns to be the one that is left out. */
function compare(from: Form, to: Form, lines: readonly string[]): number {
  const convert = createConvertLine({ from, to });
  let converted = 0;
  for (const [at, line] of lines.entries()) {
    const quick = outcome(convert, line);
    const one = quickWays[at % quickWays.length] as QuickWay;
    for (const ways of [quickWays, [one]]) {
      const long = withoutQuickWays(ways, () => outcome(convert, line));
      if (long !== quick)
        expect({ line, without: ways, outcome: quick }).toEqual({ line, without: ways, outcome: long });
    }
    if (quick.startsWith('{')) converted++;
  }
  return converted;
}

function convertAll(to: Form, lines: readonly string[]): string[] {
  const convert = createConvertLine({ from: openaiForm, to });
  return lines.flatMap((line) => {
    const { text } = JSON.parse(outcome(convert, line).replace(/^(?!\{).*/s, '{}')) as { text?: string };
    return text === undefined ? [] : [text];
  });
}

/** Something is put into a text of the row, taken out of it, or both. */
function changed(dialect: Dialect, lines: readonly string[]): string[] {
  const random = createRandom(seed);
  const pieces = ingredients(dialect, []);
  return lines.map((line) => {
    const row = JSON.parse(line) as { prompt?: string; messages?: { content: string }[] };
    const change = (text: string) => {
      const place = random.int(text.length + 1);
      const put = random.int(4) === 0 ? '' : markerMix(random, pieces, 1);
      return text.slice(0, place) + put + text.slice(place + (random.int(3) === 0 ? random.int(8) : 0));
    };
    if (row.prompt !== undefined) return JSON.stringify({ ...row, prompt: change(row.prompt) });
    const { messages = [] } = row;
    const message = messages[random.int(Math.max(messages.length, 1))];
    if (message) message.content = change(message.content);
    return JSON.stringify(row);
  });
}

describe.each(
  forms.filter((form): form is Form => !('create' in form)).map((form) => ({ name: form.name, form })),
)('the form $name', ({ form }) => {
  it('is written and read the quick way as the long way', () => {
    expect(compare(openaiForm, form, rows)).toBeGreaterThan(runs);
    expect(compare(form, openaiForm, convertAll(form, rows))).toBeGreaterThan(runs);
  });
});

describe.each(representatives.map((dialect) => ({ name: dialect.name, dialect })))(
  'text in $name',
  ({ dialect }) => {
    const tried = isFullyTried(dialect) ? rows : rows.filter((_, at) => at % 4 === 0);
    const textForms = [
      createMessagesForm(dialect),
      ...(readPromptsOf.includes(dialect) ? [createPromptForm(dialect)] : []),
    ];

    it('is written and read the quick way as the long way, changed or not', () => {
      for (const form of textForms) {
        expect(compare(openaiForm, form, tried)).toBeGreaterThan(1);
        const lines = convertAll(form, tried);
        expect(compare(form, openaiForm, lines)).toBeGreaterThan(1);
        compare(form, openaiForm, changed(dialect, lines));
      }
    });
  },
);
