// `dragoman chat` as a person sees it: in a real terminal, with the demo model, scripted models, the tools of this
// machine and a real MCP server.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { acceptConversation } from '@dragoman/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedReply, startTextModel, type TextModel } from '../scripted/text-model.js';
import { findTmux, startTerminal, type Terminal, type TerminalOptions } from './tmux.fixture.js';

const bin = fileURLToPath(new URL('../../packages/cli/bin/dragoman.js', import.meta.url));
const everything = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);
const tmux = await findTmux();

let folder: string;
let model: TextModel;
const terminals: Terminal[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-chat-'));
  model = await startTextModel();
});
afterEach(async () => {
  for (const terminal of terminals.splice(0)) await terminal.close();
});
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A chat with the demo model, ready to be typed to. */
async function chat(argv: readonly string[], options: TerminalOptions = {}): Promise<Terminal> {
  const env = {
    XDG_STATE_HOME: join(folder, 'state'),
    OPENAI_BASE_URL: '',
    ANTHROPIC_BASE_URL: '',
    NO_COLOR: undefined,
  };
  const command = [process.execPath, bin, 'chat', ...argv];
  const terminal = await startTerminal(command, {
    cwd: folder,
    rows: 50,
    ...options,
    env: { ...env, ...options.env },
  });
  terminals.push(terminal);
  await terminal.shows(/^>/m);
  return terminal;
}

/** A chat with a model that gives these replies, in hermes. */
async function scripted(
  replies: readonly ScriptedReply[],
  argv: readonly string[] = [],
  options: TerminalOptions = {},
): Promise<Terminal> {
  model.script(...replies);
  return chat(['--upstream', model.url, '--model', 'm', '--dialect', 'hermes', ...argv], options);
}

function call(name: string, input: object): string {
  return `<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>`;
}

function lastQuestion(): unknown {
  return model.requests.at(-1)?.body.messages?.at(-1)?.content;
}

describe.skipIf(!tmux)('a chat with the demo model', () => {
  it('says what it is, answers, and ends with Ctrl-D', async () => {
    const terminal = await chat([]);
    const greeting = await terminal.screen();
    expect(greeting).toContain('demo, in alkaid, taught by a prompt');
    expect(greeting).toContain('a few rules, no neural network');
    expect(greeting).toContain('No tools: --tools sys');
    await terminal.type('Hello', 'Enter');
    const screen = await terminal.shows(/nothing to say\.\n\n>$/);
    expect(screen).toContain('> Hello\n\nI am Dragoman');
    await terminal.type('C-d');
    expect(await terminal.ended()).toBe(0);
  });

  it('reads and writes files with the tools of this machine, in a dialect by its name', async () => {
    writeFileSync(join(folder, 'poem.txt'), 'Roses are red\n');
    const terminal = await chat(['--tools', 'sys', '--thinking', '--model', 'demo/glm-4.5']);
    await terminal.type('Read poem.txt', 'Enter');
    const read = await terminal.shows(/came back\.\)\n\n>$/);
    expect(read).toContain('fit read_file. I will call it.');
    expect(read).toContain('→ read_file {"path":"poem.txt"}\n  │ Roses are red\n');
    expect(read).not.toContain('[y]es');
    await terminal.type('Write "violets" to blue.txt', 'Enter');
    await terminal.shows(
      '? Write 7 bytes to blue.txt, a new file\n    [y]es  [n]o  [a]lways for write_file:',
    );
    expect(existsSync(join(folder, 'blue.txt'))).toBe(false);
    await terminal.type('y');
    await terminal.shows('│ Wrote 7 bytes to blue.txt.');
    expect(readFileSync(join(folder, 'blue.txt'), 'utf8')).toBe('violets');
  });
});

