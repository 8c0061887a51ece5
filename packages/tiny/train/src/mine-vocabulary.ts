// Makes the vocabulary: node packages/tiny/train/dist/mine-vocabulary.js [size]
// Fixed texts of prompts and calls become one token each; words of the conversations become parts of words.

import { writeFileSync } from 'node:fs';
import { type Dialect, dialects } from '@dragoman/core';
import { hasMarker } from '@dragoman/core/internal';
import type { PromptPiece } from '@dragoman/local';
import { answerPieces, type PromptOptions, promptPieces } from '@dragoman/tiny';
import { makeExample } from './example.js';
import type { ChatMessage, Property, ToolDefinition } from './requests.js';
import { SPECIAL, Tokenizer } from './tokenizer.js';

const SIZE = Number(process.argv[2] ?? 6144);
/** Seeds that no other script uses. */
const SEEDS = { phrases: 900_000_000, words: 910_000_000 };
const EXAMPLES = 16_000;
const LEAST_USES = 8;

// --- fixed texts ------------------------------------------------------------------------------------------

let stand = 0;
/** Stands for what changes from prompt to prompt. */
const sentinel = () => `Qz${String.fromCharCode(65 + (stand++ % 26))}Z`;
const SENTINEL = /Qz[A-Z]Z\d*|7777/;

function property(type: string, described: boolean, choices = 0): Property {
  return {
    type,
    ...(described && { description: sentinel() }),
    ...(type === 'array' && { items: { type: 'string' } }),
    ...(choices > 0 && { enum: Array.from({ length: choices }, sentinel) }),
  };
}

function tool(properties: readonly Property[], required: number, described: boolean): ToolDefinition {
  const named = properties.map((one) => [`${sentinel()}${stand++}`, one] as const);
  return {
    name: sentinel(),
    description: described ? sentinel() : '',
    parameters: {
      type: 'object',
      properties: Object.fromEntries(named),
      ...(required > 0 && { required: named.slice(0, required).map(([name]) => name) }),
    },
  };
}

function toolSets(): ToolDefinition[][] {
  return [
    [tool([property('string', true), property('integer', true)], 1, true)],
    [tool([], 0, true), tool([property('string', true, 3)], 1, true)],
    [
      tool([property('number', true), property('boolean', true), property('string', false)], 2, true),
      tool([property('string', true)], 0, false),
    ],
    [
      tool([property('string', false, 2), property('string', true, 4), property('integer', false)], 3, true),
      tool([property('boolean', false), property('number', false)], 1, true),
      tool([property('string', true), property('string', true)], 2, true),
    ],
    [
      tool([property('integer', true), property('string', true)], 0, true),
      tool([property('boolean', true), property('array', true)], 1, true),
    ],
  ];
}

function exampleValue({ type, enum: choices }: Property, even: boolean): unknown {
  if (choices) return choices[0];
  if (type === 'array') return [sentinel(), sentinel()];
  return type === 'string' ? sentinel() : type === 'boolean' ? even : 7777;
}

function conversations(tools: readonly ToolDefinition[], even: boolean, system: boolean): ChatMessage[][] {
  let ids = 0;
  const call = ({ name, parameters }: ToolDefinition) => {
    const entries = Object.entries(parameters.properties).map(([key, one]) => [key, exampleValue(one, even)]);
    const input = JSON.stringify(Object.fromEntries(entries));
    return { id: `call_${++ids}`, type: 'function' as const, function: { name, arguments: input } };
  };
  const [first, last] = [tools[0] as ToolDefinition, tools.at(-1) as ToolDefinition];
  const head: ChatMessage[] = system ? [{ role: 'system', content: sentinel() }] : [];
  const one: ChatMessage[] = [
    ...head,
    { role: 'user', content: sentinel() },
    { role: 'assistant', content: '', tool_calls: [call(first)] },
  ];
  const answered: ChatMessage[] = [
    ...one,
    { role: 'tool', tool_call_id: 'call_1', content: sentinel() },
    { role: 'assistant', content: sentinel() },
  ];
  const two: ChatMessage[] = [
    ...answered,
    { role: 'user', content: sentinel() },
    { role: 'assistant', content: '', tool_calls: [call(first), call(last)] },
  ];
  const results: ChatMessage[] = [
    ...two,
    { role: 'tool', tool_call_id: 'call_2', content: sentinel() },
    { role: 'tool', tool_call_id: 'call_3', content: sentinel() },
    { role: 'assistant', content: sentinel() },
  ];
  return [one, answered, two, results];
}

function spellings({ render }: Dialect): PromptOptions[] {
  const messages: PromptOptions[] = [true, false].flatMap((short) =>
    [true, false].map((closers) => ({ form: 'messages' as const, short, closers })),
  );
  messages.push({ form: 'messages', short: true, closers: true, language: 'zh' });
  const prompts: PromptOptions[] = [{ form: 'prompt', thinking: false }, { form: 'prompt' }];
  return [...messages, ...(render.prompt ? prompts : [])];
}

interface Found {
  uses: number;
  /** Only in our text, and it holds a marker of the dialect. */
  control: boolean;
}

function fixedTexts(): Map<string, Found> {
  const all = new Map<string, Found>();
  for (const dialect of dialects)
    for (const options of spellings(dialect)) {
      const seen = new Map<string, Found>();
      for (const tools of toolSets())
        for (const even of [true, false])
          for (const messages of conversations(tools, even, !even))
            note(seen, dialect, tools, messages, options);
      for (const [text, { uses, control }] of seen) {
        if (uses < 2) continue;
        const known = all.get(text);
        all.set(text, { uses: uses + (known?.uses ?? 0), control: control && (known?.control ?? true) });
      }
    }
  return all;
}

