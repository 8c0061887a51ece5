export type Finding = [what: string, holds: boolean, says: string];

export class Times {
  begin(what: string, from: number): (to: number) => void;
  overlaps(what: string, from: number, to: number): boolean;
}

export const spanOf: {
  configuration(name: string, gateway: string): string;
  store(gateway: string): string;
  gone(gateway: string): string;
  measured(gateway: string): string;
};

export interface Attempt {
  from: string;
  end: string;
  slow?: boolean;
}

export interface Exchange {
  number: number;
  gateway: string;
  key: string;
  model: string;
  start: number;
  end: number;
  meantToLeave: boolean;
  outcome: { late?: true; error?: string; status?: number; text?: string };
}

export interface Judged {
  kind: 'whole' | 'refused' | 'failed' | 'left' | 'cut';
  fault?: string;
  from?: string;
  id?: string;
}

export function judgeExchange(exchange: Exchange, times: Times, attempts: readonly Attempt[]): Judged;
export function judgeAttempts(attempts: readonly Attempt[]): string | undefined;
export const RECOVERY: number;
export function judgeFaults(
  kinds: readonly string[],
  happened: readonly { kind: string; end: number; gateways: readonly string[]; problem?: string }[],
  wholes: ReadonlyMap<string, readonly number[]>,
  least: number,
): Finding;
export function judgeGrowth<What extends string>(
  what: What,
  samples: readonly Record<What, number>[],
  most: number,
): Finding;
export function judgeDescriptors(
  whose: string,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Finding;
export interface HealthLimits {
  where: string;
  nearlyAll: number;
  each: number;
  isExcusedIfMeasured: boolean;
}
export const HEALTHY: { onItsPort: HealthLimits; onHealthPort: HealthLimits };
export function judgeHealth(
  gateway: string,
  checks: readonly [from: number, to: number, status: number][],
  times: Times,
  limits: HealthLimits,
): Finding;
export function judgeAnswers(
  all: number,
  ends: Readonly<Record<string, number>>,
  faults: readonly string[],
  leastWhole: number,
): Finding;
export function judgeStored(counts: {
  confirmed: number;
  found: number;
  strangers: number;
  shown: number;
}): Finding;
export function judgeExits(codes: readonly (number | string)[]): Finding;
