// What a gateway keeps of a million different tools and conversations: it must stay within its limit, and its heap flat.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { RepeatedValues } from '@dragoman/core/bridge';
import { openaiChat } from '@dragoman/core/wire';
import * as limits from './limits.js';
import { type CheckLimit, heading, mb, note, progress, times } from './report.js';

const MILLION = 1_000_000;
/** The limit of what is kept, in characters: of requests, and of tools. */
const MOST = 1024 * 1024;
/** Requests read in one turn of the event loop. */
const TURN = 100;

export async function agentMemory(hold: CheckLimit) {
  heading('A million different requests, each with its next step: the heap after a tenth, and after all');
  const kept = new RepeatedValues(MOST);
  const collect = exposedGc();
  const after = async (count: number, from = 0) => {
    for (let n = from; n < count; n++) {
      readSession(kept, n);
      // A gateway reads every request in a turn of its own; what is weakly held is let go only between turns.
      if (n % TURN === 0) await nextTurn();
    }
    // What was found to be dead is let go in a later turn, and only then collected.
    for (let round = 0; round < 3; round++) {
      await nextTurn();
      collect();
    }
    progress(`agent: ${count} requests`);
    return process.memoryUsage().heapUsed;
  };
  const tenth = await after(MILLION / 10);
  const all = await after(MILLION, MILLION / 10);
  const { values, bodies, characters } = kept.size;
  note(`${mb(tenth)}, then ${mb(all)}; kept are ${values} lists of tools and ${bodies} requests.`);
  hold('characters kept of a million requests ÷ the limit', characters / (2 * MOST), 1, times);
  hold('the heap after a million requests ÷ after a tenth', all / tenth, limits.FLAT_HEAP, times);
  return { tenth, all, characters };
}

function readSession(kept: RepeatedValues, n: number): void {
  const tool = { type: 'function', function: { name: `t${n}`, description: `Tool ${n}.`, parameters: {} } };
  const messages = [
    { role: 'system', content: `Session ${n}.` },
    { role: 'user', content: 'Hi.' },
  ];
  for (const more of [[], [{ role: 'assistant', content: 'Well.' }]])
    openaiChat.decodeRequest(
      kept.read(
        JSON.stringify({ model: 'm', messages: [...messages, ...more], tools: [tool] }),
        openaiChat.repeats,
      ),
    );
}

function exposedGc(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
