// dragoman serve: starts the gateway, from options alone or from a configuration file.

import type { Dialect, Registry } from '@dragoman/core';
import type { GatewayConfig, WorkersGateway } from '@dragoman/gateway';
import type { ConfigWatch, Flags, LoadResult, Problem } from '@dragoman/gateway/config';
import { isDialectFile } from '@dragoman/gateway/dialect-file';
import type { Arguments } from '../arguments.js';
import type { Command } from '../command.js';
import { CommandError } from '../command-error.js';
import { EXIT } from '../exit-codes.js';
import { dialectChoices, dialectNamed, withDialect } from '../find-dialect.js';
import { checkGgufOptions, ggufOptions, ggufWords } from '../gguf-options.js';
import { greeting } from '../greeting.js';
import { ENGINES, kindChoices, kindOptions, variablesOfUpstream } from '../kind-options.js';
import {
  lacksVersion,
  liveModels,
  lookAtUpstreams,
  upstreamWords,
  withFoundAddresses,
} from '../look-at-upstreams.js';
import { note, writeLine } from '../terminal.js';

/** Levels of the log that hide warnings. */
const SILENT = ['error', 'silent'];
const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];

export const serveCommand: Command = {
  usage: 'serve [--upstream <url> | --gguf <path> | --config <file>]',
  about:
    'Starts the gateway: the APIs of OpenAI and Anthropic, with real tool calls, in front of a model that only writes text, or whose tool calls leak. Without an upstream it serves the demo model, which needs no key.',
  examples: {
    'The demo model.': 'dragoman serve',
    'A local server; the name of its model decides the dialect.':
      'dragoman serve --upstream http://localhost:11434/v1 --dialect auto --port 8787',
    'Check a configuration without starting.': 'dragoman serve --config dragoman.config.yaml --check',
  },
  options: {
    '--upstream <url>': 'The model’s server, up to /v1. Default: the demo model.',
    ...ggufOptions,
    ...kindOptions,
    '--engine <name>': `What serves the upstream: ${ENGINES.join(', ')} or none. Default: found out.`,
    '--body <json>':
      'Members that are added to the body of each request: a JSON object, like \'{"top_k": 40}\'. Default: none.',
    '--upstream-key <key>': 'The API key for the upstream. Default: none.',
    '--dialect <name>':
      'A dialect, a file with one of your own, or auto: by the model’s name, of a GGUF file also by its chat template. Default: auto.',
    '--model <name> …': 'A name that clients may use. Default: any.',
    '--demo': 'Serve the demo model, even if the environment names an upstream.',
    '-c, --config <file>': 'A configuration. Default: dragoman.config.* here.',
    '--check': 'Only check the configuration, and list its problems.',
    '--json': 'With --check: print {"ok", "file", "problems"}. Default: text.',
    '--host <address>': 'Default: 127.0.0.1.',
    '-p, --port <n>': 'Default: 8787; 0 takes any.',
    '--workers <n>': 'Processes that answer on this port, or auto: one for each core. Default: 1.',
    '--key <key> …': 'An API key that clients must send. Default: none, on loopback.',
    '--insecure': 'Serve other machines without keys.',
    '--inspect <n>': 'Keep the last n exchanges for the inspector. Default: 0.',
    '--store <url>':
      'Where responses are kept: memory:, redis://…, postgres://…, none. Default: memory on loopback.',
    '--log <level>': 'debug, info, warn, error or silent. Default: info.',
    '--verbose': 'The same as --log debug.',
    '-q, --quiet': 'No greeting, and the same as --log warn. Default: off.',
  },
  completes: {
    ...kindChoices,
    engine: [...ENGINES, 'none'],
    dialect: dialectChoices,
    log: LEVELS,
    workers: ['auto'],
  },
  sections: {
    'GGUF files': ggufWords('serve'),
    Environment: variablesOfUpstream,
    'Exit codes': `0  stopped by SIGINT, SIGTERM or SIGHUP, or the configuration is valid
2  the command was called wrongly, or its address is taken
3  the configuration cannot be read, or is invalid
70  every worker ended right after its start, again and again
130  stopped by a second signal, before all answers were complete`,
  },
  run,
};

