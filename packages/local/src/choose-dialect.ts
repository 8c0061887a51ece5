// The dialect of a file's model: by its names and its chat template, with the reason for people.

import { all, type Dialect, detect, type Registry, renderPrompt, UsageError } from '@dragoman/core';
import type { GgufInfo } from './gguf/gguf-info.js';
import { LocalModelError } from './local-model-error.js';
import { SpecialTokens } from './prompt/special-tokens.js';

/** What is taught to a model of which nothing tells the dialect. */
const TAUGHT = 'alkaid';

export interface ChosenDialect {
  dialect: Dialect;
  /** `given`: by the caller. */
  by: 'given' | 'model' | 'template' | 'default';
  /** One sentence. */
  reason: string;
}

export interface DescribedModel {
  /** What clients call it: the name of its file. */
  name: string;
  info: GgufInfo;
}

/** `given`: the name of a dialect, which beats the file; `auto`: the file decides. */
export function chooseDialect(
  { name, info }: DescribedModel,
  given: string | Dialect = 'auto',
  dialects: Registry = all,
): ChosenDialect {
  if (given !== 'auto') {
    const dialect = typeof given === 'string' ? dialects.find(given) : given;
    return { dialect, by: 'given', reason: `${dialect.name} was asked for` };
  }
  const names = [info.name, name].filter((one) => one !== undefined);
  const byName = names.map((model) => detect({ model }, dialects)).find((found) => found !== undefined);
  const byTemplate = templatesOf(info)
    .map((template) => detect({ template }, dialects))
    .find((found) => found !== undefined);
  if (byName) {
    const other = byTemplate && byTemplate.dialect !== byName.dialect ? byTemplate.dialect.name : undefined;
    const aside = other === undefined ? '' : `; its chat template looks like ${other}`;
    return { dialect: byName.dialect, by: 'model', reason: byName.reason + aside };
  }
  if (byTemplate) return { dialect: byTemplate.dialect, by: 'template', reason: byTemplate.reason };
  const dialect = dialects.has(TAUGHT) ? dialects.find(TAUGHT) : all.find(TAUGHT);
  const reason = `neither the name nor the chat template tells a dialect, so ${dialect.name} is taught`;
  return { dialect, by: 'default', reason };
}

function templatesOf({ template, templates }: GgufInfo): string[] {
  const { tool_use: toolUse } = templates;
  return [toolUse, template].filter((one) => one !== undefined);
}

/**
 * Whether the model gets the dialect's whole prompt: if its vocabulary has the special tokens of that prompt. Otherwise
 * its own chat template renders messages that teach the dialect. Throws a LocalModelError if it has none.
 */
export function takesWholePrompt({ name, info }: DescribedModel, { dialect, by }: ChosenDialect): boolean {
  const tokens = frameTokens(dialect, info.name ?? name);
  const special = new SpecialTokens(info.specialTokens);
  const isOwn = by === 'model' || by === 'template';
  const fits = tokens?.every((token) => special.spelled(token)) && (tokens.length > 0 || isOwn);
  if (fits) return true;
  if (info.template !== undefined) return false;
  if (tokens !== undefined) return true;
  const message = `${name} has no chat template, and ${dialect.name} no prompt of its own; choose another dialect`;
  throw new LocalModelError('no-template', message);
}

/** How vendors spell the special tokens of turns. */
const FRAME = /<[|｜][^\s<>]{1,40}[|｜]>|<[a-z]+_of_[a-z]+>|\[\/?[A-Z_]{2,40}\]/gu;

const SAMPLE = {
  messages: [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b' },
    { role: 'user', content: 'c' },
  ],
};

/** The special tokens of a dialect's prompt; undefined if it has no prompt. */
function frameTokens(dialect: Dialect, model: string): string[] | undefined {
  try {
    const { text } = renderPrompt(dialect, SAMPLE, { model });
    return [...new Set(text.match(FRAME) ?? [])];
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
