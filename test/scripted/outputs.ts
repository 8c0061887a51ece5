// All model outputs in packages/core/corpus, as a chat endpoint would send them: the turns of the conversations in one
// dialect of each kind (three conversations for dialects of other models), and the wild outputs of these dialects.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as core from '@dragoman/core';
import { isFullyTried, representatives } from '../../packages/core/src/dialects/every.fixture.js';
import { conversationNames, readConversation, spellTurns } from '../corpus/spell.mjs';

export interface Output {
  name: string;
  dialect: core.Dialect;
  text: string;
  tools: readonly core.Tool[];
  policies?: core.Policies;
}

/** The conversations for dialects of other models: they differ only in spelling, which other tests cover. */
const FEW = ['every-type', 'reasoning', 'text-around-calls'];

export function conversationOutputs(): Output[] {
  return conversationNames().flatMap((name) => {
    const conversation = readConversation(core, name);
    const spoken = representatives.filter((dialect) => isFullyTried(dialect) || FEW.includes(name));
    return spoken.flatMap((dialect) =>
      spellTurns(core, dialect, conversation).map(
        ({ text, thinking }, at): Output => ({
          name: `${name} ${at + 1} in ${dialect.name}`,
          dialect,
          text: thinking ? opened(dialect) + text : text,
          tools: conversation.tools,
        }),
      ),
    );
  });
}

interface WildCase {
  name: string;
  dialect: string;
  tools?: unknown;
  thinking?: boolean;
  policies?: core.Policies;
  text: string;
  expect: { calls: { name: string }[] };
}

const wild = fileURLToPath(new URL('../../packages/core/corpus/wild/', import.meta.url));

/** Names that no API takes, and that are refused with the request. */
const isStrange = ({ name }: core.Tool) => !/^[A-Za-z0-9_.:-]{1,128}$/.test(name);

export function wildOutputs(): Output[] {
  const outputs = representatives.flatMap((dialect) =>
    readdirSync(wild + dialect.name).map((file): Output => {
      const found = JSON.parse(readFileSync(`${wild}${dialect.name}/${file}`, 'utf8')) as WildCase;
      return {
        name: `${found.name} in ${dialect.name}`,
        dialect,
        text: found.thinking ? opened(dialect) + found.text : found.text,
        tools: toolsOf(found),
        ...(found.policies ? { policies: found.policies } : {}),
      };
    }),
  );
  return outputs.filter(({ tools }) => !tools.some(isStrange));
}

/** Where the prompt opened the reasoning, a chat endpoint's answer shows the tag. */
function opened({ traits }: core.Dialect): string {
  return traits.reasoning?.open ?? '';
}

/** Without tools nothing is read: who asks for none wants text. */
function toolsOf({ tools, expect }: WildCase): readonly core.Tool[] {
  const declared = core.acceptTools(tools ?? []);
  if (declared.length > 0) return declared;
  const names = [...new Set([...expect.calls.map(({ name }) => name), 'something_else'])];
  return names.map((name) => ({ name, parameters: { type: 'object' } }));
}
