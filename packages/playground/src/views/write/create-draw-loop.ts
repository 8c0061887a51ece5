// Has the latest state drawn: at most one drawing under way, and what changed meanwhile is drawn next, once.

import type { Drawing } from './draw.js';
import type { WriteState } from './state.js';

export interface Artist {
  /** To be called at every change. `state` is copied when its turn comes. */
  draw(state: WriteState): void;
  stop(): void;
}

/** Milliseconds of rest before a change is drawn: less than a person notices, more than between two events. */
const REST = 30;

export function createArtist(onDrawn: (drawings: Drawing[]) => void): Artist {
  let waiting: WriteState | undefined;
  let drawing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const desk = openDesk((drawings) => {
    drawing = false;
    onDrawn(drawings);
    next();
  });
  const next = () => {
    if (drawing || !waiting) return;
    drawing = true;
    desk.send(waiting);
    waiting = undefined;
  };
  return {
    draw(state) {
      waiting = state;
      clearTimeout(timer);
      timer = setTimeout(next, REST);
    },
    stop() {
      clearTimeout(timer);
      desk.close();
    },
  };
}

interface Desk {
  send(state: WriteState): void;
  close(): void;
}

/** A worker; or this page, where none can be had (files opened without a server). */
function openDesk(onDrawn: (drawings: Drawing[]) => void): Desk {
  let unanswered: WriteState | undefined;
  let here = false;
  const drawHere = async (state: WriteState) => {
    const { drawColumns } = await import('./draw.js');
    onDrawn(drawColumns(state));
  };
  const worker = new Worker(new URL('./draw.worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<Drawing[]>) => {
    unanswered = undefined;
    onDrawn(data);
  });
  worker.addEventListener('error', () => {
    here = true;
    if (unanswered) void drawHere(unanswered);
    unanswered = undefined;
  });
  return {
    send(state) {
      if (here) void drawHere(state);
      else {
        unanswered = state;
        worker.postMessage(state);
      }
    },
    close: () => worker.terminate(),
  };
}