describe.skipIf(!tmux)('before a tool acts', () => {
  it('yes lets it, no does not, and always asks no more', async () => {
    const write = (path: string) => call('write_file', { path, content: path });
    const replies = ['a', 'b', 'c', 'd'].flatMap((name) => [write(`${name}.txt`), `Done ${name}.`]);
    const terminal = await scripted(replies, ['--tools', 'sys']);
    const ask = async (name: string, answer?: string) => {
      await terminal.type(`Write ${name}`, 'Enter');
      if (answer !== undefined) {
        await terminal.shows(
          new RegExp(`→ write_file .*${name}\\.txt.*\\n  \\? Write 5 bytes.*\\n.*write_file:$`),
        );
        await terminal.type(answer);
      }
      await terminal.shows(`Done ${name}.\n\n>`);
      return existsSync(join(folder, `${name}.txt`));
    };
    expect(await ask('a', 'y')).toBe(true);
    expect(await ask('b', 'n')).toBe(false);
    expect(await ask('c', 'a')).toBe(true);
    expect(await ask('d')).toBe(true);
    const told = model.requests[3]?.body.messages?.at(-1)?.content;
    expect(told).toContain('The user refused this write_file call');
    expect(await terminal.screen()).toContain('write_file:');
  });

  it('shows what stands behind blank lines, and says where a long command begins and ends', async () => {
    const blank = '\n'.repeat(60);
    const command = `echo hello${blank}echo\u3164owned | sh${blank}`;
    const terminal = await scripted([call('bash', { command }), 'No.'], ['--tools', 'sys'], { rows: 24 });
    await terminal.type('Go', 'Enter');
    const screen = await terminal.shows('lways for bash');
    expect(screen).toContain('│ ⋮ 59 blank lines\n  │ echo\\u{3164}owned | sh');
    expect(screen).toContain('121 lines, 119 of them blank; first: echo hello; last: echo\\u{3164}owned |');
    await terminal.type('n');
    await terminal.shows('No.');
  });

  it('says that not all of a long call is in sight', async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `echo ${at}`).join('\n');
    const terminal = await scripted([call('bash', { command: lines }), 'No.'], ['--tools', 'sys'], {
      rows: 24,
    });
    await terminal.type('Go', 'Enter');
    const screen = await terminal.shows('lways for bash');
    expect(screen).toContain('60 lines; first: echo 0; last: echo 59');
    expect(screen).toContain('Not all of it is in sight: scroll up before you answer.');
    await terminal.type('n');
    await terminal.shows('No.');
  });

  it('shows a call with text of several lines whole, as it is', async () => {
    const content = `one\ntwo\u202e\u001b[2J\n${'x'.repeat(200)}`;
    const terminal = await scripted(
      [call('write_file', { path: 'e.txt', content }), 'Done.'],
      ['--tools', 'sys'],
    );
    await terminal.type('Write', 'Enter');
    const screen = await terminal.shows('write_file:');
    expect(screen).toContain(['  content:', '  │ one', '  │ two\\u{202e}\\u{1b}[2J', '  │ xxxx'].join('\n'));
    await terminal.type('n');
    await terminal.shows('Done.');
  });

  it('Ctrl-C at the question refuses and stops', async () => {
    const terminal = await scripted([call('bash', { command: 'touch f.txt' }), 'Later.'], ['--tools', 'sys']);
    await terminal.type('Go', 'Enter');
    await terminal.shows('[a]lways for bash:');
    await terminal.type('C-c');
    await terminal.shows(/Stopped\. Ctrl-C again leaves\.\n\n>$/);
    expect(existsSync(join(folder, 'f.txt'))).toBe(false);
    await terminal.type('And now?', 'Enter');
    await terminal.shows('Later.');
  });
});

