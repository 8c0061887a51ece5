// An MCP server as errors show it: without the keys that stand before its command, in its options or in its address.
//
//   TOKEN=sk-1 my-server --api-key sk-2 --port 80      ->  TOKEN=[hidden] my-server --api-key [hidden] --port 80
//   docker run -e TOKEN=sk-1 image                     ->  docker run -e TOKEN=[hidden] image
//   https://user:sk-1@host/mcp?key=sk-2                ->  https://host/mcp

import { splitCommand } from './split-command.js';

export interface ShownServer {
  name: string;
  /** Hides its keys in what the server printed, or an error says of it. */
  hide(text: string): string;
}

const HIDDEN = '[hidden]';
/** An option whose value is or holds a key, given in the next word or behind `=`. */
const keyOption = /^(?:--?[a-z0-9_-]*(?:key|token|secret|password|auth|headers?)|-H)(?:=|$)/i;
/** A variable for the command, or for one that it starts: `env TOKEN=…`, `docker run -e TOKEN=…`. */
const variable = /^[A-Z][A-Z0-9_]*=/;
/** Shorter ones are settings: hiding them would make errors unreadable. */
const SHORTEST = 4;

export function shownServer(target: string): ShownServer {
  return isAddress(target) ? shownAddress(target) : shownCommand(target);
}

export function isAddress(target: string): boolean {
  return /^https?:\/\//i.test(target);
}

function shownAddress(target: string): ShownServer {
  if (!URL.canParse(target)) return { name: 'at an address that is no URL', hide: () => '' };
  const { origin, pathname } = new URL(target);
  return { name: `${origin}${pathname}`, hide: hiding([target, ...keysOf(target)]) };
}

/** What may be a key in an address, as it is spelled there and elsewhere. */
function keysOf(address: string): string[] {
  if (!URL.canParse(address)) return [address];
  const { username, password, searchParams } = new URL(address);
  const parts = [username, password, ...searchParams.values()];
  return parts.flatMap((part) => [part, decoded(part), encodeURIComponent(part)]);
}

function shownCommand(target: string): ShownServer {
  const { command, args, env } = splitCommand(target);
  const secrets = Object.values(env);
  const shown = args.map((word, at) => {
    const from = valueStart(word, args[at - 1] ?? '');
    if (from === undefined) {
      if (!isAddress(word)) return word;
      secrets.push(word, ...keysOf(word));
      return shownAddress(word).name;
    }
    const value = word.slice(from);
    // `Authorization: Bearer sk-1`: a server may print the key alone.
    secrets.push(value, value.slice(value.lastIndexOf(' ') + 1));
    return word.slice(0, from) + HIDDEN;
  });
  const variables = Object.keys(env).map((name) => `${name}=${HIDDEN}`);
  return { name: [...variables, command, ...shown].join(' '), hide: hiding(secrets) };
}

/** Where in a word the value of an option for a key begins; undefined if the word holds none. */
function valueStart(word: string, before: string): number | undefined {
  const isSet = variable.test(word) || (keyOption.test(word) && word.includes('='));
  if (isSet) return word.indexOf('=') + 1;
  return keyOption.test(before) && !before.includes('=') && !isOption(word) ? 0 : undefined;
}

/** Whether a word is the next option: keys may begin with a dash, too, and have digits. */
function isOption(word: string): boolean {
  return /^--?[a-z][a-z-]*(?:=|$)/.test(word);
}

/** The longest first: one may be a part of another. */
function hiding(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets)]
    .filter(({ length }) => length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
  return (text) => known.reduce((hidden, secret) => hidden.replaceAll(secret, HIDDEN), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
