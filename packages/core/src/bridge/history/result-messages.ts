// The messages that hold results, after results were moved, added or changed.

import type { MediaPart, ToolCall, ToolMessage, ToolResult, UserMessage } from '../../model/index.js';
import { resultMedia, resultText } from '../../wire/result-content.js';

/** Gives the result of a call that has none. */
export function notRun({ id, name }: ToolCall): ToolResult {
  const output = 'The tool was not run: the conversation holds no result of this call.';
  return { type: 'tool-result', callId: id, name, output, isError: true };
}

export function withNote(result: ToolResult, note: string | undefined): ToolResult {
  if (note === undefined) return result;
  const text = resultText(result);
  return { ...result, output: text === '' ? note : `${note}\n\n${text}` };
}

/** Gives a result whose call is gone as a user's message. */
export function lostResult(result: ToolResult): UserMessage {
  const tool = result.name ?? 'a tool';
  const text = `Result of an earlier call of ${tool} that is no longer in this conversation:\n${resultText(result)}`;
  const media = resultMedia(result).map((one): MediaPart => ({ type: 'media', media: one }));
  return { role: 'user', parts: [{ type: 'text', text }, ...media] };
}

/** Gives tool messages with these results: a message that still holds what it came with is the same object. */
export function toolMessages(
  found: readonly { result: ToolResult; source: ToolMessage }[],
  change: (result: ToolResult) => ToolResult,
): ToolMessage[] {
  const groups: { source: ToolMessage; parts: ToolResult[] }[] = [];
  for (const { result, source } of found) {
    const last = groups.at(-1);
    if (last?.source === source) last.parts.push(change(result));
    else groups.push({ source, parts: [change(result)] });
  }
  return groups.map(({ source, parts }) => {
    if (parts.length !== source.parts.length) return { role: 'tool', parts };
    return parts.every((part, place) => part === source.parts[place]) ? source : { ...source, parts };
  });
}
