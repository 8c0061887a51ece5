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
  expect(text.endsWith('\n\n'), 'the last event is whole').toBe(true);
  return events;
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
  if (failed < 0) expect(done, '[DONE] last, once').toBe(chunks.length - 1);
  else {
    expect(failed, 'an error is the last that is said').toBe(parsed.length - 1);
    told.error = parsed.pop().error.message;
    expect(told.error).toBeTypeOf('string');
  }
  for (const [at, chunk] of parsed.entries()) readChunk(told, chunk, at, usageAsked);
  const heads = new Set(
    parsed.map(({ id, object, created, model }) => JSON.stringify([id, object, created, model])),
  );
  expect(heads.size, 'one id, object, time and model').toBeLessThanOrEqual(1);
  if (told.error === undefined) {
    expect(told.finish, 'finish_reason once').toBeTypeOf('string');
    expect(told.usage, 'usage when asked').toBe(usageAsked);
  }
  for (const call of told.calls) call.complete = told.finish === 'tool_calls';
  return told;
}

function readChunk(told: Told, chunk: Data, at: number, usageAsked: boolean): void {
  expect(chunk.object).toBe('chat.completion.chunk');
  if (chunk.usage) {
    expect(usageAsked, 'usage only when asked').toBe(true);
    expect(told.finish, 'usage behind the finish').toBeTypeOf('string');
    expect(told.usage, 'usage once').toBe(false);
    expect(chunk.choices).toEqual([]);
    told.usage = true;
    return;
  }
  expect(told.usage, 'nothing behind the usage').toBe(false);
  if (chunk.choices.length === 0) return;
  expect(chunk.choices.length).toBe(1);
  const { index, delta, finish_reason } = chunk.choices[0];
  expect(index).toBe(0);
  expect(told.finish, 'nothing behind the finish').toBe(undefined);
  expect(delta.role, 'role first and once').toBe(at === 0 ? 'assistant' : undefined);
  told.text += delta.content ?? '';
  told.reasoning += delta.reasoning_content ?? '';
  for (const call of delta.tool_calls ?? []) readCallDelta(told, call);
  if (finish_reason !== null) told.finish = finish_reason;
}

function readCallDelta(told: Told, { index, id, type, function: made }: Data): void {
  const known = told.calls[index];
  if (!known) {
    expect(index, 'indices without gaps').toBe(told.calls.length);
    expect([typeof id, type, typeof made.name], 'header first').toEqual(['string', 'function', 'string']);
    expect(id).not.toBe('');
    told.calls.push({ id, name: made.name, arguments: made.arguments ?? '', complete: false });
    return;
  }
  expect([id, made.name], 'header once').toEqual([undefined, undefined]);
  expect(made.arguments).toBeTypeOf('string');
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
    expect([event, id], 'the event line says the type').toEqual([parsed.type, undefined]);
    return parsed;
  });
  const said = all.filter(({ type }) => type !== 'ping');
  if (said.at(-1)?.type === 'error') {
    told.error = said.pop().error.message;
    expect(told.error).toBeTypeOf('string');
  } else expect(said.at(-1)?.type).toBe('message_stop');
  if (said.length === 0) return told;
  expect(said[0]).toMatchObject({
    type: 'message_start',
    message: { type: 'message', role: 'assistant', content: [], stop_reason: null, stop_sequence: null },
  });
  let blocks = 0;
  let open: Data;
  for (const event of said.slice(1)) {
    if (event.type === 'content_block_start') {
      expect(open, 'blocks do not overlap').toBe(undefined);
      expect(told.finish, 'no block behind message_delta').toBe(undefined);
      expect(event.index, 'indices without gaps').toBe(blocks++);
      open = event.content_block;
      startBlock(told, open);
    } else if (event.type === 'content_block_delta') {
      expect(event.index).toBe(blocks - 1);
      expect(blockDeltas[open?.type], 'the delta of an open block').toContain(event.delta.type);
      told.text += event.delta.text ?? '';
      told.reasoning += event.delta.thinking ?? '';
      const call = told.calls.at(-1);
      if (open.type === 'tool_use' && call) call.arguments += event.delta.partial_json;
    } else if (event.type === 'content_block_stop') {
      expect(open, 'only an open block stops').toBeTypeOf('object');
      expect(event.index).toBe(blocks - 1);
      const call = told.calls.at(-1);
      if (open.type === 'tool_use' && call) call.complete = true;
      open = undefined;
    } else if (event.type === 'message_delta') {
      expect(open, 'all blocks are stopped').toBe(undefined);
      expect(told.finish, 'message_delta once').toBe(undefined);
      told.finish = event.delta.stop_reason;
      told.usage = typeof event.usage?.output_tokens === 'number';
      expect([typeof told.finish, told.usage]).toEqual(['string', true]);
    } else {
      expect(event.type).toBe('message_stop');
      expect(event, 'message_stop once').toBe(said.at(-1));
      expect(told.finish, 'message_delta before message_stop').toBeTypeOf('string');
    }
  }
  // The token limit may have cut the last block off, and nothing but the reason says so.
  const call = told.calls.at(-1);
  if (told.finish === 'max_tokens' && call) call.complete = false;
  return told;
}

function startBlock(told: Told, block: Data): void {
  expect(Object.keys(blockDeltas)).toContain(block.type);
  if (block.type === 'text') expect(block.text).toBe('');
  if (block.type === 'thinking') expect(block.thinking).toBe('');
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
    expect([event, id], 'the event line says the type').toEqual([parsed.type, undefined]);
    expect(parsed.sequence_number, 'sequence numbers from 0').toBe(at);
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
  if (told.finish === undefined) expect(told.error).toBeTypeOf('string');
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
  expect(item, `${event.type} of an item that was added`).toBeTypeOf('object');
  expect(item, 'one item at a time').toBe(items.at(-1));
  expect(event.item_id ?? event.item.id).toBe(item.added.id);
  item.steps += letters[event.type] ?? '?';
  expect(item.steps).toMatch(stepsOf[item.added.type] as RegExp);
  readStep(told, event, item);
}

function addItem(told: Told, event: Data, items: Item[]): void {
  const { item } = event;
  expect(event.output_index, 'indices without gaps').toBe(items.length);
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
      expect(event.content_index ?? event.summary_index).toBe(item.parts++);
      item.text = '';
      break;
    case 'd':
      expect(event.delta).toBeTypeOf('string');
      item.text += event.delta;
      if (type === 'message') told.text += event.delta;
      else if (type === 'reasoning') told.reasoning += event.delta;
      else (told.calls.at(-1) as Told['calls'][number]).arguments += event.delta;
      break;
    case 't':
      expect(event.text ?? event.arguments, 'deltas concatenate to what is done').toBe(item.text);
      break;
    case 'p':
      expect(event.part.text, 'deltas concatenate to what is done').toBe(item.text);
      break;
    default:
      item.done = event.item;
      endItem(told, item);
  }
}

function endItem(told: Told, { added, done, steps, text }: Item): void {
  expect(done).toMatchObject({ type: added.type, id: added.id });
  if (added.type !== 'function_call') return;
  expect(done.arguments).toBe(text);
  const complete = done.status === 'completed';
  expect(steps.endsWith('t.'), 'the arguments of a complete call are done').toBe(complete);
  (told.calls.at(-1) as Told['calls'][number]).complete = complete;
}
