// dragoman doctor: checks the configuration, the port, the keys, the upstreams, and a real call, with advice.

import type { Arguments } from '../arguments.js';
import type { Command } from '../command.js';
import { CommandError } from '../command-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { checkCall } from '../setup/check-call.js';
import { checkConfig } from '../setup/check-config.js';
import { checkPort } from '../setup/check-port.js';
import { checkUpstreams } from '../setup/check-upstreams.js';
import type { Finding } from '../setup/finding.js';
import { modelToCall } from '../setup/model-to-call.js';
import { colors, columns, note, writeLine } from '../terminal.js';
import { indent, visibleText, wrapWords } from '../visible-text.js';

const SECONDS = 45;

export const doctorCommand: Command = {
  usage: 'doctor [--config <file>] [--model <name>] [--no-call]',
  about:
    'Checks a setup in about a minute: the configuration, the port, the keys, whether each upstream answers and has the models, and real tool calls through a gateway that is started for it, judged by the checks of `dragoman verify`. Each fault comes with what to do.',
  examples: {
    'The configuration in this folder, or that of the environment.': 'dragoman doctor --no-call',
    'Another file, and the calls of one model, in twenty seconds.': `echo 'upstream: demo' > other.yaml
dragoman doctor --config other.yaml --model demo --time 20`,
  },
  options: {
    '-c, --config <file>': 'A configuration. Default: dragoman.config.* here.',
    '-m, --model <name>':
      'The model that is called. Default: the first of the configuration whose upstream answers, rather one with a known dialect, and none for embeddings.',
    '--no-call': 'Send no request to a model.',
    '--time <s>': `Seconds for the calls. Default: ${SECONDS}.`,
    '--json': 'Print a list of {"check", "status", "text", "advice"?}. Default: text.',
  },
  sections: {
    'Exit codes': `0  nothing is wrong; warnings may be
1  the port is taken, or calls fail a required check
2  the command was called wrongly
3  the configuration cannot be read, is invalid, or does not start
4  an upstream does not answer, or refuses the key`,
  },
  run,
};

async function run(args: Arguments): Promise<number> {
  if (args.words.length > 0) throw new CommandError(`expected options only, found ${args.words[0]}`);
  const seconds = args.count('time', 4) ?? SECONDS;
  const findings: Finding[] = [];
  const tell = async (finding: Finding) => {
    findings.push(finding);
    if (!args.has('json')) await writeLine(shown(finding));
  };
  await examine(args, seconds, tell);
  if (args.has('json')) await writeLine(JSON.stringify(findings.map(toJson), null, 2));
  return findings.reduce<ExitCode>((code, { code: own = EXIT.done }) => (code === EXIT.done ? own : code), 0);
}

/** Stops where the rest depends on what is wrong. */
async function examine(
  args: Arguments,
  seconds: number,
  tell: (finding: Finding) => Promise<void>,
): Promise<void> {
  const { config, finding } = await checkConfig(args.value('config'));
  await tell(finding);
  if (!config) return;
  await tell(await checkPort(config));
  const upstreams = await checkUpstreams(config);
  for (const { findings } of upstreams.values()) for (const one of findings) await tell(one);
  if (args.has('no-call')) return;
  const chosen = modelToCall(config, upstreams, args.value('model'));
  if ('skipped' in chosen) return tell(chosen.skipped);
  const { model, engine } = chosen;
  if (!args.has('json')) note(`Calling ${visibleText(model)}, for ${seconds} s at most …`);
  await tell(await checkCall(config, model, seconds, engine));
}

const marks = { ok: colors.green('✓'), warn: colors.yellow('!'), fail: colors.red('✗') };

function shown({ check, status, text, advice }: Finding): string {
  const head = `${marks[status]} ${colors.bold(check)}  ${visibleText(text)}`;
  if (advice === undefined) return head;
  const lines = visibleText(advice).split('\n');
  return `${head}\n${indent(lines.flatMap((line) => wrapWords(line, columns() - 4)).join('\n'), 4)}`;
}

function toJson({ check, status, text, advice }: Finding) {
  return { check, status, text, ...(advice !== undefined && { advice }) };
}
