// The metrics and the inspector of a gateway with its lane: those of both threads as one.

import { AggregatorRegistry } from 'prom-client';
import type { InspectorView, Metrics } from '../observability/index.js';
import type { ExchangeRecord, ExchangeSummary, InspectorEvent } from '../observability/inspector-shapes.js';
import { type MetricValues, processValues } from '../observability/metrics.js';
import type { Answers, Channel } from './channel.js';

/** Milliseconds that the lane may take to answer what somebody looks at: it may be busy with a large request. */
const PATIENCE = 1000;

export class LaneViews {
  #channel: Channel | undefined;
  /** The last values that are known of the thread, and the sum of those that ended. */
  #last: MetricValues = [];
  #ended: MetricValues = [];
  readonly #listeners = new Set<{ hear(event: InspectorEvent): void }>();

  readonly answers: Answers = {
    'inspector-events': (lines: string) => {
      for (const line of lines.trimEnd().split('\n'))
        for (const { hear } of this.#listeners) hear(JSON.parse(line));
    },
  };

  join(channel: Channel): void {
    this.#channel = channel;
    if (this.#listeners.size > 0) channel.tell('inspector-forward', true);
  }

  leave(): void {
    this.#channel = undefined;
    this.#ended = summed([this.#ended, this.#last.filter(isCount)]).getMetricsAsArray() as MetricValues;
    this.#last = [];
  }

  metrics(own: Metrics): Metrics {
    const values = async () => {
      this.#last = (await this.#ask<MetricValues>('values')) ?? this.#last;
      const all = [await own.values(), this.#last, this.#ended];
      return (await summed(all).getMetricsAsJSON()) as MetricValues;
    };
    const isAlone = () => this.#channel === undefined && this.#ended.length === 0;
    return {
      begin: (exchange) => own.begin(exchange),
      contentType: own.contentType,
      get begun() {
        return own.begun;
      },
      values: () => (isAlone() ? own.values() : values()),
      render: async () =>
        isAlone() ? own.render() : summed([await values(), await processValues()]).metrics(),
    };
  }

  inspector(own: InspectorView): InspectorView {
    return {
      keep: own.keep,
      list: async () => {
        const more = (await this.#ask<ExchangeSummary[]>('inspector-list')) ?? [];
        const all = [...(await own.list()), ...more].sort((a, b) => b.time.localeCompare(a.time));
        return all.slice(0, own.keep);
      },
      get: async (id) => (await own.get(id)) ?? this.#ask<ExchangeRecord>('inspector-get', id),
      subscribe: (hear) => {
        const listener = { hear };
        const letGo = own.subscribe(hear);
        if (this.#listeners.size === 0) this.#channel?.tell('inspector-forward', true);
        this.#listeners.add(listener);
        return () => {
          letGo();
          if (this.#listeners.delete(listener) && this.#listeners.size === 0)
            this.#channel?.tell('inspector-forward', false);
        };
      },
    };
  }

  /** Undefined if there is no thread, or if it does not answer in time. */
  async #ask<T>(name: string, value?: unknown): Promise<T | undefined> {
    return this.#channel?.ask<T>(name, value, PATIENCE).catch(() => undefined);
  }
}

function summed(values: MetricValues[]) {
  return AggregatorRegistry.aggregate(values);
}

/** prom-client gives the type as a word, its declarations as a number. */
function isCount({ type }: { type: unknown }): boolean {
  return type === 'counter' || type === 'histogram';
}
