// A turn that comes back in a history unchanged goes to the upstream as the model wrote it, through every API, for every
// dialect and everything that models really wrote (corpus/wild).

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { dialects } from '../../dialects/every.fixture.js';
import type { Dialect } from '../../engine/dialect.js';
import { textOf } from '../../engine/message-text.js';
import { parse } from '../../engine/parse.js';
import { readTurn } from '../../engine/read-turn.js';
import { type Message, type Report, type WrittenTurn, writtenOf } from '../../model/index.js';
import { createResponder } from '../reply/respond.js';
import { scriptedUpstream } from '../upstream/scripted-upstream.fixture.js';

interface Case {
  name: string;
  text: string;
  thinking?: boolean;
  tools?: { name: string; parameters?: object }[];
  expect: { issues?: string[] };
}

const folder = fileURLToPath(new URL('../../../corpus/wild/', import.meta.url));

function wildOf({ name }: Dialect): Case[] {
  const files = readdirSync(folder).includes(name) ? readdirSync(folder + name) : [];
  return files.map((file) => JSON.parse(readFileSync(`${folder}${name}/${file}`, 'utf8')));
}

type Body = Record<string, unknown>;

/** How a client of an API begins a session, and goes on with the answer as it came. */
interface Session {
  path: string;
  begin(tools: Case['tools']): Body;
  goOn(body: Body, answer: Body): Body;
}

const list = (value: unknown) => value as Body[];
const RESULT = '22 degrees';
const QUESTION = 'And tomorrow?';

const sessions: Session[] = [
  {
    path: 'chat/completions',
    begin: (tools = []) => ({
      messages: [{ role: 'user', content: 'Weather?' }],
      tools: tools.map((tool) => ({ type: 'function', function: tool })),
    }),
    goOn(body, answer) {
      const { message } = list(answer.choices)[0] as { message: Body };
      const { reasoning_content: _dropped, ...kept } = message;
      const calls = list(message.tool_calls ?? []);
      const next =
        calls.length > 0
          ? calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: RESULT }))
          : [{ role: 'user', content: QUESTION }];
      return { ...body, messages: [...list(body.messages), kept, ...next] };
    },
  },
  {
    path: 'messages',
    begin: (tools = []) => ({
      max_tokens: 4000,
      messages: [{ role: 'user', content: 'Weather?' }],
      tools: tools.map(({ name, parameters }) => ({ name, input_schema: parameters ?? { type: 'object' } })),
    }),
    goOn(body, answer) {
      const content = list(answer.content).filter(({ type }) => type !== 'thinking');
      const calls = content.filter(({ type }) => type === 'tool_use');
      const next =
        calls.length > 0
          ? calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: RESULT }))
          : [{ type: 'text', text: QUESTION }];
      const turns = [
        { role: 'assistant', content },
        { role: 'user', content: next },
      ];
      return { ...body, messages: [...list(body.messages), ...turns] };
    },
  },
  {
    path: 'responses',
    begin: (tools = []) => ({
      store: false,
      input: [{ role: 'user', content: 'Weather?' }],
      tools: tools.map((tool) => ({ type: 'function', ...tool })),
    }),
    goOn(body, answer) {
      const items = list(answer.output).filter(({ type }) => type !== 'reasoning');
      const calls = items.filter(({ type }) => type === 'function_call');
      const next =
        calls.length > 0
          ? calls.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: RESULT }))
          : [{ role: 'user', content: QUESTION }];
      return { ...body, input: [...list(body.input), ...items, ...next] };
    },
  },
];

interface Exchange {
  issues: unknown[];
  /** What the upstream got in the two requests. */
  sent: [first: string, second: string];
}

