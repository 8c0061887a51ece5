// An answer that is read with the frame of its calls is what the parser reads, to the letter and to the note.

import {
  createRandom,
  type Dialect,
  ingredients,
  type JsonObject,
  keepTool,
  markerMix,
  type Tool,
  type ToolCall,
  Writer,
} from '@dragoman/core/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFullyTried, representatives } from '../../../core/src/dialects/every.fixture.js';

import { anyTranscript, plainTranscript } from '../forms/conversations.fixture.js';
import { quickTool } from '../forms/tools.js';
import { type AssistantSource, readAssistant, readByParser } from '../text/read-assistant.js';
import { readPlainAnswer } from './plain-answer.js';

const runs = Number(process.env.CONVERT_RUNS ?? 12);
const seed = Number(process.env.CONVERT_SEED ?? 5);

const schemas: JsonObject[] = [
  {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer' },
      now: { type: 'boolean' },
      unit: { type: 'string', enum: ['metric', 'imperial'] },
    },
  },
  { type: 'object', properties: { city: { type: 'string' } }, required: ['days'] },
  { type: 'object', properties: { city: { type: ['string', 'null'] }, days: { type: 'number' } } },
  { type: 'object', properties: { city: { type: 'integer' } }, additionalProperties: false },
  { type: 'object', properties: { city: { type: 'string', minLength: 9 }, list: { type: 'array' } } },
  {},
];

const toolsOf = (schema: JsonObject, names: string[]): Tool[] =>
  names.map((name) =>
    keepTool(
      quickTool({
        type: 'function',
        function: { name, parameters: structuredClone(schema) as never },
      }) as Tool,
    ),
  );
const toolsets = schemas.flatMap((schema) => [
  toolsOf(schema, ['get_weather', 'f', 'a.b']),
  toolsOf(schema, ['get_weather']),
  toolsOf(schema, ['f', 'f']),
]);

interface Said {
  text: string;
  calls: ToolCall[];
}

const answers: Said[] = [
  ...fc.sample(plainTranscript, { numRuns: runs, seed }),
  ...fc.sample(anyTranscript, { numRuns: runs, seed }),
].flatMap(({ conversation }) =>
  conversation.messages.flatMap((message): Said[] => {
    if (message.role !== 'assistant') return [];
    const calls = message.parts.filter((part) => part.type === 'tool-call');
    const texts = message.parts.map((part) => (part.type === 'text' ? part.text : ''));
    return calls.length > 0 ? [{ text: texts.join(''), calls }] : [];
  }),
);

function written(dialect: Dialect, { text, calls }: Said, tools: readonly Tool[]): string {
  const out = new Writer(dialect.markers);
  if (text !== '') (dialect.render.text ?? ((to, said) => to.answer(said, '')))(out, text, '');
  dialect.render.calls(out, calls, { tools, afterText: text !== '' });
  return out.text;
}

function compare(dialect: Dialect, text: string, tools: readonly Tool[], inPrompt: boolean): void {
  const read = (reader: typeof readAssistant) => {
    let made = 0;
    const source: AssistantSource = { text, tools, inPrompt, path: 'p', newId: () => `call_${++made}` };
    try {
      return { ...reader(dialect, source), made };
    } catch (error) {
      return String(error);
    }
  };
  const [quick, long] = [read(readAssistant), read(readByParser)];
  if (JSON.stringify(quick) !== JSON.stringify(long))
    expect({ text, read: quick }).toEqual({ text, read: long });
}

describe.each(representatives.map((dialect) => ({ name: dialect.name, dialect })))(
  'in $name',
  ({ dialect }) => {
    const random = createRandom(seed);
    const pieces = ingredients(dialect, []);
    const tried = isFullyTried(dialect) ? answers : answers.filter((_, at) => at % 4 === 0);

    it('the quick way reads what the parser reads of answers as they are rendered', () => {
      const { open = '', close = '' } = dialect.traits.reasoning ?? {};
      let quick = 0;
      for (const [at, said] of tried.entries()) {
        // The first of them with every other answer, and each of the others in turn.
        const tools = toolsets[at % 2 === 0 ? 0 : (at >> 1) % toolsets.length] ?? [];
        const text = written(dialect, said, tools);
        if (readPlainAnswer(dialect, { body: text, tools, inPrompt: false, gap: '' })) quick++;
        compare(dialect, text, tools, false);
        const untyped = written(dialect, said, []);
        compare(dialect, untyped, tools, false);
        compare(dialect, untyped, tools, true);
        compare(dialect, `${open}\n\n${close}\n\n${untyped}`, tools, true);
      }
      // A dialect with ids takes the long way with every call.
      if (dialect.traits.ids) expect(quick).toBe(0);
      // Of the field's, some write calls as the quick way does not know.
      else if (isFullyTried(dialect)) expect(quick).toBeGreaterThan(runs / 2);
    });

    it('and of answers in which something was changed', () => {
      for (const [at, said] of tried.entries()) {
        const tools = toolsets[at % 2 === 0 ? 0 : random.int(toolsets.length)] ?? [];
        const text = written(dialect, said, at % 3 === 0 ? [] : tools);
        for (let n = 0; n < 2; n++) {
          const place = random.int(text.length + 1);
          const cut = random.int(3) === 0 ? random.int(8) : 0;
          const put = random.int(4) === 0 ? '' : markerMix(random, pieces, 1);
          compare(dialect, text.slice(0, place) + put + text.slice(place + cut), tools, (at + n) % 3 === 2);
        }
      }
    });
  },
);
