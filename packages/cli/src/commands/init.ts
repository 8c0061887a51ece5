// dragoman init: finds the model servers of this machine, writes a configuration, and sets up agents.

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Arguments } from '../arguments.js';
import type { Command } from '../command.js';
import { CommandError, messageOf } from '../command-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { preferredModel } from '../preferred-model.js';
import { type AgentSettings, foundAgents, type GatewayAddress } from '../setup/agent-settings.js';
import { configText, namedModels } from '../setup/config-text.js';
import {
  type FileChange,
  makeChange,
  recordFile,
  showChange,
  textAt,
  undoChanges,
} from '../setup/file-changes.js';
import { enginePorts, findServers, type LocalServer } from '../setup/local-servers.js';
import { colors, note, writeLine } from '../terminal.js';
import { visibleLine } from '../visible-text.js';

const CONFIG = 'dragoman.config.yaml';
const PORT = 8787;

export const initCommand: Command = {
  usage: 'init [--yes] [--ports <list>] [--undo]',
  about:
    'Finds the model servers that run on this machine (Ollama, LM Studio, llama.cpp, vLLM and SGLang, on their ports, on loopback only), lists their models with the dialect of each and the reason, writes dragoman.config.yaml, and offers to write the settings of the agents it finds (Claude Code, Codex, opencode, Qwen Code). It asks before it looks, and shows every change as a diff before it makes it.',
  examples: {
    'Step by step.': 'dragoman init',
    'Without questions, the configuration alone.': 'dragoman init --yes --no-agents',
    'Everything as it was.': 'dragoman init --undo',
  },
  options: {
    '-y, --yes': 'Answer every question with yes. Default: ask, which needs a terminal.',
    '--ports <list>': `Ports to look at, with commas. Default: ${Object.values(enginePorts).join(',')}.`,
    '--no-agents': 'Leave the settings of agents alone.',
    '--force': `Replace a ${CONFIG} that is there.`,
    '--undo': 'Undo what earlier runs wrote, in files that were not changed since.',
  },
  sections: {
    'What it writes': `${CONFIG} in this folder; and, where you agree,
  Claude Code  ~/.claude/settings.json
  Codex        ~/.codex/config.toml
  opencode     ~/.config/opencode/opencode.json
  Qwen Code    ~/.qwen/settings.json
What was there before is kept for --undo, in dragoman/init.json of
$XDG_STATE_HOME, or of ~/.local/state.`,
    'Exit codes': `0  done
1  there is no server, or a file was changed since and is not undone
2  the command was called wrongly
3  a file could not be read or written`,
  },
  run,
};

type Ask = (question: string) => Promise<boolean>;

async function run(args: Arguments): Promise<number> {
  if (args.words.length > 0) throw new CommandError(`expected options only, found ${args.words[0]}`);
  if (args.has('undo')) return undo();
  const ports = portsOf(args.value('ports'));
  const ask = askerOf(args);
  if (!(await ask(`Look for model servers on 127.0.0.1, ports ${ports.join(', ')}?`))) return EXIT.done;
  const servers = (await findServers(ports)).filter(({ models }) => models.length > 0);
  if (servers.length === 0) {
    note('There is no model server on these ports. Start one, or name its port with --ports.');
    return EXIT.partial;
  }
  await writeLine(servers.map(shownServer).join('\n\n'));
  try {
    return await setUp(servers, args, ask);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new CommandError(messageOf(error), EXIT.input);
  }
}

async function setUp(servers: readonly LocalServer[], args: Arguments, ask: Ask): Promise<ExitCode> {
  const path = resolve(CONFIG);
  const before = textAt(path);
  const after = configText(servers, PORT);
  if (before !== null && before !== after && !args.has('force'))
    throw new CommandError(`${CONFIG} is there already: --force replaces it, and --undo restores it`);
  const isThere = await offer({ path, before, after }, ask);
  if (!args.has('no-agents')) await offerAgents(preferredModel(namedModels(servers))?.name, ask);
  await writeLine(
    isThere
      ? '\nNext: `dragoman doctor` checks all of it, and `dragoman serve` starts the gateway.'
      : `\n${CONFIG} is not written. Without it: \`dragoman serve --upstream ${servers[0]?.url}\`.`,
  );
  return EXIT.done;
}

