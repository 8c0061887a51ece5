// The chat template beside a tokenizer, for tokens of taught messages: chat_template.jinja, or the member of
// tokenizer_config.json.

import { UsageError } from '@dragoman/core';
import { renderTemplate } from '@dragoman/core/template';
import { RowError } from '../forms/form.js';
import type { ChatTemplate } from '../train/chat-tokens.js';
import { ConvertError } from './convert-error.js';

/** `day`: the date that templates print. `specials`: the special tokens of the model. */
export function createChatTemplate(
  config: object,
  path: string,
  day: string | undefined,
  specials: readonly string[],
): ChatTemplate {
  if (!hasChatTemplate(config)) throw noTemplate(path);
  const now = day === undefined ? {} : { now: new Date(`${day}T00:00:00Z`) };
  return {
    // The longest first: one may end with another.
    stops: specials.filter((token) => token.trim() !== '').sort((a, b) => b.length - a.length),
    render(messages, generate) {
      try {
        return renderTemplate(config, { messages }, { ...now, addGenerationPrompt: generate }).text;
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        throw new RowError('messages', `the chat template of the model: ${error.message}`);
      }
    },
  };
}

export function hasChatTemplate(config: object): boolean {
  const { chat_template: template } = config as { chat_template?: unknown };
  return typeof template === 'string' || (Array.isArray(template) && template.length > 0);
}

export function noTemplate(path: string): ConvertError {
  const where = 'tokenizer_config.json with chat_template, or chat_template.jinja';
  return new ConvertError(
    `there is no chat template beside ${path} (${where}), which messages are tokenized with`,
    'input',
  );
}
