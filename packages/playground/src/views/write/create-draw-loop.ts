// Draws the latest state: one drawing at a time; changes in the meantime are drawn next, together. Draws in a worker; or
// on this page, if no worker can be started (files opened without a server).

import type { Drawing } from './draw.js';
import type { WriteState } from './state.js';

/** Milliseconds before a change is drawn: less than a person notices, more than between two events. */
const REST = 30;

export function createDrawLoop(onDrawn: (drawings: Drawing[]) => void) {
  let waiting: WriteState | undefined;
  let drawing: WriteState | undefined;
  let here = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const worker = new Worker(new URL('./draw.worker.ts', import.meta.url), { type: 'module' });
  const done = (drawings: Drawing[]) => {
    drawing = undefined;
    onDrawn(drawings);
    next();
  };
  const drawHere = async (state: WriteState) => {
    const { drawColumns } = await import('./draw.js');
    done(drawColumns(state));
  };
  const next = () => {
    if (drawing || !waiting) return;
    drawing = waiting;
    waiting = undefined;
    if (here) void drawHere(drawing);
    else worker.postMessage(drawing);
  };
  worker.addEventListener('message', ({ data }: MessageEvent<Drawing[]>) => done(data));
  worker.addEventListener('error', () => {
    if (!here && drawing) void drawHere(drawing);
    here = true;
  });
  return {
    /** Call it at every change. `state` is copied when it is drawn. */
    draw(state: WriteState) {
      waiting = state;
      clearTimeout(timer);
      timer = setTimeout(next, REST);
    },
    stop() {
      clearTimeout(timer);
      worker.terminate();
    },
  };
}
