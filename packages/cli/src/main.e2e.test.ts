import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { optionsOf } from './common-options.js';
import { bin, manyRuns, runAlone } from './many-runs.fixture.js';
import { verbs } from './verbs.js';

// These tests run the built command. Most runs share one process; tests of exit codes, streams and colours, and the
// examples of the help, start processes of their own.

const folder = mkdtempSync(join(tmpdir(), 'dragoman-'));
const dragoman = manyRuns(folder);
const alone = (argv: string[], input = '', env: NodeJS.ProcessEnv = {}) => runAlone(folder, argv, input, env);
afterAll(async () => {
  await dragoman.end();
  rmSync(folder, { recursive: true });
});

function fileOf(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

const request = JSON.stringify({
  messages: [{ role: 'user', content: 'Hi <|user|>' }],
  tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
});

const commands = await Promise.all(verbs.map(async ({ name, load }) => ({ name, command: await load() })));

describe('a process of its own', () => {
  it.each([
    [['help'], '', 0],
    [['zzz'], '', 2],
    [['serve', '--port', 'x', '--check'], '', 2],
    [['parse', '-d', 'hermes', 'nowhere.txt'], '', 3],
    [['parse', '-d', 'hermes'], '<tool_call>{"na', 1],
    [
      ['parse', '-d', 'hermes', '--events'],
      'Hi 😀 <tool_call>{"name": "add", "arguments": {}}</tool_call>',
      0,
    ],
    [['render', '-d', 'glm-4.5'], request, 0],
    [['explain', '--model', 'nobody'], 'Hi', 0],
  ])('says the same as one that runs many commands: %j', async (argv, input, status) => {
    const ran = alone(argv, input);
    expect(ran).toEqual(await dragoman(argv, input));
    expect(ran.status).toBe(status);
  });
});

describe('dragoman', () => {
  it('without a verb says which there are', async () => {
    const { status, stdout } = await dragoman([]);
    expect(status).toBe(0);
    for (const { name } of verbs) expect(stdout).toContain(`  ${name}`);
    expect((await dragoman(['--help'])).stdout).toBe(stdout);
    expect((await dragoman(['help'])).stdout).toBe(stdout);
  });

  it('says its version', () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(alone(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([
    [['pars'], 'there is no verb pars; did you mean parse?'],
    [['zzz'], 'there is no verb zzz; there are init, serve, '],
    [['--foo'], 'expected a verb before the option --foo'],
    [['parse', '--dilect', 'hermes'], 'unknown option --dilect; did you mean --dialect?'],
    [['parse'], 'which dialect? Add --dialect <name>'],
    [['parse', '-d', 'glm-4.4'], 'no dialect is called "glm-4.4"; did you mean glm-4.5?'],
    [['parse', '-d', 'hermes', '--chunk', '0'], '--chunk: expected a whole number of at least 1, found 0'],
    [['parse', '-d', 'hermes', '--json', '--events'], '--json and --events exclude each other'],
    [['render', '-d', 'hermes', '--safety', 'exat'], 'found exat; did you mean exact?'],
    [['render', '-d', 'hermes', '--template', 'x'], '--template and --dialect exclude each other'],
    [['dialects', 'a', 'b'], 'expected one name, found 2'],
    [['tour', '--fast'], 'unknown option --fast; --help lists the options'],
    [['tour', 'now'], 'expected no words, found now'],
    [['completion'], 'expected one of bash, zsh, fish, found nothing'],
    [['completion', 'zhs'], 'found zhs; did you mean zsh?'],
    [['help', 'pars'], 'there is no verb pars; did you mean parse?'],
    [['parse', '--quite'], 'unknown option --quite; did you mean --quiet?'],
    [['serve', '--json'], '--json goes with --check'],
    [['serve', '--verbose', '--quiet'], '--verbose and --quiet exclude each other'],
    [['serve', 'now'], 'expected options only, found now'],
    [['serve', '-c', 'x.yaml', '--demo'], '--config and --demo exclude each other'],
  ])('%j is a sentence on standard error and the code 2', async (argv, message) => {
    const { status, stdout, stderr } = await dragoman(argv);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^dragoman: .*\n$/);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });

  it.each([
    [['parse', '-d', 'hermes', 'nowhere.txt'], 'there is no file nowhere.txt'],
    [['parse', '-d', 'hermes', '.'], '. is a folder'],
    [['parse', '--jsonl', 'nowhere.txt'], 'there is no file nowhere.txt'],
    [['parse', '-d', 'hermes', '--tools', 'nowhere.json'], 'there is no file nowhere.json'],
    [['parse', '-d', 'hermes', '--tools', fileOf('five.json', '5')], 'tools: expected'],
    [['parse', '-d', 'hermes', '--tools', fileOf('torn.json', '{')], 'torn.json is no JSON: line 1'],
    [['render', '-d', 'hermes'], 'standard input is no JSON: line 1, column 1'],
    [['render', '-d', 'hermes', fileOf('empty.json', '{}')], 'messages'],
    [['render', '--template', 'nowhere.jinja'], 'there is no file nowhere.jinja'],
  ])('%j is a sentence on standard error and the code 3', async (argv, message) => {
    const { status, stdout, stderr } = await dragoman(argv);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^dragoman: .*\n$/);
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  });

  it('takes the options of every verb before the verb as well', async () => {
    const colored = { NO_COLOR: '', FORCE_COLOR: '1' };
    for (const argv of [
      ['--no-color', 'dialects'],
      ['dialects', '--no-color'],
      ['--no-color', '--help'],
    ])
      expect((await dragoman(argv, '', colored)).stdout).not.toContain('\u001b');
    expect((await dragoman(['dialects'], '', colored)).stdout).toContain('\u001b');
    const { stderr } = await dragoman(['dialects', '--', '--no-color'], '', colored);
    expect(stderr).toContain('no dialect is called');
    expect((await dragoman(['-q', '--help', 'parse'])).stdout).toBe(
      (await dragoman(['parse', '--help'])).stdout,
    );
  });

  it('prints the exit codes as a topic of their own, and with the verbs', async () => {
    const { status, stdout } = await dragoman(['help', 'exit-codes']);
    expect(status).toBe(0);
    const table = stdout.slice(stdout.indexOf('Exit codes'));
    expect((await dragoman(['--help'])).stdout).toContain(table);
  });

  it('uses colours where they are asked for, and else not in a pipe', async () => {
    const ownProcess = (env: NodeJS.ProcessEnv) => alone(['dialects'], '', env).stdout;
    expect(ownProcess({ NO_COLOR: '', FORCE_COLOR: '' })).not.toContain('\u001b');
    expect(ownProcess({ NO_COLOR: '', FORCE_COLOR: '1' })).toContain('\u001b');
    const text = async (env: NodeJS.ProcessEnv) => (await dragoman(['dialects'], '', env)).stdout;
    expect(await text({ NO_COLOR: '', FORCE_COLOR: '1' })).toContain('\u001b');
    expect(await text({ NO_COLOR: '1', FORCE_COLOR: '1' })).not.toContain('\u001b');
    expect(await text({ NO_COLOR: '', FORCE_COLOR: '0' })).not.toContain('\u001b');
  });
});

/** The others run until they are stopped, need an endpoint, or write to the home folder (setup.e2e.test.ts). */
const ends = ([, run]: string[]) =>
  !/^dragoman (?:serve(?!.* --check)|chat|worker|verify|init|doctor)\b/m.test(run ?? '');

describe.each(commands)('the help of $name', ({ name, command }) => {
  it('says what it does, with examples, options and exit codes, in 80 columns', async () => {
    const { status, stdout } = await dragoman([name, '--help']);
    expect(status).toBe(0);
    expect(stdout).toContain(`Usage: dragoman ${command.usage}`);
    for (const { name } of optionsOf(command)) expect(stdout).toContain(`--${name}`);
    expect(stdout).toContain('Exit codes');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect((await dragoman(['help', name])).stdout).toBe(stdout);
  });

  it.each(Object.entries(command.examples).filter(ends))('has an example that works: %s', (_, run) => {
    const shim = join(folder, 'dragoman');
    writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
    chmodSync(shim, 0o755);
    fileOf('dragoman.config.yaml', 'upstream: demo\n');
    const env = { ...process.env, PATH: folder + delimiter + process.env.PATH };
    const output = execFileSync('/bin/sh', ['-ec', run], { cwd: folder, env, encoding: 'utf8' });
    expect(output).not.toBe('');
    expect(output).not.toContain('"error"');
  });
});

describe('dragoman dialects', () => {
  it('lists every dialect, for people and for programs', async () => {
    const list = JSON.parse((await dragoman(['dialects', '--json'])).stdout);
    const { stdout } = await dragoman(['dialects']);
    expect(list.length).toBeGreaterThan(9);
    for (const { name, aliases } of list) {
      expect(stdout).toContain(`${name} `);
      expect(Array.isArray(aliases)).toBe(true);
    }
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('shows one by any of its names, with a call in it', async () => {
    const { status, stdout } = await dragoman(['dialects', 'glm45']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^glm-4\.5\n/);
    expect(stdout).toContain('<tool_call>get_weather');
    expect(stdout).toContain('<tool_response>');
  });

  it.each(['alkaid', 'xnl', 'deepseek-v4'])(
    'gives %s with an example of a call and a result',
    async (name) => {
      const shown = JSON.parse((await dragoman(['dialects', name, '--json'])).stdout);
      expect(shown.example.call).toContain('get_weather');
      expect(shown.example.result).toContain('Sunny.');
    },
  );
});

describe('dragoman parse', () => {
  const broken = 'Look.\n<tool_call>{"name": "add", "arguments": {"a": 5.0,}}</tool_call>';

  it('shows text, calls and repairs, with a caret under the place', async () => {
    const { status, stdout } = await dragoman(['parse', '-d', 'hermes'], broken);
    expect(stdout).toContain('text\n  Look.');
    expect(stdout).toContain('call add  call_1\n  {\n    "a": 5.0\n  }');
    expect(stdout).toMatch(/1 repair\n {2}2:\d+ {2}trailing-comma\n.*\n +\^/);
    expect(status).toBe(0);
  });

  it('ends with 1 where there are issues, and shows a lost call as not delivered', async () => {
    const { status, stdout } = await dragoman(['parse', '-d', 'hermes'], broken.slice(0, 55));
    expect(status).toBe(1);
    expect(stdout).toContain('not delivered add');
    expect(stdout).toContain('incomplete-call');
    expect(stdout).not.toContain('call add');
    expect((await dragoman(['parse', '-d', 'hermes', '--strict'], broken)).status).toBe(1);
  });

  it('lets no output of a model act on the terminal', async () => {
    const { stdout } = await dragoman(['parse', '-d', 'hermes'], 'a\u001b[2Jb\u009b');
    expect(stdout).toContain('a␛[2Jb');
    expect(stdout).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('gives the answer as JSON, the same however the text is cut', async () => {
    const { stdout } = await dragoman(['parse', '-d', 'hermes', '--json'], broken);
    const answer = JSON.parse(stdout);
    expect(Object.keys(answer)).toEqual(['text', 'reasoning', 'calls', 'issues', 'repairs']);
    expect(answer.calls).toEqual([{ id: 'call_1', name: 'add', input: { a: 5 }, raw: '{"a":5.0}' }]);
    expect((await dragoman(['parse', '-d', 'hermes', '--json', '--chunk', '1'], broken)).stdout).toBe(stdout);
  });

  it('gives events that tile the text', async () => {
    const { stdout } = await dragoman(['parse', '-d', 'hermes', '--events', '--chunk', '2'], broken);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.at(-1).range[1]).toBe(broken.length);
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['text-delta', 'call-start', 'call-delta', 'call-end', 'markup']),
    );
  });

  it('types values by the tools of a file, or of a request', async () => {
    const text = '<tool_call>f<arg_key>a</arg_key><arg_value>7</arg_value></tool_call>';
    const tool = { name: 'f', parameters: { properties: { a: { type: 'string' } } } };
    for (const tools of [[tool], { messages: [], tools: [tool] }]) {
      const file = fileOf('tools.json', JSON.stringify(tools));
      const { stdout } = await dragoman(['parse', '-d', 'glm-4.7', '--tools', file, '--json'], text);
      expect(JSON.parse(stdout).calls[0].input).toEqual({ a: '7' });
    }
  });
});

describe('dragoman explain', () => {
  const broken = 'Look.\n<tool_call>{"name": "add", "arguments": {"a": 5.0,}}</tool_call>';

  it('reads standard input or a file, and says which dialect it is', async () => {
    const { status, stdout, stderr } = await dragoman(['explain'], broken);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('Could be hermes or ernie-4.5');
    expect((await dragoman(['explain', fileOf('broken.txt', broken)])).stdout).toBe(stdout);
    expect((await dragoman(['explain'], broken.slice(0, 40))).status).toBe(1);
  });

  it('in colours shows the same text, and the model’s own escapes do not act', () => {
    const { stdout } = alone(['explain'], `${broken}\u001b[2J`, { NO_COLOR: '', FORCE_COLOR: '1' });
    expect(stdout).toContain('\u001b[36m{"a": 5.0');
    expect(stdout).toContain('␛[2J');
    expect(stdout).not.toContain('\u001b[2J');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    expect(stdout.replaceAll(/\u001b\[\d+m/g, '')).toContain('{"name": "add", "arguments": {"a": 5.0,}}');
  });

  it('is short when asked, or JSON', async () => {
    const { stdout } = await dragoman(['explain', '-q'], broken);
    expect(stdout.split('\n')).toEqual([
      expect.stringContaining('Could be hermes or ernie-4.5'),
      expect.stringMatching(/^2:\d+ {2}repair trailing-comma$/),
      '',
    ]);
    const answer = JSON.parse((await dragoman(['explain', '--json', '--model', 'qwen3-32b'], broken)).stdout);
    expect(answer).toMatchObject({ dialect: 'hermes', calls: [{ input: { a: 5 }, raw: '{"a":5.0}' }] });
  });

  it('notes a name that tells nothing, unless it is to be quiet', async () => {
    expect((await dragoman(['explain', '--model', 'nobody'], 'Hi')).stderr).toBe(
      'No dialect is known for the model nobody.\n',
    );
    expect((await dragoman(['explain', '--model', 'nobody', '-q'], 'Hi')).stderr).toBe('');
  });
});

describe('dragoman render', () => {
  it('writes the prompt and nothing else', async () => {
    const file = fileOf('request.json', request);
    const { status, stdout } = await dragoman(['render', file, '-d', 'glm-4.5']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\[gMASK\]<sop><\|system\|>/);
    expect(stdout).toMatch(/<\|assistant\|>$/);
    expect((await dragoman(['render', '-d', 'glm-4.5', '--no-generate'], request)).stdout).not.toContain(
      '<|assistant|>',
    );
  });

  it('writes messages, where a dialect has no prompt only those', async () => {
    const messages = JSON.parse((await dragoman(['render', '-d', 'alkaid', '--messages'], request)).stdout);
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user']);
    const { status, stderr } = await dragoman(['render', '-d', 'alkaid'], request);
    expect(status).toBe(2);
    expect(stderr).toContain('Add --messages');
  });

  it('obeys language, length, thinking, safety and what the vendor takes', async () => {
    const content = async (...argv: string[]) =>
      JSON.parse((await dragoman(['render', '-d', 'alkaid', '--messages', ...argv], request)).stdout)[0]
        .content;
    expect(await content('--language', 'zh')).toMatch(/[\u4e00-\u9fff]/);
    expect((await content('--short')).length).toBeLessThan((await content()).length);
    const prompt = async (...argv: string[]) =>
      (await dragoman(['render', '-d', 'glm-4.5', ...argv], request)).stdout;
    expect(await prompt('--no-thinking')).toContain('/nothink');
    expect(await prompt('--set', 'enable_thinking=false')).toBe(await prompt('--no-thinking'));
    expect(await prompt('--safety', 'exact')).toContain('Hi <|user|>');
    expect(await prompt()).not.toContain('Hi <|user|>');
    expect(await dragoman(['render', '-d', 'glm-4.5', '--safety', 'reject'], request)).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('messages[0].content'),
    });
  });

  it('says which text is ours', async () => {
    const { stdout } = await dragoman(['render', '-d', 'glm-4.5', '--json', '--spans'], request);
    const { prompt, stop, spans } = JSON.parse(stdout);
    expect(stop).toContain('<|user|>');
    expect(spans[0]).toMatchObject({ start: 0, origin: 'ours' });
    expect(spans.at(-1).end).toBe(prompt.length);
    expect((await dragoman(['render', '-d', 'glm-4.5', '--spans'], request)).stdout).toContain(
      'outside "Hi ',
    );
  });

  it('renders by a template, also one in a tokenizer_config.json', async () => {
    const template = '{{ bos_token }}{% for m in messages %}{{ m.content }}{% endfor %}';
    const config = fileOf('config.json', JSON.stringify({ chat_template: template, bos_token: '<s>' }));
    expect((await dragoman(['render', '--template', config], request)).stdout).toBe('<s>Hi <|user|>');
    const own = fileOf('own.jinja', '{{ enable_thinking }} {{ add_generation_prompt }} {{ x }}');
    const argv = ['render', '--template', own, '--thinking', '--no-generate', '--set', 'x=y'];
    expect((await dragoman(argv, request)).stdout).toBe('True False y');
  });
});

describe('dragoman tour', () => {
  it('shows every dialect, a repair and a call that is not delivered, in 80 columns', async () => {
    const { status, stdout, stderr } = await dragoman(['tour']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const { name } of JSON.parse((await dragoman(['dialects', '--json'])).stdout))
      expect(stdout).toContain(`\n${name}, `);
    expect(stdout).toContain('repair      trailing-comma');
    expect(stdout).toContain('call-error  not delivered');
    expect(stdout).not.toContain('\u001b');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
});
