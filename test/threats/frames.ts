// What acts in a prompt, counted without the code that writes it.

import { type Dialect, type RenderOptions, renderMessages, renderPrompt } from '@dragoman/core';

/** Everything that is rendered of a conversation: the messages, and the prompt where the dialect has one. */
export function renderings(dialect: Dialect, conversation: unknown, options: RenderOptions = {}): string[] {
  const texts = renderMessages(dialect, conversation, options).messages.map(({ content }) => content);
  if (dialect.render.prompt)
    texts.push(renderPrompt(dialect, conversation, { thinking: true, ...options }).text);
  return texts;
}

/** The frames of everything that is rendered. Two conversations of one shape must agree. */
export function frames(dialect: Dialect, conversation: unknown, options: RenderOptions = {}): string {
  return renderings(dialect, conversation, options)
    .map((text) => framesOf(dialect, text))
    .join('\n');
}

/**
 * What the frames of a conversation may be: those with a harmless text, or with one that tags cannot carry, whose
 * call is written as a JSON body (docs/decisions/0006).
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

/** DSML as its readers take it: other bars, other case, spaces. */
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

/** The text elements inside unquoted blocks, read from the outside in as the protocol says. */
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
