// Counts what the checks find, answer by answer. It keeps a few examples, cut to a length, so that memory does not grow
// with the number of requests.

import type { EngineName } from '@dragoman/core/bridge';
import { engineOf } from '@dragoman/core/bridge';
import { findDialect } from '@dragoman/core/internal';
import type { Check, CheckId, Finding, ProbeContext } from './check.js';
import { checks } from './checks/index.js';
import type { Answered, Probe } from './probe.js';
import { readingOf } from './reading.js';
import type { CheckResult, CheckStatus, Example, ReadAnswer } from './report.js';
import { type Turn, toolsOf } from './turn.js';

interface Share {
  passed: number;
  of: number;
}

/** Findings that count under the same condition. */
interface Group {
  /** They do not count if one of these checks fails. */
  unless: readonly CheckId[];
  /** They explain failures of other checks. */
  hides: boolean;
  required: boolean;
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
  'errors',
  'call-leak',
  'special-tokens-stripped',
  'calls-tool',
  'stream-equals-whole',
  'stream-order',
];

/** The check of what a stream is made of. */
const DAMAGE: CheckId = 'stream-order';

const ENDED = 'The run ended before it was judged.';
const MOST_EXAMPLES = 3;
const LONGEST = 4_000;
const SHORT = 1_000;
const MOST_CALLS = 8;
/** A check fails if one kind of its answers is below this share: the threshold of MiniMax's verifier. */
const THRESHOLD = 0.98;

export class Tally {
  readonly #groups = new Map<CheckId, Map<string, Group>>(checks.map(({ id }) => [id, new Map()]));

  constructor(
    readonly context: ProbeContext,
    /** Removes secrets from what is shown. */
    readonly hide: (text: string) => string = (text) => text,
  ) {}

  /** Judges a probe by all checks that have a word on it. */
  add(answered: Answered): FoundIn[] {
    const found: FoundIn[] = [];
    for (const check of checks) {
      for (const [given, turn] of findingsOf(check, answered, this.context)) {
        const { message } = given;
        const finding = message === undefined ? given : { ...given, message: this.hide(message) };
        found.push({ check: check.id, finding });
        this.#count(check, finding, turn, answered.probe);
      }
    }
    return found;
  }

  #count({ id }: Check, finding: Finding, turn: Turn | undefined, probe: Probe): void {
    const group = groupOf(this.#groups.get(id) ?? new Map(), finding);
    const kind = probe.suite ?? `${probe.check}/${probe.id}`;
    const share = group.kinds.get(kind) ?? { passed: 0, of: 0 };
    group.kinds.set(kind, share);
    share.of++;
    if (finding.ok) share.passed++;
    if (finding.warning && finding.message !== undefined) group.warning ??= finding.message;
    const message = finding.message ?? '';
    const isNew = !group.examples.some((one) => one.message === message);
    if ((finding.ok && !finding.warning) || !isNew || group.examples.length >= MOST_EXAMPLES) return;
    group.examples.push(exampleOf(probe, message, turn, this.hide));
  }

