// The short tasks: what agents are asked to do, with which model, and what must have come of it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inOrder } from './text-model.mjs';

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
      prints: ['notes.txt'],
    },
    ...DIALECTS.map((dialect) => ({
      name: `reads a file, ${dialect}`,
      model: `demo/${dialect}`,
      dialect,
      question: 'Read notes.txt and tell me the word.',
      results: [word],
      prints: [word],
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
function writes({ tools }, folder, word) {
  const [notes, out] = [join(folder, 'notes.txt'), join(folder, 'out.txt')];
  const plan = [
    { reasoning: 'First the file.', text: 'I write it.', calls: [tools.write(out, HARD)] },
    { calls: [tools.read(notes), tools.read(out)] },
    (prompt) => ({ text: prompt.includes(word) ? `Done: ${word}.` : 'I saw no result.' }),
  ];
  return {
    name: 'writes a file full of markers and reads two files at once, glm-4.5',
    model: 'scripted',
    dialect: 'glm-4.5',
    question: 'Write out.txt, then read it and notes.txt.',
    mayWrite: true,
    script: { tools: [tools.write('', '')[0], tools.read('')[0]], turnFor: inOrder(plan) },
    calls: 3,
    results: [word],
    prints: [word],
    check: () => (same(out) ? [] : ['the file is not what the model wrote']),
  };
}

function same(path) {
  try {
    return readFileSync(path, 'utf8') === HARD;
  } catch {
    return false;
  }
}
