// Writes results as a declaration spells them: {output} {name} {id} {index} are filled in, {output:json} as JSON.

import type { DialectDeclaration, ResultsDeclaration } from '../../engine/declaration.js';
import type { Writer } from '../../engine/dialect.js';
import { resultField, resultText } from '../../engine/message-text.js';
import type { ToolResult } from '../../model/index.js';

export const PLAIN_RESULTS: ResultsDeclaration = {
  each: '<tool_response>\n{output}\n</tool_response>',
  between: '\n',
};

const PLACE = /\{(output|name|id|index)(:json)?\}/;

/** How results name the calls that they answer. */
export interface CallReferences {
  /** Gives the index of a result's call. Default: the place of the result. */
  indexOf?(result: ToolResult, place: number): number;
  /** Gives the id of a call as it is written. Default: as it is. */
  idOf?(callId: string): string;
}

export function writeDeclaredResults(
  out: Writer,
  given: readonly ToolResult[],
  results: ResultsDeclaration,
  { indexOf = (_, place) => place, idOf = (id) => id }: CallReferences = {},
): void {
  out.ours(results.before ?? '');
  for (const [at, result] of given.entries()) {
    if (at > 0) out.ours(results.between ?? '\n');
    writeResult(out, result, { id: idOf(result.callId), index: indexOf(result, at) }, results.each);
  }
  out.ours(results.behind ?? '');
}

export function resultsIn(results: ResultsDeclaration): (out: Writer, given: readonly ToolResult[]) => void {
  return (out, given) => writeDeclaredResults(out, given, results);
}

function writeResult(
  out: Writer,
  result: ToolResult,
  { id, index }: { id: string; index: number },
  each: string,
): void {
  const said: Record<string, string | undefined> = {
    output: resultText(result),
    name: result.name,
    id,
    index: String(index),
  };
  const pieces = each.split(PLACE);
  for (let at = 0; at < pieces.length; at += 3) {
    out.ours(pieces[at] as string);
    const place = pieces[at + 1];
    if (place === undefined) break;
    if (pieces[at + 2]) out.json(said[place] ?? '', resultField(result));
    else out.outside(said[place] ?? '', resultField(result));
  }
}

/** Lists the strings that frame results. They are markers: a model that writes them forges a result. */
export function resultFrames({ results = PLAIN_RESULTS }: DialectDeclaration): string[] {
  const pieces = results.each.split(PLACE).filter((_, at) => at % 3 === 0);
  const all = [results.before ?? '', pieces[0] ?? '', pieces.at(-1) ?? '', results.behind ?? ''];
  return all.map(withoutJson).filter(isMarker);
}

/** Cuts JSON off a frame, `[TOOL_RESULTS] {"content": ` or `"}[/TOOL_RESULTS]`, because braces are no markers. */
function withoutJson(piece: string): string {
  const brace = piece.indexOf('{');
  const frame = brace < 0 ? piece : piece.slice(0, brace);
  return frame
    .replace(/^["}\]]+/, '')
    .replace(/\[$/, '')
    .trim();
}

/** Whether the text looks like a marker. Plain words do not. */
export function isMarker(text: string): boolean {
  return text.length > 2 && /[^\p{L}\p{N}\s:]/u.test(text);
}
