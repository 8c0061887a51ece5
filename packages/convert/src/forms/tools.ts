// Reads lists of tools: the common shapes in place, without a copy, all others by `acceptTools`.

import type { Conversation, ExactValue, Extra, ReadChoice, Tool } from '@dragoman/core/internal';
import { acceptToolsReport, chatTranscript, messagesTranscript, richerChoice } from '@dragoman/core/internal';
import { parseJson } from '../quick/plain-json.js';
import { inRow, type Note, wrongRow } from './form.js';
import { noteExtra, noteLoss } from './losses.js';

/** A definition that is no function (`web_search`, …), and its index in the list. */
export interface KeptTool {
  at: number;
  value: ExactValue;
}

export interface ToolsReading {
  tools: Tool[];
  kept: KeptTool[];
  /** Whether the list was empty. */
  empty: boolean;
}

/** Reads a list, or its JSON text, which tables hold. */
export function readTools(value: ExactValue | undefined, path: string): ToolsReading {
  const list = typeof value === 'string' ? parseTools(value, path) : value;
  const reading: ToolsReading = { tools: [], kept: [], empty: Array.isArray(list) && list.length === 0 };
  if (list === undefined || list === null) return reading;
  if (!Array.isArray(list))
    return { ...reading, tools: [...inRow(() => acceptToolsReport(list, path)).tools] };
  for (const [at, given] of list.entries()) {
    const item = typeof given === 'string' ? parseTools(given, `${path}[${at}]`) : given;
    const tool = quickTool(item) ?? inRow(() => acceptedTool(list, item, path));
    if (tool === undefined) reading.kept.push({ at, value: given });
    else reading.tools.push(tool);
  }
  return reading;
}

function parseTools(text: string, path: string): ExactValue {
  if (text.trim() === '') return [];
  try {
    return parseJson(text);
  } catch {
    throw wrongRow(path, 'a list of tools, or its JSON', text);
  }
}

/** Reads a tool by the model's validation. To give the right path in an error, it reads the whole list again. */
function acceptedTool(list: ExactValue[], item: ExactValue, path: string): Tool | undefined {
  try {
    return acceptToolsReport([item], path).tools[0];
  } catch (error) {
    acceptToolsReport(list, path);
    throw error;
  }
}

/** Reads a tool of an API's common shape in place. */
export function quickTool(value: ExactValue): Tool | undefined {
  return chatTranscript.readTool(value) ?? messagesTranscript.readTool(value);
}

/** Restores the list: puts the `kept` definitions back at their places. */
export function withKept(list: ExactValue[], kept: readonly KeptTool[]): ExactValue[] {
  for (const { at, value } of kept) list.splice(Math.min(at, list.length), 0, value);
  return list;
}

/** Notes what another form cannot express of these definitions. */
export function noteTools(notes: Note[], tools: readonly Tool[], extra: Extra | undefined): void {
  for (const [at, tool] of tools.entries()) noteExtra(notes, tool.extra, `tools[${at}]`, 'type');
  for (const { at } of keptOf(extra)) noteLoss(notes, 'tools', `tools[${at}]`);
}

const KEPT = 'dragoman:tools';
const EMPTY = 'dragoman:no-tools';

/** Gives the notes on a list of tools, for the form that read it. */
export function toolNotes({ kept, empty }: ToolsReading): Extra | undefined {
  if (kept.length > 0) return { [KEPT]: kept };
  return empty ? { [EMPTY]: true } : undefined;
}

export function keptOf(extra: Extra | undefined): KeptTool[] {
  return (extra?.[KEPT] as KeptTool[] | undefined) ?? [];
}

export function wasEmpty(extra: Extra | undefined): boolean {
  return extra?.[EMPTY] === true;
}

const ARRIVED = 'dragoman:choice';

/** Gives the choice, with a note of its spelling. */
export function notedChoice({ arrived, ...choice }: ReadChoice): Pick<Conversation, 'toolChoice' | 'extra'> {
  return arrived === undefined ? choice : { ...choice, extra: { ...choice.extra, [ARRIVED]: arrived } };
}

/** Gives the choice as the row spelled it, for the form that read it. */
export function arrivedChoice(extra: Extra | undefined): ExactValue | undefined {
  return extra?.[ARRIVED] as ExactValue | undefined;
}

export function noteChoice(notes: Note[], extra: Extra | undefined): void {
  if (richerChoice(extra) !== undefined) noteLoss(notes, 'tool-choice', 'toolChoice');
}
