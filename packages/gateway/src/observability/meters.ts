// The metrics by name, with their labels and what they mean.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export type Meters = ReturnType<typeof createMeters>;

type Described = [name: string, help: string, labelNames: string[]];

/** Models answer in a tenth of a second or in minutes. */
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const place = ['model', 'dialect'];

export function createMeters(registry: Registry, labelSets: number) {
  const described = (...[name, help, labelNames]: Described) => ({
    name: `dragoman_${name}`,
    help,
    labelNames,
    registers: [registry],
  });
  const counter = (...about: Described) => {
    const metric = new Counter(described(...about));
    const sets = new LabelSets(labelSets);
    return {
      add: (labels: Labels, value = 1) => {
        if (value > 0 && Number.isFinite(value)) metric.inc(sets.take(labels), value);
      },
    };
  };
  /** `aggregator`: how the values of several processes become one. */
  const gauge = (aggregator: 'sum' | 'average', ...about: Described) => {
    const metric = new Gauge({ ...described(...about), aggregator });
    const sets = new LabelSets(labelSets);
    return {
      add: (labels: Labels, value: number) => metric.inc(sets.take(labels), value),
      /** Replaces all values. */
      setAll(values: readonly { labels: Labels; value: number }[]): void {
        metric.reset();
        for (const { labels, value } of values.slice(0, labelSets)) metric.set(labels, value);
      },
    };
  };
  const histogram = (...about: Described) => {
    const metric = new Histogram({ ...described(...about), buckets });
    const sets = new LabelSets(labelSets);
    return { observe: (labels: Labels, value: number) => metric.observe(sets.take(labels), value) };
  };
  const tokenHelp = 'Tokens; cached ones are part of the input, reasoning of the output.';
  const firstByteHelp = 'From the request to the first byte of the answer.';
  const secondsHelp = 'From the request to the last byte of the answer.';
  const heldHelp = 'Answers of models in the process that a grammar held, all of them or from a call on.';
  const faultsHelp = 'Attempts whose tool calls had a fault, healed or not, each kind once in an attempt.';
  const repeatedHelp = 'Tools and messages of requests, by whether they came before and are known.';
  const turnsHelp = 'Turns of models in requests, by whether what the model wrote is known.';
  const sharesHelp =
    'The share of its requests that an upstream of a model with several gets; 0: it is down.';
  return {
    requests: counter('requests_total', 'Requests that were answered.', ['api', 'model', 'status']),
    tokens: counter('tokens_total', tokenHelp, [...place, 'direction', 'estimated']),
    calls: counter('calls_total', 'Tool calls that were delivered, by how they came about.', [
      ...place,
      'how',
    ]),
    repairs: counter('repairs_total', 'What was read generously.', [...place, 'code']),
    issues: counter('issues_total', 'What models did wrong.', [...place, 'code']),
    held: counter('held_answers_total', heldHelp, place),
    reasks: counter('reasks_total', 'Times a model was asked again.', place),
    faults: counter('tool_call_faults_total', faultsHelp, ['model', 'upstream', 'kind']),
    shares: gauge('average', 'upstream_share', sharesHelp, ['model', 'upstream']),
    repeated: counter('repeated_values_total', repeatedHelp, ['known']),
    repeatedCharacters: gauge(
      'sum',
      'repeated_characters',
      'Characters of the tools and messages that are kept.',
      [],
    ),
    bodyBytes: gauge('sum', 'kept_body_bytes', 'Bytes of the bodies of requests that are kept.', []),
    turns: counter('recalled_turns_total', turnsHelp, ['known']),
    turnCharacters: gauge('sum', 'kept_turn_characters', 'Characters of the turns that are kept.', []),
    refused: counter('tools_refused_total', 'Times an upstream refused tools.', ['model']),
    streams: gauge('sum', 'streams_open', 'Streams that are being answered.', place),
    firstByte: histogram('time_to_first_byte_seconds', firstByteHelp, place),
    seconds: histogram('request_seconds', secondsHelp, ['api', ...place]),
  };
}

type Labels = Record<string, string | number>;

/** The label value that replaces values beyond the bound. */
export const OTHER = 'other';

/** Labels with a small, fixed set of values. All other labels become `other` when there are too many sets. */
const closed = new Set(['api', 'status', 'direction', 'estimated', 'how', 'kind']);

/** Bounds the number of label sets of a metric: label values from clients could otherwise create series without end. */
class LabelSets {
  readonly #seen = new Set<string>();

  constructor(readonly max: number) {}

  /** The labels, or with `other` for the open ones where they would make one set too many. */
  take(labels: Labels): Labels {
    const key = JSON.stringify(Object.values(labels));
    if (this.#seen.has(key)) return labels;
    if (this.#seen.size < this.max) {
      this.#seen.add(key);
      return labels;
    }
    const entries = Object.entries(labels).map(([name, value]) => [name, closed.has(name) ? value : OTHER]);
    return Object.fromEntries(entries);
  }
}
