// The tools of a chat: the built-in ones for a folder, and those of MCP servers. Tools that act need approval (gate.ts).

import { resolve } from 'node:path';
import type { JsonObject } from '@dragoman/core';
import type { AgentTool } from '@dragoman/core/agent';
import { connectMcp, type McpServer } from './connect-mcp.js';
import type { Gate } from './gate.js';

export interface ToolSource {
  /** Where they come from, for people. */
  name: string;
  tools: AgentTool[];
  /** The names of tools that need approval. */
  acting: ReadonlySet<string>;
}

export interface ChatTools {
  sources: ToolSource[];
  close(): Promise<void>;
}

export interface ToolWishes {
  /** The folder of the built-in tools, if they are wanted. */
  folder: string | undefined;
  mcp: readonly string[];
}

export async function openTools({ folder, mcp }: ToolWishes, gate: Gate): Promise<ChatTools> {
  const sources: ToolSource[] = [];
  const servers: McpServer[] = [];
  const close = async () => void (await Promise.all(servers.map((server) => server.close())));
  try {
    if (folder !== undefined) sources.push(await sysSource(folder, gate));
    const taken = new Set(sources.flatMap(({ tools }) => tools.map(({ name }) => name)));
    for (const target of mcp) {
      const server = await connectMcp(target, taken);
      servers.push(server);
      sources.push(mcpSource(server, gate));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { sources, close };
}

async function sysSource(folder: string, gate: Gate): Promise<ToolSource> {
  const { sysBuiltIn } = await import('@dragoman/sys');
  let note = '';
  const tools = sysBuiltIn({
    folder,
    onKeysInSight: () => {
      note = '; commands can read the keys that this program was started with';
    },
    // Names without a namespace: every API accepts them, and /save writes requests for any API.
    namespace: '',
    ask: ({ tool, input, summary }, { signal }) =>
      gate.permit({ name: tool, input: input as JsonObject, summary }, signal),
  });
  return { name: `sys, in ${resolve(folder)}${note}`, tools, acting: new Set(['bash', 'write_file']) };
}

/** What a server says of its own tools is no reason not to ask. */
function mcpSource({ name, tools }: McpServer, gate: Gate): ToolSource {
  const asked = tools.map((tool) => ({
    ...tool,
    approve: (call: { name: string; input: JsonObject }, { signal }: { signal: AbortSignal }) =>
      gate.permit({ name: call.name, input: call.input }, signal),
  }));
  return { name: `${name}, by MCP`, tools: asked, acting: new Set(tools.map((tool) => tool.name)) };
}
