// A turn that comes back in a history unchanged goes to the upstream as the model wrote it, through every API, streamed and
// whole, for every dialect and everything that models really wrote (corpus/wild).

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
  /** Whether the client reads the numbers of arguments, and writes them anew. */
  readsNumbers?: boolean;
  begin(tools: Case['tools']): Body;
  /** Gives the answer that these events of a stream make. */
  joined(events: readonly Body[]): Body;
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
    joined: joinedChat,
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
    readsNumbers: true,
    begin: (tools = []) => ({
      max_tokens: 4000,
      messages: [{ role: 'user', content: 'Weather?' }],
      tools: tools.map(({ name, parameters }) => ({ name, input_schema: parameters ?? { type: 'object' } })),
    }),
    joined: joinedMessage,
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
    // The last event has the whole answer.
    joined: (events) => (events.findLast((event) => 'response' in event)?.response ?? {}) as Body,
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

/** Joins what clients of Chat Completions do: the deltas of the text, and those of calls by their index. */
function joinedChat(events: readonly Body[]): Body {
  let content: string | null = null;
  const calls: { function: { arguments: string } }[] = [];
  for (const { choices } of events) {
    const { delta } = (list(choices ?? [])[0] ?? {}) as { delta?: Body };
    if (typeof delta?.content === 'string') content = (content ?? '') + delta.content;
    for (const { index, ...part } of list(delta?.tool_calls ?? [])) {
      const known = calls[index as number];
      if (known) known.function.arguments += (part.function as { arguments?: string }).arguments ?? '';
      else calls[index as number] = structuredClone(part) as unknown as (typeof calls)[number];
    }
  }
  const message = { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) };
  return { choices: [{ message }], ...reported(events) };
}

/** Joins the blocks of a message. */
function joinedMessage(events: readonly Body[]): Body {
  const content: Body[] = [];
  const json = new Map<Body, string>();
  for (const { type, content_block, index, delta } of events) {
    if (type === 'content_block_start') content[index as number] = { ...(content_block as Body) };
    const block = content[index as number];
    if (type !== 'content_block_delta' || !block) continue;
    const { text, partial_json } = delta as { text?: string; partial_json?: string };
    if (text !== undefined) block.text = `${block.text ?? ''}${text}`;
    if (partial_json !== undefined) json.set(block, (json.get(block) ?? '') + partial_json);
  }
  const ended = reported(events);
  // Of a call that broke off, the arguments are no JSON.
  if (issuesOf(ended).length === 0) for (const [block, text] of json) block.input = JSON.parse(text);
  return { content, ...ended };
}

/** The report is in one of the last events. */
function reported(events: readonly Body[]): Body {
  const { error } = events.find((event) => 'error' in event) ?? {};
  const { dragoman } = events.findLast((event) => 'dragoman' in event) ?? {};
  return { dragoman, ...(error !== undefined && { error }) };
}

/** A stream ends with an error where a call cannot be read: what the client has of it cannot be taken back. */
function issuesOf({ error, dragoman }: Body): readonly unknown[] {
  return error ? [error] : (dragoman as Report).issues;
}

/** The events of a stream. */
function eventsOf(text: string): Body[] {
  const data = text.split('\n').filter((line) => line.startsWith('data: {'));
  return data.map((line) => JSON.parse(line.slice('data: '.length)));
}

interface Exchange {
  issues: readonly unknown[];
  /** What the upstream got in the two requests; nothing where there are issues. */
  sent: [first: string, second: string];
}

/** Answers with the text, and gives the answer back. */
async function exchange(
  dialect: Dialect,
  { text, tools }: Case,
  { path, begin, joined, goOn }: Session,
  { takes, stream }: { takes: 'prompt' | 'messages'; stream: boolean },
): Promise<Exchange> {
  const upstream = scriptedUpstream([text, 'Done.'], { takes, pieces: stream ? 7 : 1000 });
  const respond = createResponder({ upstream, dialect, mode: 'emulate', reasks: 0 });
  const post = async (body: Body): Promise<Body> => {
    const request = new Request(`http://h/v1/${path}`, { method: 'POST', body: JSON.stringify(body) });
    const answer = await (await respond(request)).text();
    return answer.startsWith('{') ? JSON.parse(answer) : joined(eventsOf(answer));
  };
  const first = { model: 'm', stream, ...begin(tools) };
  const answer = await post(first);
  const hasIssue = () => parse(dialect, text, { tools: tools ?? [] }).issues.length > 0;
  if (answer.error && !(stream && hasIssue())) throw new Error(JSON.stringify(answer.error));
  const issues = issuesOf(answer);
  if (issues.length > 0) return { issues, sent: ['', ''] };
  await post(goOn(first, answer));
  const [one, two] = upstream.asked.map(
    ({ prompt, conversation }) => prompt ?? answersIn(conversation.messages),
  );
  if (one === undefined || two === undefined) throw new Error('the upstream was not asked twice');
  return { issues, sent: [one, two] };
}

