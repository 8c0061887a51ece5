// The turns of a prompt that is one text.

import type { TurnToken } from './prompt-forms.js';

export interface Turn {
  /** `tool`: results, where a dialect sends them in a turn of their own. Most send them in a user's. */
  role: 'system' | 'user' | 'assistant' | 'tool';
  text: string;
}

export function readTurns(prompt: string, tokens: readonly TurnToken[]): Turn[] {
  const turns: Turn[] = [];
  let role: Turn['role'] = 'system';
  let start = 0;
  for (let at = nextToken(prompt, 0); at >= 0; at = nextToken(prompt, at)) {
    const found = tokens.find(({ token }) => prompt.startsWith(token, at));
    if (!found) {
      at++;
      continue;
    }
    const behind = at + found.token.length;
    addTurn(turns, role, prompt.slice(start, found.keep === 'ends' ? behind : at));
    role = found.role;
    start = found.keep === 'opens' ? at : behind;
    at = behind;
  }
  addTurn(turns, role, prompt.slice(start));
  return turns;
}

/** Results that follow each other are one turn. */
function addTurn(turns: Turn[], role: Turn['role'], text: string): void {
  if (text.trim() === '') return;
  const last = turns.at(-1);
  if (last?.role === role) last.text += text;
  else turns.push({ role, text });
}

/** All tokens begin with `<`, `[` or `]`. */
function nextToken(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 60 || code === 91 || code === 93) return at;
  }
  return -1;
}
