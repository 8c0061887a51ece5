// Runs `dragoman verify`: options in, reports out.

import { writeFile } from 'node:fs/promises';
import { type EngineName, getJson } from '@dragoman/core/bridge';
import { type ApiName, defaultWire } from '@dragoman/core/wire';
import {
  badgeOf,
  compareEndpoint,
  EndpointError,
  type EndpointOptions,
  htmlReport,
  isRight,
  type Probe,
  readSuite,
  SuiteError,
  type SuiteName,
  shownUrl,
  splitAddress,
  type VerifyEvent,
  type VerifyOptions,
  type VerifyReport,
  verifyEndpoint,
  type Way,
} from '@dragoman/verify';
import type { Arguments } from '../arguments.js';
import { CommandError, messageOf } from '../command-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { readTextFile } from '../input.js';
import { stopOnSignal } from '../stop-on-signal.js';
import { columns, note, writeLine } from '../terminal.js';
import { hashOf, openFolder, replayFolder, type SavedRun, writeRun } from './exchange-folder.js';
import { serveGguf } from './serve-gguf.js';
import { createVerifyProgress } from './verify-progress.js';
import { showReport } from './verify-view.js';

export async function runVerify(args: Arguments, apis: readonly ApiName[]): Promise<ExitCode> {
  args.oneOf('save', 'replay');
  const stop = stopOnSignal();
  const gateway = args.has('gguf') ? await serveGguf(args) : undefined;
  try {
    const settled = await settle(args, apis, gateway?.url);
    await checkFiles(args);
    const report = await watch(settled, stop.signal, args.has('quiet'));
    await writeReports(args, report);
    if (stop.signal.aborted) return EXIT.stopped;
    if (report.lost !== undefined) return EXIT.upstream;
    return isRight(report) ? EXIT.done : EXIT.partial;
  } catch (error) {
    if (error instanceof EndpointError) throw new CommandError(error.message, EXIT.upstream);
    if (error instanceof SuiteError) throw new CommandError(`--suite: ${error.message}`, EXIT.input);
    throw error;
  } finally {
    stop.end();
    await gateway?.close();
  }
}

async function watch(settled: Settled, signal: AbortSignal, quiet: boolean): Promise<VerifyReport> {
  const progress = process.stderr.isTTY && !quiet ? createVerifyProgress(process.stderr) : undefined;
  const options = { ...settled.options, signal };
  let report: VerifyReport | undefined;
  const { keep, lost } = settled;
  try {
    const events: AsyncIterable<VerifyEvent & { way?: Way }> = settled.compare
      ? compareEndpoint(options)
      : verifyEndpoint(options);
    for await (const { way, ...event } of events) {
      progress?.read(event, way);
      if (event.type === 'start') await keep?.({ engine: event.endpoint.engine });
      if (event.type === 'report') report = event.report;
    }
  } finally {
    progress?.end();
  }
  if (!report) throw new CommandError('stopped before the first answer', EXIT.stopped);
  await keep?.({ lost: report.lost });
  return report.stopped && lost !== undefined ? { ...report, lost } : report;
}

const REPORT_FILES = ['html', 'badge'];

/** Finds out before the first request whether the reports can be written at the end. */
async function checkFiles(args: Arguments): Promise<void> {
  for (const name of REPORT_FILES) {
    const path = args.value(name);
    if (path !== undefined) await writeReport(name, path, '', 'a');
  }
}

async function writeReport(name: string, path: string, text: string, flag: 'a' | 'w'): Promise<void> {
  try {
    await writeFile(path, text, { flag });
  } catch (error) {
    throw new CommandError(`--${name}: cannot write ${path}: ${messageOf(error)}`, EXIT.input);
  }
}

async function writeReports(args: Arguments, report: VerifyReport): Promise<void> {
  const files: [name: string, text: () => string][] = [
    ['html', () => htmlReport(report)],
    ['badge', () => badgeOf(report)],
  ];
  for (const [name, text] of files) {
    const path = args.value(name);
    if (path === undefined) continue;
    await writeReport(name, path, text(), 'w');
    note(`Wrote ${path}.`);
  }
  await writeLine(args.has('json') ? JSON.stringify(report, null, 2) : showReport(report, columns()));
}

// --- options -------------------------------------------------------------------------------------------------

interface Settled {
  options: VerifyOptions;
  compare: boolean;
  /** Keeps what the run finds out, for a replay. */
  keep?(found: Found): Promise<void>;
  /** Of a replay: why the endpoint stopped answering when the run was made. */
  lost?: string;
}

