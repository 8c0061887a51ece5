// What a family makes of a declaration: what reads the calls and what writes them. Its rules for a sampler are made by
// families/constrain.ts, from the same declaration.

import type { CallsDeclaration } from '../../engine/declaration.js';
import type { Grammar, Render, Traits } from '../../engine/dialect.js';
import type { MarkerSet, TailMatcher } from '../../engine/markers.js';

export interface Family<C extends CallsDeclaration> {
  traits(calls: C): Pick<Traits, 'ids' | 'values' | 'streams'>;
  /** Every string of the calls that acts in a prompt or an output. */
  markers(calls: C): readonly string[];
  /** What acts and has no one spelling, by its first character. */
  matchers?(calls: C): Record<string, TailMatcher[]>;
  /** Openers, and closers that are dropped where they stand astray. */
  grammar(calls: C, markers: MarkerSet): Pick<Grammar, 'openers' | 'drop'>;
  /** The calls of one turn, as the model writes them. */
  writeCalls(calls: C): Render['calls'];
  /** Where a call needs no marker: the markers, and how calls begin (see `MarkerSet.said`). */
  said?(calls: C, markers: MarkerSet): MarkerSet | undefined;
}
