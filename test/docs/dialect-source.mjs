// What the file of a dialect says beside the dialect itself: the prose of its head comment, and the family it is of.

import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const folder = new URL('../../packages/core/src/dialects/', import.meta.url);

/** `hermes` → `hermes.ts`, `glm-4.5` → `glm/glm-4.5.ts`: a vendor with several files has a folder. */
const files = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => [basename(path, '.ts'), path]),
);

function sourceOf({ name }) {
  const path = files.get(name);
  return path === undefined ? '' : readFileSync(new URL(path, folder), 'utf8');
}

/** The paragraphs of the head comment, without its title and its drawings. */
export function notesOf(dialect) {
  const head = /^(?:\/\/.*\n)+/.exec(sourceOf(dialect))?.[0] ?? '';
  const paragraphs = head
    .split('\n')
    .map((line) => line.slice(3))
    .join('\n')
    .split(/\n{2,}/)
    .slice(1);
  return paragraphs
    .map((paragraph) => paragraph.trimEnd())
    .filter((paragraph) => paragraph !== '' && paragraph.split('\n').every((line) => /^\S/.test(line)))
    .map((paragraph) => paragraph.replaceAll('\n', ' '))
    .map((paragraph) => paragraph.replace(/ ?\((?:see )?families\/[^)]*\)/g, ''));
}

/** Files that read for a family, where the dialect is no declaration; the first that is imported decides. */
const readers = [
  ['json', /\/json-(?:in-markers|family)\.js/],
  ['named', /\/named-json\.js/],
  ['tags', /\/(?:tagged|tagged-calls|dsml|calls)\.js/],
];

/** `json`, `named`, `tags`, `expressions`, or `other`. */
export function familyOf(dialect) {
  const source = sourceOf(dialect);
  const declared = /family: '([a-z]+)'/.exec(source)?.[1];
  return declared ?? readers.find(([, imported]) => imported.test(source))?.[0] ?? 'other';
}
