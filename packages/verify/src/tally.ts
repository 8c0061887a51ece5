// Counts what the checks find, answer by answer. It keeps a few examples, cut to a length, so that memory does not grow
// with the number of requests.

import type { EngineName } from '@dragoman/core/bridge';
import { engineOf } from '@dragoman/core/bridge';
import { findDialect } from '@dragoman/core/internal';
import type { Check, CheckId, Finding, ProbeContext } from './check.js';
import { checks } from './checks/index.js';
import type { Answered, Probe } from './probe.js';
import { readingOf } from './reading.js';
import type { CheckResult, CheckStatus, Example } from './report.js';
import { type Turn, toolsOf } from './turn.js';

interface Share {
  passed: number;
  of: number;
}

interface Count extends Share {
  /** By the probe, and of the cases of a suite by their kind: each must hold by itself, however many others there are. */
  kinds: Map<string, Share>;
  warning?: string;
  examples: Example[];
}

export interface FoundIn {
  check: CheckId;
  finding: Finding;
}

/** Checks whose failure leaves others without an answer to judge. */
const hiders: readonly CheckId[] = [
  'answers',
  'call-leak',
  'special-tokens-stripped',
  'calls-tool',
  'stream-equals-whole',
];

const MOST_EXAMPLES = 3;
const LONGEST = 4_000;
/** A check fails if one kind of its answers is below this share: the threshold of MiniMax's verifier. */
const THRESHOLD = 0.98;

export class Tally {
  readonly #counts = new Map<CheckId, Count>();

  constructor(readonly context: ProbeContext) {}

  /** Judges a probe by all checks that have a word on it. */
  add(answered: Answered): FoundIn[] {
    const found: FoundIn[] = [];
    for (const check of checks) {
      for (const [finding, turn] of findingsOf(check, answered, this.context)) {
        found.push({ check: check.id, finding });
        this.#count(check, finding, turn, answered.probe);
      }
    }
    return found;
  }

  #count({ id }: Check, finding: Finding, turn: Turn | undefined, probe: Probe): void {
    const count: Count = this.#counts.get(id) ?? { passed: 0, of: 0, kinds: new Map(), examples: [] };
    this.#counts.set(id, count);
    const kind = probe.suite ?? `${probe.check}/${probe.id}`;
    const share = count.kinds.get(kind) ?? { passed: 0, of: 0 };
    count.kinds.set(kind, share);
    for (const one of [count, share]) {
      one.of++;
      if (finding.ok) one.passed++;
    }
    if (finding.warning && finding.message !== undefined) count.warning ??= finding.message;
    const message = finding.message ?? '';
    const isNew = !count.examples.some((one) => one.message === message);
    if ((finding.ok && !finding.warning) || !isNew || count.examples.length >= MOST_EXAMPLES) return;
    count.examples.push(exampleOf(probe, message, turn));
  }

  results(engine: EngineName | undefined): CheckResult[] {
    const raw = new Map(checks.map((check) => [check.id, statusOf(this.#counts.get(check.id))]));
    return checks.map((check) => this.#result(check, raw, engine));
  }

  #result(check: Check, raw: Map<CheckId, CheckStatus>, engine: EngineName | undefined): CheckResult {
    const { id, title, required } = check;
    const count = this.#counts.get(id) ?? { passed: 0, of: 0, examples: [] };
    const cause = raw.get(id) === 'fail' ? check.needs?.find((one) => raw.get(one) === 'fail') : undefined;
    const status = cause ? 'skipped' : (raw.get(id) ?? 'skipped');
    const hiding = cause ?? hiders.find((one) => raw.get(one) === 'fail');
    const blocked =
      hiding === undefined ? 'No answer says anything about it.' : `${hiding} fails, which hides it.`;
    const reason = status === 'skipped' ? blocked : undefined;
    const { passed, of, examples } = count;
    const isFine = status === 'pass' || status === 'skipped';
    return {
      id,
      title,
      required,
      status,
      passed,
      of,
      ...(reason !== undefined && { reason }),
      ...(!isFine && { advice: [adviceOf(check, engine), ...parserNames(examples)].join('\n') }),
      examples: isFine ? [] : examples,
    };
  }
}

function findingsOf(check: Check, answered: Answered, context: ProbeContext): [Finding, Turn | undefined][] {
  const { probe, turns } = answered;
  const found: [Finding, Turn | undefined][] = [];
  for (const turn of check.judgeTurn ? turns : []) {
    const finding = turn.question && check.judgeTurn?.(turn, probe);
    if (finding) found.push([finding, turn]);
  }
  const own = probe.check === check.id ? check.judge?.(answered, context) : undefined;
  if (own) found.push([own, turns[own.turn ?? turns.length - 1]]);
  return found;
}

function statusOf(count: Count | undefined): CheckStatus {
  if (!count || count.of === 0) return 'skipped';
  if ([...count.kinds.values()].some(({ passed, of }) => passed / of < THRESHOLD)) return 'fail';
  return count.passed < count.of || count.warning !== undefined ? 'warn' : 'pass';
}

/** The advice for the engine if it is known; else for any, and for all engines that have one of their own. */
function adviceOf({ advice }: Check, engine: EngineName | undefined): string {
  const own = engine && advice[engine];
  if (own !== undefined) return `${advice.any} ${own}`;
  if (engine) return advice.any;
  const others = Object.entries(advice).flatMap(([name, text]) => {
    const title = engineOf(name as EngineName)?.title;
    return title === undefined ? [] : [`${title}: ${text}`];
  });
  return [advice.any, ...others].join('\n');
}

/** The names that engines have for the parsers of the dialects that were found. */
function parserNames(examples: readonly Example[]): string[] {
  const found = [...new Set(examples.flatMap(({ reading }) => (reading ? [reading.dialect] : [])))];
  return found.map((name) => {
    const names = [name, ...(findDialect(name).aliases ?? [])].join(', ');
    return `The calls are in ${name}. Engines call its parser by one of these names: ${names}.`;
  });
}

function exampleOf(probe: Probe, message: string, turn: Turn | undefined): Example {
  const tools = turn?.question ? toolsOf(turn.question) : [];
  const leak = turn?.leak;
  const leaked = leak && turn ? (leak.place === 'text' ? turn.text : turn.reasoning) : '';
  return {
    probe: `${probe.check}/${probe.id}`,
    message,
    request: cut(turn?.exchange.body ?? ''),
    response: cut(turn?.body ?? ''),
    ...(leak && { reading: readingOf(leaked, leak.dialect, tools) }),
  };
}

function cut(text: string): string {
  if (text.length <= LONGEST) return text.toWellFormed();
  const half = LONGEST / 2;
  const left = text.length - LONGEST;
  return `${text.slice(0, half)} … ${left} characters … ${text.slice(-half)}`.toWellFormed();
}
