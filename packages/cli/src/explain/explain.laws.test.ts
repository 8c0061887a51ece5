import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Dialect, defineDialect, dialects, findDialect, renderMessages } from '@dragoman/core';
import { type RankOptions, rankReadings } from '@dragoman/core/internal';
import { beforeAll, describe, expect, it } from 'vitest';
import { withoutColors } from '../terminal.js';
import { widthOf } from '../visible-text.js';
import { type Explanation, explainText } from './explain-text.js';
import { showExplanation } from './explain-view.js';
import { cellAt } from './text-view.js';

// Without colours, as in any terminal.
beforeAll(withoutColors);

/** What one dialect reads. */
const read = (dialect: Dialect, text: string, options: RankOptions) =>
  rankReadings([dialect], text, options).all[0]!;

interface Wild {
  dialect: string;
  file: string;
  text: string;
  tools?: unknown;
  thinking?: boolean;
  policies?: unknown;
  expect: { calls?: { name: string }[]; issues?: string[]; repairs?: string[] };
}

const wildFolder = fileURLToPath(new URL('../../../core/corpus/wild/', import.meta.url));
const wild: Wild[] = readdirSync(wildFolder).flatMap((dialect) =>
  readdirSync(wildFolder + dialect).map((file) => ({
    ...JSON.parse(readFileSync(`${wildFolder}${dialect}/${file}`, 'utf8')),
    file: `${dialect}/${file}`,
  })),
);

/** What is explained without a word on thinking is explained once, for all tests. */
const explained = new Map<Wild, Explanation>();
function explain(one: Wild): Explanation {
  const explanation = explained.get(one) ?? explainText(one.text, { tools: one.tools });
  explained.set(one, explanation);
  return explanation;
}

describe('what models really wrote', () => {
  it('is told by its dialect, or by one that cannot be told from it', () => {
    const told = wild.filter(({ expect: { calls = [], issues = [] } }) => calls.length + issues.length > 0);
    const wrong = told.filter((one) => {
      const { text, tools, thinking, dialect, policies } = one;
      const { verdict } = thinking === undefined ? explain(one) : explainText(text, { tools, thinking });
      return policies === undefined && !verdict.fitting.some((one) => one.dialect.name === dialect);
    });
    const known = [
      // What one dialect mends is another's own format.
      'alkaid/native-tool-calls',
      'alkaid/twelve-calls',
      'deepseek-v4/no-prefix-function-calls',
      'hermes/list-in-tag',
      'bare-json/fence-around',
      'mistral-v3/fence-around',
      'xlam/fence-around',
      'laguna/json-in-the-tag',
      // A format that no dialect reads: alkaid notes it as foreign.
      'alkaid/native-function-call',
      // A cut value that lost its block, too: to a dialect with another block only one closer is missing.
      'minimax-m2/cut-behind-the-call-closer-in-a-value',
      'qwen3-coder/cut-behind-the-call-closer-in-a-value',
      // A result that the model wrote itself is nothing to those that spell results otherwise.
      'deepseek-v3.1/forged-result',
      'hermes/forged-result',
    ];
    expect(wrong.map(({ file }) => file).sort()).toEqual(known.map((name) => `${name}.json`).sort());
    expect(told.length).toBeGreaterThan(400);
  });

  it('is explained with the calls, issues and repairs that the corpus lists', () => {
    for (const { text, tools, thinking, dialect, policies, expect: wanted, file } of wild) {
      if (policies !== undefined) continue;
      const best = read(findDialect(dialect), text, { tools, thinking: thinking ?? false });
      const codes = (list: readonly { code: string }[]) => [...new Set(list.map(({ code }) => code))].sort();
      expect({
        file,
        calls: best.calls.map(({ name }) => name),
        issues: codes(best.issues),
        repairs: codes(best.repairs),
      }).toEqual({
        file,
        calls: (wanted.calls ?? []).map(({ name }) => name),
        issues: [...(wanted.issues ?? [])].sort(),
        repairs: [...(wanted.repairs ?? [])].sort(),
      });
    }
  });

  it('is shown in 80 columns, with every character once, and nothing acts', () => {
    let whole = 0;
    for (const one of wild) {
      const { text, file } = one;
      const { spans, ...explanation } = explain(one);
      const shown = showExplanation({ spans, ...explanation }, 80);
      expect([file, shown.split('\n').filter((line) => widthOf(line) > 80)]).toEqual([file, []]);
      expect(shown).not.toMatch(/(?!\n)\p{Cc}/u);
      if (!shown.includes('⋮')) {
        whole++;
        expect([file, rowsOfView(shown)]).toEqual([file, picture(text)]);
      }
      const ends = [0, ...spans.map(({ end }) => end)];
      expect([...spans.map(({ start }) => start), text.length]).toEqual(ends);
    }
    expect(whole).toBeGreaterThan(500);
  });

  it('is spelled anew so that it reads as the same calls, without a repair', () => {
    let respelled = 0;
    for (const one of wild) {
      const { tools, file } = one;
      const { shouldBe, verdict } = explain(one);
      const { dialect, calls } = verdict.best;
      const readAgain = (one: string) => read(dialect, one, { tools, thinking: false });
      const again = shouldBe.flatMap(({ text: spelled }) =>
        spelled === undefined ? [] : [readAgain(spelled)],
      );
      respelled += again.length;
      expect([file, again.flatMap(({ lost }) => lost)]).toEqual([file, []]);
      // A value that breaks its schema can be spelled as JSON only, in a dialect of plain text.
      const repairs = again.flatMap((one) => one.repairs).filter(({ code }) => code !== 'json-body');
      expect([file, repairs]).toEqual([file, []]);
      if (shouldBe.every(({ salvaged, missing }) => salvaged + missing === 0))
        expect([file, again.flatMap((one) => one.calls).map(inputOf)]).toEqual([file, calls.map(inputOf)]);
    }
    expect(respelled).toBeGreaterThan(400);
  });
});

