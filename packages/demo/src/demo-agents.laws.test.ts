import { type AnswerEvent, acceptConversation, renderMessages } from '@dragoman/core';
import { runAgent } from '@dragoman/core/agent';
import { collectAnswer, createAsk, type Upstream } from '@dragoman/core/bridge';
import { describe, expect, it } from 'vitest';
import { askDemo, fullyTried, nameOf, settings, turnsOf, user, weather } from './demo.fixture.js';
import { createDemoUpstream } from './index.js';

const plain = settings.filter(({ render }) => Object.keys(render).length === 0);
const isDue = new Map(settings.map((setting) => [setting, turnsOf(setting)]));
/** Those that are due for the next of the cases here. */
const named = () =>
  settings.filter((setting) => isDue.get(setting)?.()).map((setting) => [nameOf(setting), setting] as const);
const byDialect = plain.map((setting) => [setting.dialect.name, setting] as const);
const byOwnDialect = byDialect.filter(([, { dialect }]) => fullyTried.includes(dialect));

describe('an agent on the demo model', () => {
  it.each(named())('comes to an end with what the tools gave: %s', async (_, { dialect, render }) => {
    const cities: string[] = [];
    const result = await runAgent({
      model: { upstream: createDemoUpstream({ delay: 0 }), dialect, render },
      messages: 'What is the weather in Beijing and Shanghai?',
      tools: [
        {
          ...weather,
          run: ({ city }) => {
            cities.push(city);
            if (city === 'Shanghai') throw new Error('no station there');
            return { city, sky: 'clear' };
          },
        },
      ],
    }).result;
    expect(cities.sort()).toEqual(['Beijing', 'Shanghai']);
    expect(result.steps).toBe(2);
    expect(result.text).toContain('"sky": "clear"');
    expect(result.text).toContain('failed:');
    expect(result.text).toContain('no station there');
  });
});

describe('a reply that was refused', () => {
  /** Writes what it is told first, and is the demo model from then on. */
  function stumbling(first: string): Upstream {
    const demo = createDemoUpstream({ delay: 0 });
    let asked = 0;
    return {
      ...demo,
      ask: (request, context) => (asked++ === 0 ? say(first) : demo.ask(request, context)),
    };
  }

  async function* say(text: string): AsyncGenerator<AnswerEvent> {
    yield { type: 'answer-start' };
    yield { type: 'text-delta', text };
    yield { type: 'finish', reason: 'stop' };
  }

  const wrong = async (setting: (typeof settings)[number], input: object) => {
    // Spelled by the dialect, with a tool of another name or other arguments than there are.
    const parts = [{ type: 'tool-call', id: 'x1', name: 'get_weather', input }];
    return (
      renderMessages(setting.dialect, { messages: [{ role: 'assistant', parts }] }).messages.at(-1)
        ?.content ?? ''
    );
  };

  async function ask(setting: (typeof settings)[number], first: string, toolChoice: unknown = 'auto') {
    const upstream = stumbling(first);
    const run = createAsk({ upstream, dialect: setting.dialect, render: setting.render });
    const conversation = acceptConversation({
      messages: [user('Weather in Lima?')],
      tools: [weather],
      toolChoice,
    });
    const request = { model: 'demo', conversation, settings: {}, stream: false };
    return collectAnswer(run(request, { signal: new AbortController().signal }));
  }

  it.each(named())('is written again, right: %s', async (_, setting) => {
    const answer = await ask(setting, await wrong(setting, { town: 'Lima' }));
    expect(answer.report?.reasks).toHaveLength(1);
    const call = { type: 'tool-call', name: 'get_weather', input: { city: 'Lima' } };
    expect(answer.choices[0]?.parts.at(-1)).toMatchObject(call);
  });

  it.each(named())('is a call where it was none: %s', async (_, setting) => {
    const answer = await ask(setting, 'I would rather not.', { name: 'get_weather' });
    expect(answer.report?.reasks).toHaveLength(1);
    expect(answer.choices[0]?.parts.at(-1)).toMatchObject({ type: 'tool-call', input: { city: 'Lima' } });
  });
});

/** Tools as coding agents have them: names, parameters and the first words of their descriptions. */
function tool(name: string, description: string, properties: Record<string, object>, required: string[]) {
  return {
    name,
    description,
    parameters: { type: 'object', properties, required, additionalProperties: false },
  };
}

