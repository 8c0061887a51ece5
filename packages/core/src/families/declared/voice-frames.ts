// Frames with one spelling around text or reasoning, in answers made of parts.
//
//   <|START_RESPONSE|> text <|END_RESPONSE|>
//   ^ opens text            ^ opens nothing

import type { FrameDeclaration } from '../../engine/declaration.js';
import type { VoiceFrame } from '../../engine/dialect.js';
import { matchLiteral } from '../../engine/markers.js';

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
