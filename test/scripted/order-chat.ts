// The order of events in a stream of OpenAI's chat completions.

import type { EventSourceMessage } from 'eventsource-parser';
import { alike, type Data, nothing, same, type Told } from './told.js';

export function checkChat(events: EventSourceMessage[], usageAsked: boolean): Told {
  const told = nothing();
  const chunks = events.map(({ data }) => data);
  const isBare = events.every(({ event, id }) => event === undefined && id === undefined);
  same(isBare, true, 'no event or id lines');
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
  same(heads.size <= 1, true, 'one id, object, time and model');
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
    alike(chunk.choices, []);
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
    alike([typeof id, type, typeof made.name], ['string', 'function', 'string'], 'header first');
    same(id === '', false, 'an id');
    told.calls.push({ id, name: made.name, arguments: made.arguments ?? '', complete: false });
    return;
  }
  same(id ?? made.name, undefined, 'header once');
  same(typeof made.arguments, 'string');
  known.arguments += made.arguments;
}
