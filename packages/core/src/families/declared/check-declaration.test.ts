import { describe, expect, it } from 'vitest';
import { renderPrompt } from '../../engine/renderer.js';
import { checkDeclaration } from './check-declaration.js';
import { defineDialect } from './define-dialect.js';

const turns = {
  system: { open: '[[keeper]]', close: '[[/]]' },
  user: { open: '[[ship]]', close: '[[/]]' },
  assistant: { open: '[[light]]', close: '[[/]]' },
};
const lighthouse = (more: object) => ({
  name: 'lighthouse',
  about: 'JSON between lamps.',
  calls: {
    family: 'json',
    open: '[[lamp]]',
    close: '[[dark]]',
    shape: 'object',
    keys: { name: 'tool', arguments: 'with' },
  },
  ...more,
});

const prompt = (more: object, request: unknown, options = {}) =>
  renderPrompt(
    defineDialect(checkDeclaration(lighthouse({ turns: { ...turns, ...more } }))),
    request,
    options,
  ).text;

describe('A declaration of whole prompts', () => {
  it.each([
    [
      'turns.tools.at',
      { tools: { open: '', close: '', at: 'last-user' } },
      'behind-system or before-last-user',
    ],
    ['turns.tools', { tools: { open: '', close: '' } }, '`at` is missing'],
    ['turns.tools.text', { tools: { open: '', close: '', at: 'before-system', text: 'x' } }, '{tools}'],
    [
      'turns.tools.indent',
      { tools: { open: '', close: '', at: 'before-system', indent: 4 } },
      "layout: 'list'",
    ],
    [
      'turns.tools.indent',
      { tools: { open: '', close: '', at: 'before-system', layout: 'list', indent: 0 } },
      '1 to 8',
    ],
    [
      'turns.tools.each',
      { tools: { open: '', close: '', at: 'before-system', layout: 'list', each: '{tool}' } },
      "layout: 'lines'",
    ],
    ['turns.results.says', { results: { open: '', close: '', says: 'a result' } }, '{output}'],
    [
      'turns.reasoning.kept',
      { reasoning: { open: '', close: '', kept: 'first' } },
      'all, last, since-answer or none',
    ],
    ['turns.generation.always', { generation: { always: 'x' } }, 'usual, thinking or plain'],
    ['turns.trims', { trims: 'yes' }, 'true or false'],
  ])('is refused with its place, %s, and what was expected', (path, more, expected) => {
    const check = () => checkDeclaration(lighthouse({ turns: { ...turns, ...more } }));
    expect(check).toThrow(
      expect.objectContaining({ code: 'bad-dialect', path, message: expect.stringContaining(expected) }),
    );
  });

  it('names a key that is misspelt, not the one that is missing for it', () => {
    const { name, ...rest } = lighthouse({}) as Record<string, unknown>;
    expect(() => checkDeclaration({ nme: name, ...rest })).toThrow(
      expect.objectContaining({
        path: 'nme',
        message: expect.stringContaining('no such key; there are name,'),
      }),
    );
  });

  const user = { role: 'user', content: ' hi ' };

  it('says which system text stands where nobody gave one', () => {
    expect(prompt({ defaultSystem: 'Shine.' }, [user], { generate: false })).toBe(
      '[[keeper]]Shine.[[/]][[ship]] hi [[/]]',
    );
    expect(prompt({}, [user], { generate: false })).toBe('[[ship]] hi [[/]]');
  });

  it('trims what system, user and assistant say', () => {
    const said = [{ role: 'system', content: ' s ' }, user, { role: 'assistant', content: ' a\n' }];
    expect(prompt({ trims: true }, said, { generate: false })).toBe(
      '[[keeper]]s[[/]][[ship]]hi[[/]][[light]]a[[/]]',
    );
  });

  it('gives tools a turn of their own, before or behind the system’s', () => {
    const request = { messages: [{ role: 'system', content: 's' }], tools: [{ name: 'f' }] };
    const tools = { open: '[[box]]', close: '[[/]]', layout: 'list', indent: 2 };
    const listed = '[[box]][\n  {\n    "name": "f"\n  }\n][[/]]';
    const options = { generate: false };
    expect(prompt({ tools: { ...tools, at: 'before-system' } }, request, options)).toBe(
      `${listed}[[keeper]]s[[/]]`,
    );
    expect(prompt({ tools: { ...tools, at: 'behind-system' } }, request, options)).toBe(
      `[[keeper]]s[[/]]${listed}`,
    );
  });

  it('ends with what it says, by whether thinking is asked for', () => {
    const generation = { usual: '?', thinking: '!', plain: '.' };
    const ends = [{}, { thinking: true }, { thinking: false }].map((options) =>
      prompt({ generation }, [user], options).at(-1),
    );
    expect(ends).toEqual(['?', '!', '.']);
  });
});
