export { acceptConversation } from './accept-conversation.js';
export { acceptTools, acceptToolsReport, type SkippedTool, type ToolsReport } from './accept-tools.js';
export * from './conversation.js';
export * from './errors.js';
export * from './events.js';
export * from './issues.js';
export * from './json.js';
export * from './parse-exact.js';
export * from './stringify-json.js';
