// Prompts in pieces that know where their text comes from.

import type { Span } from '@dragoman/core/internal';
import type { PromptPiece } from '../local-model.js';

/** Cuts a text at its spans. What no span covers comes from outside. */
export function piecesOf(text: string, spans: readonly Span[]): PromptPiece[] {
  const pieces: PromptPiece[] = [];
  let at = 0;
  for (const { start, end, origin } of spans) {
    addPiece(pieces, text.slice(at, start), 'outside');
    addPiece(pieces, text.slice(start, end), origin);
    at = end;
  }
  addPiece(pieces, text.slice(at), 'outside');
  return pieces;
}

export function addPiece(pieces: PromptPiece[], text: string, origin: PromptPiece['origin']): void {
  const last = pieces.at(-1);
  if (text === '') return;
  if (last?.origin === origin) last.text += text;
  else pieces.push({ text, origin });
}

/** Gives the pieces behind a beginning of the same text and origin; undefined if they begin with something else. */
export function piecesBehind(
  pieces: readonly PromptPiece[],
  beginning: readonly PromptPiece[],
): PromptPiece[] | undefined {
  let rest: readonly PromptPiece[] | undefined = pieces;
  for (const { text, origin } of beginning) rest = rest && behindText(rest, text, [origin]);
  return rest && [...rest];
}

/** Does the same for one text, which may have any of the origins. */
export function behindText(
  pieces: readonly PromptPiece[],
  text: string,
  origins: readonly PromptPiece['origin'][],
): PromptPiece[] | undefined {
  let left = text;
  for (const [at, piece] of pieces.entries()) {
    if (left === '') return pieces.slice(at);
    if (!origins.includes(piece.origin)) return undefined;
    if (piece.text.length > left.length) {
      if (!piece.text.startsWith(left)) return undefined;
      return [{ ...piece, text: piece.text.slice(left.length) }, ...pieces.slice(at + 1)];
    }
    if (!left.startsWith(piece.text)) return undefined;
    left = left.slice(piece.text.length);
  }
  return left === '' ? [] : undefined;
}
