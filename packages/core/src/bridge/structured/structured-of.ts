import type { ModelRequest } from '../../model/index.js';
import type { CheckBudget } from '../../schema/safe-schema.js';
import type { BridgeOptions } from '../options.js';
import { StructuredText } from './structured-text.js';

/** Makes the reader of an attempt's JSON; none if any text is right, or if a call is required in its place. */
export function structuredTextOf(
  { format, stream, delivery, conversation: { tools, toolChoice } }: ModelRequest,
  options: BridgeOptions,
  checks: CheckBudget,
): StructuredText | undefined {
  const required = tools.length > 0 && (toolChoice === 'required' || typeof toolChoice === 'object');
  if (!format || required) return undefined;
  return new StructuredText({
    format,
    whole: !stream || (delivery ?? options.delivery) === 'whole',
    coerceStrings: options.policies?.coerceStrings ?? true,
    limits: options.limits,
    checks,
  });
}
