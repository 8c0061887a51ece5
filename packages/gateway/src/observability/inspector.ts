// Keeps the last exchanges in memory and streams live events. Headers are never recorded, and known secrets are removed
// from what is shown.

import { setMember } from '@dragoman/core/internal';
import type { ExchangeInfo, Watcher } from '../services.js';
import type { ExchangeRecord, ExchangeSummary, InspectorEvent, PrefixRecord } from './inspector-shapes.js';
import { RecordedExchange } from './recorded-exchange.js';
import { stablePrefix } from './stable-prefix.js';

export interface InspectorOptions {
  /** Bytes that all exchanges may take. Default 64 MiB. */
  totalBytes?: number;
  /** Bytes that one may take. Default 2 MiB. */
  eachBytes?: number;
  /** Takes known secrets out of a text: see `redactKnown` of the log. */
  redact?: (text: string) => string;
}

export interface Inspector extends Watcher, InspectorView {
  list(): ExchangeSummary[];
  get(id: string): ExchangeRecord | undefined;
  clear(): void;
}

/** What the routes of the inspector show: the exchanges of this process, or of several. */
export interface InspectorView {
  /** The number of exchanges to keep. 0: none, and nothing is recorded. */
  readonly keep: number;
  /** The newest first. */
  list(): ExchangeSummary[] | Promise<ExchangeSummary[]>;
  get(id: string): ExchangeRecord | undefined | Promise<ExchangeRecord | undefined>;
  /** Calls the listener synchronously with every event, until the returned function is called. The listener must be fast; see `inspectorStream`. */
  subscribe(listener: (event: InspectorEvent) => void): () => void;
}

const BYTES_PER_CHARACTER = 2;

export function createInspector(keep: number, options: InspectorOptions = {}): Inspector {
  const { totalBytes = 64 * 1024 * 1024, eachBytes = 2 * 1024 * 1024, redact } = options;
  const shown = <T>(value: T): T => (redact ? (mapStrings(value, redact) as T) : value);
  const listeners = new Set<{ hear(event: InspectorEvent): void }>();
  const kept = new Kept(keep, totalBytes / BYTES_PER_CHARACTER);
  const maxSize = Math.floor(Math.min(eachBytes, totalBytes) / BYTES_PER_CHARACTER);
  /** A listener that throws is not told any more. */
  const tell = (event: InspectorEvent) => {
    const told = shown(event);
    for (const listener of listeners) {
      try {
        listener.hear(told);
      } catch {
        listeners.delete(listener);
      }
    }
  };
  const begin = (exchange: ExchangeInfo) => {
    const one: RecordedExchange = new RecordedExchange({
      id: kept.freeId(exchange.id),
      exchange,
      maxSize,
      onGrow: (size) => kept.grow(one, size),
      live: () => (listeners.size > 0 ? tell : undefined),
    });
    return kept.add(one);
  };
  return {
    keep,
    begin: (exchange) => (keep > 0 ? begin(exchange) : undefined),
    list: () => kept.newestFirst().map((one) => shown(one.summary())),
    get: (id) => {
      const found = kept.get(id);
      if (!found) return undefined;
      const prefix = prefixOf(found, kept.newestFirst());
      return shown({ ...found.record(), ...(prefix && { prefix }) });
    },
    clear: () => kept.clear(),
    subscribe: (hear) => {
      const listener = { hear };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** How many earlier exchanges are compared. */
const COMPARED = 50;

function prefixOf(one: RecordedExchange, all: readonly RecordedExchange[]): PrefixRecord | undefined {
  const sent = one.sent();
  if (!sent) return undefined;
  const summary = one.summary();
  const earlier = all.slice(all.indexOf(one) + 1).filter((other) => other.isOf(summary));
  return stablePrefix(
    sent,
    earlier.slice(0, COMPARED).flatMap((other) => other.sent() ?? []),
  );
}

/** The exchanges, oldest first, within a number and a size. */
class Kept {
  readonly #exchanges = new Map<string, RecordedExchange>();
  #size = 0;
  #made = 0;

  constructor(
    readonly max: number,
    readonly maxSize: number,
  ) {}

  /** Makes the id unique: clients may send one twice. */
  freeId(id: string): string {
    this.#made++;
    return this.#exchanges.has(id) ? `${id}~${this.#made}` : id;
  }

  add(exchange: RecordedExchange): RecordedExchange {
    this.#exchanges.set(exchange.id, exchange);
    while (this.#exchanges.size > this.max) this.#dropOldest();
    return exchange;
  }

  /** One that was dropped while it was still open grows for itself alone, and is gone with its end. */
  grow(exchange: RecordedExchange, size: number): void {
    if (this.#exchanges.get(exchange.id) !== exchange) return;
    this.#size += size;
    while (this.#size > this.maxSize && this.#exchanges.size > 1) this.#dropOldest();
  }

  get(id: string): RecordedExchange | undefined {
    return this.#exchanges.get(id);
  }

  newestFirst(): RecordedExchange[] {
    return [...this.#exchanges.values()].reverse();
  }

  clear(): void {
    this.#exchanges.clear();
    this.#size = 0;
  }

  #dropOldest(): void {
    const [oldest] = this.#exchanges.values();
    if (!oldest) return;
    this.#exchanges.delete(oldest.id);
    this.#size -= oldest.size;
  }
}

/** Copies a JSON value with every string in it mapped, keys included. */
function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) setMember(copy, change(key), mapStrings(member, change));
  return copy;
}
