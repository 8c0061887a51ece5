// The order of events in a stream, API by API, as its documentation has it: checked on what a foreign reader of
// server-sent events found in the bytes. What the events say is put together on the way.

import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { expect } from 'vitest';

export type ClientApi = 'openai-chat' | 'openai-responses' | 'anthropic-messages';

export interface Told {
  text: string;
  reasoning: string;
  /** `complete`: the stream said that the call is whole. */
  calls: { id: string; name: string; arguments: string; complete: boolean }[];
  /** In the API's own word. Undefined if the stream ended with an error. */
  finish: string | undefined;
  error: string | undefined;
  usage: boolean;
}

/** Every event of a stream; fails if bytes are left that are none. */
export function readEvents(text: string): EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onError: (error) => expect.fail(`no event stream: ${error.message}`),
  });
  parser.feed(text);
  same(text.endsWith('\n\n'), true, 'the last event is whole');
  return events;
}

/** A stream has thousands of events: `expect` is asked only about what differs. */
function same(found: unknown, wanted: unknown, what?: string): void {
  if (!Object.is(found, wanted)) expect(found, what).toBe(wanted);
}

// biome-ignore lint/suspicious/noExplicitAny: everything that is used is checked
type Data = any;

export const checkOrder: Record<ClientApi, (events: EventSourceMessage[], usageAsked: boolean) => Told> = {
  'openai-chat': checkChat,
  'openai-responses': checkResponses,
  'anthropic-messages': checkMessages,
};

function nothing(): Told {
  return { text: '', reasoning: '', calls: [], finish: undefined, error: undefined, usage: false };
}

// ---------------------------------------------------------------- chat completions

function checkChat(events: EventSourceMessage[], usageAsked: boolean): Told {
  const told = nothing();
  const chunks = events.map(({ data }) => data);
  expect(
    events.every(({ event, id }) => event === undefined && id === undefined),
    'no event or id lines',
  ).toBe(true);
  const done = chunks.indexOf('[DONE]');
  const parsed: Data[] = chunks.filter((data) => data !== '[DONE]').map((data) => JSON.parse(data));
  const failed = parsed.findIndex((chunk) => chunk.error !== undefined);
  if (failed < 0) same(done, chunks.length - 1, '[DONE] last, once');
  else {
    same(failed, parsed.length - 1, 'an error is the last that is said');
    told.error = parsed.pop().error.message;
    same(typeof told.error, 'string');
  }
  for (const [at, chunk] of parsed.entries()) readChunk(told, chunk, at, usageAsked);
  const heads = new Set(
    parsed.map(({ id, object, created, model }) => JSON.stringify([id, object, created, model])),
  );
  expect(heads.size, 'one id, object, time and model').toBeLessThanOrEqual(1);
  if (told.error === undefined) {
    same(typeof told.finish, 'string', 'finish_reason once');
    same(told.usage, usageAsked, 'usage when asked');
  }
  for (const call of told.calls) call.complete = told.finish === 'tool_calls';
  return told;
}

function readChunk(told: Told, chunk: Data, at: number, usageAsked: boolean): void {
  same(chunk.object, 'chat.completion.chunk');
  if (chunk.usage) {
    same(usageAsked, true, 'usage only when asked');
    same(typeof told.finish, 'string', 'usage behind the finish');
    same(told.usage, false, 'usage once');
    expect(chunk.choices).toEqual([]);
    told.usage = true;
    return;
  }
  same(told.usage, false, 'nothing behind the usage');
  if (chunk.choices.length === 0) return;
  same(chunk.choices.length, 1);
  const { index, delta, finish_reason } = chunk.choices[0];
  same(index, 0);
  same(told.finish, undefined, 'nothing behind the finish');
  same(delta.role, at === 0 ? 'assistant' : undefined, 'role first and once');
  told.text += delta.content ?? '';
  told.reasoning += delta.reasoning_content ?? '';
  for (const call of delta.tool_calls ?? []) readCallDelta(told, call);
  if (finish_reason !== null) told.finish = finish_reason;
}

function readCallDelta(told: Told, { index, id, type, function: made }: Data): void {
  const known = told.calls[index];
  if (!known) {
    same(index, told.calls.length, 'indices without gaps');
    expect([typeof id, type, typeof made.name], 'header first').toEqual(['string', 'function', 'string']);
    expect(id).not.toBe('');
    told.calls.push({ id, name: made.name, arguments: made.arguments ?? '', complete: false });
    return;
  }
  same(id ?? made.name, undefined, 'header once');
  same(typeof made.arguments, 'string');
  known.arguments += made.arguments;
}

