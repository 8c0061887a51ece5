// The player under the text: sets how much of the stream has arrived.

import { createEffect, createSignal, For, onCleanup, Show } from 'solid-js';
import { addShortcuts } from '../../parts/shortcuts.js';
import { whenChanged } from '../../parts/when-changed.js';
import type { CharacterKind } from '../../reading/index.js';
import { words } from '../../words/words.js';
import { nextCut, type PieceUnit } from './cuts.js';

/** A place on the track: where a call begins, or something is wrong. */
export interface TrackMark {
  at: number;
  kind: CharacterKind;
}

export interface PlayerProps {
  text: string;
  /** Where the pieces ended as they arrived; empty if nobody knows. */
  ends: readonly number[];
  /** Characters that have arrived; undefined: all of them. */
  at: number | undefined;
  marks: readonly TrackMark[];
  /** A text is being read: nothing can be replayed yet. */
  busy: boolean;
  /** The model is still writing. */
  growing: boolean;
  /** Resolves when it is shown, so that playing never runs ahead of the page. */
  onSeek(at: number | undefined): Promise<void>;
}

const speeds = [0.25, 1, 4] as const;
/** Milliseconds between two pieces at the speed 1. */
const PAUSE = 80;

export function Player(props: PlayerProps) {
  const [chosen, setChosen] = createSignal<PieceUnit>();
  const [speed, setSpeed] = createSignal(1);
  const [playing, setPlaying] = createSignal(false);
  let slider!: HTMLInputElement;
  const length = () => props.text.length;
  const at = () => Math.min(props.at ?? length(), length());
  const units = (): PieceUnit[] => [
    ...(props.ends.length > 0 ? ['arrived' as const] : []),
    'tokens',
    'lines',
    'characters',
  ];
  const unit = (): PieceUnit => {
    const wanted = chosen();
    return wanted && units().includes(wanted) ? wanted : (units()[0] as PieceUnit);
  };
  const seek = (to: number) => {
    const place = Math.max(0, Math.min(to, length()));
    return props.onSeek(place >= length() ? undefined : place);
  };
  const step = (direction: 1 | -1) => {
    setPlaying(false);
    return seek(nextCut(props.text, at(), direction, unit(), props.ends));
  };
  const play = async () => {
    if (playing()) return setPlaying(false);
    setPlaying(true);
    if (at() >= length()) await seek(0);
    while (playing() && at() < length()) {
      await seek(nextCut(props.text, at(), 1, unit(), props.ends));
      await new Promise((go) => setTimeout(go, PAUSE / speed()));
    }
    setPlaying(false);
  };
  const idle = () => props.busy || length() === 0;
  whenChanged(
    () => props.busy,
    () => setPlaying(false),
  );
  onCleanup(() => setPlaying(false));
  // The end of the track first: a slider cuts a value that is behind it.
  createEffect(() => {
    slider.max = String(length());
    slider.value = String(at());
  });
  addShortcuts([
    {
      key: 'p',
      words: () => `${words().player.play}, ${words().player.pause}`,
      run: () => idle() || void play(),
    },
    { key: ',', words: () => words().player.back, run: () => idle() || void step(-1) },
    { key: '.', words: () => words().player.forward, run: () => idle() || void step(1) },
  ]);
  const status = () => {
    if (props.growing) return words().player.growing(length());
    return props.at === undefined ? words().player.all(length()) : words().player.some(at(), length());
  };
  return (
    <section class="player" aria-label={words().player.label}>
      <button
        type="button"
        aria-label={words().player.back}
        title={words().player.back}
        disabled={idle() || at() === 0}
        onClick={() => step(-1)}
      >
        ◂
      </button>
      <button
        type="button"
        class="play"
        aria-label={playing() ? words().player.pause : words().player.play}
        title={playing() ? words().player.pause : words().player.play}
        aria-pressed={playing()}
        disabled={idle()}
        onClick={play}
      >
        {playing() ? '❚❚' : '▶'}
      </button>
      <button
        type="button"
        aria-label={words().player.forward}
        title={words().player.forward}
        disabled={idle() || props.at === undefined}
        onClick={() => step(1)}
      >
        ▸
      </button>
      <div class="track">
        <For each={props.marks}>
          {(mark) => (
            <span
              class={`mark ${mark.kind}`}
              style={{ left: `${(100 * mark.at) / Math.max(1, length())}%` }}
              aria-hidden="true"
            />
          )}
        </For>
        <input
          ref={slider}
          type="range"
          min="0"
          step="1"
          aria-label={words().player.slider}
          disabled={idle()}
          aria-valuetext={status()}
          onInput={(event) => {
            setPlaying(false);
            void seek(Number(event.currentTarget.value));
          }}
        />
      </div>
      <span class="place" role="status" title={status()}>
        <Show when={props.at !== undefined} fallback={<span aria-hidden="true">{length()}</span>}>
          <span aria-hidden="true">
            {at()} / {length()}
          </span>
        </Show>
        <span class="unseen">{status()}</span>
      </span>
      <select
        aria-label={words().player.pieces}
        onChange={(event) => setChosen(event.currentTarget.value as PieceUnit)}
      >
        <For each={units()}>
          {(one) => (
            <option value={one} selected={one === unit()}>
              {words().player.unit[one]}
            </option>
          )}
        </For>
      </select>
      <select
        aria-label={words().player.speed}
        onChange={(event) => setSpeed(Number(event.currentTarget.value))}
      >
        <For each={speeds}>
          {(one) => (
            <option value={one} selected={one === speed()}>
              {one}×
            </option>
          )}
        </For>
      </select>
    </section>
  );
}
