// Every dialect on this text, the best reading first, each with what it would read.

import { createMemo, createSignal, For, Show } from 'solid-js';
import type { RankedDialect, RankOutcome, TextReading } from '../../reading/index.js';
import { words } from '../../words/words.js';

export interface DialectsPanelProps {
  ranking: RankOutcome | undefined;
  /** The dialect in use. */
  used: string | undefined;
  reading: TextReading | undefined;
  length: number;
  onUse(name: string): void;
}

/** Characters of arguments in a row. */
const SHORT = 60;

export function DialectsPanel(props: DialectsPanelProps) {
  const [compared, setCompared] = createSignal('');
  const [all, setAll] = createSignal(false);
  const rows = createMemo(() => props.ranking?.dialects ?? []);
  const shown = () => rows().filter(({ reads, name }) => all() || reads || name === props.used);
  const other = () => rows().find(({ name }) => name === compared());
  const own = () => rows().find(({ name }) => name === props.used);
  return (
    <Show when={props.ranking} fallback={<p class="nothing">{words().dialects.working}</p>}>
      {(ranking) => (
        <>
          <p class="nothing">
            {words().dialects.about}{' '}
            {ranking().sample < props.length ? words().dialects.sample(ranking().sample) : ''}
          </p>
          <Show when={other()}>
            {(second) => (
              <div class="compared">
                <Show when={own()}>{(first) => <Reading of={first()} />}</Show>
                <Reading of={second()} />
              </div>
            )}
          </Show>
          <ol class="dialect-rows" aria-label={words().dialects.label}>
            <For each={shown()}>
              {(row) => (
                <li classList={{ used: row.name === props.used, reads: row.reads }}>
                  <div class="dialect-row">
                    <b>{row.name}</b>
                    <span class="faint">{row.words}</span>
                    <Show
                      when={row.name !== props.used}
                      fallback={<span class="pill calm">{words().dialects.used}</span>}
                    >
                      <Show when={row.reads}>
                        <button
                          type="button"
                          aria-label={words().dialects.compareWith(row.name)}
                          aria-pressed={compared() === row.name}
                          onClick={() => setCompared(compared() === row.name ? '' : row.name)}
                        >
                          {words().dialects.compare}
                        </button>
                      </Show>
                      <button
                        type="button"
                        aria-label={words().dialects.use(row.name)}
                        onClick={() => props.onUse(row.name)}
                      >
                        {words().dialects.useIt}
                      </button>
                    </Show>
                  </div>
                  <Show when={row.calls.length > 0}>
                    <code class="dialect-calls">{row.calls.map(inShort).join('  ')}</code>
                  </Show>
                </li>
              )}
            </For>
          </ol>
          <Show when={!all() && rows().length > shown().length}>
            <button type="button" onClick={() => setAll(true)}>
              {words().dialects.rest(rows().length - shown().length)}
            </button>
          </Show>
        </>
      )}
    </Show>
  );
}

function Reading(props: { of: RankedDialect }) {
  return (
    <section class="box" aria-label={words().dialects.beside(props.of.name)}>
      <h3>{props.of.name}</h3>
      <p class="faint">{props.of.words}</p>
      <For each={props.of.calls} fallback={<p>{words().dialects.noCalls}</p>}>
        {({ name, raw }) => (
          <pre tabindex="0">
            <b>{name}</b> {raw}
          </pre>
        )}
      </For>
      <For each={props.of.issues}>{(message) => <p class="compared-issue">{message}</p>}</For>
    </section>
  );
}

function inShort({ name, raw }: { name: string; raw: string }): string {
  return `${name}(${raw.length > SHORT ? `${raw.slice(0, SHORT)}…` : raw})`;
}
