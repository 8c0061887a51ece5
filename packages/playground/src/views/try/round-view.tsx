// One request and its answer: the model's raw text beside the answer that a client gets.

import { createUniqueId, For, Index, onMount, Show } from 'solid-js';
import { createStore } from 'solid-js/store';
import { AnswerView } from '../../gateway/answer-view.jsx';
import { ReportView } from '../../gateway/report-view.jsx';
import { toReadState } from '../../gateway/to-read-state.js';
import { TroubleNote, Words } from '../../gateway/trouble-note.jsx';
import { LongText } from '../../parts/long-text.jsx';
import type { ReadState } from '../../view.js';
import type { AnswerCall, StreamedAnswer } from './answer.js';
import { MessageView } from './earlier.jsx';
import { exampleResult } from './example.js';
import type { RawText } from './raw-text.js';
import type { Round } from './round.js';

export interface RoundViewProps {
  round: Round;
  number: number;
  /** Waits for results. */
  waits: boolean;
  /** The results that were given before. */
  results: readonly string[] | undefined;
  goOn(results: string[]): void;
  read(state: ReadState): void;
}

export function RoundView(props: RoundViewProps) {
  const id = createUniqueId();
  const open = () => props.round.state === 'asking';
  let article!: HTMLElement;
  let head!: HTMLHeadingElement;
  onMount(() => {
    if (open()) queueMicrotask(() => bringIntoView(article, head));
  });
  return (
    <article ref={article} class="round" aria-labelledby={id} aria-busy={open()}>
      <h2 id={id} ref={head} tabindex="-1">
        Round {props.number} <span class="faint">{props.round.model}</span>
      </h2>
      <For each={props.round.messages}>{(message) => <MessageView message={message} />}</For>
      <TroubleNote trouble={props.round.trouble} />
      <div class="round-panes">
        <div>
          <h3>
            Raw text <span class="faint">what the model wrote</span>
          </h3>
          <RawPane round={props.round} read={props.read} />
        </div>
        <div>
          <h3>
            Reading <span class="faint">what a program gets</span>
          </h3>
          <AnswerView answer={shownAnswer(props.round.answer)} open={open()} />
          <Ending round={props.round} />
        </div>
      </div>
      <Show when={props.waits}>
        <Results calls={props.round.answer.calls} given={props.results} goOn={props.goOn} />
      </Show>
    </article>
  );
}

/** Scrolls to a new round, also on a phone; moves the focus to its heading if the button that had it is gone. */
function bringIntoView(article: HTMLElement, head: HTMLElement): void {
  const { top } = article.getBoundingClientRect();
  if (top < 0 || top > innerHeight * 0.7) article.scrollIntoView({ block: 'start' });
  if (document.activeElement === null || document.activeElement === document.body) head.focus();
}

function RawPane(props: { round: Round; read(state: ReadState): void }) {
  return (
    <>
      <Show when={props.round.rawTrouble}>
        {(trouble) => (
          <p class="faint">
            The raw text comes from the inspector. <Words text={`${trouble().message} ${trouble().advice}`} />
          </p>
        )}
      </Show>
      <Show when={!props.round.rawTrouble && props.round.raw.length === 0}>
        <p class="faint">
          {props.round.state === 'asking' ? 'Nothing yet.' : 'There is no raw text of this round.'}
        </p>
      </Show>
      <Index each={props.round.raw}>
        {(raw, at) => (
          <>
            <Show when={props.round.raw.length > 1}>
              <h4>{at === 0 ? 'First try' : `Asked again, ${at + 1}`}</h4>
            </Show>
            <LongText text={raw().text} segments={raw().segments} label={`Raw text, try ${at + 1}`} follow />
            <Show when={raw().incomplete}>
              <p class="faint">
                Some of it is missing: it came faster than it could be passed on, or is too long.
              </p>
            </Show>
            <Show when={props.round.state !== 'asking' && raw().text !== ''}>
              <button type="button" onClick={() => props.read(readStateOf(props.round, raw()))}>
                Open in Read
              </button>
            </Show>
          </>
        )}
      </Index>
    </>
  );
}

/** Marks calls as complete by the `finish_reason`: the API has no such mark for a single call. */
function shownAnswer(answer: StreamedAnswer) {
  const complete = answer.finish === 'tool_calls';
  return { ...answer, calls: answer.calls.map((call) => ({ ...call, complete })) };
}

function readStateOf({ answer, tools }: Round, { text, segments }: RawText): ReadState {
  return toReadState({ text, dialect: answer.report?.dialect, tools, segments });
}

const finishes: Record<string, string> = {
  stop: 'The model ended its turn.',
  length: 'The answer was cut off: the limit of its length, or a text that broke off inside a call.',
  tool_calls: 'The model waits for the results of its calls.',
  content_filter: 'The provider withheld the rest.',
};

function Ending(props: { round: Round }) {
  const answer = () => props.round.answer;
  const finish = () => answer().finish ?? '';
  return (
    <>
      <Show when={finish()}>
        <p class="round-end">
          <code>{finish()}</code> {Object.hasOwn(finishes, finish()) ? finishes[finish()] : ''}
          <Show when={answer().usage}>
            {(usage) => (
              <span class="faint">
                {' '}
                {usage().input} tokens in, {usage().output} out
                {answer().report?.usage === 'estimated' ? ' (estimated)' : ''}.
              </span>
            )}
          </Show>
        </p>
      </Show>
      <Show when={answer().report}>{(report) => <ReportView report={report()} />}</Show>
    </>
  );
}

/** A result for each call, by hand. */
function Results(props: {
  calls: AnswerCall[];
  given: readonly string[] | undefined;
  goOn(results: string[]): void;
}) {
  const id = createUniqueId();
  const [results, setResults] = createStore(
    props.calls.map(({ name }, at) => props.given?.[at] ?? exampleResult(name)),
  );
  const send = (event: Event) => {
    event.preventDefault();
    props.goOn([...results]);
  };
  return (
    <form class="results" onSubmit={send}>
      <Index each={props.calls}>
        {(call, at) => (
          <>
            <label for={`${id}-${at}`}>
              Result of call {at + 1}, <code>{call().name}</code>
            </label>
            <textarea
              id={`${id}-${at}`}
              rows="2"
              value={results[at] ?? ''}
              onInput={(event) => setResults(at, event.currentTarget.value)}
            />
          </>
        )}
      </Index>
      <button type="submit" class="main">
        Go on with {props.calls.length === 1 ? 'this result' : 'these results'}
      </button>
    </form>
  );
}
