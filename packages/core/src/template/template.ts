// Renders any chat template (the Jinja text in a model's tokenizer_config.json, or a .jinja file) as Hugging Face
// transformers does, byte for byte. docs/templates.md lists the remaining differences.
//
// Text in a request is data: only `template` is ever parsed as a template.

import { isObject, UsageError } from '../model/index.js';
import { globalNames } from './globals.js';
import type { Value } from './python.js';
import { readRequest, sizeOf, toValue } from './request.js';
import { runTemplate } from './run.js';
import { readTemplate } from './tree.js';
import { tooMuch, Work } from './work.js';

export interface TemplateOptions {
  /** Which of several templates. Default `tool_use` if there are tools and such a template, else `default`. */
  name?: string;
  /** End with the start of the assistant's turn. Default true. */
  addGenerationPrompt?: boolean;
  /** Other variables of the template: `enable_thinking`, `documents`, `bos_token` … */
  variables?: Record<string, unknown>;
  /** The time that `strftime_now` prints, in UTC. Required if the template calls `strftime_now`. */
  now?: Date;
  /** The most steps the template may take. Default 2,000,000, and one for each character of the request. */
  maxWork?: number;
}

export interface RenderedTemplate {
  text: string;
}

/**
 * Renders a chat template.
 *
 * @param template The template, or a tokenizer_config.json, parsed or as text.
 * @param request A request of OpenAI's chat API, `{messages, tools}`; a Conversation of ours; a list of messages.
 */
export function renderTemplate(
  template: string | object,
  request: unknown,
  options: TemplateOptions = {},
): RenderedTemplate {
  const config = toConfig(template);
  try {
    const { messages, tools } = readRequest(request);
    const work = new Work(options.maxWork, sizeOf(messages) + sizeOf(tools));
    const body = readTemplate(
      typeof config === 'string' ? config : chooseTemplate(config, tools !== null, options.name),
    );
    const names = new Map<string, Value>([
      ...globalNames(options.now, work),
      ['documents', null],
      ...(typeof config === 'string' ? [] : specialTokens(config)),
      ...variables(options.variables),
      ['messages', messages],
      ['tools', tools],
      ['add_generation_prompt', options.addGenerationPrompt ?? true],
    ]);
    return { text: runTemplate(body, names, work) };
  } catch (error) {
    if (error instanceof RangeError)
      throw tooMuch(`the template or the request is too deep or too large: ${error.message}`);
    throw error;
  }
}

function toConfig(template: unknown): string | Record<string, unknown> {
  if (isObject(template)) return template;
  if (typeof template !== 'string') {
    throw new UsageError(
      'bad-template',
      'must be the text of a template, or a tokenizer_config.json',
      'template',
    );
  }
  // Every JSON object with a key starts like this, and no useful template does.
  if (!/^\s*\{\s*"/.test(template)) return template;
  const config: unknown = parseConfig(template);
  return isObject(config) ? config : template;
}

function parseConfig(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function chooseTemplate(config: Record<string, unknown>, hasTools: boolean, name?: string): string {
  const given = config.chat_template;
  if (typeof given === 'string') return given;
  const list = Array.isArray(given) ? given.filter(isObject) : [];
  const wanted = name === undefined ? [...(hasTools ? ['tool_use'] : []), 'default'] : [name];
  for (const one of wanted) {
    const found = list.find((entry) => entry.name === one)?.template;
    if (typeof found === 'string') return found;
  }
  const names = list.map((entry) => String(entry.name)).join(', ');
  const message = names
    ? `has no template named ${wanted.join(' or ')}, but ${names}`
    : 'has no chat_template';
  throw new UsageError(name === undefined ? 'bad-template' : 'bad-options', message, 'template');
}

/** Gives `bos_token` and the other special tokens: each is a string, or an object with `content`. */
function specialTokens(config: Record<string, unknown>): [string, Value][] {
  return Object.entries(config).flatMap(([key, value]): [string, Value][] => {
    const text = isObject(value) ? value.content : value;
    if (key === 'additional_special_tokens') return [[key, toValue(value, key)]];
    return key.endsWith('_token') && typeof text === 'string' ? [[key, text.toWellFormed()]] : [];
  });
}

function variables(given: Record<string, unknown> = {}): [string, Value][] {
  return Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, toValue(value, `options.variables.${name}`)]);
}