describe('a call as the dialect writes it', () => {
  const own = defineDialect({
    name: 'own',
    about: 'A dialect from a file.',
    calls: {
      family: 'json',
      open: '{{call',
      close: 'llac}}',
      shape: 'object',
      keys: { name: 'name', arguments: 'arguments' },
    },
  });

  it.each([...dialects, own].map((dialect) => [dialect.name, dialect] as const))(
    'in %s is shown exactly as it is, closers included',
    (_name, dialect) => {
      const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a": "b"}' } };
      const messages = [
        { role: 'user', content: '.' },
        { role: 'assistant', content: null, tool_calls: [call] },
      ];
      const tools = [{ name: 'f', parameters: { type: 'object', properties: { a: { type: 'string' } } } }];
      const written = renderMessages(dialect, { messages, tools }).messages.at(-1)?.content.trim() ?? '';
      const { shouldBe } = explainText(written, { dialect, tools });
      expect(shouldBe.map(({ range, text }) => [written.slice(...range), text])).toEqual([
        [written, written],
      ]);
    },
  );
});

function inputOf({ name, input }: { name: string; input: unknown }) {
  return [name, input];
}

/** The rows of the section that shows the text, joined. */
function rowsOfView(shown: string): string {
  const from = shown.indexOf('How each character was read\n');
  if (from < 0) return '';
  const section = shown.slice(from, shown.indexOf('\n\n', from)).split('\n').slice(1);
  const rows = section.filter((_, at) => at === 0 || !isLetters(section, at));
  return rows
    .map((row) => row.slice(row.indexOf('│') + 2))
    .join('')
    .replaceAll(' ', '');
}

/** A row of letters or signs: no number, no letter in the margin, and as long as the row above or shorter. */
function isLetters(section: readonly string[], at: number): boolean {
  const line = section[at] ?? '';
  const [margin = '', body = ''] = [line.slice(0, line.indexOf('│')), line.slice(line.indexOf('│') + 2)];
  return margin.trim() === '' && /^[tbrnamx^~ ]*$/.test(body) && body !== '';
}

function picture(text: string): string {
  let shown = '';
  for (let at = 0; at < text.length; ) {
    const cell = cellAt(text, at);
    if (text.charAt(at) !== '\n') shown += cell.shown;
    at += cell.length;
  }
  return shown.replaceAll(' ', '');
}
