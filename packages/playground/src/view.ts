// The interface of a view. Each view is a folder under views/ and imports no other.

import type { Component } from 'solid-js';

export interface PageView {
  /** In the address: `#read`. */
  name: ViewName;
  Component: Component<ViewProps>;
}

export type ViewName = 'read' | 'write' | 'try' | 'inspect' | 'verify';

export interface ViewProps {
  /** The state in the link; undefined at the first visit. Changes when a link is followed. */
  state: unknown;
  /**
   * Keeps the view's state while the page is open, and in the link. Call it at every change; the link is written a
   * moment later. `linked`: the part that the link carries, if not all of it.
   */
  keep(state: unknown, linked?: unknown): void;
  /** Goes to another view with this state: an exchange opened in Read, for example. */
  open(view: ViewName, state: unknown): void;
  /** Gives the address of the page with the state that was kept last. */
  address(): Promise<string>;
}

/** The state of Read, which other views hand over. */
export interface ReadState {
  text: string;
  /** A dialect's name; `auto` guesses it. */
  dialect: string;
  /** JSON text of tool definitions, in any shape the library takes. */
  tools: string;
  /** The prompt ended inside reasoning. */
  thinking?: boolean;
  /** The position of the replay in characters; absent: the end. */
  at?: number;
  /** Where the pieces of the text ended as they arrived, in characters. */
  ends?: number[];
  /** The text is still being written: its end is not the end of the answer. */
  growing?: boolean;
}
