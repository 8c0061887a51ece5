// Read: a model's output on the left, coloured by what each character was read as, with a player under it; on the right
// the verdict, and in tabs the calls, events and issues, the answer as JSON, the grammar, and what each dialect reads.

import { dialectList } from 'virtual:dialects';
import { undo } from '@codemirror/commands';
import type { EditorView } from '@codemirror/view';
import type { Range } from '@dragoman/core';
import { batch, createEffect, createMemo, createSignal, onCleanup, Show } from 'solid-js';
import { Legend } from '../../parts/legend.jsx';
import { addShortcuts } from '../../parts/shortcuts.js';
import { searchIn } from '../../parts/text-search.js';
import { whenChanged } from '../../parts/when-changed.js';
import { declareTool } from '../../reading/declare-tool.js';
import type { ReadContext } from '../../reading/editor-context.js';
import {
  createReader,
  type RankOutcome,
  type ReadOutcome,
  readTools,
  type TextReading,
} from '../../reading/index.js';
import { TextEditor } from '../../reading/text-editor.jsx';
import type { ReadState, ViewProps } from '../../view.js';
import { words } from '../../words/words.js';
import { Player } from './player.jsx';
import { pointWords } from './point-words.js';
import { ReadBar } from './read-bar.jsx';
import { Results } from './results.jsx';
import { shuffleWords } from './shuffle-words.js';
import { fromLink, type ReadDocument, toLink } from './state.js';
import { takenWords } from './taken-words.js';
import { trackMarks } from './track-marks.js';
import './read.css';

const names = dialectList.map(({ name }) => name);

/** Characters of a text that is drawn in steps. */
const LONG = 100_000;

