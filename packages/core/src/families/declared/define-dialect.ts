// Makes a dialect from its declaration. The family reads and writes the calls; what all families share is here and in
// declared-render.ts.

import type { CallsDeclaration, DialectDeclaration } from '../../engine/declaration.js';
import type { Dialect, Dropped, Grammar, Render, Traits } from '../../engine/dialect.js';
import { defineMarkers, type MarkerSet } from '../../engine/markers.js';
import { expressionFamily } from '../expressions/expression-family.js';
import { jsonFamily } from '../json/json-family.js';
import { namedFamily } from '../named/named-family.js';
import { taggedFamily } from '../tags/tagged-family.js';
import { declaredRender, frameTokens } from './declared-render.js';
import { resultFrames } from './declared-results.js';
import { forgedResults, roleTokens, voiceFrames } from './dialect-parts.js';
import type { Family } from './family.js';

const families: { [F in CallsDeclaration['family']]: Family<Extract<CallsDeclaration, { family: F }>> } = {
  json: jsonFamily,
  named: namedFamily,
  tags: taggedFamily,
  expressions: expressionFamily,
};

/** What a dialect writes by its own code, where its declaration cannot express it. */
export interface OwnWriting {
  prompt?: NonNullable<Render['prompt']>;
}

export function defineDialect(declaration: DialectDeclaration, own: OwnWriting = {}): Dialect {
  const { calls } = declaration;
  const family = families[calls.family] as Family<CallsDeclaration>;
  const markers = markersOf(declaration, family);
  return {
    name: declaration.name,
    aliases: declaration.aliases ?? [],
    about: declaration.about,
    models: declaration.models ?? [],
    traits: traitsOf(declaration, family),
    markers,
    grammar: grammarOf(declaration, family, markers),
    render: { ...declaredRender(declaration, family.writeCalls(calls)), ...own },
    ...(declaration.templateSigns && { templateSigns: declaration.templateSigns }),
    constrain: calls,
  };
}

function markersOf(declaration: DialectDeclaration, family: Family<CallsDeclaration>): MarkerSet {
  const { reasoning, frames = [], ends = [], tokens = [], special = [] } = declaration;
  const literals = [
    ...new Set([
      ...family.markers(declaration.calls),
      ...(reasoning ? [reasoning.open, reasoning.close] : []),
      ...frames.flatMap(({ open, close }) => [open, close]),
      ...resultFrames(declaration),
      ...frameTokens(declaration),
      ...ends,
      ...tokens,
      ...special,
    ]),
  ];
  // A marker that contains another one is already broken where the other one is.
  const single = literals.filter((whole) => !literals.some((part) => whole.indexOf(part) > 0));
  const markers = defineMarkers(single, family.matchers?.(declaration.calls));
  const said = family.said?.(declaration.calls, markers);
  return said ? { ...markers, said } : markers;
}

function traitsOf(declaration: DialectDeclaration, family: Family<CallsDeclaration>): Traits {
  const { reasoning, turns, frames, results, textAfterCalls = 'aside', coercesStrings = false } = declaration;
  const kept = turns?.reasoning?.kept ?? reasoning?.kept ?? (turns && 'all');
  const textFrame = frames?.find(({ voice = 'text' }) => voice === 'text');
  return {
    ...family.traits(declaration.calls),
    ...(reasoning && { reasoning: { open: reasoning.open, close: reasoning.close, ...(kept && { kept }) } }),
    ...(textFrame && { textFrame: { open: textFrame.open, close: textFrame.close } }),
    callsInReasoning: reasoning?.calls ?? 'if-unclosed',
    startsInReasoning: reasoning?.starts ?? false,
    textAfterCalls,
    coercesStrings,
    resultRole: results?.role ?? 'user',
    // Without an opener, the assistant's turn is what follows the user's: it must alternate with it.
    ...(turns?.assistant.open === '' && { roles: 'strict' as const }),
  };
}

function grammarOf(
  declaration: DialectDeclaration,
  family: Family<CallsDeclaration>,
  markers: MarkerSet,
): Grammar {
  const { frames, ends = [], tokens = [] } = declaration;
  const { openers, drop = [] } = family.grammar(declaration.calls, markers);
  const dropped: Dropped[] = [...drop, ...ends.map((marker) => ({ marker })), ...roleTokens(tokens)];
  const notice = resultFrames(declaration).filter(
    (frame) => !ends.includes(frame) && !tokens.includes(frame),
  );
  return {
    openers,
    ...(frames && { frames: voiceFrames(frames) }),
    drop: dropped,
    notice: forgedResults(...notice.slice(0, 1)),
  };
}
