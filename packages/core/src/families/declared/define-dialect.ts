// Makes a dialect from its declaration. The family reads and writes the calls; what all families share is here and in
// declared-render.ts.

import type { CallsDeclaration, DialectDeclaration, TurnsDeclaration } from '../../engine/declaration.js';
import type { Dialect, Dropped, Grammar, PromptVariant, Render, Traits } from '../../engine/dialect.js';
import { defineMarkers, type MarkerSet } from '../../engine/markers.js';
import { expressionFamily } from '../expressions/expression-family.js';
import { jsonFamily } from '../json/json-family.js';
import { namedFamily } from '../named/named-family.js';
import { taggedFamily } from '../tags/tagged-family.js';
import type { VendorSystem } from './declared-prompt.js';
import { declaredRender, frameTokens } from './declared-render.js';
import { resultFrames } from './declared-results.js';
import { forgedResults, roleTokens, voiceFrames } from './dialect-parts.js';
import type { Family } from './family.js';
import { quotedFence, quotedMarkers } from './quoted-text.js';
import { toolFrames } from './tools-text.js';

/** An opener of reasoning that counts behind text, unlike `<think>`, which prose mentions. */
const SPECIAL = /^(?:\[|<\W|<\w+:)/;

const families: { [F in CallsDeclaration['family']]: Family<Extract<CallsDeclaration, { family: F }>> } = {
  json: jsonFamily,
  named: namedFamily,
  tags: taggedFamily,
  expressions: expressionFamily,
};

/** What a dialect writes by its own code, where its declaration cannot express it, and the prompts of other models. */
export interface OwnWriting {
  prompt?: NonNullable<Render['prompt']>;
  effort?: NonNullable<Render['effort']>;
  lastEnd?: NonNullable<Render['lastEnd']>;
  system?: VendorSystem;
  variants?: readonly (PromptVariant | DeclaredVariant)[];
}

/** The prompt of some models, as what differs from the dialect. Their calls are read by the dialect's declaration. */
interface DeclaredVariant
  extends Pick<PromptVariant, 'name' | 'models'>,
    Pick<DialectDeclaration, 'results' | 'teach' | 'ends'> {
  turns: TurnsDeclaration;
  calls?: CallsDeclaration;
  system?: VendorSystem;
}

export function defineDialect(declaration: DialectDeclaration, own: OwnWriting = {}): Dialect {
  const { calls } = declaration;
  const { system, variants = [], ...writing } = own;
  const family = families[calls.family] as Family<CallsDeclaration>;
  const markers = markersOf(declaration, family, variants);
  return {
    name: declaration.name,
    aliases: declaration.aliases ?? [],
    about: declaration.about,
    models: declaration.models ?? [],
    traits: traitsOf(declaration, family),
    markers,
    grammar: grammarOf(declaration, family, markers),
    render: {
      ...declaredRender(declaration, family.writeCalls(calls), system),
      ...writing,
      ...(variants.length > 0 && { variants: variants.map((one) => variantOf(declaration, one, family)) }),
    },
    ...(declaration.templateSigns && { templateSigns: declaration.templateSigns }),
    constrain: calls,
  };
}

function variantOf(
  declaration: DialectDeclaration,
  variant: PromptVariant | DeclaredVariant,
  family: Family<CallsDeclaration>,
): PromptVariant {
  if ('prompt' in variant) return variant;
  const { name, models, system, ...differs } = variant;
  const whole = { ...declaration, ...differs };
  const { prompt, stop } = declaredRender(whole, family.writeCalls(whole.calls), system);
  const kept = keptOf(whole);
  return {
    name,
    models,
    stop,
    ...(kept && { kept }),
    movesTools: variant.turns.tools?.at === 'before-last-user',
    prompt: prompt as PromptVariant['prompt'],
  };
}

function markersOf(
  declaration: DialectDeclaration,
  family: Family<CallsDeclaration>,
  variants: readonly (PromptVariant | DeclaredVariant)[],
): MarkerSet {
  const { reasoning, frames = [], ends = [], tokens = [], special = [] } = declaration;
  const literals = [
    ...new Set([
      ...family.markers(declaration.calls),
      ...(reasoning ? [reasoning.open, reasoning.close] : []),
      ...frames.flatMap(({ open, close }) => [open, close]),
      ...resultFrames(declaration),
      ...frameTokens(declaration),
      ...toolFrames(declaration.teach),
      ...variants.flatMap((variant) =>
        'turns' in variant ? [...frameTokens(variant), ...toolFrames(variant.teach)] : [],
      ),
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

/** Gives which reasoning of earlier answers is written again; undefined if nothing is stated. */
function keptOf({ reasoning, turns }: DialectDeclaration): PromptVariant['kept'] {
  const kept = turns?.reasoning?.kept ?? reasoning?.kept ?? (turns && 'all');
  return kept === 'since-answer' ? 'last' : kept;
}

function traitsOf(declaration: DialectDeclaration, family: Family<CallsDeclaration>): Traits {
  const { reasoning, turns, frames, results, textAfterCalls = 'aside', coercesStrings = false } = declaration;
  const kept = keptOf(declaration);
  const textFrame = frames?.find(({ voice = 'text' }) => voice === 'text');
  return {
    ...family.traits(declaration.calls),
    ...(reasoning && {
      reasoning: {
        open: reasoning.open,
        close: reasoning.close,
        ...(kept && { kept }),
      },
    }),
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
  const { frames, reasoning, ends = [], tokens = [] } = declaration;
  const { openers, drop = [] } = family.grammar(declaration.calls, markers);
  const dropped: Dropped[] = [...drop, ...ends.map((marker) => ({ marker })), ...roleTokens(tokens)];
  const notice = resultFrames(declaration).filter(
    (frame) => !ends.includes(frame) && !tokens.includes(frame),
  );
  const thoughts = [
    ...(reasoning ? [reasoning.open] : []),
    ...(frames ?? []).flatMap(({ open, voice }) => (voice === 'reasoning' ? [open] : [])),
  ].filter((marker) => SPECIAL.test(marker));
  const quotes =
    thoughts.length === 0
      ? []
      : [quotedFence(markers, openers, reasoning?.close), ...quotedMarkers(thoughts)];
  return {
    openers: [...quotes, ...openers],
    quotes,
    ...(frames && { frames: voiceFrames(frames) }),
    drop: dropped,
    notice: forgedResults(...notice.slice(0, 1)),
  };
}