describe.skipIf(!tmux)('the tools of an MCP server', () => {
  async function useEcho(server: string): Promise<void> {
    const terminal = await chat(['--mcp', server], { rows: 60 });
    expect(await terminal.screen()).toMatch(/Tools: \d+ of mcp-servers\/everything, by MCP/);
    await terminal.type('/tools', 'Enter');
    await terminal.shows(/ {2}echo +asks first {2}Echoes back/);
    await terminal.type('echo "hello mcp"', 'Enter');
    await terminal.shows('→ echo {"message":"hello mcp"}\n  ? May echo run?');
    await terminal.type('y');
    await terminal.shows(/│ Echo: hello mcp\n[\s\S]*came back\.\)\n\n>$/);
    await terminal.type('/quit', 'Enter');
    expect(await terminal.ended()).toBe(0);
  }

  it('come over stdio', () => useEcho(`${process.execPath} ${everything} stdio`));

  it('come over streamable HTTP', async () => {
    const port = await freePort();
    const env = { ...process.env, PORT: String(port) };
    const server = spawn(process.execPath, [everything, 'streamableHttp'], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      await saysListening(server);
      await useEcho(`http://127.0.0.1:${port}/mcp`);
    } finally {
      server.kill('SIGKILL');
    }
  });

  it('that do not start are an error with the code 4, and what the server said', async () => {
    const failing = `${process.execPath} -e "console.error('no database'); process.exit(1)"`;
    const terminal = await startTerminal([process.execPath, bin, 'chat', '--mcp', failing], { columns: 120 });
    terminals.push(terminal);
    expect(await terminal.ended()).toBe(4);
    const screen = await terminal.screen();
    expect(screen).toContain('dragoman: the MCP server');
    expect(screen).toContain('did not start');
    expect(screen).toContain('no database');
  });
});

describe.skipIf(!tmux)('Ctrl-C', () => {
  const slow = { text: `Once ${'upon a time '.repeat(200)}`, delay: 20, pieces: 12 };

  it('stops an answer, and the conversation goes on', async () => {
    const terminal = await scripted([slow, 'Hello again.']);
    await terminal.type('Tell', 'Enter');
    await terminal.shows('upon a time upon');
    await terminal.type('C-c');
    await terminal.shows(/Stopped\. Ctrl-C again leaves\.\n\n>$/);
    expect(await model.requests[0]?.over).toBe(true);
    await terminal.type('Hi', 'Enter');
    await terminal.shows('Hello again.\n\n>');
    const said = model.requests[1]?.body.messages?.map(({ role }) => role);
    expect(said).toEqual(['user', 'assistant', 'user']);
  });

  it('twice leaves', async () => {
    const terminal = await scripted([slow]);
    await terminal.type('Tell', 'Enter');
    await terminal.shows('upon');
    await terminal.type('C-c');
    await terminal.shows('Stopped.');
    await terminal.type('C-c');
    expect(await terminal.ended()).toBe(130);
  });

  it('at the prompt clears the line, then says how to leave, then leaves', async () => {
    const terminal = await chat([]);
    await terminal.type('half a word', 'C-c');
    await terminal.shows(/> half a word\n>$/);
    await terminal.type('C-c');
    await terminal.shows('Ctrl-C again leaves; so does Ctrl-D.');
    await terminal.type('C-c');
    expect(await terminal.ended()).toBe(130);
  });
});

