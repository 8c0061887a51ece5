// The recipes of docs/training.md, as the page has them, with the loaders of TRL, axolotl and unsloth:
// `npm run test:trainers`. The rows that reach the loss, or the collator of the trainer, must have the ids and the labels
// that were written. Nothing is installed: DRAGOMAN_TRAINERS_PYTHON names a Python (python3 without it), and a trainer
// that it does not have is skipped.
//
//   TRL      pip install torch trl peft datasets
//   axolotl  beside these addict, numba, colorama and posthog, and the folder src of its sources in PYTHONPATH
//   unsloth  DRAGOMAN_UNSLOTH_ZOO names the folder unsloth_zoo of its sources: the module that prepares data is loaded
//            alone, because the package asks for a GPU when it is imported
//
// With TRL a model of one layer is trained for an epoch on the CPU. Of the other two, the functions that load and
// prepare a data set are run, and no trainer.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportMissing } from '../installs.mjs';

const python = process.env.DRAGOMAN_TRAINERS_PYTHON ?? 'python3';
const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const page = readFileSync(at('docs/training.md'), 'utf8');
const faults = [];

// --- the recipes -----------------------------------------------------------------------------------------------

/** The first block of the page that has these words. */
function block(words) {
  const found = [...page.matchAll(/^```[a-z]*\n([\s\S]*?)^```$/gm)].find(([, code]) => code.includes(words));
  if (!found) throw new Error(`docs/training.md has no block with ${words}`);
  return found[1];
}

function shell(code) {
  const env = { ...process.env, PATH: folder + delimiter + process.env.PATH };
  const { status, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', code], {
    ...{ cwd: folder, env, encoding: 'utf8' },
  });
  if (status !== 0) throw new Error(`${code}\nended with ${status}: ${stderr}`);
}

// --- the rows --------------------------------------------------------------------------------------------------

const call = (id, city) => ({
  ...{ id, type: 'function' },
  function: { name: 'get_weather', arguments: JSON.stringify({ city }) },
});
const tools = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } } },
    },
  },
];

/** Calls, reasoning, several turns, and characters of several bytes: more rows than a batch of the trainers has. */
function rawRow(n) {
  const city = ['Oslo', 'Zürich', '北京', 'São Paulo 🎉'][n % 4];
  const thought = n % 2 === 0 ? { reasoning_content: `I call the tool for ${city}.` } : {};
  return {
    messages: [
      ...(n % 3 === 0 ? [{ role: 'system', content: 'Be brief.' }] : []),
      { role: 'user', content: `Weather in ${city}? (${n})` },
      { role: 'assistant', content: '', ...thought, tool_calls: [call(`c${n}`, city)] },
      { role: 'tool', tool_call_id: `c${n}`, content: 'rain' },
      { role: 'assistant', content: `It rains in ${city}.` },
      ...(n % 4 === 1
        ? [
            { role: 'user', content: 'Sure?' },
            { role: 'assistant', content: `Yes, ${n} times.` },
          ]
        : []),
    ],
    tools,
  };
}

const ROWS = 12;

/** The ids and labels as the command writes them, read here and by no library of Python. */
function written(name) {
  const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line)).map(({ input_ids, labels }) => ({ input_ids, labels }));
}

// --- the trainers ----------------------------------------------------------------------------------------------

/** Asks a script what its trainer makes of the files; undefined if it has none. */
function ask(script, args) {
  const { error, status, stdout, stderr } = spawnSync(python, [at(`test/trainers/${script}`), ...args], {
    ...{ cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 },
    env: {
      ...process.env,
      ...{
        HF_HUB_OFFLINE: '1',
        HF_HOME: join(folder, 'hf'),
        CUDA_VISIBLE_DEVICES: '',
        TOKENIZERS_PARALLELISM: 'false',
      },
    },
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${script} ended with ${status}: ${stderr.slice(-3000)}`);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1));
}

function check(what, script, args, expected) {
  const { missing, versions, rows } = ask(script, args);
  if (missing !== undefined) {
    reportMissing(`the recipe for ${what}`, missing);
    return;
  }
  const same = JSON.stringify(sorted(rows)) === JSON.stringify(sorted(expected));
  const learnt = rows.reduce((sum, { labels }) => sum + labels.filter((label) => label !== -100).length, 0);
  const which = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const isRight = same && learnt > 0;
  console.log(
    `${isRight ? 'ok  ' : 'FAIL'}  ${what}: ${rows.length} rows, ${learnt} learnt tokens (${which.join(', ')})`,
  );
  if (!same) faults.push(`${what}: other ids or labels than those that were written`);
  if (learnt === 0) faults.push(`${what}: no token is learnt`);
}

/** Trainers shuffle the rows. */
const sorted = (rows) => rows.map(({ input_ids, labels }) => JSON.stringify([input_ids, labels])).sort();

// --- all of it -------------------------------------------------------------------------------------------------

const folder = mkdtempSync(join(tmpdir(), 'dragoman-trainers-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
writeFileSync(
  join(folder, 'dragoman'),
  `#!/bin/sh\nexec "${process.execPath}" "${at('packages/cli/bin/dragoman.js')}" "$@"\n`,
);
chmodSync(join(folder, 'dragoman'), 0o755);
mkdirSync(join(folder, 'raw'));
const raw = Array.from({ length: ROWS }, (_, n) => `${JSON.stringify(rawRow(n))}\n`);
writeFileSync(join(folder, 'raw/a.jsonl'), raw.slice(0, 7).join(''));
writeFileSync(join(folder, 'raw/b.jsonl'), raw.slice(7).join(''));
copyFileSync(at('test/masks/byte-level.json'), join(folder, 'tokenizer.json'));
writeFileSync(join(folder, 'recipe.py'), block('SFTTrainer('));
writeFileSync(join(folder, 'recipe.yaml'), block('ds_type: json'));

shell(block('-o tokens.parquet'));
shell(block('jq -c'));
shell('dragoman convert raw/ --to prompt:hermes --per-turn --mask --tokenizer tokenizer.json -o turns.jsonl');

const tokens = written('tokens.jsonl');
const turns = written('turns.jsonl');
if (tokens.length !== ROWS || turns.length <= ROWS)
  faults.push(`${tokens.length} rows, ${turns.length} turns`);
check('TRL, tokens', 'check_trl.py', ['tokens'], tokens);
check('TRL, text of turns', 'check_trl.py', ['turns'], turns);
check('axolotl', 'check_axolotl.py', [], tokens);
check('unsloth', 'check_unsloth.py', [], tokens);

for (const fault of faults) console.log(`FAIL: ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
