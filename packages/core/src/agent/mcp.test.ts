import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answer, call, calls, collect, resultsIn, scripted } from '../../../../test/agent/scripted-model.js';
import { type McpClient, mcpTools } from './mcp.js';
import { runAgent } from './run-agent.js';

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const end of open.splice(0).reverse()) await end.close();
});

async function connect(fill: (server: McpServer) => void): Promise<Client> {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  fill(server);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await server.connect(theirs);
  await client.connect(ours);
  open.push(server, client);
  return client;
}

/** What goes back to the model when it makes one call. */
async function outputOf(client: McpClient, name: string, input: unknown = {}): Promise<unknown> {
  const model = scripted(calls(call('one', name, input)), answer('ok'));
  const { messages } = await runAgent({ model, tools: await mcpTools(client), messages: 'Go.' }).result;
  return messages.find(({ role }) => role === 'tool')?.parts[0];
}

describe('tools of an MCP server', () => {
  it('are told and run like any other', async () => {
    const client = await connect((server) => {
      const inputSchema = { a: z.number(), b: z.number() };
      server.registerTool('add', { description: 'Adds.', inputSchema }, ({ a, b }) => ({
        content: [{ type: 'text', text: String(a + b) }],
      }));
    });
    const model = scripted(calls(call('one', 'shop.add', { a: 1, b: 2 })), answer('3'));
    const result = await runAgent({
      model,
      tools: await mcpTools(client, { prefix: 'shop.' }),
      messages: 'Add.',
    }).result;
    expect(result.text).toBe('3');
    expect(resultsIn(model.requests[1])).toEqual(['3']);
    expect(model.requests[0]?.conversation.tools[0]).toMatchObject({
      name: 'shop.add',
      description: 'Adds.',
      parameters: { type: 'object', required: ['a', 'b'] },
    });
  });

  it('keep structured content, once', async () => {
    const structuredContent = { items: [1, 2], total: 2 };
    const outputSchema = { items: z.array(z.number()), total: z.number() };
    const client = await connect((server) => {
      const json = [{ type: 'text' as const, text: JSON.stringify(structuredContent, null, 2) }];
      server.registerTool('same', { outputSchema }, () => ({ content: json, structuredContent }));
      server.registerTool('more', { outputSchema }, () => ({
        content: [{ type: 'text', text: 'two items' }],
        structuredContent,
      }));
    });
    expect(await outputOf(client, 'same')).toMatchObject({ output: structuredContent });
    expect(await outputOf(client, 'more')).toMatchObject({
      output: { text: 'two items', structuredContent },
    });
  });

  it('fail with what the server says', async () => {
    const client = await connect((server) => {
      server.registerTool('refuse', {}, () => ({
        content: [{ type: 'text', text: 'no such order' }],
        isError: true,
      }));
      server.registerTool('mute', {}, () => ({ content: [], isError: true }));
    });
    expect(await outputOf(client, 'refuse')).toMatchObject({ output: 'no such order', isError: true });
    expect(await outputOf(client, 'mute')).toMatchObject({
      output: expect.stringContaining('no reason'),
      isError: true,
    });
  });

  it('say what was left out, and give the rest', async () => {
    const client = await connect((server) => {
      server.registerTool('look', {}, () => ({
        content: [
          { type: 'text', text: 'Here:' },
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          { type: 'resource', resource: { uri: 'file:///a.txt', text: 'of a file' } },
          { type: 'resource', resource: { uri: 'file:///a.bin', blob: 'AAAAAAAA' } },
          { type: 'resource_link', uri: 'file:///b.txt', name: 'b' },
        ],
      }));
    });
    expect(await outputOf(client, 'look')).toMatchObject({
      output: [
        'Here:',
        '[image of type image/png, about 3 bytes, left out: only text can be shown]',
        'of a file',
        '[resource file:///a.bin, about 6 bytes, left out: only text can be shown]',
        '[link: b, file:///b.txt]',
      ].join('\n'),
    });
  });

  it('hear when their time is up, and tell how far they are', async () => {
    let stopped: unknown;
    const client = await connect((server) => {
      server.registerTool('wait', {}, async ({ signal, sendNotification, _meta }) => {
        const params = { progressToken: _meta?.progressToken ?? '', progress: 1, total: 2 };
        await sendNotification({ method: 'notifications/progress', params });
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        stopped = signal.aborted;
        return { content: [] };
      });
    });
    const model = scripted(calls(call('one', 'wait')), answer('ok'));
    const tools = await mcpTools(client);
    const events = await collect(runAgent({ model, tools, messages: 'Go.', toolTimeout: 300 }));
    expect(events.find(({ type }) => type === 'tool-progress')).toMatchObject({
      data: { progress: 1, total: 2 },
    });
    expect(events.find(({ type }) => type === 'tool-end')).toMatchObject({ result: { isError: true } });
    await expect.poll(() => stopped).toBe(true);
  });

  it('come page by page, under names a model can be told', async () => {
    const asked: unknown[] = [];
    const pages = [
      { tools: [{ name: 'a/b', inputSchema: { type: 'object' } }], nextCursor: '2' },
      { tools: [{ name: 'a b', inputSchema: { type: 'object' } }] },
    ];
    const called: unknown[] = [];
    const client: McpClient = {
      listTools: async (params) => pages[asked.push(params) - 1] ?? { tools: [] },
      callTool: async (params) => {
        called.push(params);
        return { toolResult: 1n };
      },
    };
    expect((await mcpTools(client)).map(({ name }) => name)).toEqual(['a_b', 'a_b_2']);
    expect(asked).toEqual([{}, { cursor: '2' }]);
    asked.length = 0;
    expect(await outputOf(client, 'a_b_2', { x: 1 })).toMatchObject({ output: 1 });
    expect(called).toEqual([{ name: 'a b', arguments: { x: 1 } }]);
  });

  it('cannot keep us in a list without end', async () => {
    const listTools = async () => ({ tools: [], nextCursor: 'again' });
    await expect(mcpTools({ listTools, callTool: async () => ({}) })).rejects.toThrow('has no end');
  });

  it.each([1, 100])('are a thousand at most, in %i pages', async (pages) => {
    const tools = Array.from({ length: 1001 / pages }, (_, at) => ({
      name: `t${at}`,
      inputSchema: { type: 'object' as const },
    }));
    let page = 0;
    const listTools = async () => ({ tools: [...tools, ...tools.slice(0, 1)], nextCursor: String(++page) });
    await expect(mcpTools({ listTools, callTool: async () => ({}) })).rejects.toThrow('more than 1000 tools');
  });

  it('run in another process, too', async () => {
    const code = `
      import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
      import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
      const server = new McpServer({ name: 'child', version: '1.0.0' });
      server.registerTool('pid', {}, () => ({ content: [{ type: 'text', text: String(process.pid) }] }));
      await server.connect(new StdioServerTransport());
    `;
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['--input-type=module', '--eval', code],
    });
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(transport);
    open.push(client);
    const { pid } = transport;
    expect(pid).not.toBe(process.pid);
    expect(await outputOf(client, 'pid')).toMatchObject({ output: String(pid) });
  });
});
