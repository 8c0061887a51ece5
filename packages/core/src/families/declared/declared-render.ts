// Writes what a declared dialect has besides its calls: the text that teaches it, results, and whole prompts.

import type { CallsDeclaration, DialectDeclaration, ResultsDeclaration } from '../../engine/declaration.js';
import type { Render, RenderOptions, Writer } from '../../engine/dialect.js';
import { defineMarkers } from '../../engine/markers.js';
import { Writer as TextWriter } from '../../engine/writer.js';
import type { Conversation, Tool, ToolCall, ToolResult } from '../../model/index.js';
import { numberSign, writtenId } from '../named/named-family.js';
import { shortId } from '../writing/short-id.js';
import { readToolLines, writeShortForm } from '../writing/tool-text.js';
import { type PromptParts, turnTokens, type VendorSystem, writeDeclaredPrompt } from './declared-prompt.js';
import { isMarker, PLAIN_RESULTS, resultsIn, writeDeclaredResults } from './declared-results.js';
import { readToolsText, writeToolsText } from './tools-text.js';

/** Lists the frames of turns that are markers. */
export function frameTokens({ turns }: Pick<DialectDeclaration, 'turns'>): string[] {
  if (!turns) return [];
  const { system, user, assistant, results, tools } = turns;
  const frames = [system, user, assistant, ...(results ? [results] : []), ...(tools ? [tools] : [])];
  return frames.flatMap(({ open, close }) => [open.trim(), close.trim()]).filter(isMarker);
}

export function declaredRender(
  declaration: DialectDeclaration,
  writeCalls: Render['calls'],
  system?: VendorSystem,
): Render {
  const { turns, teach, ends = [], results = PLAIN_RESULTS } = declaration;
  const instructions = (out: Writer, tools: readonly Tool[], options: RenderOptions) => {
    if (teach?.text && !options.short) writeToolsText(out, tools, teach);
    else writeShortForm(out, tools, shortForm(declaration, writeCalls, results));
  };
  const prompt = turns && {
    turns,
    declaration,
    results,
    writeCalls,
    instructions,
    system,
    ...spelledNames(declaration.calls),
  };
  const divided = turns && turnTokens(turns, results);
  return {
    instructions,
    calls: writeCalls,
    results: resultsIn(results),
    ...(prompt && {
      prompt: (out: Writer, conversation: Conversation, options: RenderOptions) =>
        writeDeclaredPrompt(out, conversation, options, prompt),
    }),
    stop: ends,
    back: {
      // The generated text has one definition a line.
      tools: (text, { short }) => (teach?.text && !short ? readToolsText(text, teach) : readToolLines(text)),
      ...(divided && { turns: divided }),
    },
  };
}

/** Gives how results name their calls, where calls are written with a number or an id. */
function spelledNames(calls: CallsDeclaration): Pick<PromptParts, 'sign' | 'idOf'> {
  const id = writtenId(calls);
  return { sign: numberSign(calls), ...(id && { idOf: (callId: string) => shortId(callId, id.letters) }) };
}

// --- the generated text --------------------------------------------------------------------------------

const SAMPLE_TOOL: Tool = {
  name: 'NAME',
  parameters: { type: 'object', properties: { key: { type: 'string' }, count: { type: 'integer' } } },
};
const SAMPLE_CALL: ToolCall = { type: 'tool-call', id: '0', name: 'NAME', input: { key: 'text', count: 2 } };
const SAMPLE_RESULT: ToolResult = { type: 'tool-result', callId: '0', name: 'NAME', output: '...' };

const RULES = 'Write every argument that the tool requires, with its type. For several calls, write several.';

function shortForm(
  declaration: DialectDeclaration,
  writeCalls: Render['calls'],
  results: ResultsDeclaration,
) {
  const example = new TextWriter(defineMarkers([]));
  writeCalls(example, [SAMPLE_CALL], { tools: [SAMPLE_TOOL], afterText: false });
  const result = new TextWriter(defineMarkers([]));
  writeDeclaredResults(result, [SAMPLE_RESULT], results);
  return {
    example: example.text.trim(),
    rules: declaration.teach?.rules ?? RULES,
    result: result.text.replaceAll('\n', ''),
  };
}
