import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { manyRuns } from './many-runs.fixture.js';

// These tests run the command as it is built, in one process.

const folder = mkdtempSync(join(tmpdir(), 'dragoman-dialect-'));
const runs = manyRuns(folder);
const dragoman = (argv: string[], input = '') => runs(argv, input, { NO_COLOR: '1' });
afterAll(async () => {
  await runs.end();
  rmSync(folder, { recursive: true });
});

function fileOf(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

const jinja = `{%- for m in messages %}{%- if m.tool_calls %}{%- for c in m.tool_calls %}
{{- '<tool_call>\\n<function=' + c.name + '>\\n' }}{%- for k, v in c.arguments|items %}
{{- '<parameter=' + k + '>\\n' + v + '\\n</parameter>\\n' }}{%- endfor %}
{{- '</function>\\n</tool_call>' }}{%- endfor %}{%- endif %}{%- endfor %}`;

const template = fileOf('chat.jinja', jinja);
const config = fileOf('config.json', JSON.stringify({ eos_token: '</s>', chat_template: jinja }));
const several = fileOf(
  'several.json',
  JSON.stringify({
    chat_template: [
      { name: 'default', template: '{{ messages }}' },
      { name: 'tool_use', template: jinja },
    ],
  }),
);
const call = '<tool_call>\n<function=now>\n</function>\n</tool_call>';
const request = JSON.stringify({ messages: [{ role: 'user', content: 'Hi.' }] });

describe('--dialect auto', () => {
  it.each([
    [['--model', 'Qwen/Qwen3-Coder-30B-A3B-Instruct'], 'the name'],
    [['--template', template], 'the chat template writes calls with'],
    [['--template', config], 'the chat template writes calls with'],
    [['--template', several], 'the chat template writes calls with'],
    [['--guess'], 'reads the sample as 1 call'],
    [['--guess', '--model', 'nobody'], 'reads the sample as 1 call'],
  ])('goes by %j, and says so beside the result', async (clues, why) => {
    const { status, stdout, stderr } = await dragoman(
      ['parse', '--dialect', 'auto', '--json', ...clues],
      call,
    );
    expect(stderr).toMatch(/^Dialect qwen3-coder: .*\.\n$/);
    expect(stderr).toContain(why);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).calls).toMatchObject([{ name: 'now' }]);
  });

  it('says nothing where it is to be quiet', async () => {
    const quiet = await dragoman(['parse', '-q', '-d', 'auto', '--template', template], call);
    expect(quiet).toMatchObject({ status: 0, stderr: '' });
  });

  it('names those that fit as well', async () => {
    const text = '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>';
    expect((await dragoman(['parse', '-d', 'auto', '--guess'], text)).stderr).toMatch(
      /^Dialect hermes: .*; so do .*ernie-4\.5/,
    );
  });

  it('renders, holds and explains by it, too', async () => {
    const rendered = await dragoman(['render', '-d', 'auto', '--template', template], request);
    expect(rendered.stdout).toBe((await dragoman(['render', '-d', 'qwen3-coder'], request)).stdout);
    const tools = '[{"name": "now"}]';
    const held = await dragoman(['grammar', '-d', 'auto', '--model', 'glm-4.5'], tools);
    expect(held.stdout).toBe((await dragoman(['grammar', '-d', 'glm-4.5'], tools)).stdout);
    expect(held.stderr).toContain('Dialect glm-4.5: ');
    const bare = '<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>';
    const explained = await dragoman(['explain', '-d', 'auto', '--model', 'GLM-4.7', '--json'], bare);
    expect(JSON.parse(explained.stdout)).toMatchObject({ dialect: 'glm-4.7', confidence: 'open' });
    const file = fileOf('glm.jinja', "{{ '<tool_call>' + name + '<arg_key>' + k + '</arg_key>' }}…");
    expect((await dragoman(['explain', '--template', file], bare)).stderr).toContain(
      'No dialect is known for the template glm.jinja',
    );
  });

  it('answers a question in a chat', async () => {
    const answer = await dragoman(['chat', '--json', '--template', template], 'Hello');
    expect(answer.stderr).toContain('Dialect qwen3-coder: the chat template');
    expect(JSON.parse(answer.stdout)).toMatchObject({ dialect: 'qwen3-coder' });
  });

  it.each([
    [['parse', '-d', 'auto'], '--dialect auto needs --model <name>, --template <file>'],
    [['render', '-d', 'auto'], '--dialect auto needs --model'],
    [['parse', '-d', 'auto', '--model', 'nobody'], 'the dialect could not be determined; name it'],
    [['parse', '-d', 'auto', '--guess'], 'the dialect could not be determined'],
    [['parse', '-d', 'hermes', '--model', 'glm-4.5'], '--model is for --dialect auto: add it'],
    [['parse', '--guess'], '--guess is for --dialect auto: add it'],
    [['parse', '-d', 'auto', '--guess', '--events'], '--guess and --events exclude each other'],
    [['parse', '-d', 'auto', '--guess', '--jsonl'], '--guess and --jsonl exclude each other'],
    [['render', '--template', template, '--model', 'x'], '--model is for --dialect auto'],
    [['chat', '-d', 'hermes', '--template', template], '--template is for --dialect auto'],
    [
      ['dialects', 'hermes', '--model', 'x'],
      'expected a dialect or one of --model, --template, --sample; found both',
    ],
  ])('%j is a sentence on standard error and the code 2', async (argv, message) => {
    const { status, stdout, stderr } = await dragoman(argv, 'Hello.');
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^dragoman: .*\n$/);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  it('answers a template that is not there, or a file without one, with the code 3', async () => {
    const none = fileOf('none.json', '{"eos_token": "</s>"}');
    expect(await dragoman(['parse', '-d', 'auto', '--template', none])).toMatchObject({
      status: 3,
      stderr: 'dragoman: none.json has no chat_template\n',
    });
    expect((await dragoman(['parse', '-d', 'auto', '--template', 'nowhere.jinja'])).status).toBe(3);
  });
});

