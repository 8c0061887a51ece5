// Pairs each parser event with the source text it was read from.

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
  /** Tags and separators. */
  | 'markup';

export interface ReadPiece {
  kind: ReadPieceKind;
  /** The content: text, the name of a call, or a piece of its arguments. */
  text: string;
  /** The source text; empty for native calls. */
  raw: string;
  issues?: readonly Issue[];
}
