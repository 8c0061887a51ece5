import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { bin, manyRuns, type Ran, runAlone } from './many-runs.fixture.js';

// `--jsonl`, of the command as it is built: in one process, and in its own where it is about the streams.

const dragoman = manyRuns();
afterAll(dragoman.end);

type Line = string | object;
const joined = (lines: readonly Line[]) =>
  Buffer.from(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));

function ask(verb: string, lines: readonly Line[], ...argv: string[]) {
  return askBytes(verb, joined(lines), ...argv);
}

async function askBytes(verb: string, input: Buffer, ...argv: string[]) {
  return linesOf(await dragoman([verb, '--jsonl', ...argv], input));
}

function linesOf({ status, stdout, stderr }: Ran): string[] {
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^$|\n$/);
  return stdout.split('\n').slice(0, -1);
}

const call = (args: string) => `<tool_call>{"name": "f", "arguments": ${args}}</tool_call>`;
const messages = [{ role: 'user', content: 'Hi' }];

describe('dragoman parse --jsonl', () => {
  it('answers each line in order, good and bad ones mixed', async () => {
    const answers = (
      await ask('parse', [
        { id: 1, dialect: 'hermes', text: `Hi.${call('{"a": 1,}')}` },
        'nonsense',
        { id: 'two', dialect: 'nope', text: 'x' },
        [1],
        { id: 3, dialect: 'hermes' },
        { id: 4, dialect: 'hermes', text: 'x', chunk: 0 },
        { id: 5, dialect: 'hermes', text: 'x', tools: 5 },
        { dialect: 'hermes', text: 'no id' },
        { id: 6, dialect: 'glm-4.7', text: 'a</think>b', thinking: true },
      ])
    ).map((line) => JSON.parse(line));
    expect(answers[0]).toEqual({
      id: 1,
      text: 'Hi.',
      reasoning: '',
      calls: [{ id: 'call_1', name: 'f', input: { a: 1 }, raw: '{"a":1}' }],
      issues: [],
      repairs: [{ code: 'trailing-comma', range: expect.any(Array) }],
    });
    expect(answers[1]).toEqual({ id: null, error: expect.stringContaining('line 1, column 1') });
    expect(answers[2]).toEqual({ id: 'two', error: expect.stringContaining('no dialect is called "nope"') });
    expect(answers[3]).toEqual({ id: null, error: 'line: expected a JSON object, found a list' });
    expect(answers[4]).toEqual({ id: 3, error: 'text: expected a string, found nothing' });
    expect(answers[5]).toEqual({ id: 4, error: 'chunk: expected a whole number of at least 1, found 0' });
    expect(answers[6]).toEqual({ id: 5, error: expect.stringContaining('tools: expected') });
    expect(answers[7]).toMatchObject({ id: null, text: 'no id' });
    expect(answers[8]).toMatchObject({ id: 6, text: 'b', reasoning: 'a' });
    expect(answers).toHaveLength(9);
  });

  it('says of an issue its code, message and range, and no more', async () => {
    const [answer = ''] = await ask('parse', [{ id: 1, dialect: 'hermes', text: call('{"a').slice(0, 40) }]);
    const { calls, issues } = JSON.parse(answer);
    expect(calls).toEqual([]);
    expect(Object.keys(issues[0])).toEqual(['code', 'message', 'range']);
  });

  it('keeps digits, order and keys', async () => {
    const input = '{"n":12345678901234567890,"m":5.0,"10":1,"2":2,"__proto__":3}';
    const line = `{"id": 5.0, "dialect": "hermes", "text": ${JSON.stringify(call(input))}}`;
    const [answer = ''] = await ask('parse', [line]);
    expect(answer).toContain(`{"id":5.0,`);
    expect(answer).toContain(`"input":${input},"raw":${JSON.stringify(input)}`);
  });

  it('gives the same however the text is cut', async () => {
    const question = { id: 1, dialect: 'hermes', text: `😀${call('{"a": "😀"}')}` };
    const answers = await ask('parse', [question, ...[1, 2, 3, 7].map((chunk) => ({ ...question, chunk }))]);
    expect(new Set(answers).size).toBe(1);
  });

  it('passes over blank lines, and takes CRLF, a byte order mark and a last line without a break', async () => {
    const line = '{"id": 1, "dialect": "hermes", "text": "a"}';
    const answers = await askBytes('parse', Buffer.from(`\ufeff${line}\r\n\r\n  \n${line}\r\n${line}`));
    expect(answers).toHaveLength(3);
    expect(new Set(answers).size).toBe(1);
    expect(await askBytes('parse', Buffer.from(''))).toEqual([]);
  });

  it('answers a line that is no UTF-8, and writes UTF-8 whatever the text', async () => {
    const good = Buffer.from('\n{"id": 1, "dialect": "hermes", "text": "\\ud83d é"}');
    const [bad, fine] = await askBytes('parse', Buffer.concat([Buffer.from([0x22, 0xff, 0x22]), good]));
    expect(JSON.parse(bad ?? '')).toEqual({ id: null, error: 'the line is no UTF-8' });
    expect(fine).toContain('"text":"\\ud83d é"');
  });

  it('takes the options of the command line for lines that do not say', async () => {
    const argv = ['--dialect', 'hermes', '--strict', '--chunk', '2'];
    const [first = '', second = ''] = await ask(
      'parse',
      [
        { id: 1, text: call('{"a": 1,}') },
        { id: 2, dialect: 'glm-4.7', text: 'x' },
      ],
      ...argv,
    );
    expect(JSON.parse(first).issues[0].code).toBe('strict:trailing-comma');
    expect(JSON.parse(second)).toMatchObject({ id: 2, text: 'x' });
  });

  it('answers at once when one line is sent and the next one waits for it', async () => {
    const child = spawn(process.execPath, [bin, 'parse', '--jsonl']);
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    for (const id of [1, 2, 3]) {
      child.stdin.write(`{"id": ${id}, "dialect": "hermes", "text": "a"}\n`);
      const { value } = await answers.next();
      expect(JSON.parse(value).id).toBe(id);
    }
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it('serves many lines, and long ones', async () => {
    const many = Array.from({ length: 20_000 }, (_, id) => ({
      id,
      dialect: 'hermes',
      text: call(`{"a": ${id}}`),
    }));
    const long = { id: 'long', dialect: 'hermes', text: call(JSON.stringify({ a: 'x'.repeat(4_000_000) })) };
    const answers = linesOf(
      runAlone(
        undefined,
        ['parse', '--jsonl'],
        joined([...many, long, { id: 'last', dialect: 'hermes', text: '' }]),
      ),
    );
    expect(answers).toHaveLength(20_002);
    expect(answers.slice(0, 20_000).every((line, id) => line.startsWith(`{"id":${id},`))).toBe(true);
    expect(answers[20_000]?.length).toBeGreaterThan(8_000_000);
    expect(JSON.parse(answers[20_001] ?? '').id).toBe('last');
  });

  it('ends quietly when the reader goes away', async () => {
    const child = spawn(process.execPath, [bin, 'parse', '--jsonl']);
    let said = '';
    child.stderr.on('data', (piece) => {
      said += piece;
    });
    child.stdin.on('error', () => {});
    child.stdout.once('data', () => child.stdout.destroy());
    const line = `${JSON.stringify({ id: 1, dialect: 'hermes', text: 'x'.repeat(1000) })}\n`;
    child.stdin.write(line.repeat(5000));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(said).toBe('');
  });
});

describe('dragoman render --jsonl', () => {
  it('answers each line in order, good and bad ones mixed', async () => {
    const answers = (
      await ask('render', [
        { id: 1, dialect: 'glm-4.5', request: { messages } },
        '{"id": 2',
        { id: 3, dialect: 'glm-4.5' },
        { id: 4, dialect: 'glm-4.5', request: { messages: 5 } },
        { id: 5, dialect: 'glm-4.5', request: { messages }, generate: false },
        { id: 6, dialect: 'glm-4.5', request: { messages }, options: { enable_thinking: false } },
        { id: 7, dialect: 'glm-4.5', request: { messages }, thinking: false },
        { id: 8, dialect: 'glm-4.5', request: { messages }, options: { safety: 'none' } },
        { id: 9, dialect: 'alkaid', request: { messages } },
      ])
    ).map((line) => JSON.parse(line));
    expect(answers).toEqual([
      { id: 1, prompt: '[gMASK]<sop><|user|>\nHi<|assistant|>' },
      { id: null, error: expect.stringContaining('line 1, column 9') },
      { id: 3, error: 'request: expected a chat request, found nothing' },
      { id: 4, error: expect.stringContaining('messages: expected a list') },
      { id: 5, prompt: '[gMASK]<sop><|user|>\nHi' },
      { id: 6, prompt: '[gMASK]<sop><|user|>\nHi/nothink<|assistant|>\n<think></think>' },
      { id: 7, prompt: '[gMASK]<sop><|user|>\nHi/nothink<|assistant|>\n<think></think>' },
      { id: 8, error: 'safety: expected escape, reject, exact, found "none"' },
      { id: 9, messages: [{ role: 'user', content: 'Hi' }] },
    ]);
  });

  it('keeps the digits and the order of the request', async () => {
    const parameters = '{"type": "object", "default": {"b": 5.0, "10": 1e2, "2": 12345678901234567890}}';
    const tool = `{"type": "function", "function": {"name": "f", "parameters": ${parameters}}}`;
    const line = `{"id": 1, "dialect": "glm-4.5", "request": {"messages": [], "tools": [${tool}]}}`;
    const { prompt } = JSON.parse((await ask('render', [line]))[0] ?? '');
    expect(prompt).toContain('"b": 5.0');
    expect(prompt).toContain('"2": 12345678901234567890');
    expect(prompt.indexOf('"10"')).toBeLessThan(prompt.indexOf('"2"'));
  });

  it('gives messages of every dialect where they are asked for', async () => {
    const lines = ['hermes', 'xnl', 'glm-4.7'].map((dialect, id) => ({ id, dialect, request: { messages } }));
    for (const answer of await ask('render', lines, '--messages')) {
      expect(Object.keys(JSON.parse(answer))).toEqual(['id', 'messages']);
    }
  });

  it('teaches in the language and length the options ask for', async () => {
    const tools = [{ type: 'function', function: { name: 'f' } }];
    const line = { id: 1, dialect: 'alkaid', request: { messages, tools } };
    const [full, short, chinese] = (
      await ask('render', [
        line,
        { ...line, options: { short: true } },
        { ...line, options: { language: 'zh' } },
      ])
    ).map((answer) => JSON.parse(answer).messages[0].content as string);
    expect(short?.length).toBeLessThan(full?.length ?? 0);
    expect(chinese).toMatch(/[\u4e00-\u9fff]/);
  });
});
