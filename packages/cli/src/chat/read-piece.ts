// What is read of a model's text, piece by piece, with the characters it was read from.

import type { Issue } from '@dragoman/core';

export type ReadPieceKind =
  | 'text'
  /** Behind the calls, in a dialect whose turns end with them. */
  | 'aside'
  | 'reasoning'
  | 'call-start'
  | 'call-delta'
  | 'call-end'
  | 'call-error'
  /** Tags and separators: nothing to say. */
  | 'markup';

export interface ReadPiece {
  kind: ReadPieceKind;
  /** What it says: text, the name of a call, a piece of its arguments. */
  text: string;
  /** What the model wrote for it; empty where it did not come as text. */
  raw: string;
  issues?: readonly Issue[];
}
