// The types of the model that programs see, whichever entry of the package they import.

export type { SkippedTool, ToolsReport } from './accept-tools.js';
export type {
  Answer,
  AnswerChoice,
  AnswerEvent,
  ApiErrorCode,
  ApiErrorDetails,
  FinishReason,
  Mend,
  MendCode,
  Move,
  Reask,
  Report,
  ToolFault,
  Usage,
} from './answer.js';
export type * from './conversation.js';
export type { UsageErrorCode } from './errors.js';
export type * from './events.js';
export type * from './issues.js';
export type { ExactValue, JsonObject, JsonPrimitive, JsonValue } from './json.js';
export type * from './request.js';
export type { JsonStyle } from './stringify-json.js';
