// What a family makes of a declaration: a reader and a writer for the calls. families/constrain.ts makes the rules for
// a sampler from the same declaration.

import type { CallsDeclaration, Spellings } from '../../engine/declaration.js';
import type { Grammar, Render, Traits } from '../../engine/dialect.js';
import type { MarkerSet, TailMatcher } from '../../engine/markers.js';

export interface Family<C extends CallsDeclaration> {
  traits(calls: C): Pick<Traits, 'ids' | 'values' | 'streams'>;
  /** Lists every string of the calls that acts as a marker in a prompt or an output. */
  markers(calls: C): readonly string[];
  /** Gives matchers for markers without a fixed spelling, by their first character. */
  matchers?(calls: C): Record<string, TailMatcher[]>;
  /** Gives the openers, and the closers that are dropped where they are stray. */
  grammar(calls: C, markers: MarkerSet): Pick<Grammar, 'openers' | 'drop'>;
  /** Writes the calls of one turn as the model does. */
  writeCalls(calls: C): Render['calls'];
  /** For calls that need no marker: the markers together with the heads of calls (see `MarkerSet.said`). */
  said?(calls: C, markers: MarkerSet): MarkerSet | undefined;
}

export function listOf(spellings: Spellings | undefined): readonly string[] {
  return spellings === undefined ? [] : typeof spellings === 'string' ? [spellings] : spellings;
}

/** Gives the spelling that is written: the first one. */
export function firstOf(spellings: Spellings | undefined): string {
  return listOf(spellings)[0] ?? '';
}
