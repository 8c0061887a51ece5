// The metrics of all workers as one. Counters and histograms never fall: those of a worker that ended, or that does not
// answer, stay in the sum as they were last known.

import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import { type MetricValues, processValues } from '../observability/metrics.js';

/** The values of one process. */
export interface ProcessValues {
  /** Those of the gateway. */
  own: MetricValues;
  /** Those of the process: memory, CPU. Absent where they were not asked for. */
  process?: MetricValues;
}

export class SharedMetrics {
  readonly #last = new Map<number, ProcessValues>();
  /** The sums of processes that ended. */
  #ended: MetricValues = [];
  readonly #registry = new Registry();
  readonly #workers = this.#gauge('workers', 'Processes of the gateway that answer requests.');
  readonly #silent = this.#gauge(
    'workers_silent',
    'Those that did not answer in time; their counters are the last that are known, their gauges are left out.',
  );
  readonly #replaced = new Counter({
    name: 'dragoman_workers_replaced_total',
    help: 'Workers that ended without being told to.',
    registers: [this.#registry],
  });

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Keeps the newest values of a process. */
  keep(process: number, values: ProcessValues): void {
    this.#last.set(process, { ...this.#last.get(process), ...values });
  }

  /** Adds the values of a process that has ended to those of all that have, at once: no sum is without them. */
  end(process: number): void {
    const last = this.#last.get(process);
    this.#last.delete(process);
    // The metrics of a sum hold their values.
    if (last) this.#ended = added([this.#ended, countsOf(last)]).getMetricsAsArray() as MetricValues;
  }

  replaced(): void {
    this.#replaced.inc();
  }

  /** Gives the metrics in the Prometheus text format. `answers`: by process, what it answered, if it did. */
  async render(answers: ReadonlyMap<number, ProcessValues | undefined>): Promise<string> {
    for (const [process, values] of answers) if (values) this.keep(process, values);
    const silent = [...answers.values()].filter((values) => values === undefined).length;
    this.#workers.set(answers.size - silent);
    this.#silent.set(silent);
    const values = [...this.#last].flatMap(([process, last]) =>
      answers.get(process) ? [last.own, last.process ?? []] : [countsOf(last)],
    );
    const own = await Promise.all([this.#registry.getMetricsAsJSON(), processValues()]);
    return added([...values, this.#ended, ...own]).metrics();
  }

  #gauge(name: string, help: string): Gauge {
    return new Gauge({ name: `dragoman_${name}`, help, registers: [this.#registry] });
  }
}

function added(values: MetricValues[]): Registry {
  return AggregatorRegistry.aggregate(values);
}

/** What only grows. */
function countsOf({ own, process = [] }: ProcessValues): MetricValues {
  return [...own, ...process].filter(({ type }) => isCount(type));
}

/** prom-client gives the type as a word, its declarations as a number. */
function isCount(type: unknown): boolean {
  return type === 'counter' || type === 'histogram';
}
