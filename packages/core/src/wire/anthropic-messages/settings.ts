// Sampling settings and thinking, in both directions.

import type { ModelRequest, Settings } from '../../model/index.js';
import { Members } from '../members.js';
import { defined } from '../values.js';

/** The API demands a limit. What a request gets that came without. */
const DEFAULT_MAX_TOKENS = 4096;
const MIN_BUDGET = 1024;

export function decodeSettings(body: Members): Settings {
  return defined({
    maxTokens: body.number('max_tokens', { min: 0, whole: true }),
    temperature: body.number('temperature', { min: 0, max: 2 }),
    topP: body.number('top_p', { min: 0, max: 1 }),
    topK: body.number('top_k', { min: 0, whole: true }),
    stop: body.strings('stop_sequences'),
    thinking: decodeThinking(body.peek('thinking')),
  });
}

/** `enabled`, `adaptive` and what is still to come think; what they say beyond that stays in `extra`. */
function decodeThinking(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  const type = Members.of(value, 'thinking', "{type: 'enabled', budget_tokens}").requiredString(
    'type',
    "'enabled', 'disabled' or 'adaptive'",
  );
  return type !== 'disabled';
}

/** Writes the settings into a body that may hold members as the client spelled them. */
export function encodeSettings(body: Record<string, unknown>, request: ModelRequest, own: boolean): void {
  const { settings } = request;
  const maxTokens = settings.maxTokens ?? DEFAULT_MAX_TOKENS;
  body.max_tokens = maxTokens;
  if (settings.thinking !== decodeThinking(body.thinking)) {
    delete body.thinking;
    if (settings.thinking === true && mayThink(request, maxTokens)) {
      body.thinking = { type: 'enabled', budget_tokens: Math.max(MIN_BUDGET, Math.floor(maxTokens / 2)) };
    } else if (settings.thinking === false) body.thinking = { type: 'disabled' };
  }
  encodeSampling(body, settings, own);
}

/** The API refuses thoughts beside a forced call, and a budget that is not below the limit. */
function mayThink({ conversation }: ModelRequest, maxTokens: number): boolean {
  const { toolChoice, tools } = conversation;
  return maxTokens > MIN_BUDGET && (tools.length === 0 || toolChoice === 'auto' || toolChoice === 'none');
}

/** Of another API's settings, those this one takes: temperatures end at 1, and thoughts have none. */
function encodeSampling(body: Record<string, unknown>, settings: Settings, own: boolean): void {
  const { temperature, topP, topK, stop } = settings;
  const thinks = !own && decodeThinking(body.thinking) === true;
  const sampling = {
    temperature: own || temperature === undefined ? temperature : Math.min(1, temperature),
    top_p: topP,
    top_k: topK,
  };
  for (const [key, value] of Object.entries(sampling)) {
    if (value !== undefined && !thinks) body[key] = value;
  }
  if (stop !== undefined && (own || stop.length > 0)) body.stop_sequences = stop;
}
