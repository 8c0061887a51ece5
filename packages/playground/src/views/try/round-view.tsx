// One request and its answer: the model's raw text beside the answer that a client gets.

import { createUniqueId, For, Index, onCleanup, onMount, Show } from 'solid-js';
import { createStore } from 'solid-js/store';
import { AnswerView } from '../../gateway/answer-view.jsx';
import { ReportView } from '../../gateway/report-view.jsx';
import { toReadState } from '../../gateway/to-read-state.js';
import { TroubleNote, Words } from '../../gateway/trouble-note.jsx';
import { LongText } from '../../parts/long-text.jsx';
import { shownName } from '../../parts/shown-call.js';
import type { ReadState } from '../../view.js';
import { words } from '../../words/words.js';
import type { AnswerCall, StreamedAnswer } from './answer.js';
import { MessageView } from './earlier.jsx';
import { exampleResult, isExample } from './example.js';
import { followRound } from './follow-round.js';
import type { RawText } from './raw-text.js';
import type { Round } from './round.js';

export interface RoundViewProps {
  round: Round;
  number: number;
  /** Waits for results. */
  waits: boolean;
  /** The results that were given before. */
  results: readonly string[] | undefined;
  isLast: boolean;
  goOn(results: string[]): void;
  /** Asks the same again. */
  retry(): void;
  /** Takes the question back into its field. */
  edit(): void;
  read(state: ReadState): void;
}

export function RoundView(props: RoundViewProps) {
  const id = createUniqueId();
  const open = () => props.round.state === 'asking';
  let article!: HTMLElement;
  let head!: HTMLHeadingElement;
  onMount(() => {
    if (!open()) return;
    onCleanup(followRound(article));
    queueMicrotask(() => takeFocus(head));
  });
  return (
    <article ref={article} class="round" aria-labelledby={id} aria-busy={open()}>
      <h2 id={id} ref={head} tabindex="-1">
        {words().try.round(props.number)}
      </h2>
      <For each={props.round.messages}>{(message) => <MessageView message={message} />}</For>
      <div class="flow round-actions">
        <Show when={!open() && props.round.messages[0]?.role === 'user'}>
          <button type="button" onClick={() => props.edit()}>
            {words().try.edit}
          </button>
        </Show>
        <Show when={!open() && props.isLast}>
          <button type="button" onClick={() => props.retry()}>
            {words().try.retry}
          </button>
        </Show>
      </div>
      <Index each={[props.round, ...(props.round.beside ?? [])]}>
        {(answered) => (
          <section class="box turn" aria-label={answered().model}>
            <h3>{answered().model}</h3>
            <TroubleNote trouble={answered().trouble} />
            <div class="round-panes">
              <div>
                <h4>
                  {words().try.raw} <span class="faint">{words().try.rawAbout}</span>
                </h4>
                <RawPane round={answered()} read={props.read} />
              </div>
              <div>
                <h4>
                  {words().try.reading} <span class="faint">{words().try.readingAbout}</span>
                </h4>
                <AnswerView answer={shownAnswer(answered().answer)} open={answered().state === 'asking'} />
                <Ending round={answered()} />
              </div>
            </div>
          </section>
        )}
      </Index>
      <Show when={props.waits}>
        <Results calls={props.round.answer.calls} given={props.results} goOn={props.goOn} />
      </Show>
    </article>
  );
}

/** Moves the focus to the heading of a new round if the button that had it is gone. */
function takeFocus(head: HTMLElement): void {
  if (document.activeElement === null || document.activeElement === document.body)
    head.focus({ preventScroll: true });
}

function RawPane(props: { round: Round; read(state: ReadState): void }) {
  return (
    <>
      <Show when={props.round.rawTrouble}>
        {(trouble) => (
          <p class="faint">
            {words().try.fromInspector} <Words text={`${trouble().message} ${trouble().advice}`} />
          </p>
        )}
      </Show>
      <Show when={!props.round.rawTrouble && props.round.raw.length === 0}>
        <p class="faint">{props.round.state === 'asking' ? words().try.nothingYet : words().try.noRaw}</p>
      </Show>
      <Index each={props.round.raw}>
        {(raw, at) => (
          <>
            <Show when={props.round.raw.length > 1}>
              <h5>{words().inspect.attempt(at + 1)}</h5>
            </Show>
            <LongText text={raw().text} segments={raw().segments} label={words().try.rawOf(at + 1)} follow />
            <Show when={raw().incomplete}>
              <p class="faint">{words().try.incomplete}</p>
            </Show>
            <Show when={props.round.state !== 'asking' && raw().text !== ''}>
              <button type="button" onClick={() => props.read(readStateOf(props.round, raw()))}>
                {words().inspect.openInRead}
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

function Ending(props: { round: Round }) {
  const answer = () => props.round.answer;
  const finish = () => answer().finish ?? '';
  return (
    <>
      <Show when={finish()}>
        <p class="round-end">
          <code>{finish()}</code> {finishWords(finish())}
          <Show when={answer().usage}>
            {(usage) => (
              <span class="faint">
                {' '}
                {words().inspect.tokens({
                  inputTokens: usage().input,
                  outputTokens: usage().output,
                  estimated: answer().report?.usage === 'estimated',
                })}
              </span>
            )}
          </Show>
        </p>
      </Show>
      <Show when={answer().report}>{(report) => <ReportView report={report()} />}</Show>
    </>
  );
}

function finishWords(finish: string): string {
  const known: Record<string, string> = words().try.finishes;
  return Object.hasOwn(known, finish) ? (known[finish] ?? '') : '';
}

/** A result for each call: by an example tool, or by hand. */
function Results(props: {
  calls: AnswerCall[];
  given: readonly string[] | undefined;
  goOn(results: string[]): void;
}) {
  const id = createUniqueId();
  const [results, setResults] = createStore(
    props.calls.map(({ name, arguments: json }, at) => props.given?.[at] ?? exampleResult(name, json)),
  );
  const send = (event: Event) => {
    event.preventDefault();
    props.goOn([...results]);
  };
  return (
    <form class="call-results" onSubmit={send}>
      <Index each={props.calls}>
        {(call, at) => (
          <>
            <label for={`${id}-${at}`}>
              {words().try.resultOf(at + 1)}, <code>{shownName(call().name)}</code>
              <Show when={isExample(call().name)}>
                {' '}
                <span class="faint">{words().try.ranHere}</span>
              </Show>
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
        {words().try.goOn(props.calls.length)}
      </button>
    </form>
  );
}
