// A note beside the progress, and beside what others wrote into the queue.

import { note } from '../terminal.js';
import { visibleText } from '../visible-text.js';

/** On a line of its own: the progress is drawn anew below it. Nothing in the text can act on the terminal. */
export function aside(text: string): void {
  const clear = process.stderr.isTTY === true ? '\r\u001b[K' : '';
  note(clear + visibleText(text));
}
