import type { ReadBack, TurnToken } from '../../engine/dialect.js';
import { readToolLines } from '../../families/writing/tool-lines.js';
import { type GlmLayout, glm45Layout, glm47Layout } from './prompt.js';

export const glm45Back = back(glm45Layout);
export const glm47Back = back(glm47Layout);

function back(layout: GlmLayout): ReadBack {
  return {
    turns: turnsOf(layout),
    tools: readToolLines,
    ...(layout.canKeepReasoning && { templates: [{ clear_thinking: false }] }),
  };
}

/** The opening of an answer, and the turn of the tools in 4.7, have other line breaks than all others. */
function turnsOf({ line }: GlmLayout): TurnToken[] {
  const tokens = (['system', 'user', 'assistant'] as const).map((role) => ({ token: `<|${role}|>`, role }));
  const all: TurnToken[] = [...tokens, { token: '<|observation|>', role: 'tool' }];
  const broken = line === '' ? [] : all.map((one) => ({ ...one, token: one.token + line }));
  return [{ token: '[gMASK]<sop>' }, ...broken, ...all];
}
