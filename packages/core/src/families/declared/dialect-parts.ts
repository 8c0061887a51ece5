// Parts that many dialects spell alike: traits, frames, tokens to drop, results that a model forges.

import type { FrameDeclaration } from '../../engine/declaration.js';
import type { Dropped, Notice, Traits, VoiceFrame } from '../../engine/dialect.js';
import { matchLiteral } from '../../engine/markers.js';

/** The usual traits. A dialect written by hand states what differs. */
export const usualTraits: Traits = {
  ids: false,
  values: 'json',
  streams: true,
  callsInReasoning: 'if-unclosed',
  startsInReasoning: false,
  textAfterCalls: 'text',
  coercesStrings: false,
  resultRole: 'user',
};

export const THINK = { open: '<think>', close: '</think>' };

/** Drops the tokens of roles, which some models write once more. */
export function roleTokens(markers: readonly string[]): Dropped[] {
  return markers.map((marker) => ({ marker, repair: 'role-token' }));
}

export const FORGED = 'The model wrote a tool result itself; results come only from the host.';

/** Reports results that the model wrote, by the markers that begin them. */
export function forgedResults(...markers: readonly string[]): Notice[] {
  return markers.map((marker) => ({ marker, code: 'forged-result', message: FORGED }));
}

/**
 * Gives frames with one spelling around text or reasoning, in answers made of parts.
 *
 *   <|START_RESPONSE|> text <|END_RESPONSE|>
 *   ^ opens text            ^ opens nothing
 */
export function voiceFrames(frames: readonly FrameDeclaration[]): VoiceFrame[] {
  return frames.flatMap(({ open, close, voice = 'text' }) => [
    literalFrame(open, voice),
    literalFrame(close, 'nothing'),
  ]);
}

export function literalFrame(marker: string, opens: VoiceFrame['opens']): VoiceFrame {
  return {
    firsts: marker.charAt(0),
    next: [marker.slice(1, 3)],
    match: (text, at, ended) => matchLiteral(text, at, marker, ended),
    opens,
  };
}