describe.skipIf(!tmux)('what is typed', () => {
  it('goes on behind a backslash, and in a paste', async () => {
    const terminal = await scripted(['One.', 'Two.', 'Three.']);
    await terminal.type('first \\', 'Enter');
    await terminal.shows('…');
    await terminal.type('second', 'Enter');
    await terminal.shows('One.\n\n>');
    expect(lastQuestion()).toBe('first \nsecond');
    await terminal.paste('def f():\n\treturn 1\n');
    await terminal.shows('> def f():␤␉return 1');
    await terminal.type(' ?', 'Enter');
    await terminal.shows('Two.\n\n>');
    expect(lastQuestion()).toBe('def f():\n\treturn 1 ?');
    const long = Array.from({ length: 300 }, (_, line) => `line ${line}`).join('\n');
    await terminal.paste(long);
    await terminal.shows('> [#1: 300 lines]');
    await terminal.type('Enter');
    await terminal.shows('Three.\n\n>');
    expect(lastQuestion()).toBe(long);
  });

  it('comes back with the arrow keys, in the next chat as well, and no secret is kept', async () => {
    const env = { XDG_STATE_HOME: join(folder, 'history') };
    const key = 'a-secret-of-mine';
    const first = await scripted(['One.', 'Two.', 'Three.'], ['--upstream-key', key], { env });
    for (const [line, reply] of [
      ['remember me', 'One.'],
      [`is ${key} right?`, 'Two.'],
      ['two \\', ''],
      ['lines', 'Three.'],
    ] as const) {
      await first.type(line, 'Enter');
      await first.shows(reply === '' ? '…' : `${reply}\n\n>`);
    }
    await first.type('Up');
    await first.shows(/> two ␤lines$/);
    await first.type('C-c', 'C-d');
    const file = join(folder, 'history', 'dragoman', 'chat-history');
    expect(readFileSync(file, 'utf8')).toBe('"remember me"\n"two ␤lines"\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const second = await scripted(['Four.'], ['--no-history'], { env });
    await second.type('Up', 'x');
    await second.shows(/> x$/);
    const third = await scripted(['Four.'], [], { env });
    await third.type('Up', 'Up');
    await third.shows(/> remember me$/);
    await third.type('Enter');
    await third.shows('Four.');
    expect(lastQuestion()).toBe('remember me');
  });

  it('behind a slash is about the chat', async () => {
    const terminal = await scripted(['<tool_call>list_files\n</tool_call>', 'Done.'], ['--tools', 'sys']);
    await terminal.type('/dia', 'Tab');
    await terminal.shows('> /dialect');
    await terminal.type('glm-4.7', 'Enter');
    await terminal.shows('Now in glm-4.7, as you chose.');
    await terminal.type('/dialekt', 'Enter');
    await terminal.shows('there is no /dialekt; did you mean /dialect?');
    await terminal.type('/dialect nope', 'Enter');
    await terminal.shows('no dialect is called "nope"');
    await terminal.type('/tools', 'Enter');
    await terminal.shows(/bash +asks first[\s\S]*read_file +only looks/);
    await terminal.type('/model', 'Enter');
    await terminal.shows('m. The upstream does not list its models.');
    await terminal.type('/help', 'Enter');
    await terminal.shows('/dialect [name]');
    await terminal.type('List', 'Enter');
    await terminal.shows(/→ list_files \{\}\n[\s\S]*Done\.\n\n>$/);
    await terminal.type('/clear', 'Enter');
    await terminal.shows('Forgotten.');
  });

  it('/save writes a request that is read again', async () => {
    writeFileSync(join(folder, 'taken.json'), 'mine');
    const replies = [`Let me see.\n${call('list_files', { path: '.' })}`, 'Some files.'];
    const terminal = await scripted(replies, ['--tools', 'sys', '--system', 'Be brief.']);
    await terminal.type('What is here?', 'Enter');
    await terminal.shows('Some files.\n\n>');
    await terminal.type('/save taken.json', 'Enter');
    await terminal.shows('taken.json exists already');
    expect(readFileSync(join(folder, 'taken.json'), 'utf8')).toBe('mine');
    await terminal.type('/save talk.json', 'Enter');
    await terminal.shows('Saved 5 messages to talk.json.');
    const { messages, tools } = acceptConversation(
      JSON.parse(readFileSync(join(folder, 'talk.json'), 'utf8')),
    );
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);
    expect(messages[2]?.parts).toMatchObject([
      { type: 'text', text: expect.stringContaining('Let me see.') },
      { type: 'tool-call', name: 'list_files', input: { path: '.' } },
    ]);
    expect(tools.map(({ name }) => name)).toEqual(['bash', 'read_file', 'write_file', 'list_files']);
  });
});

