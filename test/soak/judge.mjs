// What a soak with faults may show. These are functions of records, so that judge.test.ts can give them bad ones.
//
// Every question carries a number, and the model answers with it in a call that also names the configuration that led to
// the model. An exchange that is not whole needs a reason: a fault of the model for this very question, a store that was
// down or a gateway that was gone while it ran, or a client that meant to leave.

/** Times in milliseconds at which something was so: a store was down, a gateway gone, a configuration in use. */
export class Times {
  #spans = new Map();

  /** Gives the function that ends the span. */
  begin(what, from) {
    const span = { from, to: Number.POSITIVE_INFINITY };
    this.#spans.set(what, [...(this.#spans.get(what) ?? []), span]);
    return (to) => {
      span.to = to;
    };
  }

  overlaps(what, from, to) {
    return (this.#spans.get(what) ?? []).some((span) => span.from <= to && span.to >= from);
  }
}

/** The two configurations. One key and one model are only in the one, one key and one model only in the other. */
const OTHER = { a: 'b', b: 'a' };
const ONLY_IN = { bob: 'a', carol: 'b', 'of-a': 'a', 'of-b': 'b' };

const configuration = (name, gateway) => `configuration ${name} at ${gateway}`;
export const spanOf = {
  configuration,
  store: (gateway) => `the store of ${gateway} is down`,
  gone: (gateway) => `${gateway} is gone`,
  measured: (gateway) => `${gateway} collects all garbage to be measured`,
};

/** Ends of an attempt at the model before its first byte: only then the gateway may ask again. */
const BEFORE_THE_FIRST_BYTE = ['refused', 'reset'];
const MODEL_FAULTS = [...BEFORE_THE_FIRST_BYTE, 'broken', 'cut', 'silent'];

/**
 * Judges one exchange. `attempts`: what the model saw of the question, in order, each `{ from, end, slow }`. Gives how it
 * ended (`whole`, `refused` by the configuration, `failed`, `left` by the client, `cut` with its gateway), and `fault` if
 * that may not be.
 */
export function judgeExchange(exchange, times, attempts) {
  const { gateway, start, end, meantToLeave, outcome } = exchange;
  if (outcome.late) return { kind: 'failed', fault: 'has no answer and no end' };
  const isGone = times.overlaps(spanOf.gone(gateway), start, end);
  if (outcome.error !== undefined) {
    if (meantToLeave) return { kind: 'left' };
    if (isGone) return { kind: 'cut' };
    return { kind: 'failed', fault: `lost its connection (${outcome.error})` };
  }
  if (outcome.status === 401 || outcome.status === 404) return judgeRefusal(exchange, times, attempts);
  const answer = outcome.status === 200 ? readAnswer(outcome.text) : { end: refusalOf(outcome) };
  if (answer.end === 'completed') return judgeAnswer(answer, exchange, times, attempts);
  if (answer.fault) return { kind: 'failed', fault: answer.fault };
  if (isGone || times.overlaps(spanOf.store(gateway), start, end)) return { kind: 'failed' };
  const last = attempts.at(-1);
  if (last && (MODEL_FAULTS.includes(last.end) || last.slow)) return { kind: 'failed' };
  return { kind: 'failed', fault: `failed without a reason (${answer.end}, ${last?.end ?? 'never asked'})` };
}

const refusalOf = ({ status, text = '' }) => `status ${status} ${text.slice(0, 300)}`.trim();

function judgeRefusal({ gateway, start, end, key, model, outcome }, times, attempts) {
  const needed = ONLY_IN[key] ?? ONLY_IN[model];
  if (needed === undefined)
    return { kind: 'refused', fault: `got ${outcome.status} with a key and a model of both` };
  if (attempts.length > 0) return { kind: 'refused', fault: 'reached the model and was refused' };
  const [is, was] = [OTHER[needed], needed].map((name) =>
    times.overlaps(configuration(name, gateway), start, end),
  );
  if (is) return { kind: 'refused' };
  return { kind: 'refused', fault: `got ${outcome.status} under ${was ? needed : 'no'} configuration` };
}

function judgeAnswer(answer, { number, gateway, start, end, key, model }, times, attempts) {
  const { calls, id, stored } = answer;
  const kind = 'whole';
  if (calls.length > 1) return { kind, fault: `has ${calls.length} calls` };
  const [call] = calls;
  if (call?.n !== number) return { kind, fault: `has the answer of ${call?.n ?? 'nobody'}` };
  const { from } = call;
  const needed = ONLY_IN[key] ?? ONLY_IN[model] ?? from;
  if (needed !== from || attempts.some((attempt) => attempt.from !== from))
    return { kind, fault: `is of two configurations (${key}, ${model}, ${from})` };
  if (!times.overlaps(configuration(from, gateway), start, end))
    return { kind, fault: `is of configuration ${from}, which was not in use` };
  return { kind, from, ...(stored && { id }) };
}

/** How a stream of Responses ended: with its answer, with an error, or with a fault. */
function readAnswer(text) {
  const types = [...text.matchAll(/^event: (\S+)$/gm)].map(([, type]) => type);
  const ends = types.filter((type) => /^response\.(completed|incomplete|failed)$/.test(type));
  if (ends.length > 1) return { end: 'doubled', fault: `ended ${ends.length} times` };
  if (ends.length === 0) {
    if (types.includes('error')) return { end: 'error' };
    return { end: 'none', fault: 'ended without its last event and without an error' };
  }
  if (ends[0] !== 'response.completed') return { end: ends[0] };
  const data = text.slice(text.lastIndexOf('data: ') + 6).split('\n')[0];
  const { response } = JSON.parse(data);
  const calls = response.output.filter(({ type }) => type === 'function_call');
  return {
    end: 'completed',
    calls: calls.map((call) => JSON.parse(call.arguments)),
    id: response.id,
    stored: response.store === true,
  };
}

/** A question is asked again only before the first byte of its answer, and once. */
export function judgeAttempts(attempts) {
  if (attempts.length > 2) return `was asked ${attempts.length} times`;
  if (attempts.length === 2 && !BEFORE_THE_FIRST_BYTE.includes(attempts[0].end) && !attempts[0].slow)
    return `was asked again after its answer (${attempts[0].end})`;
  return undefined;
}

/** Milliseconds after the end of a fault in which its gateways must have taken a question and answered it whole. */
export const RECOVERY = 30_000;

/**
 * Each kind of fault came often enough, and behind each fault every gateway that it concerns answered a question whole.
 * `wholes`: when the questions with whole answers began, by gateway.
 */
export function judgeFaults(kinds, happened, wholes, least) {
  const counts = kinds.map((kind) => [kind, happened.filter((fault) => fault.kind === kind).length]);
  const rare = counts.filter(([, count]) => count < least).map(([kind]) => kind);
  const unanswered = happened.filter(({ end, gateways }) =>
    gateways.some((gateway) => !wholes.get(gateway)?.some((at) => at >= end && at <= end + RECOVERY)),
  );
  const bad = happened.filter(({ problem }) => problem !== undefined);
  const says = [
    counts.map(([kind, count]) => `${count} × ${kind}`).join(', '),
    ...rare.map((kind) => `fewer than ${least} × ${kind}`),
    ...unanswered.map(({ kind }) => `no whole answer after ${kind}`),
    ...bad.map(({ kind, problem }) => `${kind}: ${problem}`),
  ];
  return [
    'faults and answers behind them',
    rare.length + unanswered.length + bad.length === 0,
    says.join('; '),
  ];
}

/** From the least of some warm rounds to the least of the last ones: what cannot be collected. */
export function judgeGrowth(what, samples, most) {
  const quarter = Math.floor(samples.length / 4);
  const least = (some) => Math.min(...some.map((one) => one[what]));
  const grown = least(samples.slice(-quarter)) - least(samples.slice(quarter, 2 * quarter));
  const megabytes = (grown / 1024 ** 2).toFixed(1);
  return [`${what} at rest`, quarter > 0 && grown <= most, `grew by ${megabytes} MB`];
}

/** Descriptors by their kind, at rest before and after: none may be left, of any kind. */
export function judgeDescriptors(whose, before, after) {
  const kinds = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const left = kinds.filter((kind) => (after[kind] ?? 0) > (before[kind] ?? 0));
  const total = (all) => Object.values(all).reduce((sum, count) => sum + count, 0);
  const says = left.map((kind) => `${(after[kind] ?? 0) - (before[kind] ?? 0)} more of ${kind}`);
  const counted = `${total(before)} before, ${total(after)} after`;
  return [`descriptors of ${whose}`, left.length === 0 && total(before) > 0, [counted, ...says].join('; ')];
}

/**
 * Milliseconds in which nearly all health checks must be answered, and each of them. On the port of the gateway they wait
 * among requests, and while it is measured; clients and stores share the machine.
 */
export const HEALTHY = {
  onItsPort: { where: 'its own port', nearlyAll: 100, each: 1000, isExcusedIfMeasured: true },
  onHealthPort: { where: 'its healthPort', nearlyAll: 100, each: 100, isExcusedIfMeasured: false },
};
const NEARLY_ALL = 0.95;

/**
 * The health checks of a gateway, on a connection that is kept: each `[from, to, status]`. Those count that were sent and
 * answered while the gateway was there.
 */
export function judgeHealth(gateway, checks, times, limits) {
  const isExcused = ([from, to]) =>
    times.overlaps(spanOf.gone(gateway), from, to) ||
    (limits.isExcusedIfMeasured && times.overlaps(spanOf.measured(gateway), from, to));
  const counted = checks.filter((check) => !isExcused(check));
  const failed = counted.filter(([, , status]) => status !== 200).length;
  const took = counted.map(([from, to]) => to - from).sort((a, b) => a - b);
  const nearlyAll = took[Math.floor(NEARLY_ALL * took.length)] ?? Number.POSITIVE_INFINITY;
  const each = took.at(-1) ?? Number.POSITIVE_INFINITY;
  return [
    `health checks of ${gateway} on ${limits.where}`,
    failed === 0 && nearlyAll <= limits.nearlyAll && each <= limits.each,
    `${counted.length} of ${checks.length} counted, ${failed} failed, 95 % within ${nearlyAll.toFixed(0)} ms, the slowest ${each.toFixed(0)} ms`,
  ];
}

/** `all`: how many exchanges there were; `ends`: how many of them ended how; `faults`: what may not be. */
export function judgeAnswers(all, ends, faults, leastWhole) {
  const ended = Object.values(ends).reduce((sum, count) => sum + count, 0);
  const counted = Object.entries(ends).map(([kind, count]) => `${count} ${kind}`);
  const holds = faults.length === 0 && ended === all && (ends.whole ?? 0) >= leastWhole;
  const shown = [
    `${all} asked, ${counted.join(', ')}`,
    ...(faults.length > 0 ? [`${faults.length} faults`] : []),
  ];
  return ['answers', holds, [...shown, ...faults.slice(0, 20)].join('\n        ')];
}

/** Every answer that was confirmed as stored is found by its owner, and by nobody else. */
export function judgeStored({ confirmed, found, strangers, shown }) {
  return [
    'stored answers',
    confirmed > 0 && found === confirmed && strangers > 0 && shown === 0,
    `${confirmed} confirmed, ${found} found; ${shown} of ${strangers} shown to another key`,
  ];
}

export function judgeExits(codes) {
  return ['exits', codes.length > 0 && codes.every((code) => code === 0), `codes ${codes.join(', ')}`];
}