interface Found {
  engine?: EngineName | undefined;
  lost?: string | undefined;
}

/** `served`: the address of a model in this process. */
async function settle(args: Arguments, apis: readonly ApiName[], served?: string): Promise<Settled> {
  const replay = args.value('replay');
  return replay === undefined ? fresh(args, apis, served) : replayed(args, replay);
}

async function fresh(args: Arguments, apis: readonly ApiName[], served?: string): Promise<Settled> {
  const url = served ?? urlOf(args);
  const api = args.word('api', apis) ?? defaultWire.name;
  const key = args.value('key') ?? (process.env.DRAGOMAN_VERIFY_KEY || undefined);
  if (key !== undefined && splitAddress(url).headers)
    throw new CommandError('the address has a password, and a key is given: leave one of them out');
  const at = { url, api, ...(key !== undefined && { key }) };
  const { suite, cases, name } = await suiteOf(args.value('suite') ?? 'quick');
  const seed = args.count('seed', 9) ?? 1;
  const runs = args.count('runs', 4) ?? 1;
  const temperature = temperatureOf(args);
  const compare = args.has('compare');
  const concurrency = args.count('concurrency', 3);
  const timeout = args.count('timeout', 5);
  const referred = referenceOf(args, api);
  const model = args.value('model') ?? (await onlyModel(at));
  const reference = referred && { model, ...referred };
  const run: SavedRun = {
    url: shownUrl(url),
    api,
    model,
    suite: name,
    ...(cases !== undefined && { cases }),
    seed,
    runs,
    compare,
    temperature,
    ...(reference && { reference: shownUrl(reference.url), referenceModel: reference.model }),
    date: new Date().toISOString(),
  };
  const folder = args.value('save');
  const kept = folder === undefined ? undefined : await openFolder(folder, run);
  return {
    compare,
    ...(kept && folder !== undefined && { keep: keeperOf(folder, kept.run) }),
    options: {
      ...at,
      model,
      suite,
      seed,
      runs,
      temperature,
      ...(concurrency !== undefined && { concurrency }),
      ...(timeout !== undefined && { timeout: timeout * 1000 }),
      ...(reference && { reference }),
      ...(kept && { store: kept.store, ...(kept.run.date !== undefined && { date: kept.run.date }) }),
    },
  };
}

function keeperOf(folder: string, run: SavedRun): NonNullable<Settled['keep']> {
  let kept = run;
  return async (found) => {
    const { engine: _, lost: __, ...rest } = kept;
    // The first engine stays: the endpoint may be another one when the run goes on.
    const engine = kept.engine ?? found.engine;
    const lost = 'lost' in found ? found.lost : kept.lost;
    if (engine === kept.engine && lost === kept.lost) return;
    kept = { ...rest, ...(engine && { engine }), ...(lost !== undefined && { lost }) };
    await writeRun(folder, kept);
  };
}

/** What may be said again of a saved run, if it is the same. */
const SAME = ['model', 'api', 'seed', 'runs'] as const;

/** What a saved run has of its own. */
const OF_THE_RUN = [
  'key',
  'concurrency',
  'timeout',
  'temperature',
  'reference',
  'reference-model',
  'reference-key',
  'compare',
];

async function replayed(args: Arguments, folder: string): Promise<Settled> {
  const given = OF_THE_RUN.find((name) => args.has(name));
  if (given !== undefined)
    throw new CommandError(
      `--replay judges a saved run as it was sent, so it takes no --${given}; leave it out`,
    );
  const { run, store } = await replayFolder(folder);
  checkSame(args, folder, run);
  const named = args.value('suite');
  const isFile = run.cases !== undefined;
  if (!isFile && named !== undefined)
    throw new CommandError(`--replay: ${folder} was made with the suite ${run.suite}; leave --suite out`);
  if (isFile && named === undefined)
    throw new CommandError(`--replay: ${folder} was made with the suite ${run.suite}; add --suite <file>`);
  const { suite, cases } = await suiteOf(isFile ? (named ?? '') : run.suite);
  if (cases !== run.cases)
    throw new CommandError(`--suite: this is not the file that ${folder} was made with`);
  const { url, model, seed, runs, compare, temperature, reference, date, engine, lost } = run;
  const api = run.api as ApiName;
  return {
    compare,
    ...(lost !== undefined && { lost }),
    options: {
      ...{ url, api, model, suite, seed, runs, temperature, store, replay: true },
      ...(date !== undefined && { date }),
      ...(engine !== undefined && { engine }),
      ...(reference !== undefined && {
        reference: { url: reference, api, model: run.referenceModel ?? model },
      }),
    },
  };
}

