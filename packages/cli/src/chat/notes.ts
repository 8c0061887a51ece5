// One line for the issues of an answer, with advice.

import type { Report } from '@dragoman/core';

export function notesOf({ issues, repairs, skippedTools, dialect }: Report): string[] {
  const said = [counted('issue', issues), counted('repair', repairs)].filter((words) => words !== '');
  const notes: string[] = [];
  if (said.length > 0) {
    const name = dialect === undefined ? '' : ` -d ${dialect}`;
    notes.push(`${said.join('; ')}. To see where: /text answer.txt, then dragoman explain answer.txt${name}`);
  }
  if (skippedTools && skippedTools.length > 0) notes.push(`${skippedTools.length} tools were left out.`);
  return notes;
}

/** `2 repairs: trailing-comma, missing-closer`. */
function counted(word: string, found: readonly { code: string }[]): string {
  if (found.length === 0) return '';
  const codes = [...new Set(found.map(({ code }) => code))];
  const shown = codes.slice(0, 4).join(', ') + (codes.length > 4 ? ', …' : '');
  return `${found.length} ${word}${found.length === 1 ? '' : 's'}: ${shown}`;
}
