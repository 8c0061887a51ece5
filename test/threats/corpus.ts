// The corpus as committed: every assistant turn of every conversation, as a dialect's model writes it.

import { readFileSync } from 'node:fs';
import * as core from '@dragoman/core';
import { conversationNames, conversationsFolder, readConversation, spellTurns } from '../corpus/spell.mjs';

export interface CorpusTurn {
  name: string;
  text: string;
  tools: readonly core.Tool[];
  thinking: boolean;
}

const read = new Map<string, CorpusTurn[]>();

/** Read once for all tests. */
export function corpusOf(dialect: core.Dialect): CorpusTurn[] {
  const turns = read.get(dialect.name) ?? turnsOf(dialect);
  read.set(dialect.name, turns);
  return turns;
}

/** Checked against the committed files, so that the tests read what is in them. */
function turnsOf(dialect: core.Dialect): CorpusTurn[] {
  return conversationNames().flatMap((name) => {
    const conversation = readConversation(core, name);
    const file = readFileSync(`${conversationsFolder}${name}/${dialect.name}.txt`, 'utf8');
    return spellTurns(core, dialect, conversation).map(({ text, thinking }) => {
      if (!file.includes(text)) throw new Error(`${name}/${dialect.name}.txt is stale`);
      return { name, text, tools: conversation.tools, thinking };
    });
  });
}
