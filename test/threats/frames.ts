// Counts the frames in a prompt (the markers that a model obeys), independently of the code that writes them.

import { type Dialect, type RenderOptions, renderMessages, renderPrompt } from '@dragoman/core';

/** Gives all renderings of a conversation: the messages, and the prompt where the dialect has one. */
export function renderings(dialect: Dialect, conversation: unknown, options: RenderOptions = {}): string[] {
  const texts = renderMessages(dialect, conversation, options).messages.map(({ content }) => content);
  if (dialect.render.prompt)
    texts.push(renderPrompt(dialect, conversation, { thinking: true, ...options }).text);
  return texts;
}

/** Gives the frames of all renderings. Two conversations of one shape must agree. */
export function frames(dialect: Dialect, conversation: unknown, options: RenderOptions = {}): string {
  return renderings(dialect, conversation, options)
    .map((text) => framesOf(dialect, text))
    .join('\n');
}

/**
 * Gives the allowed frames of a conversation: those with a harmless text, or with one that tags cannot carry, whose call
 * is written as a JSON body (docs/decisions/0006).
 */
export function harmlessFrames(
  dialect: Dialect,
  conversationOf: (text: string) => unknown,
  options: RenderOptions = {},
): string[] {
  return ['x', '"<'].map((text) => frames(dialect, conversationOf(text), options));
}

function framesOf(dialect: Dialect, text: string): string {
  if (dialect.name === 'xnl')
    return scanXnl(text)
      .map(({ tag }) => tag)
      .join(' ');
  const counts = dialect.markers.literals.map((marker) => countOf(text, marker));
  if (dialect.traits.values === 'attribute') counts.push(text.match(ANY_DSML)?.length ?? 0);
  return counts.join(' ');
}

/** DSML in the variants that its readers accept: other bars, other case, spaces. */
const ANY_DSML = /<\/? ?[｜|‖]{1,2} ?dsml ?[｜|‖]{1,2}/gi;

function countOf(text: string, marker: string): number {
  let count = 0;
  for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, at + 1)) count++;
  return count;
}

export interface XnlElement {
  tag: string;
  id: string;
  text: string;
}

/** Gives the text elements inside unquoted blocks, read from the outside in as the protocol defines. */
export function scanXnl(text: string): XnlElement[] {
  const elements: XnlElement[] = [];
  let at = 0;
  let inBlock = false;
  while (at < text.length) {
    if (text.startsWith('!quote_start', at)) {
      const end = text.indexOf('!quote_end', at);
      at = end < 0 ? text.length : end + '!quote_end'.length;
    } else if (text.startsWith('!unquote_start', at)) {
      inBlock = true;
      at += '!unquote_start'.length;
    } else if (text.startsWith('!unquote_end', at)) {
      inBlock = false;
      at += '!unquote_end'.length;
    } else {
      const element = inBlock ? elementAt(text, at) : undefined;
      if (element) elements.push(element);
      at = element?.end ?? at + 1;
    }
  }
  return elements;
}

function elementAt(text: string, at: number): (XnlElement & { end: number }) | undefined {
  const opener = /<([a-z_]+)((?: +[a-z]+=(?:"(?:[^"\\]|\\.)*"|[a-z0-9]+))*) *(#[a-z0-9]*)>/y;
  opener.lastIndex = at;
  const found = opener.exec(text);
  if (!found) return undefined;
  const [whole, tag = '', attributes = '', marker = ''] = found;
  const start = at + whole.length;
  const closer = `</${marker}>`;
  const end = text.indexOf(closer, start);
  if (end < 0) return undefined;
  const id = /id="((?:[^"\\]|\\.)*)"/.exec(attributes)?.[1] ?? '';
  return { tag, id, text: text.slice(start, end), end: end + closer.length };
}
