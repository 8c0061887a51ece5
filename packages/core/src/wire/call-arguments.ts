// The arguments of a call as text.

import type { ToolCall } from '../model/index.js';
import { parsedJson } from './values.js';

/** As their author wrote them, or as they `came`, unless the input was changed since. */
export function argumentsOf({ raw, input }: Pick<ToolCall, 'raw' | 'input'>, came?: string): string {
  const written = JSON.stringify(input);
  if (raw === undefined || JSON.stringify(parsedJson(raw)) !== written) return written;
  return came ?? raw;
}