async function run(args: Arguments): Promise<number> {
  if (args.words.length > 0) throw new CommandError(`expected options only, found ${args.words[0]}`);
  args.oneOf('verbose', 'log', 'quiet');
  if (args.has('json') && !args.has('check')) throw new CommandError('--json goes with --check: add it');
  checkGgufOptions(args);
  const own = fileDialect(args);
  const flags = flagsOf(args, own);
  const dialects = withDialect(own);
  const { loadConfig, configFromFlags, formatProblems } = await import('@dragoman/gateway/config');
  const path = await configPath(args);
  const loaded = path === undefined ? undefined : await loadConfig(path, { flags, dialects });
  const result = loaded ?? configFromFlags(flags, process.env, dialects);
  if (args.has('json')) return printCheck(path, result.ok ? [] : result.problems);
  if (!result.ok) {
    const text = `the configuration is invalid\n\n${formatProblems(result.problems)}`;
    throw new CommandError(text, codeOf(result.problems));
  }
  for (const one of result.notes) note(one);
  if (args.has('check')) {
    await writeLine(`${path ?? 'The command line'}: the configuration is valid.`);
    return EXIT.done;
  }
  const watched =
    path !== undefined && loaded
      ? { path, dialectFiles: loaded.dialectFiles, text: loaded.text, flags, dialects }
      : undefined;
  return keepServing(result.config, watched, args.has('quiet'));
}

async function printCheck(path: string | undefined, problems: readonly Problem[]): Promise<number> {
  // Without the excerpt of the file: a program has the file.
  const said = problems.map(({ file, line, column, path: at, message, hint }) => ({
    file,
    line,
    column,
    path: at,
    message,
    hint,
  }));
  await writeLine(JSON.stringify({ ok: problems.length === 0, file: path ?? null, problems: said }, null, 2));
  return problems.length === 0 ? EXIT.done : codeOf(problems);
}

/** Invalid command-line options are usage errors; problems in a file or in the environment are input errors. */
function codeOf(problems: readonly Problem[]) {
  return problems.every(({ file }) => file === 'command line') ? EXIT.usage : EXIT.input;
}

const upstreamOptions = ['upstream', 'gguf', 'kind', 'api', 'upstream-key', 'engine', 'body', 'demo'];

/** Finds the configuration file. A file names the upstreams, so it is read only if no option names one. */
async function configPath(args: Arguments): Promise<string | undefined> {
  const said = upstreamOptions.find((name) => args.has(name));
  const named = args.value('config');
  if (named !== undefined && said !== undefined)
    throw new CommandError(`--config and --${said} exclude each other: the file names the upstreams`);
  if (named !== undefined || said !== undefined) return named;
  return (await import('@dragoman/gateway/config')).findConfig();
}

async function keepServing(
  config: GatewayConfig,
  watched: WatchedFiles | undefined,
  quiet: boolean,
): Promise<number> {
  const looking = lookAtUpstreams(config);
  // A file is read again when it changes, so its addresses are not changed here.
  const isUsed = !watched && [...config.upstreams.values()].some(lacksVersion);
  const gateway = await started(isUsed ? withFoundAddresses(config, await looking) : config);
  const watch = watched && (await reloading(watched, gateway, config));
  const looked = await looking;
  if (!SILENT.includes(config.log.level)) for (const words of upstreamWords(looked, isUsed)) note(words);
  const { url, engines, workers } = gateway;
  if (!quiet) {
    const { findTiny } = await import('@dragoman/gateway/tiny');
    const [live, tiny] = [liveModels(config, looked), findTiny() !== undefined];
    await writeLine(greeting(url, config, { engines, workers, live, tiny }));
  }
  const failed = await Promise.race([stopAsked(), ...(gateway.failed ? [gateway.failed] : [])]);
  if (!failed) gateway.log.info({ open: await gateway.open() }, 'stopping');
  watch?.close();
  await gateway.close();
  if (failed) throw new CommandError(failed.message, EXIT.internal);
  return EXIT.done;
}

