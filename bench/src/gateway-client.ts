// The client of the gateway's bench: bodies, whole answers, and streams whose events are counted as they arrive.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { prose, tools } from './inputs.js';

export type Size = 'small' | '60 KB';

const LARGE = 60_000;
/** As many tools as a coding agent has. */
const DOZEN = 12;

export function bodyOf(model: string, size: Size, withTools: boolean, stream: boolean): string {
  const offered = withTools ? toolsOf(size) : [];
  const left = size === 'small' ? 0 : LARGE - JSON.stringify(offered).length;
  const turns = Array.from({ length: size === 'small' ? 0 : DOZEN }, (_, turn) => ({
    role: turn % 2 === 0 ? 'user' : 'assistant',
    content: prose(Math.floor(left / DOZEN), turn + 1),
  }));
  const messages = [...turns, { role: 'user', content: 'Write it.' }];
  return JSON.stringify({ model, stream, messages, ...(withTools && { tools: offered }) });
}

function toolsOf(size: Size): object[] {
  const more = Array.from({ length: size === 'small' ? 0 : DOZEN - 1 }, (_, at) => ({
    name: `tool_${at}`,
    description: prose(600, at + 1),
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: prose(80, at + 1) },
        from: { type: 'integer' },
        mode: { type: 'string', enum: ['one', 'two', 'three'] },
      },
      required: ['path'],
    },
  }));
  return [...tools, ...more].map((tool) => ({ type: 'function', function: tool }));
}

/** What all streams have received together. */
export interface EventCount {
  events: number;
  begun: number;
  ended: number;
  errors: number;
  /** Who waits for how many events. */
  wanted: number;
  reached(): void;
}

export class Asker {
  readonly #pool: Pool;
  readonly count: EventCount = {
    events: 0,
    begun: 0,
    ended: 0,
    errors: 0,
    wanted: 0,
    reached: () => {},
  };
  readonly #streams = new Set<ClientStream>();

  constructor(url: string) {
    this.#pool = new Pool(url, { connections: null, headersTimeout: 0, bodyTimeout: 0 });
  }

  async whole(body: string): Promise<string> {
    const answer = await this.#pool.request({ ...to(body) });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${text}`);
    return text;
  }

  open(body: string, look?: (bytes: Buffer) => void): void {
    const stream = new ClientStream(this.count, look, () => this.#streams.delete(stream));
    this.#streams.add(stream);
    this.#pool.dispatch(to(body), stream);
  }

  /** Leaves all streams, in the middle. */
  leave(): void {
    for (const stream of this.#streams) stream.leave();
    this.#streams.clear();
  }

  /** Until so many events have arrived, or nothing has for a while: then false. */
  async until(events: number, patience = 500): Promise<boolean> {
    const { count } = this;
    for (let seen = -1; count.events < events && count.events > seen; ) {
      seen = count.events;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patience);
        count.wanted = events;
        count.reached = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return count.events >= events;
  }

  /** Until so many streams have begun, or failed to, and their first events are there. */
  async begun(streams: number): Promise<void> {
    const { count } = this;
    for (let seen = -1, quiet = 0; count.begun + count.errors < streams && quiet < 500; quiet++) {
      if (count.begun > seen) quiet = 0;
      seen = count.begun;
      await sleep(10);
    }
    await this.settled();
  }

  /** Until nothing arrives any more. */
  async settled(): Promise<number> {
    for (let seen = -1; seen < this.count.events; ) {
      seen = this.count.events;
      await sleep(50);
    }
    return this.count.events;
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

function to(body: string): Dispatcher.RequestOptions & { method: 'POST' } {
  return { path: '/v1/chat/completions', method: 'POST', headers: JSON_BODY, body };
}

const JSON_BODY = { 'content-type': 'application/json' };
const BREAK = 10;

class ClientStream implements Dispatcher.DispatchHandlers {
  #abort: (() => void) | undefined;
  #left = false;
  #atBreak = false;

  constructor(
    readonly count: EventCount,
    readonly look: ((bytes: Buffer) => void) | undefined,
    readonly over: () => void,
  ) {}

  leave(): void {
    this.#left = true;
    this.#abort?.();
  }

  onConnect(abort: () => void): void {
    this.#abort = abort;
  }

  onHeaders(status: number): boolean {
    if (status === 200) this.count.begun++;
    else this.count.errors++;
    return true;
  }

  /** Events end with an empty line. */
  onData(bytes: Buffer): boolean {
    if (this.#atBreak && bytes[0] === BREAK) this.count.events++;
    for (let at = bytes.indexOf('\n\n'); at >= 0; at = bytes.indexOf('\n\n', at + 2)) this.count.events++;
    this.#atBreak = bytes.at(-1) === BREAK && bytes.at(-2) !== BREAK;
    if (this.count.events >= this.count.wanted) this.count.reached();
    this.look?.(bytes);
    return true;
  }

  onComplete(): void {
    this.count.ended++;
    this.over();
  }

  onError(): void {
    if (!this.#left) this.count.errors++;
    this.over();
  }
}
