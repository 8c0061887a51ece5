// The list of exchanges: a table on a wide page, a card for each on a narrow one.
// biome-ignore-all lint/a11y/noRedundantRoles: drawn as cards, a table loses the roles it has by itself.

import type { ExchangeSummary } from '@dragoman/gateway';
import { createMemo, createSignal, For, onCleanup, Show } from 'solid-js';
import { countWords } from '../../parts/count-words.js';
import { hasIssues } from './exchange-list.js';
import { ageWords, durationWords, statusWords } from './words.js';

const columns = ['Model', 'Dialect', 'First byte', 'Calls', 'Repairs', 'Issues', 'Status', 'Age'];

export function ExchangeTable(props: {
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
    <Show
      when={props.exchanges.length > 0}
      fallback={<p>Nothing here yet. Ask a model, in Try or with any client, and it appears.</p>}
    >
      <table class="exchanges" role="table" aria-label="Exchanges">
        <thead role="rowgroup">
          <tr role="row">
            <For each={columns}>
              {(name) => (
                <th role="columnheader" scope="col">
                  {name}
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody role="rowgroup">
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
        </tbody>
      </table>
    </Show>
  );
}

function Row(props: { exchange: ExchangeSummary; now: number; chosen: boolean; choose(): void }) {
  const one = () => props.exchange;
  return (
    <tr
      role="row"
      classList={{ chosen: props.chosen, open: one().open, odd: hasIssues(one()) }}
      onClick={() => props.choose()}
    >
      <td role="cell">
        <button type="button" class="exchange-name" aria-pressed={props.chosen}>
          {one().model ?? `unknown (${one().api})`}
        </button>
      </td>
      <Cell name="Dialect" value={one().dialect ?? '–'} />
      <Cell name="First byte" value={durationWords(one().firstByte)} />
      <Cell name="Calls" value={String(one().calls)} />
      <Cell name="Repairs" value={String(one().repairs)} mark={one().repairs > 0 ? 'repair' : undefined} />
      <Cell name="Issues" value={issueWords(one())} mark={one().issues > 0 ? 'issue' : undefined} />
      <Cell name="Status" value={progress(one())} mark={one().error ? 'issue' : undefined} />
      <Cell name="Age" value={ageWords(one().time, props.now)} />
    </tr>
  );
}

function issueWords({ issues, reasks }: ExchangeSummary): string {
  return reasks > 0 ? `${issues}, asked again ${reasks === 1 ? 'once' : `${reasks} times`}` : String(issues);
}

function progress(exchange: ExchangeSummary): string {
  const words = statusWords(exchange);
  return exchange.open ? `${words}, ${countWords(exchange.received)} characters` : words;
}

function Cell(props: { name: string; value: string; mark?: 'issue' | 'repair' | undefined }) {
  return (
    <td role="cell" data-name={props.name}>
      <span class={props.mark ? `report-${props.mark}` : undefined}>{props.value}</span>
    </td>
  );
}