/** Answers with the text, and gives the answer back. */
async function exchange(
  dialect: Dialect,
  { text, tools }: Case,
  { path, begin, goOn }: Session,
  takes: 'prompt' | 'messages',
): Promise<Exchange> {
  const upstream = scriptedUpstream([text, 'Done.'], { takes, pieces: 1000 });
  const respond = createResponder({ upstream, dialect, mode: 'emulate', reasks: 0 });
  const post = async (body: Body): Promise<Body> => {
    const request = new Request(`http://h/v1/${path}`, { method: 'POST', body: JSON.stringify(body) });
    return (await respond(request)).json() as Promise<Body>;
  };
  const first = { model: 'm', ...begin(tools) };
  const answer = await post(first);
  if (answer.error) throw new Error(JSON.stringify(answer.error));
  await post(goOn(first, answer));
  const [one, two] = upstream.asked.map(
    ({ prompt, conversation }) => prompt ?? answersIn(conversation.messages),
  );
  if (one === undefined || two === undefined) throw new Error('the upstream was not asked twice');
  return { issues: (answer.dragoman as Report).issues, sent: [one, two] };
}

function answersIn(messages: readonly Message[]): string {
  return messages.flatMap((message) => (message.role === 'assistant' ? [textOf(message)] : [])).join('\n');
}

/** What an upstream must get back: the words, unless they are escaped, or reasoning is left out of them. */
function wordsOf(dialect: Dialect, { text, tools = [] }: Case, thinking: boolean): WrittenTurn | undefined {
  const written = writtenOf(readTurn(dialect, text, { tools, thinking }).message);
  return written?.dividing ? undefined : written;
}

/** Whether a client can give the turn back: it has text or calls, and a client that reads its numbers changes none. */
function comesBack(dialect: Dialect, { text, tools = [] }: Case): boolean {
  const { text: said, calls } = parse(dialect, text, { tools });
  if (said.trim() === '' && calls.length === 0) return false;
  return calls.every(({ raw }) => !/\de\d|\d{17}|-0|\.0/.test(raw));
}

const found = { verbatim: 0, without: 0 };

/** Each output by one of the APIs, in turn. */
describe.each(dialects.map((dialect) => [dialect.name, dialect] as const))('%s', (_, dialect) => {
  const cases = wildOf(dialect).filter((one) => comesBack(dialect, one));
  const sessionOf = (at: number) => sessions[at % sessions.length] as Session;

  test('a chat endpoint gets turns back', async () => {
    for (const [at, one] of cases.entries()) {
      const { issues, sent } = await exchange(dialect, one, sessionOf(at), 'messages');
      const words = wordsOf(dialect, one, false);
      // Where reasoning stands behind text, a turn without it is spelled anew.
      if (issues.length > 0 || words?.body === undefined) continue;
      const { text, body } = words;
      const isWhole = sent[1] === text;
      if (!isWhole) expect(sent[1], `${one.name}: ${text}`).toBe(text.slice(body));
      found[isWhole ? 'verbatim' : 'without']++;
    }
  });

  test.runIf(dialect.render.prompt)('a completion endpoint gets turns back', async () => {
    for (const [at, one] of cases.entries()) {
      const { issues, sent } = await exchange(dialect, one, sessionOf(at), 'prompt');
      const open = dialect.traits.reasoning?.open;
      const inside = open !== undefined && sent[0].trimEnd().endsWith(open);
      const words = wordsOf(dialect, one, inside);
      if (issues.length > 0 || words?.body === undefined) continue;
      const { text, body } = words;
      const isWhole = sent[1].startsWith(sent[0] + text);
      if (!isWhole) {
        expect(inside || body > 0, `${one.name}: ${text}`).toBe(true);
        expect(sent[1], one.name).toContain(text.slice(body));
      }
      found[isWhole ? 'verbatim' : 'without']++;
    }
  });
});

test('nearly all turns come back whole', () => {
  console.log(`turns by the bridge: ${found.verbatim} verbatim, ${found.without} without old reasoning`);
  expect(found.without / found.verbatim).toBeLessThan(0.05);
  expect(found.verbatim).toBeGreaterThan(700);
});
