// Rows of training data, seeded: conversations with tools, calls, results and long texts, a few kilobytes each, as
// OpenAI and ShareGPT write them. The same bytes in every run.

import { open } from 'node:fs/promises';
import { fileText, prose } from './inputs.js';

/** Rows differ from each other up to here; then they come again under other ids. */
const VARIETY = 2000;

interface RowTool {
  name: string;
  description: string;
  parameters: object;
}

interface RowTurn {
  question: string;
  calls: { name: string; input: object; result: string }[];
  answer: string;
}

interface SeededTranscript {
  system: string;
  tools: RowTool[];
  turns: RowTurn[];
}

const nouns = ['weather', 'order', 'invoice', 'file', 'calendar', 'ticket', 'route', 'price', 'user', 'page'];
const verbs = ['get', 'find', 'list', 'create', 'update', 'compare'];

const property = (name: string, type: string) => [
  name,
  { type, description: `The ${name} that is asked for, as the user wrote it.` },
];

const toolset: readonly RowTool[] = nouns.flatMap((noun) =>
  verbs.map((verb) => ({
    name: `${verb}_${noun}`,
    description: `${verb} the ${noun} that belongs to the query, with its details.`,
    parameters: {
      type: 'object',
      properties: Object.fromEntries([
        property('query', 'string'),
        property(`${noun}_id`, 'string'),
        property('limit', 'integer'),
        ['unit', { type: 'string', enum: ['metric', 'imperial'], description: 'The unit of the answer.' }],
      ]),
      required: ['query'],
    },
  })),
);

/** A number below `below`, made of two others. */
const pick = (seed: number, salt: number, below: number) =>
  (Math.imul(seed * 31 + salt, 0x9e3779b1) >>> 8) % below;

function transcript(seed: number): SeededTranscript {
  const tools = Array.from(
    { length: 1 + pick(seed, 1, 5) },
    (_, n) => toolset[(seed * 7 + n * 11) % toolset.length],
  );
  return {
    system: prose(150 + pick(seed, 2, 300), seed),
    tools: tools as RowTool[],
    turns: Array.from({ length: 1 + pick(seed, 3, 2) }, (_, n) => turn(seed * 8 + n, tools as RowTool[])),
  };
}

function turn(seed: number, tools: readonly RowTool[]): RowTurn {
  const calls = Array.from({ length: pick(seed, 4, 3) }, (_, n) => ({
    name: (tools[(seed + n) % tools.length] as RowTool).name,
    // One in twelve writes a file.
    input: { query: prose(20 + pick(seed, 5 + n, 60), seed + n), limit: pick(seed, 6, 50), ...fileOf(seed) },
    result: JSON.stringify({
      items: [{ id: seed, text: prose(100 + pick(seed, 7, 500), seed + n), score: 0.5 }],
    }),
  }));
  const answer = prose(200 + pick(seed, 8, pick(seed, 9, 10) === 0 ? 10_000 : 700), seed);
  return { question: prose(60 + pick(seed, 10, 400), seed + 1), calls, answer };
}

function fileOf(seed: number): object {
  return pick(seed, 11, 12) === 0 ? { content: fileText(500 + pick(seed, 12, 4000), seed) } : {};
}

function openaiRow({ system, tools, turns }: SeededTranscript, id: string): object {
  const messages = turns.flatMap(({ question, calls, answer }, at) => {
    const ids = calls.map((_, n) => `call_${at}_${n}`);
    const tool_calls = calls.map(({ name, input }, n) => ({
      id: ids[n],
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }));
    return [
      { role: 'user', content: question },
      ...(calls.length > 0 ? [{ role: 'assistant', content: null, tool_calls }] : []),
      ...calls.map(({ result }, n) => ({ role: 'tool', tool_call_id: ids[n], content: result })),
      { role: 'assistant', content: answer },
    ];
  });
  const definitions = tools.map((tool) => ({ type: 'function', function: tool }));
  return { id, messages: [{ role: 'system', content: system }, ...messages], tools: definitions };
}

function sharegptRow({ system, tools, turns }: SeededTranscript, id: string): object {
  const conversations = turns.flatMap(({ question, calls, answer }) => [
    { from: 'human', value: question },
    ...calls.flatMap(({ name, input, result }) => [
      { from: 'function_call', value: JSON.stringify({ name, arguments: input }) },
      { from: 'observation', value: result },
    ]),
    { from: 'gpt', value: answer },
  ]);
  return { id, conversations, system, tools: JSON.stringify(tools) };
}

const spellings = { openai: openaiRow, sharegpt: sharegptRow };
export type RowSpelling = keyof typeof spellings;

/** Lines of a form, without end. Memory is that of `VARIETY` rows. */
function* lines(form: RowSpelling): Generator<string> {
  const tails = Array.from({ length: VARIETY }, (_, seed) => {
    const text = JSON.stringify(spellings[form](transcript(seed), ''));
    return text.slice('{"id":""'.length);
  });
  for (let n = 0; ; n++) yield `{"id":"row-${n}"${tails[n % VARIETY]}\n`;
}

/** The first rows of a form, as lines without line breaks. */
export function firstRows(form: RowSpelling, count: number): string[] {
  return Array.from({ length: count }, (_, n) => JSON.stringify(spellings[form](transcript(n), `row-${n}`)));
}

export interface WrittenRows {
  rows: number;
  bytes: number;
}

/** Rows until there are so many bytes. */
export async function writeRows(path: string, form: RowSpelling, least: number): Promise<WrittenRows> {
  const file = await open(path, 'w');
  let rows = 0;
  let bytes = 0;
  let piece: string[] = [];
  const flush = async () => {
    const data = Buffer.from(piece.join(''));
    bytes += data.length;
    piece = [];
    await file.writeFile(data);
  };
  for (const line of lines(form)) {
    piece.push(line);
    rows++;
    if (piece.length < 500) continue;
    await flush();
    if (bytes >= least) break;
  }
  await file.close();
  return { rows, bytes };
}
