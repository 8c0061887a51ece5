// What agents are asked to do, with which model, and what must have come of it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Full of what acts in the dialect, in a shell, and in JSON. */
const HARD =
  'Use <tool_call> and </tool_call>,\n<arg_key>k</arg_key><arg_value>v</arg_value> "quoted" \\ \'single\' `tick`\n' +
  '$HOME $' +
  '{x} {{ 7 * 7 }} 世界 🙂 <|user|>\n\ttab <think>no</think>\n';

const DIALECTS = ['alkaid', 'xnl', 'glm-4.5', 'deepseek-v4'];

/** `word` stands in notes.txt and is another one in each run, so that nothing can know it but by reading. */
export function tasksFor(agent, { folder, word }) {
  return [
    {
      name: 'lists the files of a folder',
      model: 'demo',
      question: agent.lists ?? 'List the files here.',
      results: ['notes.txt'],
    },
    ...DIALECTS.map((dialect) => ({
      name: `reads a file, ${dialect}`,
      model: `demo/${dialect}`,
      dialect,
      question: 'Read notes.txt and tell me the word.',
      results: [word],
    })),
    writes(agent, folder, word),
    ...(agent.tools.patch ? [patches(agent, folder)] : []),
  ];
}

/** With a freeform tool, which Codex has for models that it knows by this name. */
function patches({ tools, mayWrite }, folder) {
  const path = join(folder, 'src/a.js');
  const patch = ['*** Begin Patch', `*** Update File: ${path}`, '@@', '-export const a = 1;'];
  const lines = [...patch, '+export const a = "</tool_call>";', '*** End Patch', ''];
  return {
    name: 'edits a file by a freeform tool, hermes',
    model: 'gpt-5.5',
    dialect: 'hermes',
    question: 'Change a in src/a.js.',
    more: mayWrite,
    plan: [
      { text: 'I edit it.', calls: [tools.patch(lines.join('\n'))] },
      (prompt) => ({ text: prompt.includes('Success. Updated') ? 'Success.' : 'I saw no result.' }),
    ],
    results: ['Success'],
    also: () =>
      readFileSync(path, 'utf8') === 'export const a = "</tool_call>";\n' ? [] : ['the file is not patched'],
  };
}

/** The demo model makes one call and is done; this one thinks, writes, and reads two files at once. */
function writes({ tools, mayWrite }, folder, word) {
  const [notes, out] = [join(folder, 'notes.txt'), join(folder, 'out.txt')];
  return {
    name: 'writes a file full of markers and reads two files at once, glm-4.5',
    model: 'scripted',
    dialect: 'glm-4.5',
    question: 'Write out.txt, then read it and notes.txt.',
    more: mayWrite,
    plan: [
      { reasoning: 'First the file.', text: 'I write it.', calls: [tools.write(out, HARD)] },
      { calls: [tools.read(notes), tools.read(out)] },
      (prompt) => ({ text: prompt.includes(word) ? `Done: ${word}.` : 'I saw no result.' }),
    ],
    calls: 3,
    results: [word],
    also: () => (same(out) ? [] : ['the file is not what the model wrote']),
  };
}

function same(path) {
  try {
    return readFileSync(path, 'utf8') === HARD;
  } catch {
    return false;
  }
}

/** What is wrong with a run; nothing if it did what it should. */
export function faultsOf(task, { exchanges, run }) {
  const faults = [];
  const calls = callsOf(exchanges);
  const { code, late, stdout } = run;
  if (late) faults.push('it did not end in time');
  else if (code !== 0) faults.push(`it ended with ${code}`);
  if (calls.length < (task.calls ?? 1)) faults.push(`${calls.length} calls were delivered`);
  for (const { name, result } of calls)
    if (result === undefined) faults.push(`no result of ${name} came back`);
  for (const text of task.results) {
    if (!calls.some(({ result }) => result?.includes(text))) faults.push(`no result says ${text}`);
    if (!stdout.includes(text)) faults.push(`it did not print ${text}`);
  }
  for (const { status, error } of exchanges)
    if (status !== 200) faults.push(`the gateway answered ${status}: ${error?.message ?? ''}`);
  return [...faults, ...(task.also?.() ?? [])];
}

/** The calls that the gateway delivered, each with what the agent sent back for it. */
export function callsOf(exchanges) {
  const results = new Map(exchanges.flatMap(({ request }) => resultsIn(request)));
  return exchanges
    .flatMap(({ answer }) => answer.flatMap(({ calls }) => calls))
    .filter(({ complete }) => complete)
    .map((call) => ({ ...call, result: results.get(call.id) }));
}

function resultsIn(request) {
  const parts = (request?.conversation?.messages ?? []).flatMap((message) => message.parts);
  return parts
    .filter(({ type }) => type === 'tool-result')
    .map((part) => [part.callId, JSON.stringify(part.output)]);
}