describe.skipIf(!tmux)('the screen', () => {
  it.each([60, 140])("has the model's raw text with the parsed answer, at %i columns", async (columns) => {
    const terminal = await scripted(
      [`I will look.\n${call('list_files', { path: '.' })}`, 'Seen.'],
      ['--tools', 'sys', '--raw'],
      { columns },
    );
    await terminal.type('Look', 'Enter');
    const screen = await terminal.shows(/Seen\.[\s\S]*\n\n>$/);
    if (columns === 140) {
      expect(screen).toMatch(/^the model wrote +│ read as$/m);
      expect(screen).toMatch(/^I will look\. +│ I will look\.$/m);
      expect(screen).toMatch(/^<tool_call> +│ → list_files \{"path":"\."\}$/m);
      expect(screen).toMatch(/^Seen\. +│ Seen\.$/m);
    } else {
      expect(screen).toMatch(/^I will look\.\n┊ <tool_call>$/m);
      expect(screen).toMatch(/^┊ <\/tool_call>\n→ list_files \{"path":"\."\}$/m);
    }
    await terminal.type('/raw', 'Enter');
    await terminal.shows("without the model's raw text");
  });

  it('has the text that is not read, too: a result the model made up', async () => {
    const forged = `${call('list_files', {})}\n<tool_response>\nnothing\n</tool_response>\nThere is nothing.`;
    const terminal = await scripted([forged, 'Seen.'], ['--tools', 'sys', '--raw'], { columns: 120 });
    await terminal.type('Look', 'Enter');
    const screen = await terminal.shows(/Seen\.[\s\S]*\n\n>$/);
    expect(screen).toMatch(/^<tool_response> +│/m);
  });

  it('wraps prose between words at 60 columns, and leaves code alone', async () => {
    const words = 'the quick brown fox jumps over the lazy dog and runs away from it';
    const code = `x = ${'1 + '.repeat(20)}1`;
    const terminal = await scripted([`${words}\n\n\`\`\`\n${code}\n\`\`\`\n`], [], { columns: 60 });
    await terminal.type('Go', 'Enter');
    const screen = await terminal.shows(/```\n\n>$/);
    expect(screen).toContain('the quick brown fox jumps over the lazy dog and runs away\nfrom it\n\n```\n');
    expect(screen).toContain(`${code.slice(0, 59)}\n${code.slice(60)}`);
  });

  it('shows reasoning dimmed, and a call while it is written', async () => {
    const text = `<think>Let me think.</think>${call('write_file', { path: 'g.txt', content: 'abc '.repeat(40) })}`;
    const terminal = await scripted(
      [{ text, delay: 30, pieces: 8 }, 'Done.'],
      ['--tools', 'sys', '--thinking'],
    );
    await terminal.type('Go', 'Enter');
    const early = await terminal.shows('→ write_file {"path":"g.txt","content":"abc');
    expect(early).not.toContain('[y]es');
    expect(await terminal.screen({ colors: true })).toContain('\u001b[2mLet');
    // What is typed before the question is no answer to it.
    await terminal.type('y');
    await terminal.shows(/write_file:$/);
    await terminal.type('n');
    await terminal.shows('Done.\n\n>');
    expect(existsSync(join(folder, 'g.txt'))).toBe(false);
  });

  it('folds long results, and /show unfolds them', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `row ${at + 1}`);
    writeFileSync(join(folder, 'rows.txt'), lines.join('\n'));
    const terminal = await scripted([call('read_file', { path: 'rows.txt' }), 'Read.'], ['--tools', 'sys']);
    await terminal.type('Read', 'Enter');
    const screen = await terminal.shows('Read.\n\n>');
    expect(screen).toContain('  │ row 6\n  … 34 more lines: /show 1\n');
    expect(screen).not.toContain('row 7');
    await terminal.type('/show', 'Enter');
    await terminal.shows('read_file\nrow 1\n', { scrolled: true });
    await terminal.shows('row 40');
  });

  it('says what was wrong with an answer in a line, and what to do', async () => {
    const broken = '<tool_call>\n{"name": "list_files", "arguments": {"path": ".",}}\n</tool_call>';
    const terminal = await scripted([broken, 'Done.'], ['--tools', 'sys']);
    await terminal.type('Go', 'Enter');
    const screen = await terminal.shows('Done.\n\n>');
    expect(screen).toMatch(
      / {2}1 repair: trailing-comma\. To see where: .*\n? *.*dragoman\s+explain answer\.txt -d\s+hermes/,
    );
    await terminal.type('/text', 'Enter');
    await terminal.shows('> /text\n<tool_call>\n{"name": "list_files", "arguments": {"path": ".",}}');
    await terminal.type('/text answer.txt', 'Enter');
    await terminal.shows('Written to answer.txt.');
    expect(readFileSync(join(folder, 'answer.txt'), 'utf8')).toBe(broken);
  });

  it('says that a model was asked again, and why', async () => {
    const unreadable = '<tool_call>\n{"name": "list_files", "arguments": \n</tool_call>';
    const terminal = await scripted([unreadable, 'Sorry.'], ['--tools', 'sys']);
    await terminal.type('Go', 'Enter');
    const screen = await terminal.shows('Sorry.');
    expect(screen).toContain('Asked again:');
  });

  it('is never moved, cleared or coloured by what a model or a tool says', async () => {
    const evil = 'A\u001b[2J\u001b[H\u001b[31mB\u001b]0;owned\u0007C\rD\u009b2JE\u202eF';
    writeFileSync(join(folder, 'evil.txt'), evil);
    const reasoning = `<think>${evil}</think>`;
    const replies = [
      reasoning + evil + call('read_file', { path: 'evil.txt', [evil]: evil }),
      call('read_file', { path: 'evil.txt' }),
      'End.',
    ];
    const terminal = await scripted(replies, ['--tools', 'sys']);
    await terminal.type('Go', 'Enter');
    const screen = await terminal.shows('End.\n\n>');
    expect(screen).toContain('m at http://');
    expect(screen).toContain('A␛[2J␛[H␛[31mB␛]0;owned␇C␍D\\u009b2JE\\u202eF');
    expect(screen).toContain(
      '│ A\\u{1b}[2J\\u{1b}[H\\u{1b}[31mB\\u{1b}]0;owned\\u{7}C\\u{d}D\\u{9b}2JE\\u{202e}F',
    );
    expect(await terminal.screen({ colors: true })).not.toContain('\u001b[31mB');
  });
});

