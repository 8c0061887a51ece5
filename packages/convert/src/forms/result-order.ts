// Forms without ids tell a result by its place among the calls, or by its name. A call without a result before one that has
// a result would take it.

import { callsOf, type Message, type ToolCall, type ToolResult } from '@dragoman/core/internal';
import { RowError } from './form.js';

interface Placed {
  result: ToolResult;
  path: string;
}

/**
 * Throws a RowError where a reader would give a result to another call than its own. `named`: results have the names of
 * their tools there, and a reader prefers the first open call of that name. Results are written in the order of the calls.
 */
export function checkResultOrder(messages: readonly Message[], named: boolean): void {
  let calls = new Map<string, ToolCall>();
  let open = new Set<ToolCall>();
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as Message;
    if (message.role === 'assistant') {
      if (messages[at - 1]?.role !== 'assistant') {
        calls = new Map();
        open = new Set();
      }
      for (const call of callsOf(message)) {
        calls.set(call.id, call);
        open.add(call);
      }
    } else if (message.role === 'tool' && open.size > 0) {
      const run = runFrom(messages, at);
      at = run.last;
      takeAll(inOrder(run.results, calls), calls, open, named);
    }
  }
}

/** Gives the results of the tool messages that begin at `first`, and the index of the last of these messages. */
function runFrom(messages: readonly Message[], first: number): { results: Placed[]; last: number } {
  const results: Placed[] = [];
  let at = first;
  for (let message = messages[at]; message?.role === 'tool'; message = messages[++at])
    for (const [index, result] of message.parts.entries())
      results.push({ result, path: `messages[${at}].parts[${index}]` });
  return { results, last: at - 1 };
}

function inOrder(results: Placed[], calls: ReadonlyMap<string, ToolCall>): Placed[] {
  if (results.length < 2) return results;
  const places = new Map([...calls.keys()].map((id, place) => [id, place]));
  const placeOf = ({ result }: Placed) => places.get(result.callId) ?? calls.size;
  return results.sort((a, b) => placeOf(a) - placeOf(b));
}

/** Takes the calls of these results out of those that are open. */
function takeAll(
  results: readonly Placed[],
  calls: ReadonlyMap<string, ToolCall>,
  open: Set<ToolCall>,
  named: boolean,
): void {
  for (const { result, path } of results) {
    const own = calls.get(result.callId);
    const taker = firstOpen(open, named ? (result.name ?? own?.name) : undefined);
    if (!taker) return;
    if (own && taker.id !== own.id) throw takenBy(taker, result, path);
    open.delete(taker);
  }
}

/** Gives the call that a result without an id belongs to: the first of its name, else the first. */
export function firstOpen(open: ReadonlySet<ToolCall>, name: string | undefined): ToolCall | undefined {
  const [first] = open;
  if (name === undefined || first?.name === name) return first;
  for (const call of open) if (call.name === name) return call;
  return first;
}

function takenBy(taker: ToolCall, { callId }: ToolResult, path: string): RowError {
  const message =
    `this result of the call ${callId} would be read as that of ${taker.id} (${taker.name}), since there are no ids ` +
    'in the form that is written, and the results of a turn follow the order of its calls. Give each call before it ' +
    'one result, or leave the calls without a result out';
  return new RowError(path, message);
}
