// The model servers on this machine: on the ports that engines use by default, and only on loopback.

import { detect } from '@dragoman/core';
import { detectEngine, type EngineName, getJson } from '@dragoman/core/bridge';

/** The default port of each engine; `dragoman init --ports` looks at others. */
export const enginePorts: Readonly<Record<string, number>> = {
  ollama: 11434,
  'lm-studio': 1234,
  'llama.cpp': 8080,
  vllm: 8000,
  sglang: 30000,
};

interface LocalModel {
  name: string;
  /** Absent: no dialect is known for the name, and the model is taught one by the prompt. */
  dialect?: string;
  reason: string;
}

export interface LocalServer {
  url: string;
  /** As it is found out, else by its port; `port-5000` where neither tells. */
  name: string;
  engine: EngineName | undefined;
  models: LocalModel[];
}

const TIME = 2000;

/** Servers that list their models. Nothing else is sent to them. */
export async function findServers(ports: readonly number[]): Promise<LocalServer[]> {
  const found = await Promise.all(ports.map(serverAt));
  return found.filter((server) => server !== undefined);
}

async function serverAt(port: number): Promise<LocalServer | undefined> {
  const root = `http://127.0.0.1:${port}`;
  const url = `${root}/v1`;
  const listed = (await getJson({ url }, '/models', TIME))?.value;
  const names = modelNames(listed);
  if (names === undefined) return undefined;
  const get = async (path: string) => (await getJson({ url: root }, path, TIME))?.value;
  const engine = (await detectEngine(listed, get))?.name;
  const byPort = Object.entries(enginePorts).find(([, usual]) => usual === port)?.[0];
  return { url, name: engine ?? byPort ?? `port-${port}`, engine, models: names.map(guessed) };
}

/** Undefined where it is no list of models. */
export function modelNames(listed: unknown): string[] | undefined {
  const { data } = (listed ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return undefined;
  return data.map((model) => model?.id).filter((id): id is string => typeof id === 'string' && id !== '');
}

function guessed(name: string): LocalModel {
  const found = detect({ model: name });
  if (!found) return { name, reason: 'no dialect is known for this name: the prompt teaches it one' };
  return { name, dialect: found.dialect.name, reason: found.reason };
}
