// The same verification straight and through Dragoman: what it would mend on this endpoint, and what it costs.

import { dialectOfModel } from '@dragoman/core/bridge';
import { dragoman } from '@dragoman/core/fetch';
import { all } from '@dragoman/core/internal';
import type { CheckId } from './check.js';
import type { CheckStatus, VerifyReport } from './report.js';
import type { Scores } from './scores.js';
import type { ExchangeStore, VerifyEvent } from './verification.js';
import { type VerifyOptions, verifyEndpoint } from './verify.js';

/** How the requests reached the endpoint. */
export type Way = 'straight' | 'heal' | 'emulate';

export interface Compared {
  way: Way;
  /** The dialect that was looked for in the text, or taught. */
  dialect?: string;
  checks: { id: CheckId; status: CheckStatus; passed: number; of: number }[];
  scores: Scores;
  latency: VerifyReport['latency'];
}

export type CompareEvent = VerifyEvent & { way: Way };

/** Gives the events of all three ways, one after the other. The last one is the report, with `compared`. */
export async function* compareEndpoint(options: VerifyOptions): AsyncGenerator<CompareEvent> {
  const compared: Compared[] = [];
  let straight: VerifyReport | undefined;
  for (const way of ['straight', 'heal', 'emulate'] as const) {
    const dialect = straight && dialectFound(straight, options.model);
    for await (const event of verifyEndpoint(optionsOf(options, way, dialect))) {
      if (event.type !== 'report') {
        yield { ...event, way };
        continue;
      }
      straight ??= event.report;
      compared.push(toCompared(event.report, way, way === 'straight' ? undefined : dialect));
    }
    if (options.signal?.aborted) break;
  }
  if (straight) yield { type: 'report', way: 'straight', report: { ...straight, compared } };
}

function optionsOf(options: VerifyOptions, way: Way, dialect: string | undefined): VerifyOptions {
  const store = options.store && prefixed(options.store, `${way}.`);
  const rest = { ...options, ...(store && { store }) };
  if (way === 'straight') return rest;
  // The reference is asked once, straight.
  const { reference: _, ...alone } = rest;
  const named = dialect === undefined ? {} : { dialect, watch: [dialect] };
  const bridged = dragoman({ mode: way, ...named });
  return { ...alone, fetch: (url, init) => bridged(url, init) };
}

function prefixed(store: ExchangeStore, prefix: string): ExchangeStore {
  return {
    load: (key) => store.load(prefix + key),
    save: (key, exchange) => store.save(prefix + key, exchange),
  };
}

/** The dialect that leaked, else the one of the model's name; undefined: the bridge chooses. */
function dialectFound({ checks }: VerifyReport, model: string): string | undefined {
  const leaked = checks.flatMap(({ examples }) => examples.map(({ reading }) => reading?.dialect));
  return leaked.find((name) => name !== undefined) ?? dialectOfModel(model, all)?.name;
}

function toCompared(
  { checks, scores, latency }: VerifyReport,
  way: Way,
  dialect: string | undefined,
): Compared {
  return {
    way,
    ...(dialect !== undefined && { dialect }),
    checks: checks.map(({ id, status, passed, of }) => ({ id, status, passed, of })),
    scores,
    latency,
  };
}
