// Reads and writes sampling settings and thinking.

import type { ModelRequest, Settings } from '../../model/index.js';
import { Members } from '../members.js';
import { limitStops } from '../stop-strings.js';
import { defined, stringOf } from '../values.js';

/** The limit for requests without one: the API demands it. */
const DEFAULT_MAX_TOKENS = 4096;
const MIN_BUDGET = 1024;

export function decodeSettings(body: Members): Settings {
  return defined({
    maxTokens: body.number('max_tokens', { min: 0, whole: true }),
    temperature: body.number('temperature', { min: 0, max: 2 }),
    topP: body.number('top_p', { min: 0, max: 1 }),
    topK: body.number('top_k', { min: 0, whole: true }),
    stop: limitStops(body.strings('stop_sequences'), 'stop_sequences'),
    thinking: decodeThinking(body.peek('thinking')),
    effort: stringOf(body.peek('output_config'), 'effort'),
  });
}

/** Whether thinking is on: `enabled`, `adaptive` and all future types mean yes. Their other members stay in `extra`. */
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

/** Whether thinking is allowed: the API refuses it beside a forced call, and a budget that is not below the limit. */
function mayThink({ conversation }: ModelRequest, maxTokens: number): boolean {
  const { toolChoice, tools } = conversation;
  return maxTokens > MIN_BUDGET && (tools.length === 0 || toolChoice === 'auto' || toolChoice === 'none');
}

/**
 * Writes sampling settings. Those of another API are reduced to what this one takes: a temperature of at most 1, and
 * none with thinking.
 */
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
