// Turns the return value of a tool into the output of its result: text, values, errors, bytes, streams, generators.

import type { JsonValue } from '../model/index.js';
import { describeError } from './describe-error.js';
import { itemsUntilAborted } from './stop.js';
import { toJson } from './to-json.js';

export interface Output {
  output: JsonValue;
  isError: boolean;
}

export interface OutputContext {
  /** Streams are read up to this many characters. */
  limit: number;
  signal: AbortSignal;
  emit(data: unknown): void;
}

/** Rejects only if a stream or a generator does. */
export async function toOutput(value: unknown, context: OutputContext): Promise<Output> {
  if (value === undefined) return fine('(the tool returned nothing)');
  if (value instanceof Error) return { output: describeError(value), isError: true };
  if (isBytes(value)) return fine(textOfBytes(value));
  const tag = Object.prototype.toString.call(value);
  if (tag === '[object Response]') return responseOutput(value as ResponseLike, context);
  if (tag === '[object AsyncGenerator]') return lastOutput(value as AsyncIterable<unknown>, context);
  const pieces = piecesOf(value, context.signal);
  if (pieces !== undefined) return fine(await textOfPieces(pieces, context));
  return fine(typeof value === 'string' ? value : toJson(value));
}

function fine(output: JsonValue): Output {
  return { output, isError: false };
}

interface ResponseLike {
  ok: boolean;
  status: number;
  body: unknown;
}

async function responseOutput(response: ResponseLike, context: OutputContext): Promise<Output> {
  const pieces = piecesOf(response.body, context.signal);
  const text = pieces === undefined ? '' : await textOfPieces(pieces, context);
  return response.ok ? fine(text) : { output: `HTTP ${response.status}\n${text}`, isError: true };
}

/** What a generator yields is progress, each time a newer state of the result; the last one counts. */
async function lastOutput(steps: AsyncIterable<unknown>, context: OutputContext): Promise<Output> {
  let last: unknown;
  for await (const state of itemsUntilAborted(steps, context.signal)) {
    last = state;
    context.emit(state);
  }
  return toOutput(last, context);
}

/** A web stream, or a stream of Node's, which is known by its iterator. */
function piecesOf(value: unknown, signal: AbortSignal): AsyncIterable<unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { getReader } = value as { getReader?: unknown };
  if (typeof getReader === 'function') return piecesOfReader(value as ReadableStream<unknown>, signal);
  return Symbol.asyncIterator in value ? (value as AsyncIterable<unknown>) : undefined;
}

/** Not every runtime can iterate its streams, and an iterator could not cancel one that is silent. */
async function* piecesOfReader(
  stream: ReadableStream<unknown>,
  signal: AbortSignal,
): AsyncGenerator<unknown, void> {
  const reader = stream.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

/** A stream may have no end: it is read as far as the result may be long. */
async function textOfPieces(pieces: AsyncIterable<unknown>, context: OutputContext): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of itemsUntilAborted(pieces, context.signal)) {
    text += textOfPiece(piece, decoder);
    if (text.length <= context.limit) continue;
    const note = '\n[the stream was not read further: the result was too long]';
    return text.slice(0, Math.max(0, context.limit - note.length)) + note;
  }
  return text + decoder.decode();
}

function textOfPiece(piece: unknown, decoder: InstanceType<typeof TextDecoder>): string {
  if (typeof piece === 'string') return piece;
  if (isBytes(piece)) return decoder.decode(bytesOf(piece), { stream: true });
  return `${JSON.stringify(toJson(piece))}\n`;
}

function textOfBytes(value: ArrayBuffer | ArrayBufferView): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(value));
  } catch {
    return `[${value.byteLength} bytes that are no text, left out]`;
  }
}

function isBytes(value: unknown): value is ArrayBuffer | ArrayBufferView {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}

function bytesOf(value: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);
}
