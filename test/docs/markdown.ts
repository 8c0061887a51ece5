// What the tests look at in a document: its links, its headings as GitHub makes anchors of them, and its code.

import { createAnchors } from '../../site/anchors.mjs';

/** The text without fenced blocks, so that nothing in an example is taken for prose. Lines keep their numbers. */
function proseOf(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, (block) => block.replace(/[^\n]/g, ''));
}

/** Where the links of the prose lead. */
export function linksOf(text: string): string[] {
  const plain = proseOf(text).replace(/`[^`\n]*`/g, 'code');
  return [...plain.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target]) => target as string);
}

/** The code spans of the prose. */
export function spansOf(text: string): string[] {
  return [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code as string);
}

export interface Heading {
  level: number;
  title: string;
}

export function headingsOf(text: string): Heading[] {
  const found = proseOf(text).matchAll(/^(#{1,6}) (.+)$/gm);
  return [...found].map(([, marks, title]) => ({ level: marks?.length ?? 0, title: title ?? '' }));
}

/** The anchors of a document, as the site and GitHub make them. */
export function anchorsOf(text: string): Set<string> {
  return new Set(
    headingsOf(text)
      .map(({ title }) => title)
      .map(createAnchors()),
  );
}
