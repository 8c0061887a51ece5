// The order of events in a stream of OpenAI's responses.

import type { EventSourceMessage } from 'eventsource-parser';
import { alike, type Data, nothing, same, type Told } from './told.js';

const terminals = ['response.completed', 'response.incomplete', 'response.failed'];

export function checkResponses(events: EventSourceMessage[]): Told {
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
    same(terminals.includes(last.type), true, `a last event: ${last.type}`);
    if (last.type === 'response.failed') told.error = last.response.error.message;
    else told.finish = last.response.incomplete_details?.reason ?? last.response.status;
    told.usage = typeof last.response.usage?.output_tokens === 'number';
  }
  // Clients look for the one or the other.
  if (last.type === 'response.failed' && said.at(-1)?.type === 'error') said.pop();
  if (told.finish === undefined) same(typeof told.error, 'string');
  else
    alike(
      said.slice(0, 2).map(({ type }) => type),
      ['response.created', 'response.in_progress'],
    );
  for (const { response } of said.slice(0, 2)) alike([response.status, response.output], ['in_progress', []]);
  const items: Item[] = [];
  for (const event of said.slice(2)) readItemEvent(told, event, items);
  if (told.error === undefined) {
    // Clients run what is done, so a call that was cut off never is.
    const cut = told.finish === 'max_output_tokens' && items.at(-1)?.added.type === 'function_call';
    const open = items.filter(({ done }) => !done);
    same(open.length <= (cut ? 1 : 0), true, 'every item is done before the end');
    const incomplete = open.map(({ added, text }) => ({ ...added, status: 'incomplete', arguments: text }));
    const done = items.filter((item) => item.done).map((item) => item.done);
    alike(last.response.output, [...done, ...incomplete], 'the items that were done are the output');
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
  const isAlone = items.every(({ done }) => done !== undefined);
  same(isAlone, true, 'one item at a time');
  same(Object.hasOwn(stepsOf, item.type), true, `an item: ${item.type}`);
  items.push({ added: item, steps: '', parts: 0, text: '', done: undefined });
  if (item.type !== 'function_call') return;
  alike([typeof item.call_id, typeof item.name, item.arguments], ['string', 'string', '']);
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
  alike([done.type, done.id], [added.type, added.id]);
  if (added.type !== 'function_call') return;
  same(done.arguments, text);
  const complete = done.status === 'completed';
  same(steps.endsWith('t.'), complete, 'the arguments of a complete call are done');
  (told.calls.at(-1) as Told['calls'][number]).complete = complete;
}
