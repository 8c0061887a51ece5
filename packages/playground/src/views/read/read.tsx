// Read: a model's output on the left, coloured by what each character was read as; its calls, issues and repairs on the
// right.

import { examples } from 'virtual:examples';
import type { Range } from '@dragoman/core';
import { dialects } from '@dragoman/core';
import { batch, createEffect, createMemo, createSignal, For, onCleanup } from 'solid-js';
import { Legend } from '../../parts/legend.jsx';
import { OptionList } from '../../parts/option-list.jsx';
import { whenChanged } from '../../parts/when-changed.js';
import { CallsPanel } from '../../reading/calls-panel.jsx';
import {
  createReader,
  kindWords,
  type ReadOutcome,
  readTools,
  segment,
  segmentIndexAt,
  type TextReading,
} from '../../reading/index.js';
import { TextEditor } from '../../reading/text-editor.jsx';
import type { PageView, ViewProps } from '../../view.js';
import { firstExample } from './examples.js';
import { Listener } from './listener.jsx';
import { ReplayBar } from './replay-bar.jsx';
import { shuffleWords } from './shuffle-words.js';
import { fromLink, toState } from './state.js';
import { ToolsEditor } from './tools-editor.jsx';
import './read.css';

const choices = [firstExample, ...examples];

export const readView: PageView = {
  name: 'read',
  title: 'Read',
  about:
    'Models write their tool calls as text, each family in a dialect of its own. Paste what one wrote, and see what each character was read as.',
  Component: Read,
};

