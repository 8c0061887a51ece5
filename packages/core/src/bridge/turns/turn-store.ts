// Reads turns from a store that several processes share: a request waits for it a moment, and never fails because of it.

import { isObject } from '../../model/index.js';
import type { KeptTurn } from './turn-memory.js';

/** Keeps turns for several processes. A key holds texts of the client: a store digests it. */
export interface TurnStore {
  get(key: string): Promise<string | undefined>;
  put(key: string, turn: string): void;
}

/** How long a request waits, in milliseconds. What comes later serves the next one. */
const PATIENCE = 50;
/** How long a turn that is not there is not asked for again, in milliseconds. */
const ABSENT_FOR = 30_000;
/** How many of them are remembered, and how many are asked for at once. */
const MOST_ABSENT = 10_000;
const MOST_ASKED = 200;

export class TurnStoreReader {
  /** When they may be asked for again; the oldest first. */
  readonly #absent = new Map<string, number>();

  constructor(readonly store: TurnStore) {}

  /** Calls `found` with each turn that is there. */
  async ask(keys: readonly string[], found: (key: string, turn: KeptTurn) => void): Promise<void> {
    const now = Date.now();
    const unknown = keys.filter((key) => (this.#absent.get(key) ?? 0) <= now).slice(-MOST_ASKED);
    if (unknown.length === 0) return;
    const answers = Promise.allSettled(unknown.map((key) => this.#askFor(key, found)));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise((done) => {
      timer = setTimeout(done, PATIENCE);
    });
    await Promise.race([answers, patience]);
    clearTimeout(timer);
  }

  async #askFor(key: string, found: (key: string, turn: KeptTurn) => void): Promise<void> {
    const text = await this.store.get(key);
    const turn = text === undefined ? undefined : readTurn(text);
    if (turn) found(key, turn);
    else this.#miss(key);
  }

  #miss(key: string): void {
    this.#absent.delete(key);
    this.#absent.set(key, Date.now() + ABSENT_FOR);
    const [oldest] = this.#absent.keys();
    if (this.#absent.size > MOST_ABSENT && oldest !== undefined) this.#absent.delete(oldest);
  }
}

/** Reads what a process has put into the store. Undefined: another version of this program has, or something else. */
function readTurn(text: string): KeptTurn | undefined {
  try {
    const { parts, written }: Partial<KeptTurn> = JSON.parse(text);
    if (!Array.isArray(parts) || !parts.every(isPart) || !isWritten(written)) return undefined;
    return { parts, written };
  } catch {
    return undefined;
  }
}

function isPart(part: unknown): boolean {
  if (!isObject(part)) return false;
  if (part.type === 'tool-call')
    return typeof part.id === 'string' && typeof part.name === 'string' && isObject(part.input);
  return (part.type === 'text' || part.type === 'reasoning') && typeof part.text === 'string';
}

function isWritten(written: unknown): boolean {
  if (!isObject(written) || typeof written.dialect !== 'string' || typeof written.text !== 'string')
    return false;
  const { inside, dividing, body } = written;
  const isBody = body === undefined || (typeof body === 'number' && body >= 0 && body <= written.text.length);
  return typeof inside === 'boolean' && typeof dividing === 'boolean' && isBody;
}
