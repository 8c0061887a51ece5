// Serialises an error for the log. Only an Error is changed, because JSON does not see its members: it becomes its name,
// message, code, cause and the frames of its stack without the message, which may quote anything.

/** The number of nested causes that are written. */
const MAX_CAUSES = 4;

export function loggedError(value: unknown, causes = 0): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, code, cause } = value as Error & { code?: unknown };
  const frames = framesOf(value);
  return {
    type: String(name),
    message: String(message),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(frames !== undefined && { frames }),
    ...(cause !== undefined && causes < MAX_CAUSES && { cause: loggedError(cause, causes + 1) }),
  };
}

/** Undefined if frames cannot be told from the message, which may have lines that look like them. */
function framesOf({ name, message, stack }: Error): string[] | undefined {
  if (typeof stack !== 'string') return undefined;
  const head = message === '' ? name : `${name}: ${message}`;
  const start = stack.startsWith(head) ? head : [`Error: ${message}`].find((one) => stack.startsWith(one));
  if (start === undefined) return undefined;
  const lines = stack
    .slice(start.length)
    .split('\n')
    .map((line) => line.trim());
  return lines.filter((line) => line.startsWith('at '));
}
