// Formats a parsed answer for people: text, reasoning and calls in order, then issues with their places.

import { type Issue, indentJson, type ParseEvent, parseExact, type Repair } from '@dragoman/core';
import { showList, showPlace } from './notes-view.js';
import { Places } from './places.js';
import { colors } from './terminal.js';
import { indent, visibleLine, visibleText } from './visible-text.js';

type ParseBlock =
  | { type: 'text' | 'aside' | 'reasoning'; text: string }
  | { type: 'call'; id: string; name: string; raw: string }
  | { type: 'lost'; name: string; raw: string };

export interface ParseView {
  blocks: ParseBlock[];
  issues: Issue[];
  repairs: Repair[];
}

export function viewOf(events: Iterable<ParseEvent>): ParseView {
  const view: ParseView = { blocks: [], issues: [], repairs: [] };
  for (const event of events) {
    view.issues.push(...(event.issues ?? []));
    view.repairs.push(...(event.repairs ?? []));
    addBlock(view.blocks, event);
  }
  return view;
}

function addBlock(blocks: ParseBlock[], event: ParseEvent): void {
  switch (event.type) {
    case 'text-delta':
      addText(blocks, event.aside ? 'aside' : 'text', event.text);
      break;
    case 'reasoning-delta':
      addText(blocks, 'reasoning', event.text);
      break;
    case 'call-end':
      blocks.push({ type: 'call', id: event.id, name: event.name, raw: event.raw });
      break;
    case 'call-error':
      blocks.push({ type: 'lost', name: event.name ?? '', raw: event.raw ?? '' });
      break;
  }
}

function addText(blocks: ParseBlock[], type: 'text' | 'aside' | 'reasoning', text: string): void {
  const last = blocks.at(-1);
  if (last?.type === type) last.text += text;
  else if (text !== '') blocks.push({ type, text });
}

/** The view as text of at most `width` columns, where the text itself is not wider. */
export function showView({ blocks, issues, repairs }: ParseView, text: string, width: number): string {
  const places = new Places(text);
  const parts = blocks.map(showBlock);
  if (blocks.length === 0) parts.push(colors.dim('There is nothing to read: no text and no calls.'));
  if (issues.length > 0) {
    parts.push(showList('issue', issues, (issue) => showIssue(issue, places, width)));
  }
  if (repairs.length > 0) {
    parts.push(showList('repair', repairs, (repair) => showRepair(repair, places, width)));
  }
  return parts.join('\n\n');
}

function showBlock(block: ParseBlock): string {
  switch (block.type) {
    case 'text':
      return `${colors.bold('text')}\n${indent(visibleText(block.text), 2)}`;
    case 'aside':
      return `${colors.bold('text')} ${colors.dim('after the calls, set aside')}\n${indent(visibleText(block.text), 2)}`;
    case 'reasoning':
      return `${colors.bold('reasoning')}\n${colors.dim(indent(visibleText(block.text), 2))}`;
    case 'call': {
      const head = `${colors.bold(colors.green('call'))} ${colors.bold(visibleLine(block.name))}`;
      return `${head}  ${colors.dim(visibleLine(block.id))}\n${indent(visibleText(prettyJson(block.raw)), 2)}`;
    }
    case 'lost': {
      const head = `${colors.bold(colors.red('not delivered'))} ${visibleLine(block.name)}`.trimEnd();
      return block.raw === '' ? head : `${head}\n${colors.dim(indent(visibleText(block.raw), 2))}`;
    }
  }
}

export function prettyJson(raw: string): string {
  try {
    return indentJson(parseExact(raw), 2);
  } catch {
    return raw;
  }
}

function showIssue({ code, message, range }: Issue, places: Places, width: number): string {
  return showPlace(colors.red(code), [message], range, places, width);
}

function showRepair({ code, range }: Repair, places: Places, width: number): string {
  return showPlace(colors.yellow(code), [], range, places, width);
}
