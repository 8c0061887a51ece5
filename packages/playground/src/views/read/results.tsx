// What was read: the verdict, and the details in tabs.

import { createEffect, createMemo, createSignal, Match, Show, Switch } from 'solid-js';
import { Tabs } from '../../parts/tabs.jsx';
import { CallsPanel, type CallsPanelProps } from '../../reading/calls-panel.jsx';
import type { PageReader, RankOutcome, ReadOutcome } from '../../reading/index.js';
import { NotesPanel } from '../../reading/notes-panel.jsx';
import { words } from '../../words/words.js';
import { DialectsPanel } from './dialects-panel.jsx';
import { countEvents, EventsPanel } from './events-panel.jsx';
import { GrammarPanel } from './grammar-panel.jsx';
import { JsonPanel } from './json-panel.jsx';
import { verdictOf } from './verdict.js';

export interface ResultsProps extends CallsPanelProps {
  reader: PageReader;
  outcome: ReadOutcome | undefined;
  ranking: RankOutcome | undefined;
  text: string;
  busy: boolean;
  onDialect(name: string): void;
  /** Asks for the ranking. */
  onRank(): void;
}

const tabs = ['calls', 'events', 'issues', 'json', 'grammar', 'dialects'] as const;
type TabName = (typeof tabs)[number];

export function Results(props: ResultsProps) {
  const [tab, setTab] = createSignal<TabName>('calls');
  createEffect(() => {
    if (tab() === 'dialects' && !props.ranking && !props.busy && props.outcome) props.onRank();
  });
  const amount = (name: TabName) => {
    const { reading } = props;
    if (name === 'calls') return reading?.calls.length;
    if (name === 'events') return countEvents(reading?.segments);
    return name === 'issues' ? reading?.notes.filter(({ type }) => type === 'issue').length : undefined;
  };
  return (
    <section class="box pane results" aria-label={words().read.panels} aria-busy={props.busy}>
      <Verdict {...props} />
      <Tabs
        id="read"
        label={words().read.panels}
        tabs={tabs.map((name) => ({ name, title: words().tabs[name], amount: amount(name) }))}
        chosen={tab()}
        onChoose={setTab}
      >
        <Switch>
          <Match when={tab() === 'calls'}>
            <CallsPanel {...props} />
          </Match>
          <Match when={tab() === 'events'}>
            <EventsPanel {...props} />
          </Match>
          <Match when={tab() === 'issues'}>
            <NotesPanel {...props} />
          </Match>
          <Match when={tab() === 'json'}>
            <JsonPanel reader={props.reader} outcome={props.outcome} />
          </Match>
          <Match when={tab() === 'grammar'}>
            <GrammarPanel reader={props.reader} outcome={props.outcome} tools={props.tools} />
          </Match>
          <Match when={tab() === 'dialects'}>
            <DialectsPanel
              ranking={props.ranking}
              used={props.outcome?.dialect}
              reading={props.reading}
              length={props.text.length}
              onUse={props.onDialect}
            />
          </Match>
        </Switch>
      </Tabs>
    </section>
  );
}

function Verdict(props: ResultsProps) {
  const verdict = createMemo(() => props.reading && verdictOf(props.reading, props.text, words()));
  const why = () => props.outcome?.guess?.why ?? (props.ranking?.better ? props.ranking.why : []);
  return (
    <div class="read-verdict" role="status" aria-label={words().verdict.label}>
      <div class="work" classList={{ on: props.busy }} aria-hidden="true" />
      <span class={`dot ${verdict()?.tone ?? 'calm'}`} aria-hidden="true" />
      <div>
        <h2>{props.busy && !verdict() ? words().read.reading : verdict()?.title}</h2>
        <p>{verdict()?.details}</p>
        <Show when={props.text !== '' && why().length > 0}>
          <p class="faint">{why().slice(0, 2).join(' ')}</p>
        </Show>
        <Show when={props.ranking?.better}>
          {(name) => (
            <button type="button" onClick={() => props.onDialect(name())}>
              {words().verdict.better(name())}
            </button>
          )}
        </Show>
      </div>
      <Show when={props.busy}>
        <span class="busy-word">{words().read.reading}</span>
      </Show>
    </div>
  );
}
