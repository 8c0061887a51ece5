import type { AssistantMessage, Conversation, Dialect } from '@dragoman/core';

type Core = typeof import('@dragoman/core');

export interface Turn {
  message: AssistantMessage;
  text: string;
  /** The text begins inside the reasoning. */
  thinking: boolean;
}

export const conversationsFolder: string;
export function conversationNames(): string[];
export function readConversation(core: Core, name: string): Conversation;
export function spellTurns(core: Core, dialect: Dialect, conversation: Conversation): Turn[];
export function joinTurns(turns: readonly { text: string }[]): string;
export function spell(core: Core, dialect: Dialect, conversation: Conversation): Record<string, string>;
export function spellAll(core: Core): Map<string, string>;
export function leftOver(files: ReadonlyMap<string, string>): string[];