async function offerAgents(model: string | undefined, ask: Ask): Promise<void> {
  const agents = foundAgents(homedir(), process.env.PATH ?? '');
  if (model === undefined) {
    if (agents.length > 0)
      note('None of the models makes answers, by their names: the settings of agents stay as they are.');
    return;
  }
  const gateway = { url: `http://127.0.0.1:${PORT}`, model };
  for (const agent of agents) await offerAgent(agent, gateway, ask);
}

async function offerAgent(settings: AgentSettings, gateway: GatewayAddress, ask: Ask): Promise<void> {
  const folder = join(homedir(), settings.folder);
  const path = join(folder, settings.file);
  const before = textAt(path);
  if (settings.stronger !== undefined && textAt(join(folder, settings.stronger)) !== null)
    note(
      `${settings.agent}: what ${settings.stronger} sets counts over ${settings.file}; take \`model\` and \`provider.dragoman\` out of it, if they are there.`,
    );
  try {
    await offer({ path, before, after: settings.change(before ?? undefined, gateway) }, ask);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    note(
      `${settings.agent}: ${path} cannot be changed here (${error.message}); docs/gateway.md has the settings.`,
    );
  }
}

/** Gives whether the file is now as it should be. */
async function offer(change: FileChange, ask: Ask): Promise<boolean> {
  if (change.before === change.after) {
    await writeLine(`\n${change.path} is as it should be.`);
    return true;
  }
  await writeLine(`\n${showChange(change)}`);
  if (!(await ask('Write this?'))) return false;
  makeChange(change, recordFile(process.env));
  return true;
}

async function undo(): Promise<number> {
  const { restored, removed, changed } = undoChanges(recordFile(process.env));
  for (const path of restored) await writeLine(`Restored ${path}.`);
  for (const path of removed) await writeLine(`Removed ${path}.`);
  for (const path of changed) note(`${path} was changed since, and stays as it is.`);
  if (restored.length + removed.length + changed.length === 0) note('There is nothing to undo.');
  return changed.length > 0 ? EXIT.partial : EXIT.done;
}

function shownServer({ url, engine, name, models }: LocalServer): string {
  const rows = models.map(({ name: model, dialect, reason }) => ({
    model: visibleLine(model),
    how: dialect ?? 'taught',
    paint: dialect === undefined ? colors.yellow : colors.cyan,
    reason: visibleLine(reason),
  }));
  const widest = (key: 'model' | 'how') => Math.max(...rows.map((row) => row[key].length));
  const [names, dialects] = [widest('model'), widest('how')];
  const lines = rows.map(
    ({ model, how, paint, reason }) =>
      `  ${model.padEnd(names)}  ${paint(how.padEnd(dialects))}  ${colors.dim(reason)}`,
  );
  return [`${colors.bold(engine ?? name)} at ${url}`, ...lines].join('\n');
}

function portsOf(list: string | undefined): number[] {
  if (list === undefined) return Object.values(enginePorts);
  const ports = list.split(',').map((port) => Number(port.trim()));
  const wrong = ports.some((port) => !Number.isInteger(port) || port < 1 || port > 65535);
  if (wrong) throw new CommandError(`--ports: expected ports with commas, such as 8000,8080, found ${list}`);
  return [...new Set(ports)];
}

function askerOf(args: Arguments): Ask {
  if (args.has('yes')) return async () => true;
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new CommandError(
      'init asks before it looks and before it writes: run it on a terminal, or add --yes (and --no-agents, to leave the settings of agents alone)',
    );
  return async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    const answer = await lines.question(`\n${question} [Y/n] `).finally(() => lines.close());
    return /^(y|yes|)$/i.test(answer.trim());
  };
}
