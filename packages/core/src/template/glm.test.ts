import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { glm45 } from '../dialects/glm/glm-4.5.js';
import { renderPrompt } from '../engine/renderer.js';
import { parseExact } from '../model/index.js';
import { renderTemplate } from './template.js';

const corpus = new URL('../../corpus/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, corpus), 'utf8');
/** The seed of the mission, its line numbers undone. */
const seed = read('seeds/glm-4.5.jinja');

interface Vector {
  name: string;
  generate: boolean;
  options: Record<string, unknown>;
  request: unknown;
  prompt: string;
}

describe('the GLM template', () => {
  const vectors = 'vectors/glm-4.5-prompts.json';
  if (!existsSync(new URL(vectors, corpus))) {
    it.skip(`gives the prompts of ${vectors}, WHICH IS NOT THERE`);
  } else {
    const { cases } = parseExact(read(vectors)) as unknown as { cases: Vector[] };
    for (const { name, generate, options, request, prompt } of cases) {
      it(`gives the vendor's prompt: ${name}`, () => {
        const given = { addGenerationPrompt: generate, variables: options };
        expect(renderTemplate(seed, request, given).text).toBe(prompt);
      });
    }
  }

  for (const name of readdirSync(new URL('conversations/', corpus))) {
    for (const thinking of [undefined, true, false]) {
      it(`gives the bytes of the written-out renderer: ${name}, thinking ${thinking ?? 'as it comes'}`, () => {
        const conversation = parseExact(read(`conversations/${name}/conversation.json`));
        const template = thinking === undefined ? {} : { enable_thinking: thinking };
        const written = renderPrompt(glm45, conversation, { safety: 'exact', template });
        expect(renderTemplate(seed, conversation, { variables: template }).text).toBe(written.text);
      });
    }
  }
});
