// What a view of the page is. Each stands in a folder of its own under views/, and knows nothing of the others.

import type { Component } from 'solid-js';

export interface View {
  /** In the address: `#read`. */
  name: ViewName;
  /** On its tab: one word. */
  title: string;
  /** One sentence for a newcomer, shown above it. */
  about: string;
  Component: Component<ViewProps>;
}

export type ViewName = 'read' | 'write' | 'try' | 'inspect';

export interface ViewProps {
  /** What the link carries for this view; undefined at the first visit. Changes when a link is followed. */
  state: unknown;
  /**
   * Keeps the view's state while the page is open, and in the link. To be called as often as it changes; the link is
   * written a moment later. `linked`: what a link can carry of it, where that is less.
   */
  keep(state: unknown, linked?: unknown): void;
  /** Goes to another view with this state: an exchange opened in Read, for example. */
  open(view: ViewName, state: unknown): void;
}

/** The state of Read, which other views hand over. */
export interface ReadState {
  text: string;
  /** `auto`: guessed. */
  dialect: string;
  /** JSON text of tool definitions, in any shape the library takes. */
  tools: string;
  /** The prompt ended inside reasoning. */
  thinking?: boolean;
  /** Characters that have arrived, where it is wound back; absent: all of them. */
  at?: number;
}
