// The same verification straight and through Dragoman: what it would mend on this endpoint, and what it costs.

import { dialectOfModel } from '@dragoman/core/bridge';
import { dragoman } from '@dragoman/core/fetch';
import { all } from '@dragoman/core/internal';
import type { CheckId } from './check.js';
import { splitAddress } from './endpoint.js';
import type { CheckStatus, VerifyReport } from './report.js';
import type { Scores } from './scores.js';
import type { Tokens } from './token-count.js';
import type { ExchangeStore, VerifyEvent } from './verification.js';
import { type VerifyOptions, verifyEndpoint } from './verify.js';

/** How the requests reached the endpoint. */
export type Way = 'straight' | 'heal' | 'emulate';

export interface Compared {
  way: Way;
  /** The dialect that was looked for in the text, or taught. */
  dialect?: string;
  checks: {
    id: CheckId;
    status: CheckStatus;
    passed: number;
    of: number;
    /** What is wrong, of a check that fails. */
    message?: string;
  }[];
  scores: Scores;
  latency: VerifyReport['latency'];
  tokens?: Tokens;
}

export type CompareEvent = VerifyEvent & { way: Way };

/**
 * Gives the events of the ways, one after the other. The last one is the report, with `compared`. A gateway that emulates
 * guards its own marks in prompts, so that another emulation in front of it cannot work: it is left out.
 */
export async function* compareEndpoint(options: VerifyOptions): AsyncGenerator<CompareEvent> {
  const compared: Compared[] = [];
  let straight: VerifyReport | undefined;
  let isGone = false;
  for (const way of ['straight', 'heal', 'emulate'] as const) {
    if (way === 'emulate' && straight?.endpoint.gateway === 'emulate') break;
    const dialect = straight && dialectFound(straight, options.model);
    for await (const event of verifyEndpoint(optionsOf(options, way, dialect))) {
      if (event.type !== 'report') {
        yield { ...event, way };
        continue;
      }
      straight ??= event.report;
      isGone = event.report.lost !== undefined;
      compared.push(toCompared(event.report, way, way === 'straight' ? undefined : dialect));
    }
    if (options.signal?.aborted || isGone) break;
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
  const { url, headers = {} } = splitAddress(options.url);
  const { api, key, fetch: own = fetch } = options;
  const upstream = { url, ...(api && { api }), ...(key !== undefined && { key }), fetch: own };
  const bridged = dragoman({
    mode: way,
    ...named,
    upstream: { ...upstream, headers: { ...headers, ...options.headers } },
  });
  // Only what is posted is for the model.
  return { ...alone, fetch: (to, init) => (init.method === 'POST' ? bridged(to, init) : own(to, init)) };
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
  { checks, scores, latency, tokens }: VerifyReport,
  way: Way,
  dialect: string | undefined,
): Compared {
  return {
    way,
    ...(dialect !== undefined && { dialect }),
    checks: checks.map(({ id, status, passed, of, examples: [example] }) => ({
      ...{ id, status, passed, of },
      ...(status === 'fail' && example && { message: example.message }),
    })),
    scores,
    latency,
    ...(tokens && { tokens }),
  };
}
