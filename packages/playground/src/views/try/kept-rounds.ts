// The rounds of this tab, kept for a reload (sessionStorage). The raw texts are not kept: the inspector has them.

import type { ChatMessage } from './messages.js';
import { messagesIn, type Round } from './round.js';

const PLACE = 'dragoman-try';
/** Characters that are kept. */
const MOST = 500_000;

export function keepRounds(rounds: readonly Round[]): void {
  const done = rounds.filter(({ state }) => state === 'done');
  const json = JSON.stringify(done.map(({ beside: _, raw: __, ...round }) => ({ ...round, raw: [] })));
  try {
    if (done.length === 0 || json.length > MOST) sessionStorage.removeItem(PLACE);
    else sessionStorage.setItem(PLACE, json);
  } catch {
    // Without sessionStorage a reload shows the messages alone.
  }
}

/** Gives the rounds of exactly this conversation; none if it is another one. */
export function keptRounds(conversation: readonly ChatMessage[]): Round[] {
  try {
    const rounds: Round[] = JSON.parse(sessionStorage.getItem(PLACE) ?? '[]');
    const same = (one: readonly ChatMessage[]) => JSON.stringify(one) === JSON.stringify(conversation);
    for (let count = rounds.length; count > 0; count--) {
      const first = rounds.slice(0, count);
      if (same(messagesIn(first))) return first;
    }
  } catch {
    // What was kept is no list of rounds.
  }
  return [];
}
