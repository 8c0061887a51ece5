// Reads an upstream's stream of the Responses API: which event gives what.

import { ApiError } from '../../model/index.js';
import { createSseDecoder, type SseReading } from '../sse.js';
import { memberOf, numberOf, stringOf } from '../values.js';
import type { StreamDecoder } from '../wire.js';
import { decodeFailure } from './errors.js';
import { OutputReader } from './output-reader.js';

export function createStreamDecoder(): StreamDecoder {
  return createSseDecoder(createReading());
}

export function createReading(): SseReading {
  const reader = new OutputReader();
  return {
    isEnd: (data) => data === '[DONE]',
    read(data, event) {
      const at = numberOf(data, 'output_index') ?? 0;
      if (!reader.complete) readers.get(stringOf(data, 'type') ?? event ?? '')?.(reader, data, at);
      return reader.taken();
    },
    end: () => ({ events: [], complete: reader.complete }),
  };
}

/** `at` is the item's index in the output. */
type Read = (reader: OutputReader, data: unknown, at: number) => void;

const begin: Read = (reader, data) => reader.start(memberOf(data, 'response'));
const text: Read = (reader, data, at) => reader.text(delta(data), textKey(data, at));
const fail: Read = (reader, data) => reader.fail(decodeFailure(data));
const finish: Read = (reader, data) => reader.finish(memberOf(data, 'response'), false);

/** Events that are not listed only repeat what a listed one holds. */
const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['response.created', begin],
  ['response.queued', begin],
  ['response.in_progress', begin],
  ['response.output_item.added', (reader, data, at) => reader.added(at, memberOf(data, 'item'))],
  ['response.output_text.delta', text],
  ['response.refusal.delta', (reader, data, at) => reader.text(delta(data), textKey(data, at), true)],
  [
    'response.output_text.done',
    (reader, data, at) => reader.wholeText(stringOf(data, 'text'), textKey(data, at)),
  ],
  [
    'response.refusal.done',
    (reader, data, at) => reader.wholeText(stringOf(data, 'refusal'), textKey(data, at), true),
  ],
  [
    'response.reasoning_text.delta',
    (reader, data, at) => reader.thought(at, 'content', part(data), delta(data), stringOf(data, 'item_id')),
  ],
  [
    'response.reasoning_summary_text.delta',
    (reader, data, at) => reader.thought(at, 'summary', part(data), delta(data), stringOf(data, 'item_id')),
  ],
  ['response.function_call_arguments.delta', (reader, data, at) => reader.argument(at, delta(data))],
  [
    'response.function_call_arguments.done',
    (reader, data, at) => reader.argumentsDone(at, stringOf(data, 'arguments')),
  ],
  ['response.custom_tool_call_input.delta', (reader, data, at) => reader.input(at, delta(data))],
  ['response.output_item.done', (reader, data, at) => reader.itemDone(at, memberOf(data, 'item'))],
  ['response.completed', finish],
  ['response.done', finish],
  ['response.incomplete', (reader, data) => reader.finish(memberOf(data, 'response'), true)],
  ['response.failed', fail],
  ['error', fail],
  [
    'response.cancelled',
    (reader) => reader.fail(new ApiError('upstream-broken', 'The upstream cancelled its answer.')),
  ],
]);

const delta = (data: unknown): string => stringOf(data, 'delta') ?? '';
const part = (data: unknown): number =>
  numberOf(data, 'content_index') ?? numberOf(data, 'summary_index') ?? 0;
const textKey = (data: unknown, at: number): string => `${at}:text:${part(data)}`;