describe('dragoman dialects, asked which', () => {
  it('says the dialect, why, and how sure that is', async () => {
    const { status, stdout } = await dragoman(['dialects', '--model', 'moonshotai/Kimi-K2-Instruct']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^kimi-k2\n {2}why +the name "moonshotai\/Kimi-K2-Instruct"/);
    expect(stdout).toMatch(/how sure +95 %/);
  });

  it('as JSON, with those that fit as well', async () => {
    const sample = fileOf('sample.txt', '<tool_call>{"name": "now", "arguments": {}}</tool_call>');
    const answer = JSON.parse((await dragoman(['dialects', '--sample', sample, '--json'])).stdout);
    expect(answer).toMatchObject({ dialect: 'hermes', by: 'text', others: ['ernie-4.5'] });
    expect(answer.confidence).toBeLessThan(0.6);
    const told = JSON.parse((await dragoman(['dialects', '--template', config, '--json'])).stdout);
    expect(told).toMatchObject({ dialect: 'qwen3-coder', by: 'template' });
  });

  it('reports that the dialect could not be determined, with the code 1', async () => {
    expect(await dragoman(['dialects', '--model', 'nobody'])).toEqual({
      status: 1,
      stdout: 'The dialect could not be determined.\n',
      stderr: '',
    });
    expect(JSON.parse((await dragoman(['dialects', '--model', 'nobody', '--json'])).stdout)).toEqual({
      dialect: null,
    });
  });
});

// --- a dialect of one's own -------------------------------------------------------------------------------

const own = fileOf(
  'lighthouse.yaml',
  `name: lighthouse
about: JSON between lamps, as our own model writes it.
calls:
  family: json
  open: '[[lamp]]'
  close: '[[dark]]'
  shape: object
  keys: { name: tool, arguments: with }
results:
  each: '[[seen]]{output}[[/seen]]'
turns:
  system: { open: '[[keeper]]', close: '' }
  user: { open: '[[ship]]', close: '' }
  assistant: { open: '[[light]]', close: '' }
`,
);
const lit = 'Yes. [[lamp]]{"tool": "now", "with": {"zone": "UTC"}}[[dark]]';

