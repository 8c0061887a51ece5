// Draws the latest state: one drawing at a time; changes in the meantime are drawn next, together.

import type { Drawing } from './draw.js';
import type { WriteState } from './state.js';

export interface DrawLoop {
  /** Call it at every change. `state` is copied when it is drawn. */
  draw(state: WriteState): void;
  stop(): void;
}

/** Milliseconds before a change is drawn: less than a person notices, more than between two events. */
const REST = 30;

export function createDrawLoop(onDrawn: (drawings: Drawing[]) => void): DrawLoop {
  let waiting: WriteState | undefined;
  let drawing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const thread = openThread((drawings) => {
    drawing = false;
    onDrawn(drawings);
    next();
  });
  const next = () => {
    if (drawing || !waiting) return;
    drawing = true;
    thread.send(waiting);
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
      thread.close();
    },
  };
}

interface DrawingThread {
  send(state: WriteState): void;
  close(): void;
}

/** Draws in a worker; or on this page, if no worker can be started (files opened without a server). */
function openThread(onDrawn: (drawings: Drawing[]) => void): DrawingThread {
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
