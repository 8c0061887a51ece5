// The input history of all chats, for the arrow keys.
//
// Kept as chat-history in the folder of state-folder.ts, readable by its owner alone, a JSON string a line. Lines that
// seem to hold a secret are not kept, nor are lines that begin with a space.

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stateFolder } from '../state-folder.js';

const KEPT = 1_000;
const LONGEST = 10_000;
/** How keys of the usual providers begin, and how long they are at least. */
const prefixes = 'sk- ghp_ gho_ github_pat_ glpat- xoxa- xoxb- xoxp- hf_ AKIA eyJ'.split(' ');
const SHORTEST_KEY = 16;

export class History {
  /** The newest first. */
  readonly entries: string[] = [];

  constructor(
    private readonly file: string | undefined,
    private readonly secrets: readonly string[],
  ) {
    if (file !== undefined) this.#load(file);
  }

  add(entry: string): void {
    if (entry.trim() === '' || entry === this.entries[0]) return;
    this.entries.unshift(entry);
    this.entries.length = Math.min(this.entries.length, KEPT);
    if (this.file === undefined || !this.#mayKeep(entry)) return;
    try {
      mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
      appendFileSync(this.file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
    } catch {
      // A history that cannot be kept is no reason not to talk.
    }
  }

  #mayKeep(entry: string): boolean {
    if (entry.startsWith(' ') || entry.length > LONGEST || holdsKey(entry)) return false;
    return !this.secrets.some((secret) => entry.includes(secret));
  }

  #load(file: string): void {
    try {
      const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
      for (const line of lines.slice(-KEPT)) this.entries.unshift(String(JSON.parse(line)));
      if (lines.length > 2 * KEPT) writeFileSync(file, `${lines.slice(-KEPT).join('\n')}\n`, { mode: 0o600 });
    } catch {
      // There is none yet, or it is not ours.
    }
  }
}

function holdsKey(entry: string): boolean {
  const words = entry.split(/[^A-Za-z0-9_-]/);
  return words.some(
    (word) => word.length >= SHORTEST_KEY && prefixes.some((prefix) => word.startsWith(prefix)),
  );
}

export function historyFile(env: NodeJS.ProcessEnv): string {
  return join(stateFolder(env), 'chat-history');
}