export default function Read(props: ViewProps) {
  const reader = createReader();
  onCleanup(() => reader.close());

  const { at: linkedAt, ...linked } = fromLink(props.state, names);
  const [doc, setDoc] = createSignal<ReadDocument>(linked);
  /** The replay position of the link, until the text is read. */
  let goal = linkedAt;
  const [result, setResult] = createSignal<ReadOutcome>();
  const [ranking, setRanking] = createSignal<RankOutcome>();
  const [moment, setMoment] = createSignal<TextReading>();
  const [at, setAt] = createSignal<number>();
  const [busy, setBusy] = createSignal(true);
  const [status, setStatus] = createSignal<{ text: string; undo?: boolean }>({ text: '' });
  const [point, setPoint] = createSignal<number>();
  const [lit, setLit] = createSignal<Range>();
  const [seek, setSeek] = createSignal<Range>();
  let editor: EditorView | undefined;
  whenChanged(
    () => props.state,
    (given) => {
      const { at, ...rest } = fromLink(given, names);
      goal = at;
      setDoc(rest);
    },
  );

  const tools = createMemo(() => readTools(doc().context.tools));
  const toolNames = createMemo(() => {
    const read = tools();
    return 'names' in read ? read.names : [];
  });
  const shown = () => moment() ?? result()?.reading;
  // The panels of a long text are drawn in a task of their own, after the colours: a key never waits for both.
  const [listed, setListed] = createSignal<{ outcome?: ReadOutcome; reading?: TextReading }>({});
  createEffect(() => {
    const [outcome, reading] = [result(), shown()];
    const next = { ...(outcome && { outcome }), ...(reading && { reading }) };
    if ((reading?.fed ?? 0) <= LONG) return void setListed(next);
    const timer = setTimeout(() => setListed(next));
    onCleanup(() => clearTimeout(timer));
  });
  const marks = createMemo(() => trackMarks(result()?.reading));
  const keep = () => props.keep(toLink(doc(), at()));
  /** Replaces the document: one step for undo. */
  const replace = (next: Partial<ReadDocument>) => {
    goal = undefined;
    setDoc({ ...doc(), growing: false, ...next });
    keep();
  };
  const change = (part: Partial<ReadContext>) => replace({ context: { ...doc().context, ...part } });
  const say = (text: string, undo = false) => setStatus({ text, undo });
  const undoLast = () => {
    if (editor) undo(editor);
    say('');
  };

  /** The editor's own changes: typing, pasting, undo. */
  const onText = (text: string, context: ReadContext | undefined) => {
    const before = doc();
    if (text === before.text && context === before.context) return;
    const same = text === before.text;
    goal = undefined;
    setDoc({
      text,
      context: context ?? before.context,
      ends: same ? before.ends : (arrived.get(text) ?? []),
      growing: false,
    });
    keep();
    if (!same) void unwrapText(text, before);
  };
  /** Where the pieces of texts ended that came in pieces: undo may bring one back. */
  const arrived = new Map<string, readonly number[]>();
  let unwrapped = '';
  const unwrapText = async (text: string, before: ReadDocument) => {
    // A text that was taken out and brought back by undo stays as it is.
    if (text === unwrapped || !mayBeWrapped(text) || text.startsWith(before.text.slice(0, 40) || ' ')) return;
    const found = await reader.unwrap(text).catch(() => undefined);
    if (!found || doc().text !== text) return;
    unwrapped = text;
    if (found.kind === 'template') {
      const dialect = found.dialect ?? 'auto';
      replace({ text: before.text, context: { ...before.context, dialect }, ends: before.ends });
    } else {
      const ends = found.ends ?? [];
      arrived.set(found.text, ends);
      const context = {
        dialect: found.dialect ?? 'auto',
        tools: found.tools ?? doc().context.tools,
        thinking: false,
        example: false,
      };
      replace({ text: found.text, context, ends });
    }
    say(takenWords(found, words()), true);
  };

  createEffect(async () => {
    const read = doc();
    const { text, context, growing } = read;
    const { dialect, thinking } = context;
    const declared = tools();
    batch(() => {
      setBusy(true);
      setAt(undefined);
      setPoint(undefined);
    });
    try {
      const given = 'tools' in declared ? declared.tools : [];
      const found = await reader.read({ text, dialect, thinking, tools: given, growing });
      if (!found) return;
      // To take the reading of a long text from the worker is a task by itself.
      if (text.length > LONG) await new Promise((go) => setTimeout(go));
      if (doc() !== read) return;
      batch(() => {
        setMoment(undefined);
        setResult(found);
        setRanking(undefined);
        setBusy(false);
      });
      if (goal !== undefined && goal < text.length) void seekTo(goal);
      goal = undefined;
      // Another dialect may read a call where this one reads none.
      if (dialect !== 'auto' && !growing && text !== '' && found.reading.calls.length === 0) void rank();
    } catch (error) {
      say(words().read.failed((error as Error).message));
      setBusy(false);
    }
  });

  const rank = async () => {
    const found = await reader.rank().catch(() => undefined);
    if (found) setRanking(found);
  };
  const seekTo = async (to: number | undefined) => {
    setAt(to);
    keep();
    if (to === undefined) return void setMoment(undefined);
    const reading = await reader.seek(to);
    if (reading && at() === to) setMoment(reading);
  };
  const find = () => void (editor && searchIn(editor));
  addShortcuts([{ key: '/', words: () => words().read.find, run: find }]);
  const shuffle = async () => {
    say(words().read.cutting);
    const found = await reader.shuffle(Math.floor(Math.random() * 2 ** 32));
    if (found) say(shuffleWords(found, words()));
  };
  const listenTo = (state: ReadState) => {
    const { at: _, ...next } = fromLink(state, names);
    setDoc(next);
    keep();
  };

  return (
    <div class="read">
      <ReadBar
        doc={doc()}
        outcome={result()}
        tools={tools()}
        busy={busy()}
        onDocument={(next, told) => {
          replace(next);
          say(told, true);
        }}
        onContext={change}
        onFind={find}
        onShuffle={() => void shuffle()}
        onListen={listenTo}
        onStatus={say}
        address={() => {
          keep();
          return props.address();
        }}
      />
      <div class="read-status" role="status">
        <Show when={status().text}>
          <span>{status().text}</span>
          <Show when={status().undo}>
            <button type="button" onClick={undoLast}>
              {words().read.undo}
            </button>
          </Show>
        </Show>
      </div>
      <div class="columns">
        <section class="box pane source" aria-label={words().read.label}>
          <div class="pane-head">
            <Legend lengths={shown()?.lengths ?? []} />
          </div>
          <TextEditor
            class="output"
            label={words().read.label}
            text={doc().text}
            context={doc().context}
            reading={shown()}
            lit={lit()}
            seek={seek()}
            lineNumbers
            onText={onText}
            onPoint={setPoint}
            onView={(view) => {
              editor = view;
            }}
            placeholder={words().read.placeholder}
          />
          <p class="here" aria-live="polite">
            {busy() ? '' : pointWords(shown(), point(), words())}
          </p>
          <Player
            text={doc().text}
            ends={doc().ends}
            at={at()}
            marks={marks()}
            busy={busy()}
            growing={doc().growing}
            onSeek={seekTo}
          />
        </section>
        <Results
          reader={reader}
          outcome={listed().outcome}
          reading={listed().reading}
          ranking={ranking()}
          text={doc().text}
          tools={toolNames()}
          point={point()}
          busy={busy()}
          onLight={setLit}
          onSeek={(range) => setSeek([...range])}
          onDeclare={(name, raw) => change({ tools: declareTool(doc().context.tools, name, raw) })}
          onDialect={(dialect) => change({ dialect })}
          onRank={() => void rank()}
        />
      </div>
    </div>
  );
}

/** Whether it is worth asking the worker: what people paste instead of a model's text begins so. */
function mayBeWrapped(text: string): boolean {
  return /^\s{0,64}(?:[{["]|(?:data|event|id|retry):)/.test(text);
}
