export type { StandardSchema } from './standard-schema.js';
export {
  type AgentTool,
  type Approval,
  type Approve,
  defineTool,
  type ToolContext,
  ToolError,
} from './tool.js';
