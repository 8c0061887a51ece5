// Divides the requests to one model among its endpoints.
//
//   order       the first endpoint that is not down
//   error-rate  each gets a share that falls with its tool-call error rate, as far as that exceeds the best one's
//
// A share never falls below that of probes: their answers show when the endpoint is well again. Turns are taken by
// smooth weighted round-robin, so the division is exact and needs no random numbers.

import { UsageError } from '../../model/index.js';
import { EndpointHealth } from './endpoint-health.js';

export type RoutePolicy = 'order' | 'error-rate';

export interface BalanceOptions {
  /** Default `order`. */
  route?: RoutePolicy;
  /** Over how many answers with tools the error rate of an endpoint is measured. Default 50, at most 10,000. */
  window?: number;
  /** Gives the time in milliseconds. Default `Date.now`. */
  now?: () => number;
}

/** The state that all requests to one model share. */
export interface Balance {
  /** Picks an endpoint by its index, not one of these. Undefined if no other can be asked now. */
  pick(tried: ReadonlySet<number>): number | undefined;
  /** Whether `pick` would give an endpoint. */
  hasOther(tried: ReadonlySet<number>): boolean;
  /** Records that an endpoint has begun to answer. */
  worked(endpoint: number): void;
  /** Records the end of an answer to a request with tools. */
  answered(endpoint: number, faulty: boolean): void;
  /** Records that an endpoint gave no answer. `retryAfter` is in seconds. */
  failed(endpoint: number, retryAfter?: number): void;
  /** Gives the share of the requests that each endpoint gets now, from 0 to 1. */
  shares(): number[];
}

/** The weight of an endpoint that gets probes only; the best endpoint has 1. */
const PROBES = 0.05;

/** Excess error rates of 10, 20 and 30 points leave a weight of 0.43, 0.17 and 0.06. */
const STEEPNESS = 8;

const MAX_WINDOW = 10_000;

export function createBalance(count: number, options: BalanceOptions = {}): Balance {
  const { route = 'order', window = 50, now = Date.now } = options;
  if (!Number.isInteger(window) || window < 1 || window > MAX_WINDOW) {
    throw new UsageError('bad-options', `expected a whole number from 1 to ${MAX_WINDOW}`, 'window');
  }
  const endpoints = Array.from({ length: count }, () => new EndpointHealth(window));
  return route === 'order' ? new Ordered(endpoints, now) : new Weighted(endpoints, now);
}

class Ordered implements Balance {
  constructor(
    readonly endpoints: readonly EndpointHealth[],
    readonly now: () => number,
  ) {}

  pick(tried: ReadonlySet<number>): number | undefined {
    const now = this.now();
    const up = this.#up(tried, now);
    const picked = up.length > 0 ? this.choose(up, tried.size > 0, now) : this.#soonest(tried);
    if (picked !== undefined) this.endpoints[picked]?.asked(now);
    return picked;
  }

  hasOther(tried: ReadonlySet<number>): boolean {
    return this.#up(tried, this.now()).length > 0;
  }

  worked(endpoint: number): void {
    this.endpoints[endpoint]?.worked();
  }

  answered(endpoint: number, faulty: boolean): void {
    this.endpoints[endpoint]?.answered(faulty, this.now());
  }

  failed(endpoint: number, retryAfter?: number): void {
    this.endpoints[endpoint]?.failed(this.now(), retryAfter);
  }

  shares(): number[] {
    const [first] = this.#up(new Set(), this.now());
    return this.endpoints.map((_, at) => Number(at === first));
  }

  /** Chooses one of these. `again`: another endpoint was asked before. */
  protected choose(up: readonly number[], _again: boolean, _now: number): number | undefined {
    return up[0];
  }

  #up(tried: ReadonlySet<number>, now: number): number[] {
    return [...this.endpoints.keys()].filter(
      (at) => !tried.has(at) && this.endpoints[at]?.isDown(now) === false,
    );
  }

  /** When all are down, a request is still better sent than refused, to the one whose pause ends first. */
  #soonest(tried: ReadonlySet<number>): number | undefined {
    if (tried.size > 0) return undefined;
    const ends = this.endpoints.map(({ downUntil }) => downUntil);
    return ends.indexOf(Math.min(...ends));
  }
}

class Weighted extends Ordered {
  /** How far each endpoint is behind the share that it is due. */
  readonly #due: number[] = this.endpoints.map(() => 0);

  protected override choose(up: readonly number[], again: boolean, now: number): number | undefined {
    const weights = this.#weights(up, now);
    const best = Math.max(...weights);
    // A request that failed elsewhere goes to the best endpoint, never as a probe.
    if (again) return up[weights.indexOf(best)];
    up.forEach((at, n) => {
      this.#due[at] = (this.#due[at] ?? 0) + (weights[n] ?? 0);
    });
    const picked = up.reduce((most, at) => ((this.#due[at] ?? 0) > (this.#due[most] ?? 0) ? at : most));
    this.#due[picked] = (this.#due[picked] ?? 0) - weights.reduce((sum, weight) => sum + weight, 0);
    return picked;
  }

  override answered(endpoint: number, faulty: boolean): void {
    super.answered(endpoint, faulty);
    const all = [...this.endpoints.keys()];
    if (this.#weights(all, this.now())[endpoint] === PROBES) this.endpoints[endpoint]?.recover();
  }

  override shares(): number[] {
    const now = this.now();
    const weights = this.#weights([...this.endpoints.keys()], now).map((weight, at) =>
      this.endpoints[at]?.isDown(now) ? 0 : weight,
    );
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return weights.map((weight) => (sum > 0 ? weight / sum : 0));
  }

  #weights(among: readonly number[], now: number): number[] {
    const rates = among.map((at) => this.endpoints[at]?.errorRate(now) ?? 0);
    const best = Math.min(...rates);
    return rates.map((rate) => Math.max(PROBES, (1 - (rate - best)) ** STEEPNESS));
  }
}
