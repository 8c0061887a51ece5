// JSON lines in, JSON lines out: one answer a line, in the order of the questions. A bad line is answered and
// the rest served. Memory is that of one line, whatever the length of the stream.

import { isUtf8 } from 'node:buffer';
import { type ExactValue, parseExact, stringifyJson } from '@dragoman/core';
import { CommandError, messageOf } from './command-error.js';
import { expected, fieldsOf, type JsonFields } from './fields.js';
import { openInput, unreadable } from './input.js';
import { write } from './terminal.js';

const LINE_LIMIT = 64 * 1024 * 1024;

/** The members of an answer besides the id. */
export type LineAnswer = { [key: string]: ExactValue };

export type Serve = (question: JsonFields) => LineAnswer | Promise<LineAnswer>;

/** The number of answers that are written together. Fewer are written when their piece of input has been read. */
const BATCH = 64 * 1024;

/** Serves the lines of a file, or of standard input. */
export async function serveLines(file: string | undefined, serve: Serve): Promise<number> {
  try {
    await serveInput(openInput(file), serve);
    return 0;
  } catch (error) {
    throw unreadable(file ?? 'standard input', error);
  }
}

async function serveInput(input: AsyncIterable<Buffer>, serve: Serve): Promise<void> {
  const splitter = new LineSplitter();
  let pending = '';
  const answer = async (lines: Iterable<InputLine>) => {
    for (const line of lines) {
      const answered = answerLine(line, serve);
      // Waiting costs a turn of the event loop, so it is done only where there is something to wait for.
      pending += typeof answered === 'string' ? answered : await answered;
      if (pending.length >= BATCH) await flush();
    }
    await flush();
  };
  const flush = async () => {
    const text = pending;
    pending = '';
    await write(text);
  };
  for await (const piece of input) await answer(splitter.push(piece));
  await answer(splitter.end());
}

/** A line, or how long it was where it was too long to keep. */
type InputLine = Buffer | 'too-long';

export class LineSplitter {
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(readonly limit: number = LINE_LIMIT) {}

  /** The lines that end in this piece. */
  *push(piece: Buffer): Generator<InputLine> {
    let start = 0;
    for (let at = piece.indexOf(0x0a); at >= 0; at = piece.indexOf(0x0a, start)) {
      this.#keep(piece.subarray(start, at));
      start = at + 1;
      yield this.#take();
    }
    this.#keep(piece.subarray(start));
  }

  /** The last line, if it has no line break. */
  *end(): Generator<InputLine> {
    if (this.#length > 0) yield this.#take();
  }

  #keep(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > this.limit) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  #take(): InputLine {
    const line = this.#length > this.limit ? 'too-long' : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#length = 0;
    return line;
  }
}

/** The answer with its line break; nothing for a blank line. */
function answerLine(line: InputLine, serve: Serve): string | Promise<string> {
  let id: ExactValue = null;
  const failed = (error: unknown) => toLine({ id, error: messageOf(error) });
  try {
    const text = decode(line).trim();
    if (text === '') return '';
    const value = parseExact(text);
    const question = fieldsOf(value);
    if (!question) throw expected('line', 'a JSON object', value);
    id = question.get('id') ?? null;
    const answer = serve(question);
    if (!(answer instanceof Promise)) return toLine({ id, ...answer });
    return answer.then((members) => toLine({ id, ...members })).catch(failed);
  } catch (error) {
    return failed(error);
  }
}

function decode(line: InputLine): string {
  if (line === 'too-long') throw new CommandError('the line is longer than 64 MiB');
  if (!isUtf8(line)) throw new CommandError('the line is no UTF-8');
  // `trim` takes a byte order mark with the white space.
  return line.toString('utf8');
}

function toLine(answer: LineAnswer): string {
  return `${stringifyJson(answer, 'compact')}\n`;
}
