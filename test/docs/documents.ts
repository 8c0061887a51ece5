// The documents of the repository, and the blocks of code in them.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { packageNames, root } from '../sources.js';

/** As paths from the root: the Markdown files of the root, of docs, and the README of each package and client. */
export function documents(): string[] {
  const top = readdirSync(root).map(String);
  const docs = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' }).map(
    (path) => `docs/${path}`,
  );
  const folders = [...packageNames().map((name) => `packages/${name}`), 'clients/python'];
  const readmes = folders.map((folder) => `${folder}/README.md`).filter((path) => existsSync(root + path));
  return [...top, ...docs, ...readmes]
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md'))
    .sort();
}

export function readDocument(path: string): string {
  return readFileSync(root + path, 'utf8').replaceAll('\r\n', '\n');
}

export interface Block {
  language: string;
  code: string;
  /** Line of the document on which the code begins. */
  line: number;
  /** The text block that follows with nothing but white space between. */
  output: string | undefined;
}

export function blocksOf(text: string): Block[] {
  const found = [...text.matchAll(/^```([a-z]*)\n([\s\S]*?)^```$/gm)];
  return found.map((match, at) => {
    const next = found[at + 1];
    const end = match.index + match[0].length;
    const follows = next?.[1] === 'text' && text.slice(end, next.index).trim() === '';
    return {
      language: match[1] ?? '',
      code: match[2] ?? '',
      line: text.slice(0, match.index).split('\n').length + 1,
      output: follows ? next[2] : undefined,
    };
  });
}
