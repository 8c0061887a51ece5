// What the file of a dialect says beside the dialect itself: the prose of its head comment, and the family it is of.

import { existsSync, readFileSync } from 'node:fs';

const folder = new URL('../../packages/core/src/dialects/', import.meta.url);

function sourceOf({ name }) {
  const file = new URL(`${name}.ts`, folder);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
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
  ['json', /families\/json-(?:in-markers|family)\.js/],
  ['named', /families\/named-json\.js/],
  ['tags', /families\/(?:tagged|tagged-calls|dsml|glm)\.js/],
];

/** `json`, `named`, `tags`, `expressions`, or `other`. */
export function familyOf(dialect) {
  const source = sourceOf(dialect);
  const declared = /family: '([a-z]+)'/.exec(source)?.[1];
  return declared ?? readers.find(([, imported]) => imported.test(source))?.[0] ?? 'other';
}
