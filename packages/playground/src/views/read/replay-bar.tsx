// The replay of the stream: sets how much of the text has arrived.

import { createSignal, onCleanup } from 'solid-js';
import { countWords } from '../../parts/count-words.js';
import { whenChanged } from '../../parts/when-changed.js';

export interface ReplayBarProps {
  length: number;
  /** Characters that have arrived; undefined: all of them. */
  at: number | undefined;
  /** A text is being read: nothing can be replayed yet. */
  busy: boolean;
  /** Resolves when it is shown, so that playing never runs ahead of the page. */
  onSeek(at: number | undefined): Promise<void>;
}

const speeds = [
  { title: 'slow', pause: 400 },
  { title: 'normal', pause: 120 },
  { title: 'fast', pause: 30 },
] as const;

export function ReplayBar(props: ReplayBarProps) {
  const [chunk, setChunk] = createSignal(1);
  const [speed, setSpeed] = createSignal(1);
  const [playing, setPlaying] = createSignal(false);
  const at = () => Math.min(props.at ?? props.length, props.length);
  const seek = (to: number) => {
    const place = Math.max(0, Math.min(to, props.length));
    return props.onSeek(place >= props.length ? undefined : place);
  };
  const step = (direction: 1 | -1) => {
    setPlaying(false);
    // To the border of a chunk, so that steps in both directions stop at the same places.
    const chunks = direction > 0 ? Math.floor(at() / chunk()) + 1 : Math.ceil(at() / chunk()) - 1;
    return seek(chunks * chunk());
  };
  const play = async () => {
    if (playing()) return setPlaying(false);
    setPlaying(true);
    if (at() >= props.length) await seek(0);
    while (playing() && at() < props.length) {
      await seek(at() + chunk());
      await new Promise((go) => setTimeout(go, speeds[speed()]?.pause));
    }
    setPlaying(false);
  };
  whenChanged(
    () => props.busy,
    () => setPlaying(false),
  );
  onCleanup(() => setPlaying(false));
  const words = () => {
    if (props.at === undefined) return 'All of it has arrived.';
    return `${countWords(at())} of ${countWords(props.length)} characters have arrived.`;
  };
  return (
    <section class="box flow replay" aria-label="Replay the stream">
      <div class="buttons">
        <button
          type="button"
          disabled={props.busy || props.length === 0}
          onClick={play}
          aria-pressed={playing()}
        >
          {playing() ? 'Pause' : 'Play'}
        </button>
        <button
          type="button"
          disabled={props.busy || at() === 0}
          onClick={() => step(-1)}
          aria-label="Step back"
        >
          ◂ Step
        </button>
        <button
          type="button"
          disabled={props.busy || props.at === undefined}
          onClick={() => step(1)}
          aria-label="Step forward"
        >
          Step ▸
        </button>
      </div>
      <label class="slider">
        <span class="unseen">Characters that have arrived</span>
        <input
          type="range"
          min="0"
          max={props.length}
          step="1"
          value={at()}
          disabled={props.busy || props.length === 0}
          aria-valuetext={words()}
          onInput={(event) => {
            setPlaying(false);
            void seek(onBorder(Number(event.currentTarget.value), chunk(), props.length));
          }}
        />
      </label>
      <label>
        Characters a chunk{' '}
        <input
          type="number"
          min="1"
          max="100000"
          value={chunk()}
          onInput={(event) => setChunk(Math.max(1, Math.floor(Number(event.currentTarget.value)) || 1))}
        />
      </label>
      <label>
        Speed{' '}
        <select onChange={(event) => setSpeed(event.currentTarget.selectedIndex)}>
          {speeds.map(({ title }, place) => (
            <option selected={place === speed()}>{title}</option>
          ))}
        </select>
      </label>
      <p class="place">{words()}</p>
    </section>
  );
}

function onBorder(at: number, chunk: number, length: number): number {
  return at >= length ? length : Math.floor(at / chunk) * chunk;
}