describe.skipIf(!tmux)('an upstream that fails', () => {
  const status = (status: number, message: string): ScriptedReply => ({
    fault: { type: 'status', status, body: JSON.stringify({ error: { message } }) },
  });

  it('is a sentence that says what to do, and the chat goes on', async () => {
    const refused = [status(401, 'bad key'), status(404, 'no such model')];
    const terminal = await scripted([...refused, 'At last.'], [], { columns: 120 });
    await terminal.type('One', 'Enter');
    await terminal.shows(/bad key.*\n*.*--upstream-key/);
    await terminal.type('Two', 'Enter');
    await terminal.shows(/no such model[\s\S]*\/model lists what it has\./);
    await terminal.type('Three', 'Enter');
    await terminal.shows('At last.\n\n>');
    expect(model.requests.at(-1)?.body.messages).toEqual([{ role: 'user', content: 'Three' }]);
  });

  it('that is not there is named', async () => {
    const terminal = await chat(['--upstream', 'http://127.0.0.1:9/v1', '--model', 'm'], { columns: 120 });
    await terminal.type('Hi', 'Enter');
    await terminal.shows('Is the server at http://127.0.0.1:9/v1 running');
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

function saysListening(server: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    let said = '';
    server.once('exit', () => fail(new Error(`the server ended: ${said}`)));
    server.stderr?.on('data', (piece) => {
      said += piece;
      if (/listening/i.test(said)) done();
    });
  });
}