const text = (description: string) => ({ type: 'string', description });
const filler = 'It says much more about when to use it, and when a file or a list would be better. '.repeat(
  20,
);

const agents = {
  'with a tool for each task': {
    tools: [
      tool(
        'Task',
        `Launch a new agent to handle complex, multi-step tasks. ${filler}`,
        { description: text('A short description'), prompt: text('The task') },
        ['description', 'prompt'],
      ),
      tool(
        'Bash',
        `Executes a given bash command. ${filler}`,
        {
          command: text('The command to execute'),
          timeout: { type: 'number' },
          description: text('What it does'),
        },
        ['command'],
      ),
      tool(
        'Glob',
        `Fast file pattern matching tool. ${filler}`,
        {
          pattern: text('The glob pattern to match files against'),
          path: text('The directory to search in'),
        },
        ['pattern'],
      ),
      tool(
        'Grep',
        `A powerful search tool. ${filler}`,
        { pattern: text('The regular expression'), path: text('File or directory') },
        ['pattern'],
      ),
      tool(
        'Read',
        `Reads a file from the local filesystem. ${filler}`,
        {
          file_path: text('The absolute path to the file to read'),
          offset: { type: 'number' },
          limit: { type: 'number' },
        },
        ['file_path'],
      ),
      tool(
        'Write',
        `Writes a file to the local filesystem. ${filler}`,
        { file_path: text('The absolute path to the file to write'), content: text('The content') },
        ['file_path', 'content'],
      ),
      tool(
        'TodoWrite',
        `Create and manage a structured task list. ${filler}`,
        { todos: { type: 'array', items: { type: 'object' } } },
        ['todos'],
      ),
      tool(
        'WebFetch',
        `Fetches content from a specified URL. ${filler}`,
        { url: { type: 'string', format: 'uri' }, prompt: text('What to look for') },
        ['url', 'prompt'],
      ),
      tool('ListMcpResources', `List available resources. ${filler}`, { server: text('A server') }, []),
      tool('ListAgents', `List the agents that can be reached. ${filler}`, {}, []),
    ],
    lists: { name: 'Glob', input: { pattern: '*' } },
    reads: { name: 'Read', input: { file_path: '/home/me/project/README.md' } },
  },
  'with a shell that takes a list': {
    tools: [
      tool(
        'shell',
        'Runs a shell command and returns its output.',
        {
          command: { type: 'array', items: { type: 'string' }, description: 'The command to execute' },
          workdir: text('The working directory'),
        },
        ['command'],
      ),
      tool('update_plan', 'Updates the task plan.', { plan: { type: 'array', items: { type: 'object' } } }, [
        'plan',
      ]),
    ],
    lists: { name: 'shell', input: { command: ['bash', '-lc', 'ls'] } },
    reads: { name: 'shell', input: { command: ['bash', '-lc', 'cat README.md'] } },
  },
  'with a shell that takes a line': {
    tools: [
      tool(
        'bash',
        'Executes a bash command.',
        { command: text('The command'), description: text('In 5-10 words') },
        ['command', 'description'],
      ),
      tool('webfetch', 'Fetches a page.', { url: text('The URL') }, ['url']),
      tool('todowrite', 'Keeps a list of todos.', { todos: { type: 'array', items: { type: 'object' } } }, [
        'todos',
      ]),
    ],
    lists: { name: 'bash', input: { command: 'ls', description: 'List the files here' } },
    reads: { name: 'bash', input: { command: 'cat README.md', description: 'Read README.md' } },
  },
  'with a shell, and tools that list and view other things': {
    tools: [
      tool('view_image', 'View a local image file by its path.', { path: text('The file') }, ['path']),
      tool('list_agents', 'List the agents that are there.', { path_prefix: text('A prefix') }, []),
      tool('exec_command', 'Runs a command in a PTY.', { cmd: text('The shell command') }, ['cmd']),
    ],
    lists: { name: 'exec_command', input: { cmd: 'ls' } },
    reads: { name: 'exec_command', input: { cmd: 'cat README.md' } },
  },
  'with names in snake case': {
    tools: [
      tool('list_agents', 'Lists the agents of this session.', {}, []),
      tool(
        'list_directory',
        'Lists the names of files.',
        { path: text('The absolute path to the directory to list') },
        ['path'],
      ),
      tool(
        'read_file',
        'Reads the content of a file.',
        { absolute_path: text('The absolute path to the file to read') },
        ['absolute_path'],
      ),
      tool('search_file_content', 'Searches for a pattern.', { pattern: text('The pattern') }, ['pattern']),
      tool('run_shell_command', 'Runs a command.', { command: text('The command') }, ['command']),
      tool('tool_call', 'Calls a tool.', { name: text('Its name') }, ['name']),
    ],
    lists: { name: 'list_directory', input: { path: '/home/me/project' } },
    reads: { name: 'read_file', input: { absolute_path: '/home/me/project/README.md' } },
  },
  'with tools for shells that run already': {
    tools: [
      tool('read_bash', 'Reads output of a command.', { shellId: text('The shell session') }, ['shellId']),
      tool('list_bash', 'Lists the shell sessions.', {}, []),
      tool('view', 'Views files.', { path: text('The absolute path of a file') }, ['path']),
      tool('bash', 'Runs a command.', { command: text('The command') }, ['command']),
    ],
    lists: { name: 'bash', input: { command: 'ls' } },
    reads: { name: 'view', input: { path: '/home/me/project/README.md' } },
  },
};

