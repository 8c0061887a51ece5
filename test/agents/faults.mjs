// What is wrong with a run, by what the gateway's inspector kept, what the agent printed, and the task's own check.

import { isDeepStrictEqual } from 'node:util';

/** Nothing if it did what it should. */
export function faultsOf(task, { exchanges, run }) {
  const calls = callsOf(exchanges);
  const results = calls.map(({ result }) => result ?? '');
  const missing = (task.results ?? []).filter((text) => !results.some((result) => result.includes(text)));
  return [
    ...endFaults(run),
    ...(calls.length < (task.calls ?? 1) ? [`${calls.length} calls were delivered`] : []),
    ...undelivered(task, calls),
    ...(exchanges.some(({ cut }) => cut.includes('request')) ? [] : withoutResult(calls)),
    ...missing.map((text) => `no result says ${text}`),
    ...task.prints.filter((text) => !run.stdout.includes(text)).map((text) => `it did not print ${text}`),
    ...answerFaults(exchanges),
    ...(task.check?.() ?? []),
  ];
}

/** Calls that are not, to the letter, what the model wrote. */
function undelivered({ delivers = [] }, calls) {
  const inputs = calls.map(({ name, arguments: given }) => [name, jsonOf(given)]);
  const missing = delivers.filter((call) => !inputs.some((one) => isDeepStrictEqual(one, call)));
  return missing.map(([name]) => `a call of ${name} was not delivered as the model wrote it`);
}

function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withoutResult(calls) {
  return calls
    .filter(({ result }) => result === undefined)
    .map(({ name }) => `no result of ${name} came back`);
}

function endFaults({ code, late }) {
  if (late) return ['it did not end in time'];
  return code === 0 ? [] : [`it ended with ${code}`];
}

function answerFaults(exchanges) {
  return exchanges
    .filter(({ status }) => status !== 200)
    .map(({ status, error }) => `the gateway answered ${status}: ${error?.message ?? ''}`);
}

/** The calls that the gateway delivered, each with the text of what the agent sent back for it. */
export function callsOf(exchanges) {
  const results = new Map();
  for (const [id, text] of exchanges.flatMap(({ request }) => resultsIn(request)))
    if (!results.has(id)) results.set(id, text);
  return exchanges
    .flatMap(({ answer }) => answer.flatMap(({ calls }) => calls))
    .filter(({ complete }) => complete)
    .map((call) => ({ ...call, result: results.get(call.id) }));
}

function resultsIn(request) {
  const parts = (request?.conversation?.messages ?? []).flatMap((message) => message.parts ?? []);
  return parts
    .filter(({ type }) => type === 'tool-result')
    .map((part) => [part.callId, textsIn(part.output).join('\n')]);
}

function textsIn(value) {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}