describe('a dialect in a file', () => {
  it('is read, written, explained and held, wherever a name is taken', async () => {
    const path = `./${own}`;
    const answer = JSON.parse((await dragoman(['parse', '-d', path, '--json'], lit)).stdout);
    expect(answer).toMatchObject({ text: 'Yes. ', calls: [{ name: 'now', input: { zone: 'UTC' } }] });
    expect((await dragoman(['render', '-d', own], request)).stdout).toBe('[[ship]]Hi.[[light]]');
    expect((await dragoman(['render', '-d', path, '--messages'], request)).status).toBe(0);
    expect((await dragoman(['dialects', path])).stdout).toContain('[[lamp]]');
    expect(JSON.parse((await dragoman(['explain', '-d', path, '--json'], lit)).stdout)).toMatchObject({
      dialect: 'lighthouse',
      confidence: 'asked',
    });
    const grammar = await dragoman(['grammar', '-d', path, '--choice', 'required'], '[{"name": "now"}]');
    expect(grammar.stdout).toContain('[[lamp]]');
    expect((await dragoman(['chat', '-d', path, '--json'], 'Hello')).stdout).toContain('"lighthouse"');
  });

  it('is converted to and from', async () => {
    const row = JSON.stringify({ messages: [{ role: 'user', content: 'Hi.' }] });
    const argv = ['convert', '--jsonl', '--from', 'openai', '--to', `messages:./${own}`];
    expect(JSON.parse((await dragoman(argv, `${row}\n`)).stdout)).toMatchObject({
      messages: [{ role: 'user', content: 'Hi.' }],
    });
  });

  it('may be a tokenizer_config.json with a response template, called after its folder', async () => {
    mkdirSync(join(folder, 'beacon-7b'));
    const tool_calls = { open: '<beam>', close: '</beam>', repeats: true, content: 'json' };
    const path = fileOf(
      'beacon-7b/tokenizer_config.json',
      JSON.stringify({ response_template: { fields: { tool_calls } } }),
    );
    const text = '<beam>{"name": "now", "arguments": {}}</beam>';
    expect(JSON.parse((await dragoman(['parse', '-d', path, '--json'], text)).stdout).calls).toMatchObject([
      { name: 'now' },
    ]);
    expect((await dragoman(['dialects', path])).stdout).toMatch(/^beacon-7b\n/);
  });

  const calls = "calls: { family: json, open: '<a>', close: '</a>', shape: object, keys: name-is-key }\n";
  it.each([
    ['nowhere.yaml', undefined, 'nowhere.yaml: there is no such file'],
    ['torn.yaml', 'a: [', 'torn.yaml: expected YAML or JSON'],
    ['nameless.yaml', `about: None.\n${calls}`, '`name` is missing'],
    ['misspelt.yaml', `name: x\nabout: X.\n${calls}ending: []\n`, 'ending: there is no such key'],
    ['family.yaml', 'name: x\nabout: X.\ncalls: { family: yaml }\n', 'calls.family: expected'],
    ['shape.json', '{"name": "x", "about": "X.", "calls": {"family": "json"}}', 'is missing'],
    [
      'lines.json',
      '{"response_template": {"fields": {"tool_calls": {"open": "<c>", "content": "kv-lines"}}}}',
      'calls written as "kv-lines" cannot be said',
    ],
    ['hermes.yaml', `name: qwen25\nabout: X.\n${calls}`, 'name: hermes'],
  ])('%s is answered with the place and what was expected, and the code 2', async (name, text, message) => {
    if (text !== undefined) fileOf(name, text);
    const verb = ['parse', 'render', 'explain', 'grammar'][name.length % 4] as string;
    const { status, stdout, stderr } = await dragoman([verb, '-d', `./${name}`], '{}');
    expect(stderr).toContain(message);
    expect(stderr).toContain(name);
    expect({ verb, status, stdout }).toEqual({ verb, status: 2, stdout: '' });
  });

  it('is spoken of in the help of every verb that takes one', async () => {
    for (const verb of ['parse', 'render', 'explain', 'grammar', 'chat', 'serve', 'dialects']) {
      const help = (await dragoman([verb, '--help'])).stdout.replaceAll(/\s+/g, ' ');
      expect([verb, /file (?:with a dialect|with one)? ?of your own/.test(help)]).toEqual([verb, true]);
    }
  });
});