const system = `You are an agent that writes code. ${'Follow the rules of the house. '.repeat(600)}\nWorking directory: /home/me/project\nToday is Monday.`;
/** As Qwen Code has them: tags in a reminder, one of which is never closed. */
const reminder =
  '<system-reminder>\nYour todo list is empty. Do not mention the files.\n</system-reminder>\n' +
  '<system-reminder>\n<available_skills>\nlist agents\n</available_skills>\n</system-reminder>' +
  '<system-reminder>\nNotes are in ~/.agent/<project-hash>/notes.\n</system-reminder>';

const [firstAgent] = Object.keys(agents);

describe.each(Object.entries(agents))('a coding agent %s', (agent, { tools, lists, reads }) => {
  // What an agent's tools look like is the same in every dialect: those of the field are tried with one of them.
  it.each(agent === firstAgent ? byDialect : byOwnDialect)('lists and reads: %s', async (_, setting) => {
    const ask = (question: string) =>
      askDemo(setting, { messages: [{ role: 'system', content: system }, user(reminder + question)], tools });
    const questions: [string, object[]][] = [
      ['List the files here', [lists]],
      ['Read README.md', [reads]],
      ['"Read README.md"', [reads]],
      ['Hello there!', []],
    ];
    // All questions in the project's own, of the first agent; two of them otherwise, in turn.
    const isFull = fullyTried.includes(setting.dialect) && agent === firstAgent;
    const turn = (plain.indexOf(setting) + Object.keys(agents).indexOf(agent)) % 2;
    const asked = questions.filter((_, at) => isFull || at % 2 === turn);
    for (const [question, calls] of asked) expect((await ask(question)).calls).toEqual(calls);
  });

  it('lists with a system message behind the question, as Claude Code has one', async () => {
    const [setting] = plain;
    if (!setting) throw new Error('there is no dialect');
    const late = 'A planted `json.py` runs on `import json`. Read README.md before you run it.';
    const front = { role: 'system', content: system };
    const messages = [front, user('List the files here'), { role: 'system', content: late }];
    expect((await askDemo(setting, { messages, tools })).calls).toEqual([lists]);
  });

  it('answers from results, also with a reminder behind them', async () => {
    const [setting] = plain;
    if (!setting) throw new Error('there is no dialect');
    const call = { type: 'tool_use', id: 't1', name: lists.name, input: lists.input };
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'a.txt\nb.txt' };
    const messages = [
      user('List the files here'),
      { role: 'assistant', content: [call] },
      { role: 'user', content: [result, { type: 'text', text: reminder }] },
    ];
    const answer = await askDemo(setting, { messages, tools });
    expect(answer.calls).toEqual([]);
    expect(answer.text).toContain('a.txt\nb.txt');
  });
});

describe('a request without tools', () => {
  const [setting] = plain as [(typeof plain)[number]];
  it('gets a plain answer', async () => {
    const answer = await askDemo(setting, { messages: [user('What is the weather in Beijing?')] });
    expect(answer.text).toMatch(/^I am Dragoman's demo model/);
    expect(answer.calls).toEqual([]);
  });
});