/** A gateway in this process, or in several, which may fail later. */
type Serving = Omit<WorkersGateway, 'open' | 'failed' | 'port' | 'workers'> &
  Partial<Pick<WorkersGateway, 'failed' | 'workers'>> & { open(): number | Promise<number> };

async function started(config: GatewayConfig): Promise<Serving> {
  // Loaded only to serve: --help and --check take less than half of the time without it.
  const { serve, serveWorkers, workersOf } = await import('@dragoman/gateway');
  try {
    if (workersOf(config) > 1) return await serveWorkers(config, { detect: true });
    const gateway = await serve(config, { detect: true });
    return { ...gateway, open: () => gateway.app.open };
  } catch (error) {
    const { code } = error as { code?: string };
    if ((error as Error).name === 'LocalModelError')
      throw new CommandError((error as Error).message, EXIT.input);
    if (code === 'HEALTH_PORT') throw new CommandError((error as Error).message);
    if (code === 'EADDRINUSE')
      throw new CommandError(`port ${config.port} is taken; choose another with --port, or 0 for any`);
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
      throw new CommandError(`cannot listen on ${config.host}:${config.port} (${code})`);
    throw error;
  }
}

/** The configuration file, the dialect files it names, and the options for reading them. */
interface WatchedFiles extends Pick<LoadResult, 'path' | 'dialectFiles'> {
  text: string | undefined;
  flags: Flags;
  dialects: Registry;
}

async function reloading(
  { path, ...options }: WatchedFiles,
  gateway: Serving,
  first: GatewayConfig,
): Promise<ConfigWatch> {
  const { formatProblems, waitingForRestart, watchConfig } = await import('@dragoman/gateway/config');
  return watchConfig(
    path,
    (result, { isUnended }) => {
      if (!result.ok) {
        gateway.log.error(
          { path },
          `the changed configuration is invalid, so the old one stays\n${formatProblems(result.problems)}`,
        );
        return;
      }
      if (!gateway.reload(result.config)) return;
      gateway.log.info({ path }, 'the configuration was read again');
      if (isUnended)
        gateway.log.warn({ path }, 'the configuration does not end with a line break: it may be cut off');
      const waiting = waitingForRestart(first, result.config);
      if (waiting.length > 0) gateway.log.warn({ waiting }, 'these change with a restart only');
    },
    options,
  );
}

/** Resolves at the first signal. The second exits at once. */
function stopAsked(): Promise<undefined> {
  return new Promise((tell) => {
    let asked = false;
    const onSignal = () => {
      if (asked) process.exit(EXIT.stopped);
      asked = true;
      tell(undefined);
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
    // A terminal that closes; the shell may send one more. It never ends answers at once.
    process.on('SIGHUP', () => {
      asked = true;
      tell(undefined);
    });
  });
}

/** Loads the dialect file that `--dialect` names, if it names one. */
function fileDialect(args: Arguments): Dialect | undefined {
  const given = args.value('dialect');
  return given !== undefined && isDialectFile(given) ? dialectNamed(given) : undefined;
}

function flagsOf(args: Arguments, own: Dialect | undefined): Flags {
  const one = (name: string) => args.value(name);
  const many = (name: string) => (args.has(name) ? args.values(name) : undefined);
  return {
    upstream: one('upstream'),
    kind: one('kind'),
    api: one('api'),
    upstreamKey: one('upstream-key'),
    engine: one('engine'),
    body: one('body'),
    dialect: own?.name ?? one('dialect'),
    model: many('model'),
    demo: args.has('demo') || undefined,
    gguf: one('gguf'),
    context: one('context'),
    threads: one('threads'),
    grammar: args.has('no-grammar') ? false : undefined,
    host: one('host'),
    port: one('port'),
    workers: one('workers'),
    key: many('key'),
    insecure: args.has('insecure') || undefined,
    inspect: one('inspect'),
    store: one('store'),
    log: args.has('verbose') ? 'debug' : args.has('quiet') ? 'warn' : one('log'),
  };
}
