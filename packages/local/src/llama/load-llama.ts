// Loads node-llama-cpp, which is no dependency: its package is 700 MB with the binaries of all platforms.

import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LocalModelError } from '../local-model-error.js';
import type { Llama, LlamaModule } from './llama-api.js';

const PACKAGE = 'node-llama-cpp';

/** The version that is tested. */
const LLAMA_VERSION = '3';

/** The variable that names the folder of the package, if it is installed elsewhere. */
const FOLDER_VARIABLE = 'DRAGOMAN_NODE_LLAMA_CPP';

export interface Engine {
  module: LlamaModule;
  llama: Llama;
  /** The real cores that this process may use. */
  cores: number;
}

export interface EngineOptions {
  /** Whether a GPU is used, if there is one. Default true. */
  gpu?: boolean;
  /** Told what llama.cpp prints at the level of a warning, or worse. */
  log?: (message: string) => void;
}

const engines = new Map<boolean, Promise<Engine>>();

/** Throws a LocalModelError with the command that installs the package, where it is missing. */
export function loadEngine({ gpu = true, log }: EngineOptions = {}): Promise<Engine> {
  const found = engines.get(gpu) ?? startEngine(gpu, log);
  engines.set(gpu, found);
  // What failed may be installed later.
  found.catch(() => engines.delete(gpu));
  return found;
}

async function startEngine(gpu: boolean, log: EngineOptions['log']): Promise<Engine> {
  const module = await loadPackage();
  try {
    const llama = await module.getLlama({
      gpu: gpu ? 'auto' : false,
      // Its prebuilt binaries only: a server must not begin to compile, or to load sources.
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: 'warn',
      logger: (_level: string, message: string) => log?.(message),
    });
    return { module, llama, cores: Math.max(1, Math.min(llama.cpuMathCores, availableParallelism())) };
  } catch (error) {
    const message = `node-llama-cpp has no binary that runs here (${(error as Error).message}). Install it again: ${installCommand()}`;
    throw new LocalModelError('no-engine', message, { cause: error });
  }
}

async function loadPackage(): Promise<LlamaModule> {
  const folder = process.env[FOLDER_VARIABLE];
  const places = folder ? [pathToFileURL(join(folder, 'dist/index.js')).href] : [PACKAGE, ...here()];
  let reason: unknown;
  for (const place of places) {
    try {
      return (await import(place)) as LlamaModule;
    } catch (error) {
      reason = error;
      if (!isMissing(error)) break;
    }
  }
  throw missing(reason);
}

/** The package of the folder in which the program runs. */
function here(): string[] {
  try {
    return [pathToFileURL(createRequire(join(process.cwd(), 'x.js')).resolve(PACKAGE)).href];
  } catch {
    return [];
  }
}

function isMissing(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_MODULE_NOT_FOUND';
}

function installCommand(): string {
  return `npm install ${PACKAGE}@${LLAMA_VERSION}`;
}

function missing(reason: unknown): LocalModelError {
  const found = isMissing(reason) ? 'is not installed' : `cannot be loaded (${(reason as Error).message})`;
  const message = `GGUF files need ${PACKAGE}, which ${found}. Run: ${installCommand()}`;
  return new LocalModelError('no-engine', message, { cause: reason });
}