  /** `unjudged` are the checks whose probes were not all answered. */
  results(engine: EngineName | undefined, unjudged: readonly CheckId[] = []): CheckResult[] {
    const statuses = (keep: (group: Group) => boolean) =>
      new Map(checks.map(({ id }) => [id, statusOf(this.#groupsOf(id).filter(keep))]));
    const raw = statuses(() => true);
    const hiding = statuses(({ hides }) => hides);
    return checks
      .map((check) => this.#result(check, raw, hiding, engine))
      .map((result) =>
        result.status === 'skipped' && unjudged.includes(result.id) ? { ...result, reason: ENDED } : result,
      );
  }

  #groupsOf(id: CheckId): Group[] {
    return [...(this.#groups.get(id)?.values() ?? [])];
  }

  #result(check: Check, raw: Statuses, hiding: Statuses, engine: EngineName | undefined): CheckResult {
    const { id, title } = check;
    const all = this.#groupsOf(id);
    const other = all.flatMap(({ unless }) => unless).find((one) => raw.get(one) === 'fail');
    const groups = all.filter(({ unless }) => !unless.some((one) => raw.get(one) === 'fail'));
    const own = statusOf(groups);
    const cause = own === 'fail' ? check.needs?.find((one) => hiding.get(one) === 'fail') : undefined;
    const status = cause ? 'skipped' : own;
    const hider = cause ?? other ?? hiders.find((one) => hiding.get(one) === 'fail');
    const blocked =
      hider === undefined ? 'No answer says anything about it.' : `It cannot be judged while ${hider} fails.`;
    const isFine = status === 'pass' || status === 'skipped';
    const examples = groups.flatMap((group) => group.examples).slice(0, MOST_EXAMPLES);
    return {
      id,
      title,
      required: check.required || groups.some(({ required }) => required),
      status,
      ...total(groups),
      ...(status === 'skipped' && { reason: blocked }),
      ...(!isFine && { advice: [adviceOf(check, engine), ...parserNames(examples)].join('\n') }),
      examples: isFine ? [] : examples,
    };
  }
}

type Statuses = ReadonlyMap<CheckId, CheckStatus>;

function groupOf(groups: Map<string, Group>, finding: Finding): Group {
  const { unless = [] } = finding;
  const hides = finding.hides !== false;
  const required = finding.required === true;
  const key = [...unless, hides, required].join();
  const group: Group = groups.get(key) ?? { unless, hides, required, kinds: new Map(), examples: [] };
  groups.set(key, group);
  return group;
}

function total(groups: readonly Group[]): Share {
  const shares = groups.flatMap(({ kinds }) => [...kinds.values()]);
  const sum = (key: keyof Share) => shares.reduce((before, share) => before + share[key], 0);
  return { passed: sum('passed'), of: sum('of') };
}

function findingsOf(check: Check, answered: Answered, context: ProbeContext): [Finding, Turn | undefined][] {
  const { probe, turns } = answered;
  const found: [Finding, Turn | undefined][] = [];
  // One check names the fault of a damaged stream; what it holds would fail others as well.
  const isJudged = (turn: Turn) => check.id === DAMAGE || !turn.audit?.damaged;
  for (const turn of check.judgeTurn ? turns.filter(isJudged) : []) {
    const finding = turn.question && check.judgeTurn?.(turn, probe);
    if (finding) found.push([finding, turn]);
  }
  const isOwn = probe.check === check.id && turns.every(isJudged);
  const own = isOwn ? check.judge?.(answered, context) : undefined;
  if (own) found.push([own, turns[own.turn ?? turns.length - 1]]);
  return found;
}

function statusOf(groups: readonly Group[]): CheckStatus {
  const kinds = new Map<string, Share>();
  for (const [kind, { passed, of }] of groups.flatMap((group) => [...group.kinds])) {
    const before = kinds.get(kind) ?? { passed: 0, of: 0 };
    kinds.set(kind, { passed: before.passed + passed, of: before.of + of });
  }
  const shares = [...kinds.values()];
  if (shares.length === 0) return 'skipped';
  if (shares.some(({ passed, of }) => passed / of < THRESHOLD)) return 'fail';
  const isWarned = groups.some(({ warning }) => warning !== undefined);
  return isWarned || shares.some(({ passed, of }) => passed < of) ? 'warn' : 'pass';
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

function exampleOf(
  probe: Probe,
  message: string,
  turn: Turn | undefined,
  hide: (text: string) => string,
): Example {
  const tools = turn?.question ? toolsOf(turn.question) : [];
  const leak = turn?.leak;
  const leaked = leak && turn ? (leak.place === 'text' ? turn.text : turn.reasoning) : '';
  return {
    probe: `${probe.check}/${probe.id}`,
    message,
    request: cut(hide(turn?.exchange.body ?? '')),
    response: cut(hide(turn?.body ?? '')),
    ...(turn && answerOf(turn, hide)),
    ...(leak && { reading: readingOf(hide(leaked), leak.dialect, tools) }),
  };
}

function answerOf(turn: Turn, hide: (text: string) => string): Pick<Example, 'answer'> {
  const { question, failure, isBroken, text, reasoning, calls, audit } = turn;
  if (!question || (failure !== undefined && !isBroken)) return {};
  const short = (one: string) => cut(hide(one), SHORT);
  const answer: ReadAnswer = {
    ...(reasoning !== '' && { reasoning: short(reasoning) }),
    ...(text !== '' && { text: short(text) }),
    ...(calls.length > 0 && {
      calls: calls
        .slice(0, MOST_CALLS)
        .map(({ name, raw }) => ({ name: short(name), arguments: short(raw) })),
    }),
    ...(audit?.finish !== undefined && { finish: short(audit.finish) }),
  };
  return { answer };
}

function cut(text: string, longest = LONGEST): string {
  if (text.length <= longest) return text.toWellFormed();
  const half = longest / 2;
  const left = text.length - longest;
  return `${text.slice(0, half)} … ${left} characters … ${text.slice(-half)}`.toWellFormed();
}
