// The list of exchanges: one row each, the newest first.

import type { ExchangeSummary } from '@dragoman/gateway';
import { createMemo, createSignal, For, onCleanup, Show } from 'solid-js';
import { words } from '../../words/words.js';
import { toneOf } from './exchange-list.js';
import { ageWords, durationWords, resultWords, statusWords } from './words.js';

export function ExchangeRows(props: {
  exchanges: readonly ExchangeSummary[];
  chosen: string;
  choose(id: string): void;
}) {
  const [now, setNow] = createSignal(Date.now());
  const timer = setInterval(() => setNow(Date.now()), 1000);
  onCleanup(() => clearInterval(timer));
  const ids = () => props.exchanges.map(({ id }) => id);
  const byId = createMemo(() => new Map(props.exchanges.map((one) => [one.id, one])));
  return (
    <ol class="exchange-rows" aria-label={words().inspect.exchanges}>
      <For each={ids()}>
        {(id) => (
          <Show when={byId().get(id)}>
            {(exchange) => (
              <Row
                exchange={exchange()}
                now={now()}
                chosen={props.chosen === id}
                choose={() => props.choose(id)}
              />
            )}
          </Show>
        )}
      </For>
    </ol>
  );
}

function Row(props: { exchange: ExchangeSummary; now: number; chosen: boolean; choose(): void }) {
  const one = () => props.exchange;
  return (
    <li>
      <button
        type="button"
        aria-pressed={props.chosen}
        classList={{ open: one().open }}
        onClick={() => props.choose()}
      >
        <span class={`dot ${toneOf(one())}`} aria-hidden="true" />
        <span class="exchange-what">
          <b>{one().model ?? words().inspect.unknown(one().api)}</b>
          <span class="exchange-more">{inShort(one())}</span>
        </span>
        <span class="exchange-when">
          <span>{ageWords(one().time, props.now)}</span>
          <span>{durationWords(one().duration ?? one().firstByte)}</span>
        </span>
      </button>
    </li>
  );
}

/** What came of it, in a few words. */
function inShort(exchange: ExchangeSummary): string {
  const { inspect } = words();
  const { issues, repairs, reasks, open, error, left, received } = exchange;
  if (open) return inspect.writing(received);
  if (error || left) return statusWords(exchange);
  return [
    resultWords(exchange),
    ...(reasks > 0 ? [inspect.again(reasks)] : []),
    ...(issues > 0 ? [inspect.issues(issues)] : []),
    ...(repairs > 0 ? [inspect.repairs(repairs)] : []),
  ].join(' · ');
}