function answersIn(messages: readonly Message[]): string {
  return messages.flatMap((message) => (message.role === 'assistant' ? [textOf(message)] : [])).join('\n');
}

/** What an upstream must get back: the words, unless they are escaped, or reasoning is left out of them. */
function wordsOf(dialect: Dialect, { text, tools = [] }: Case, thinking: boolean): WrittenTurn | undefined {
  const written = writtenOf(readTurn(dialect, text, { tools, thinking }).message);
  return written?.dividing ? undefined : written;
}

/** Whether a client can give the turn back: it has text or calls, and where it reads their numbers, it changes none. */
function comesBack(
  dialect: Dialect,
  { text, tools = [] }: Case,
  { readsNumbers }: Session,
  thinking = false,
): boolean {
  const { text: said, calls } = parse(dialect, text, { tools, thinking });
  if (said.trim() === '' && calls.length === 0) return false;
  return !readsNumbers || calls.every(({ raw }) => !/\de\d|\d{17}|-0|\.0/.test(raw));
}

const found = { verbatim: 0, without: 0, streamed: 0 };

/** Each output by one of the APIs, in turn, every other one streamed; the next dialect begins with the next of these ways. */
describe.each(dialects.map((dialect, nth) => [dialect.name, dialect, nth] as const))(
  '%s',
  (_, dialect, nth) => {
    const cases = wildOf(dialect).flatMap((one, at) => {
      const session = sessions[(at + nth) % sessions.length] as Session;
      return comesBack(dialect, one, session) ? [{ one, session, stream: (at + nth) % 2 === 0 }] : [];
    });

    test('a chat endpoint gets turns back', async () => {
      for (const { one, session, stream } of cases) {
        const { issues, sent } = await exchange(dialect, one, session, { takes: 'messages', stream });
        const words = wordsOf(dialect, one, false);
        // Where reasoning stands behind text, a turn without it is spelled anew.
        if (issues.length > 0 || words?.body === undefined) continue;
        const { text, body } = words;
        const isWhole = sent[1] === text;
        if (!isWhole) expect(sent[1], `${one.name}: ${text}`).toBe(text.slice(body));
        found[isWhole ? 'verbatim' : 'without']++;
        if (stream) found.streamed++;
      }
    });

    test.runIf(dialect.render.prompt)('a completion endpoint gets turns back', async () => {
      for (const { one, session, stream } of cases) {
        const { issues, sent } = await exchange(dialect, one, session, { takes: 'prompt', stream });
        const open = dialect.traits.reasoning?.open;
        const inside = open !== undefined && sent[0].trimEnd().endsWith(open);
        const words = wordsOf(dialect, one, inside);
        // All of it may be reasoning, where the prompt begins that.
        if (!comesBack(dialect, one, session, inside)) continue;
        if (issues.length > 0 || words?.body === undefined) continue;
        const { text, body } = words;
        const isWhole = sent[1].startsWith(sent[0] + text);
        if (!isWhole) {
          expect(inside || body > 0, `${one.name}: ${text}`).toBe(true);
          expect(sent[1], one.name).toContain(text.slice(body));
        }
        found[isWhole ? 'verbatim' : 'without']++;
        if (stream) found.streamed++;
      }
    });
  },
);

test('nearly all turns come back whole', () => {
  const { verbatim, without, streamed } = found;
  console.log(
    `turns by the bridge: ${verbatim} verbatim, ${without} without old reasoning; ${streamed} of them streamed`,
  );
  expect(without / verbatim).toBeLessThan(0.05);
  expect(verbatim).toBeGreaterThan(1000);
  expect(streamed / (verbatim + without)).toBeGreaterThan(0.4);
});
