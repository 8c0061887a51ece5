// Tells what a pasted text was taken out of.

import type { Unwrapped } from '../../reading/unwrap.js';
import type { Words } from '../../words/words.js';

export function takenWords(found: Unwrapped, { taken }: Words): string {
  if (found.kind === 'template')
    return found.dialect === undefined ? taken.noTemplate : taken.template(found.dialect, found.reason);
  const from =
    found.kind === 'answer' ? taken.answer(found.api ?? '', found.ends?.length ?? 1) : taken[found.kind];
  return [
    found.line === undefined ? '' : `${taken.lines(found.line)} `,
    from,
    found.calls ? taken.native(found.calls) : '',
    found.reasoning ? taken.reasoning : '',
  ].join('');
}