function note(
  seen: Map<string, Found>,
  dialect: Dialect,
  tools: readonly ToolDefinition[],
  messages: readonly ChatMessage[],
  options: PromptOptions,
): void {
  const answered = { tools, messages };
  const asked = { tools, messages: messages.slice(0, -1) };
  const pieces: PromptPiece[] = [
    ...promptPieces(dialect, asked, options),
    ...answerPieces(dialect, answered, options),
  ];
  for (const { text, origin } of pieces)
    for (const part of text.split(SENTINEL))
      for (const line of part.split(/(?<=\n)(?=\S)/)) {
        if (line.length < 3 || SPECIAL.includes(line)) continue;
        const control = origin === 'ours' && hasMarker(line, dialect.markers);
        const known = seen.get(line);
        seen.set(line, { uses: (known?.uses ?? 0) + 1, control: control && (known?.control ?? true) });
      }
}

const COMMON = [
  '", "',
  '": "',
  '"}',
  '": ',
  '"]',
  '\\"',
  '  ',
  '    ',
  '        ',
  '            ',
  'Here is the answer: ',
  'That did not work: ',
  'I have no tool for that.',
  'Please tell me: ',
  '没有合适的工具。',
  '请告诉我：',
  '没有成功：',
  '结果是：',
];

console.log('Reading the fixed texts of all dialects …');
const fixed = fixedTexts();
for (const text of COMMON) fixed.set(text, { uses: 100, control: false });
const isPlain = (text: string) => /^[\w .,]*$/.test(text) && text.length < 12;
let control = [...fixed]
  .filter(([text, found]) => found.control && found.uses >= 2 && !isPlain(text))
  .map(([text]) => text);
let phrases = [...fixed]
  .filter(([text, found]) => !found.control && found.uses >= 4 && !isPlain(text))
  .map(([text]) => text);
console.log(`${control.length} control, ${phrases.length} other fixed texts`);

// Those that examples use.
const first = new Tokenizer({ control, phrases, characters: [], parts: [] });
const used = new Map<number, number>();
for (let at = 0; at < EXAMPLES; at++) {
  const { prompt, answer } = makeExample(
    SEEDS.phrases + at,
    { split: 'train' },
    dialects[at % dialects.length],
  );
  for (const id of first.encode([...prompt, ...answer])) used.set(id, (used.get(id) ?? 0) + 1);
}
const isUsed = (start: number) => (_: string, at: number) => (used.get(start + at) ?? 0) >= LEAST_USES;
control = control.filter(isUsed(first.controlStart));
phrases = phrases.filter(isUsed(first.phraseStart));
console.log(`${control.length} and ${phrases.length} of them are used`);

// --- characters and parts of words -------------------------------------------------------------------------

const second = new Tokenizer({ control, phrases, characters: [], parts: [] });
const runs = new Map<string, number>();
const letters = new Map<string, number>();
for (let at = 0; at < EXAMPLES; at++) {
  const { prompt, answer } = makeExample(SEEDS.words + at, { split: 'train' });
  const rest = second.encode([...prompt, ...answer]).filter((id) => id < second.controlStart);
  const text = second.decode(rest);
  for (const [run] of text.matchAll(/[A-Za-z]{2,}/g)) runs.set(run, (runs.get(run) ?? 0) + 1);
  for (const [letter] of text.matchAll(/[\u00a1-\uffff]/gu))
    letters.set(letter, (letters.get(letter) ?? 0) + 1);
}
const characters = [...letters]
  .filter(([letter, uses]) => uses >= LEAST_USES && letter !== '\ufffd' && letter !== '\u2581')
  .sort((a, b) => b[1] - a[1])
  .map(([letter]) => letter);
const room = SIZE - second.controlStart - control.length - phrases.length - characters.length;
console.log(`${runs.size} words, ${characters.length} characters, room for ${room} parts`);
const parts = mergedParts(runs, room);
const vocabulary = { control, phrases, characters, parts };
writeFileSync(
  new URL('../vocabulary.json', import.meta.url),
  `${JSON.stringify(vocabulary, undefined, 1)}\n`,
);
console.log(`wrote vocabulary.json: ${new Tokenizer(vocabulary).size} tokens`);

/** Merges the most frequent pair again and again. */
function mergedParts(words: ReadonlyMap<string, number>, most: number): string[] {
  const list = [...words].map(([word, uses]) => ({ symbols: [...word], uses }));
  const counts = new Map<string, number>();
  const places = new Map<string, Set<number>>();
  const count = (at: number, sign: 1 | -1) => {
    const { symbols, uses } = list[at] as (typeof list)[number];
    for (let place = 0; place + 1 < symbols.length; place++) {
      const pair = `${symbols[place]} ${symbols[place + 1]}`;
      counts.set(pair, (counts.get(pair) ?? 0) + sign * uses);
      if (sign > 0) places.set(pair, (places.get(pair) ?? new Set()).add(at));
    }
  };
  for (let at = 0; at < list.length; at++) count(at, 1);
  const found = new Set<string>();
  while (found.size < most) {
    let best = '';
    let top = 0;
    for (const [pair, uses] of counts) if (uses > top) [best, top] = [pair, uses];
    if (top < LEAST_USES) break;
    const [left = '', right = ''] = best.split(' ');
    found.add(left + right);
    for (const at of places.get(best) ?? []) {
      count(at, -1);
      const entry = list[at] as (typeof list)[number];
      const merged: string[] = [];
      for (const symbol of entry.symbols) {
        if (symbol === right && merged.at(-1) === left) merged[merged.length - 1] = left + right;
        else merged.push(symbol);
      }
      entry.symbols = merged;
      count(at, 1);
    }
    counts.delete(best);
    places.delete(best);
  }
  return [...found];
}
