export { extentOf, foldBlanks, spellHidden } from './approval-text.js';
export type { AgentEndReason, AgentEvent, AgentResult } from './events.js';
export { type McpClient, type McpOptions, type McpTool, mcpTools } from './mcp.js';
export type { AgentLimits, AgentOptions } from './options.js';
export type { AgentTools, ExecutableTool } from './ready-tools.js';
export { AgentRun, runAgent } from './run-agent.js';
export type { StandardSchema } from './standard-schema.js';
export {
  type AgentTool,
  type Approval,
  type Approve,
  defineTool,
  type ToolContext,
  ToolError,
} from './tool.js';