function Read(props: ViewProps) {
  const reader = createReader();
  onCleanup(() => reader.close());

  const { at: linkedAt, ...linked } = fromLink(props.state);
  const [state, setState] = createSignal(linked);
  /** The replay position of the link, until the text is read. */
  let goal = linkedAt;
  const [result, setResult] = createSignal<ReadOutcome>();
  const [moment, setMoment] = createSignal<TextReading>();
  const [at, setAt] = createSignal<number>();
  const [busy, setBusy] = createSignal(true);
  const [status, setStatus] = createSignal('');
  const [point, setPoint] = createSignal<number>();
  const [lit, setLit] = createSignal<Range>();
  const [seek, setSeek] = createSignal<Range>();
  whenChanged(
    () => props.state,
    (given) => {
      const { at, ...rest } = fromLink(given);
      goal = at;
      setState(rest);
    },
  );

  const tools = createMemo(() => readTools(state().tools));
  const shown = () => moment() ?? result()?.reading;
  const change = (part: Partial<ReturnType<typeof state>>) => {
    goal = undefined;
    setState({ ...state(), ...part });
    props.keep(state());
  };

  createEffect(async () => {
    const { text, dialect, thinking = false } = state();
    const read = tools();
    batch(() => {
      setBusy(true);
      setAt(undefined);
      setStatus('');
    });
    try {
      const found = await reader.read({ text, dialect, thinking, tools: 'tools' in read ? read.tools : [] });
      if (!found) return;
      batch(() => {
        setMoment(undefined);
        setResult(found);
        setBusy(false);
      });
      if (goal !== undefined && goal < text.length) void seekTo(goal);
      goal = undefined;
    } catch (error) {
      setStatus(`The text could not be read: ${(error as Error).message}`);
      setBusy(false);
    }
  });

  const seekTo = async (to: number | undefined) => {
    setAt(to);
    props.keep({ ...state(), ...(to !== undefined && { at: to }) });
    if (to === undefined) return void setMoment(undefined);
    const reading = await reader.seek(to);
    if (reading && at() === to) setMoment(reading);
  };
  const shuffle = async () => {
    setStatus('Cutting …');
    const found = await reader.shuffle(Math.floor(Math.random() * 2 ** 32));
    if (found) setStatus(shuffleWords(found));
  };
  const choose = (place: number) => {
    const chosen = choices[place];
    if (chosen) change(toState(chosen));
  };

  return (
    <div class="read">
      <form class="flow choices" onSubmit={(event) => event.preventDefault()}>
        <label>
          Example{' '}
          <select onChange={(event) => choose(Number(event.currentTarget.value))}>
            <option value="-1" selected={exampleOf(state().text) < 0}>
              your own text
            </option>
            <For each={[false, true]}>
              {(broken) => (
                <optgroup label={broken ? 'Not quite right' : 'Well written'}>
                  <OptionList of={optionsOf(broken)} chosen={String(exampleOf(state().text))} />
                </optgroup>
              )}
            </For>
          </select>
        </label>
        <label>
          Dialect{' '}
          <select onChange={(event) => change({ dialect: event.currentTarget.value })}>
            <OptionList
              of={[['auto', 'guess it'], ...dialects.map(({ name }) => name)]}
              chosen={state().dialect}
            />
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={state().thinking ?? false}
            onChange={(event) => change({ thinking: event.currentTarget.checked })}
          />{' '}
          It begins inside reasoning
        </label>
        <Listener busy={busy()} onState={change} />
      </form>
      <p class="why" role="status">
        {whyWords(result())}
      </p>
      <div class="columns">
        <div class="left">
          <h2 class="unseen">What the model wrote</h2>
          <TextEditor
            class="output"
            label="What the model wrote"
            text={state().text}
            reading={shown()}
            lit={lit()}
            seek={seek()}
            onText={(text) => {
              if (text !== state().text) change({ text });
            }}
            onPoint={setPoint}
            placeholder="Paste what a model wrote."
          />
          <p class="here" aria-live="polite">
            {hereWords(shown(), point())}
          </p>
          <Legend lengths={shown()?.lengths ?? []} />
          <ReplayBar length={state().text.length} at={at()} busy={busy()} onSeek={seekTo} />
          <div class="flow shuffle">
            <button type="button" disabled={busy() || state().text === ''} onClick={shuffle}>
              Shuffle the chunks
            </button>
            <p role="status">{status()}</p>
          </div>
          <ToolsEditor
            text={state().tools}
            read={tools()}
            onText={(text) => text !== state().tools && change({ tools: text })}
          />
        </div>
        <div class="right">
          <CallsPanel
            reading={shown()}
            point={point()}
            onLight={setLit}
            onSeek={(range) => setSeek([...range])}
          />
        </div>
      </div>
    </div>
  );
}

/** Gives the reason for the dialect, or what it is. */
function whyWords(result: ReadOutcome | undefined): string {
  if (!result) return 'Reading …';
  return result.guess?.why ?? dialects.find(({ name }) => name === result.dialect)?.about ?? '';
}

/** Gives the examples that are broken, or the others, as options of a list. */
function optionsOf(broken: boolean) {
  const all = choices.map((one, place) => [String(place), `${one.title} (${one.dialect})`] as const);
  return all.filter((_, place) => choices[place]?.broken === broken);
}

function exampleOf(text: string): number {
  return choices.findIndex((one) => one.text === text);
}

/** Describes the character under the pointer, for people who cannot tell the colours. */
function hereWords(reading: TextReading | undefined, point: number | undefined): string {
  if (!reading || point === undefined)
    return 'Point at a character, or move the cursor, to see what it was read as.';
  const found = segment(reading.segments, segmentIndexAt(reading.segments, point));
  const place = `Character ${point + 1}`;
  if (!found)
    return point < reading.fed ? `${place}: held back, more must come to tell.` : `${place}: not there yet.`;
  const note = reading.notes[found.note];
  const call = reading.calls[found.call];
  const of = call ? ` of the call ${call.name || 'without a name'}` : '';
  const base = `${place}: ${kindWords[found.base].title.toLowerCase()}${of}.`;
  return note ? `${base} ${note.type === 'issue' ? 'At fault' : 'Repaired'}: ${note.message}` : base;
}
