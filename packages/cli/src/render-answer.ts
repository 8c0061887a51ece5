// A chat request into a prompt or messages.

import {
  type Dialect,
  type ExactValue,
  type RenderOptions,
  renderMessages,
  renderPrompt,
  renderTemplate,
  toPlain,
} from '@dragoman/core';
import { CommandError } from './command-error.js';
import {
  booleanField,
  expected,
  type JsonFields,
  objectField,
  optional,
  stringField,
  wordField,
} from './fields.js';
import { dialectNamed, missingDialect, withDialect } from './find-dialect.js';
import type { LineAnswer } from './json-lines.js';
import { LANGUAGES, SAFETIES } from './render-choices.js';

export interface RenderSettings extends RenderOptions {
  dialect?: Dialect | undefined;
  /** Gives messages even if the dialect has a whole prompt. */
  messages?: boolean | undefined;
}

/** Gives the prompt; or messages, if they are wanted or the dialect has no prompt. */
function renderAnswer(dialect: Dialect, request: ExactValue, settings: RenderSettings): LineAnswer {
  if (settings.messages || !dialect.render.prompt) {
    const { messages } = renderMessages(dialect, request, settings);
    return { messages: messages.map(({ role, content }) => ({ role, content })) };
  }
  return { prompt: renderPrompt(dialect, request, settings).text };
}

/** Renders with a template of the user. The `safety` option does not apply: only prompts of dialects have it. */
export async function renderByTemplate(
  template: string,
  request: ExactValue,
  { thinking, generate, template: variables }: RenderSettings,
): Promise<string> {
  const { text } = await renderTemplate(template, request, {
    addGenerationPrompt: generate ?? true,
    variables: { ...(thinking !== undefined && { enable_thinking: thinking }), ...variables },
    now: new Date(),
  });
  return text;
}

/** Answers one line of `render --jsonl`. The options of the command line are the defaults of every line. */
export function answerRender(
  question: JsonFields,
  defaults: RenderSettings,
  template: string | undefined,
): LineAnswer | Promise<LineAnswer> {
  const request = optional(question, 'request');
  if (request === undefined) throw expected('request', 'a chat request', undefined);
  const settings = lineSettings(question, defaults);
  if (template !== undefined) {
    return renderByTemplate(template, request, settings).then((prompt) => ({ prompt }));
  }
  const name = stringField(question, 'dialect');
  const dialect = name === undefined ? defaults.dialect : dialectNamed(name, withDialect(defaults.dialect));
  if (!dialect) throw missingDialect();
  return renderAnswer(dialect, request, settings);
}

function lineSettings(question: JsonFields, defaults: RenderSettings): RenderSettings {
  const options = objectField(question, 'options') ?? new Map();
  return {
    ...defaults,
    ...given('thinking', booleanField(question, 'thinking')),
    ...given('generate', booleanField(question, 'generate')),
    ...given('safety', wordField(options, 'safety', SAFETIES)),
    ...given('language', wordField(options, 'language', LANGUAGES)),
    ...given('short', booleanField(options, 'short')),
    template: { ...defaults.template, ...vendorOptions(options) },
  };
}

function given<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: T });
}

const ours = ['safety', 'language', 'short'];

function vendorOptions(options: JsonFields): Record<string, unknown> {
  const rest = [...options].filter(([key]) => !ours.includes(key));
  return Object.fromEntries(rest.map(([key, value]) => [key, toPlain(value)]));
}

export function noPrompt(dialect: Dialect): CommandError {
  return new CommandError(`${dialect.name} has no prompt here, only messages that teach it. Add --messages`);
}
