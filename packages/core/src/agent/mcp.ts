// The tools of an MCP server, reached through a client of the official SDK. Core knows the client by its shape only, so
// that it does not depend on the SDK.

import { type JsonValue, stringifyJson, UsageError } from '../model/index.js';
import { toJson } from './to-json.js';
import { type AgentTool, type ToolContext, ToolError } from './tool.js';

/** The part of a connected client that is used here. */
export interface McpClient {
  listTools(
    params?: { cursor?: string },
    options?: { signal?: AbortSignal },
  ): Promise<{ tools: readonly McpTool[]; nextCursor?: string | undefined }>;
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    resultSchema?: undefined,
    options?: { signal?: AbortSignal; timeout?: number; onprogress?: (progress: unknown) => void },
  ): Promise<unknown>;
}

export interface McpTool {
  name: string;
  description?: string | undefined;
  inputSchema: unknown;
}

export interface McpOptions {
  /** Put before each name, so that the tools of two servers can stand beside each other: `files_`. */
  prefix?: string;
  /** For the list of the tools. */
  signal?: AbortSignal;
}

const MAX_PAGES = 1_000;
/** No model takes so many tools. */
const MAX_TOOLS = 1_000;

/** The SDK gives up after a minute by default. Here the timeout of the run applies, which arrives by the signal. */
const NO_TIMEOUT = 2_147_483_647;

/**
 * Lists the tools that the server has now. Rejects if it cannot be listed. Characters that tool names may not have
 * become underscores; the server is called by the original name.
 */
export async function mcpTools(client: McpClient, options: McpOptions = {}): Promise<AgentTool[]> {
  const taken = new Set<string>();
  const tools: AgentTool[] = [];
  for await (const tool of listAll(client, options.signal)) {
    const name = freeName((options.prefix ?? '') + tool.name, taken);
    taken.add(name);
    tools.push(toAgentTool(client, tool, name));
  }
  return tools;
}

async function* listAll(client: McpClient, signal: AbortSignal | undefined): AsyncGenerator<McpTool> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  let listed = 0;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor }, signal ? { signal } : {});
    listed += page.tools.length;
    if (listed > MAX_TOOLS) {
      const message = `this MCP server lists more than ${MAX_TOOLS} tools: none of them is taken`;
      throw new UsageError('bad-tools', message);
    }
    yield* page.tools;
    cursor = page.nextCursor;
    if (cursor === undefined) return;
    if (seen.has(cursor) || seen.size >= MAX_PAGES) {
      throw new UsageError(
        'bad-tools',
        'the list of this MCP server has no end: its pages lead back to each other',
      );
    }
    seen.add(cursor);
  } while (cursor !== undefined);
}

function freeName(wanted: string, taken: Set<string>): string {
  const plain = wanted.replace(/[^A-Za-z0-9_.:-]/g, '_').slice(0, 120) || '_';
  let name = plain;
  for (let count = 2; taken.has(name); count++) name = `${plain}_${count}`;
  return name;
}

function toAgentTool(client: McpClient, tool: McpTool, name: string): AgentTool {
  return {
    name,
    ...(tool.description !== undefined && { description: tool.description }),
    parameters: tool.inputSchema,
    run: async (input, { signal, emit }: ToolContext) => {
      const request = { name: tool.name, arguments: input as Record<string, unknown> };
      const told = { signal, timeout: NO_TIMEOUT, onprogress: emit };
      return toOutput(await client.callTool(request, undefined, told));
    },
  };
}

interface McpResult {
  content?: unknown;
  structuredContent?: unknown;
  isError?: unknown;
  /** What servers of the first version answered. */
  toolResult?: unknown;
}

function toOutput(result: unknown): JsonValue {
  const { content, structuredContent, isError, toolResult } = (result ?? {}) as McpResult;
  if (content === undefined && structuredContent === undefined && toolResult !== undefined)
    return toJson(toolResult);
  const text = (Array.isArray(content) ? content : []).map(textOf).join('\n');
  const output = structuredContent === undefined ? text : withStructure(text, toJson(structuredContent));
  if (isError !== true) return output;
  const words = typeof output === 'string' ? output : stringifyJson(output, 'compact');
  throw new ToolError(words || 'The tool failed and gave no reason.');
}

/** Servers are to say structured content as text, too. Where the text says more, both are kept. */
function withStructure(text: string, structuredContent: JsonValue): JsonValue {
  return text === '' || isSame(text, structuredContent) ? structuredContent : { text, structuredContent };
}

function isSame(text: string, value: JsonValue): boolean {
  try {
    return stringifyJson(JSON.parse(text), 'compact') === stringifyJson(value, 'compact');
  } catch {
    return false;
  }
}

interface Block {
  type?: unknown;
  text?: unknown;
  data?: unknown;
  mimeType?: unknown;
  resource?: { uri?: unknown; text?: unknown; blob?: unknown; mimeType?: unknown };
  uri?: unknown;
  name?: unknown;
  description?: unknown;
}

/** Only text can go back to a model that only writes text: of the rest it is told what there was. */
function textOf(value: unknown): string {
  const block = (value ?? {}) as Block;
  switch (block.type) {
    case 'text':
      return String(block.text ?? '');
    case 'image':
    case 'audio':
      return leftOut(block.type, block.mimeType, block.data);
    case 'resource':
      return resourceText(block.resource ?? {});
    case 'resource_link':
      return `[link: ${[block.name, block.uri, block.description].filter(Boolean).join(', ')}]`;
    default:
      return JSON.stringify(toJson(value));
  }
}

function resourceText(resource: NonNullable<Block['resource']>): string {
  if (typeof resource.text === 'string') return resource.text;
  return leftOut(`resource ${String(resource.uri ?? '')}`, resource.mimeType, resource.blob);
}

function leftOut(what: string, mimeType: unknown, base64: unknown): string {
  const bytes = typeof base64 === 'string' ? Math.floor((base64.length * 3) / 4) : 0;
  return `[${what}${typeof mimeType === 'string' ? ` of type ${mimeType}` : ''}, about ${bytes} bytes, left out: only text can be shown]`;
}
