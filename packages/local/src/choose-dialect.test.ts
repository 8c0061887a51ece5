import { findDialect } from '@dragoman/core';
import { describe, expect, it } from 'vitest';
import { chooseDialect, takesWholePrompt } from './choose-dialect.js';
import { ggufBytes, smallModel, sourceOf } from './gguf/gguf-bytes.fixture.js';
import { type GgufInfo, readGgufInfo } from './gguf/gguf-info.js';

const qwen = readGgufInfo(sourceOf(ggufBytes(smallModel)));
const { name: _name, ...nameless } = qwen;
const described = (info: GgufInfo, name = 'model') => ({ name, info });
const templated = (template: string) => described({ ...nameless, template });
const bare: GgufInfo = { architecture: 'x', templates: {}, specialTokens: [], vocabulary: 0, sampling: {} };

describe('the dialect of a file', () => {
  it('is that of the name in the file, else of the file, else of the chat template', () => {
    expect(chooseDialect(described(qwen))).toMatchObject({ by: 'model', dialect: { name: 'hermes' } });
    expect(chooseDialect(described(bare, 'glm-4.5-air-q4'))).toMatchObject({ dialect: { name: 'glm-4.5' } });
    const byTemplate = chooseDialect(templated('<tool_call></tool_call>'));
    expect(byTemplate).toMatchObject({ by: 'template', dialect: { name: 'hermes' } });
    expect(byTemplate.reason).toContain('the chat template writes calls with');
  });

  it('may be one that the template does not look like, and then the reason says so', () => {
    const found = chooseDialect(described({ ...qwen, template: '[TOOL_CALLS]' }));
    expect(found.dialect.name).toBe('hermes');
    expect(found.reason).toContain('its chat template looks like mistral');
  });

  it('is taught where nothing tells it, and the one that was asked for beats all', () => {
    expect(chooseDialect(described(bare))).toMatchObject({ by: 'default', dialect: { name: 'alkaid' } });
    expect(chooseDialect(described(qwen), 'glm-4.5')).toMatchObject({ by: 'given' });
    expect(() => chooseDialect(described(qwen), 'nonesuch')).toThrow('no dialect is called "nonesuch"');
  });
});

describe('the prompt of a file', () => {
  const forDialect = (info: GgufInfo, name: string) =>
    takesWholePrompt(described(info), { dialect: findDialect(name), by: 'given', reason: '' });

  it("is the dialect's own where the vocabulary has its special tokens", () => {
    expect(takesWholePrompt(described(qwen), chooseDialect(described(qwen)))).toBe(true);
    expect(forDialect(qwen, 'hermes')).toBe(true);
  });

  it('is by the chat template where it has others, or the dialect has none', () => {
    expect(forDialect(qwen, 'glm-4.5')).toBe(false);
    expect(forDialect(qwen, 'alkaid')).toBe(false);
  });

  it('needs one of them', () => {
    expect(() => forDialect(bare, 'alkaid')).toThrow('has no chat template');
  });
});