/** A command that was sent with `--save` judges the folder again with `--replay`: what it names must be in there. */
function checkSame(args: Arguments, folder: string, run: SavedRun): void {
  const given: [name: string, value: string | undefined, saved: string | number][] = [
    ['address', args.words.length > 0 ? shownUrl(urlOf(args)) : undefined, shownUrl(run.url)],
    ...SAME.map((name): [string, string | undefined, string | number] => [name, args.value(name), run[name]]),
  ];
  for (const [name, value, saved] of given)
    if (value !== undefined && value !== String(saved))
      throw new CommandError(`--replay: ${folder} was made with the ${name} ${saved}, not ${value}`);
}

function urlOf(args: Arguments): string {
  const [url, ...more] = args.words;
  if (url === undefined)
    throw new CommandError('expected the address of an endpoint, such as http://localhost:8000/v1');
  if (more.length > 0) throw new CommandError(`expected one address, found ${args.words.length}`);
  return checkedUrl(url, '');
}

function checkedUrl(url: string, option: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new CommandError(
    `${option}expected an address that begins with http:// or https://, found ${shownUrl(url)}`,
  );
}

/** The suite, and of a file its hash. */
async function suiteOf(
  name: string,
): Promise<{ suite: SuiteName | readonly Probe[]; cases?: string; name: string }> {
  if (name === 'quick' || name === 'full') return { suite: name, name };
  const text = await readTextFile(name);
  return { suite: readSuite(text), cases: hashOf(text), name };
}

function temperatureOf(args: Arguments): number | null {
  const value = args.value('temperature');
  if (value === undefined) return 0;
  if (value === 'default') return null;
  const number = Number(value);
  if (value.trim() !== '' && number >= 0 && number <= 2) return number;
  throw new CommandError(`--temperature: expected a number from 0 to 2, or default, found ${value}`);
}

/** Its model has the same name, unless another one is given. */
function referenceOf(args: Arguments, api: ApiName): Omit<EndpointOptions, 'model'> | undefined {
  const url = args.value('reference');
  const model = args.value('reference-model');
  const key = args.value('reference-key') ?? (process.env.DRAGOMAN_REFERENCE_KEY || undefined);
  if (url === undefined) {
    const alone = ['reference-model', 'reference-key'].find((name) => args.has(name));
    if (alone !== undefined) throw new CommandError(`--${alone} goes with --reference: add it`);
    return undefined;
  }
  return {
    url: checkedUrl(url, '--reference: '),
    api,
    ...(model !== undefined && { model }),
    ...(key !== undefined && { key }),
  };
}

const LIST_TIME = 5_000;

async function onlyModel(at: { url: string; api: ApiName; key?: string }): Promise<string> {
  const found = await getJson({ ...at, ...splitAddress(at.url) }, '/models', LIST_TIME);
  const where = shownUrl(at.url);
  if (found === undefined) throw new CommandError(`${where} cannot be reached`, EXIT.upstream);
  const refusal = refusalOf(found.status);
  if (refusal !== undefined) throw new CommandError(`${where} ${refusal}`, EXIT.upstream);
  const { data } = (found.value ?? {}) as { data?: { id?: unknown }[] };
  const names = (Array.isArray(data) ? data : [])
    .map((one) => one?.id)
    .filter((id) => typeof id === 'string');
  if (names.length === 1 && names[0] !== undefined) return names[0];
  if (names.length === 0) throw new CommandError(`which model? ${where} lists none; add --model <name>`);
  const shown = names.slice(0, 8).join(', ') + (names.length > 8 ? ', …' : '');
  throw new CommandError(`which model? Add --model <name>; ${where} has ${shown}`);
}

/** Why it gives no list of its models, where the other requests would get no further. */
function refusalOf(status: number): string | undefined {
  if (status === 401 || status === 403)
    return `refuses the request (HTTP ${status}): give its key, as DRAGOMAN_VERIFY_KEY or with --key`;
  if (status >= 300 && status < 400) return `redirects to another address (HTTP ${status}): give that one`;
  return status >= 500 ? `fails (HTTP ${status})` : undefined;
}
