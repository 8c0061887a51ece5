// Rendering: a long conversation written by the dialect, and by Jinja from the vendor's own template.

import { existsSync, readFileSync } from 'node:fs';
import { renderPrompt } from '@dragoman/core';
import { renderTemplate } from '@dragoman/core/template';
import { Template } from '@huggingface/jinja';
import { longConversation } from './inputs.js';
import { race } from './measure.js';

export interface RenderingSpeed {
  turns: number;
  characters: number;
  /** Milliseconds a prompt. */
  ours: number;
  /** `renderTemplate`, which reads the template anew each time. */
  door: number;
  /** The engine alone, the template read once. */
  jinja: number | undefined;
  /** All ways gave the same bytes. */
  same: boolean;
}

const places = [
  new URL('../../packages/core/corpus/seeds/glm-4.5.jinja', import.meta.url),
  new URL('../../../shared/seeds/glm-4.5.numbered.jinja', import.meta.url),
];

/** The template, its line numbers undone where it still has them; undefined if it is not on this machine. */
function readSeed(): string | undefined {
  const place = places.find((one) => existsSync(one));
  if (!place) return undefined;
  const text = readFileSync(place, 'utf8');
  return place.pathname.includes('.numbered.') ? text.replace(/^\d+/gm, '') : text;
}

export function renderingSpeed(turns: number): RenderingSpeed | undefined {
  const seed = readSeed();
  if (seed === undefined) return undefined;
  const conversation = longConversation(turns);
  const ours = () => renderPrompt('glm-4.5', conversation, { safety: 'exact' }).text;
  const door = () => renderTemplate(seed, conversation).text;
  const jinja = prepareJinja(seed, conversation);
  const best = race(
    {
      ours: () => ours().length,
      door: () => door().length,
      ...(jinja ? { jinja: () => jinja().length } : {}),
    } as Record<'ours' | 'door' | 'jinja', () => number>,
    10,
  );
  const text = ours();
  return { turns, characters: text.length, ...best, jinja: best.jinja, same: text === door() };
}

/** The engine alone wants arguments as values, as transformers gives them. Undefined if it cannot render this. */
function prepareJinja(
  seed: string,
  request: ReturnType<typeof longConversation>,
): (() => string) | undefined {
  const template = new Template(seed);
  const messages = JSON.parse(JSON.stringify(request.messages), (key, value) =>
    key === 'arguments' ? JSON.parse(value as string) : value,
  );
  const render = () => template.render({ messages, tools: request.tools, add_generation_prompt: true });
  try {
    render();
    return render;
  } catch {
    return undefined;
  }
}