// ---------------------------------------------------------------- messages

const blockDeltas: Record<string, string[]> = {
  text: ['text_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
};

function checkMessages(events: EventSourceMessage[]): Told {
  const told = nothing();
  const all: Data[] = events.map(({ event, data, id }) => {
    const parsed = JSON.parse(data);
    same(event, parsed.type, 'the event line says the type');
    same(id, undefined, 'no ids');
    return parsed;
  });
  const said = all.filter(({ type }) => type !== 'ping');
  if (said.at(-1)?.type === 'error') {
    told.error = said.pop().error.message;
    same(typeof told.error, 'string');
  } else same(said.at(-1)?.type, 'message_stop');
  if (said.length === 0) return told;
  expect(said[0]).toMatchObject({
    type: 'message_start',
    message: { type: 'message', role: 'assistant', content: [], stop_reason: null, stop_sequence: null },
  });
  let blocks = 0;
  let open: Data;
  for (const event of said.slice(1)) {
    if (event.type === 'content_block_start') {
      same(open, undefined, 'blocks do not overlap');
      same(told.finish, undefined, 'no block behind message_delta');
      same(event.index, blocks++, 'indices without gaps');
      open = event.content_block;
      startBlock(told, open);
    } else if (event.type === 'content_block_delta') {
      same(event.index, blocks - 1);
      same(blockDeltas[open?.type]?.includes(event.delta.type), true, 'the delta of an open block');
      told.text += event.delta.text ?? '';
      told.reasoning += event.delta.thinking ?? '';
      const call = told.calls.at(-1);
      if (open.type === 'tool_use' && call) call.arguments += event.delta.partial_json;
    } else if (event.type === 'content_block_stop') {
      same(typeof open, 'object', 'only an open block stops');
      same(event.index, blocks - 1);
      const call = told.calls.at(-1);
      if (open.type === 'tool_use' && call) call.complete = true;
      open = undefined;
    } else if (event.type === 'message_delta') {
      same(open, undefined, 'all blocks are stopped');
      same(told.finish, undefined, 'message_delta once');
      told.finish = event.delta.stop_reason;
      told.usage = typeof event.usage?.output_tokens === 'number';
      expect([typeof told.finish, told.usage]).toEqual(['string', true]);
    } else {
      same(event.type, 'message_stop');
      same(event === said.at(-1), true, 'message_stop once');
      same(typeof told.finish, 'string', 'message_delta before message_stop');
    }
  }
  // The token limit may have cut the last block off, and nothing but the reason says so.
  const call = told.calls.at(-1);
  if (told.finish === 'max_tokens' && call) call.complete = false;
  return told;
}

function startBlock(told: Told, block: Data): void {
  expect(Object.keys(blockDeltas)).toContain(block.type);
  if (block.type === 'text') same(block.text, '');
  if (block.type === 'thinking') same(block.thinking, '');
  if (block.type !== 'tool_use') return;
  expect([typeof block.id, typeof block.name, block.input]).toEqual(['string', 'string', {}]);
  told.calls.push({ id: block.id, name: block.name, arguments: '', complete: false });
}

// ---------------------------------------------------------------- responses

const terminals = ['response.completed', 'response.incomplete', 'response.failed'];

function checkResponses(events: EventSourceMessage[]): Told {
  const told = nothing();
  const said: Data[] = events.map(({ event, data, id }, at) => {
    const parsed = JSON.parse(data);
    same(event, parsed.type, 'the event line says the type');
    same(id, undefined, 'no ids');
    same(parsed.sequence_number, at, 'sequence numbers from 0');
    return parsed;
  });
  const last = said.pop();
  if (last.type === 'error') told.error = last.message;
  else {
    expect(terminals).toContain(last.type);
    if (last.type === 'response.failed') told.error = last.response.error.message;
    else told.finish = last.response.incomplete_details?.reason ?? last.response.status;
    told.usage = typeof last.response.usage?.output_tokens === 'number';
  }
  // Clients look for the one or the other.
  if (last.type === 'response.failed' && said.at(-1)?.type === 'error') said.pop();
  if (told.finish === undefined) same(typeof told.error, 'string');
  else expect(said.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
  for (const { response } of said.slice(0, 2))
    expect([response.status, response.output]).toEqual(['in_progress', []]);
  const items: Item[] = [];
  for (const event of said.slice(2)) readItemEvent(told, event, items);
  if (told.error === undefined) {
    // Clients run what is done, so a call that was cut off never is.
    const cut = told.finish === 'max_output_tokens' && items.at(-1)?.added.type === 'function_call';
    const open = items.filter(({ done }) => !done);
    expect(open.length, 'every item is done before the end').toBeLessThanOrEqual(cut ? 1 : 0);
    const incomplete = open.map(({ added, text }) => ({ ...added, status: 'incomplete', arguments: text }));
    expect(last.response.output, 'the items that were done are the output').toEqual([
      ...items.filter(({ done }) => done).map(({ done }) => done),
      ...incomplete,
    ]);
  }
  return told;
}

interface Item {
  added: Data;
  /** What came, a letter each: a part is added, a delta, its text is done, the part is done. */
  steps: string;
  parts: number;
  text: string;
  done: Data;
}

const letters: Record<string, string> = {
  'response.content_part.added': 'a',
  'response.reasoning_summary_part.added': 'a',
  'response.output_text.delta': 'd',
  'response.reasoning_text.delta': 'd',
  'response.reasoning_summary_text.delta': 'd',
  'response.function_call_arguments.delta': 'd',
  'response.output_text.done': 't',
  'response.reasoning_text.done': 't',
  'response.reasoning_summary_text.done': 't',
  'response.function_call_arguments.done': 't',
  'response.content_part.done': 'p',
  'response.reasoning_summary_part.done': 'p',
  'response.output_item.done': '.',
};

/** What may come in an item, up to any point: a call has no parts, and is done only if it is whole. */
const stepsOf: Record<string, RegExp> = {
  message: /^(ad*tp)*(\.|ad*t?)?$/,
  reasoning: /^(ad*tp)*(\.|ad*t?)?$/,
  function_call: /^d*t?\.?$/,
};

/** Events of one item: added, its parts and deltas, done. */
function readItemEvent(told: Told, event: Data, items: Item[]): void {
  if (event.type === 'response.output_item.added') {
    addItem(told, event, items);
    return;
  }
  const item = items[event.output_index] as Item;
  same(typeof item, 'object', `${event.type} of an item that was added`);
  same(item === items.at(-1), true, 'one item at a time');
  same(event.item_id ?? event.item.id, item.added.id);
  item.steps += letters[event.type] ?? '?';
  same(stepsOf[item.added.type]?.test(item.steps), true, `steps of an item: ${item.steps}`);
  readStep(told, event, item);
}

function addItem(told: Told, event: Data, items: Item[]): void {
  const { item } = event;
  same(event.output_index, items.length, 'indices without gaps');
  expect(
    items.every(({ done }) => done),
    'one item at a time',
  ).toBe(true);
  expect(Object.keys(stepsOf)).toContain(item.type);
  items.push({ added: item, steps: '', parts: 0, text: '', done: undefined });
  if (item.type !== 'function_call') return;
  expect([typeof item.call_id, typeof item.name, item.arguments]).toEqual(['string', 'string', '']);
  told.calls.push({ id: item.call_id, name: item.name, arguments: '', complete: false });
}

function readStep(told: Told, event: Data, item: Item): void {
  const { type } = item.added;
  switch (letters[event.type]) {
    case 'a':
      same(event.content_index ?? event.summary_index, item.parts++);
      item.text = '';
      break;
    case 'd':
      same(typeof event.delta, 'string');
      item.text += event.delta;
      if (type === 'message') told.text += event.delta;
      else if (type === 'reasoning') told.reasoning += event.delta;
      else (told.calls.at(-1) as Told['calls'][number]).arguments += event.delta;
      break;
    case 't':
      same(event.text ?? event.arguments, item.text, 'deltas concatenate to what is done');
      break;
    case 'p':
      same(event.part.text, item.text, 'deltas concatenate to what is done');
      break;
    default:
      item.done = event.item;
      endItem(told, item);
  }
}

function endItem(told: Told, { added, done, steps, text }: Item): void {
  expect(done).toMatchObject({ type: added.type, id: added.id });
  if (added.type !== 'function_call') return;
  same(done.arguments, text);
  const complete = done.status === 'completed';
  same(steps.endsWith('t.'), complete, 'the arguments of a complete call are done');
  (told.calls.at(-1) as Told['calls'][number]).complete = complete;
}
