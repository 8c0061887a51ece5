// Connects to MCP servers with the official SDK: over stdio, or over streamable HTTP.

import { type AgentTool, mcpTools } from '@dragoman/core/agent';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CommandError, messageOf } from '../command-error.js';
import { EXIT } from '../exit-codes.js';
import { version } from '../version.js';
import { isAddress, shownServer } from './shown-server.js';
import { splitCommand } from './split-command.js';

export interface McpServer {
  /** The name the server gives itself. */
  name: string;
  tools: AgentTool[];
  close(): Promise<void>;
}

/** Characters of a server's standard error that are kept for an error message. */
const LAST_WORDS = 600;
const CLOSE_TIME = 2_000;
/** Characters of a server's name before its tools: names of tools are cut, and must still differ. */
const LONGEST_PREFIX = 40;

/** `taken` holds the names of tools that are there already; those of this server are added. */
export async function connectMcp(target: string, taken: Set<string>): Promise<McpServer> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { transport, lastWords } = await openTransport(target);
  const client = new Client({ name: 'dragoman', version: version() });
  const close = () => within(client.close(), CLOSE_TIME);
  let fault = '';
  // What ends a connection, such as a message that is too long, is told here and not with the error of the request.
  client.onerror = (error) => {
    fault ||= ` (${messageOf(error)})`;
  };
  try {
    await client.connect(transport);
    const name = client.getServerVersion()?.name ?? 'mcp';
    const tools = await toolsOf(client, name, taken);
    return { name, tools, close };
  } catch (error) {
    await close();
    const { name, hide } = shownServer(target);
    const why = hide(`${reasonOf(error)}${fault}${lastWords()}`);
    throw new CommandError(`the MCP server ${name} did not start: ${why}`, EXIT.upstream);
  }
}

/** Bare names; with the server's name in front where another has the same. */
async function toolsOf(
  client: Parameters<typeof mcpTools>[0],
  name: string,
  taken: Set<string>,
): Promise<AgentTool[]> {
  const start = name.slice(0, LONGEST_PREFIX);
  let tools = await mcpTools(client);
  for (let count = 1; tools.some((tool) => taken.has(tool.name)); count++) {
    tools = await mcpTools(client, { prefix: `${start}${count === 1 ? '' : count}_` });
  }
  for (const tool of tools) taken.add(tool.name);
  return tools;
}

interface OpenTransport {
  transport: Transport;
  lastWords(): string;
}

async function openTransport(target: string): Promise<OpenTransport> {
  if (isAddress(target)) {
    if (!URL.canParse(target)) throw new CommandError('--mcp: the address is no URL');
    const { StreamableHTTPClientTransport } = await import(
      '@modelcontextprotocol/sdk/client/streamableHttp.js'
    );
    const transport = new StreamableHTTPClientTransport(new URL(target));
    return {
      transport: transport as Transport,
      lastWords: () => '. Is it running, and does it speak streamable HTTP there?',
    };
  }
  return openStdio(target);
}

async function openStdio(target: string): Promise<OpenTransport> {
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  // Of our environment it gets what the SDK takes for harmless, and what is written before the command.
  const transport = new StdioClientTransport({ ...splitCommand(target), stderr: 'pipe' });
  let words = '';
  transport.stderr?.on('data', (piece: Buffer) => {
    words = (words + piece.toString('utf8')).slice(-LAST_WORDS);
  });
  return { transport, lastWords: () => (words.trim() === '' ? '' : `. It printed:\n${words.trim()}`) };
}

function reasonOf(error: unknown): string {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return `there is no command ${path ?? ''}`.trim();
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return messageOf(error) + cause;
}

async function within(promise: Promise<unknown>, time: number): Promise<void> {
  const late = new Promise((tell) => setTimeout(tell, time).unref());
  await Promise.race([promise.catch(() => {}), late]);
}
