// An error as a line of the log holds it. What was given stays as it was given; only an Error, whose members JSON does
// not see, is written out: its name, what it says, its code and its cause, and the frames of its stack without the
// message, which may quote anything.

/** Causes have causes; nobody reads more. */
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

/** Undefined where it cannot be told which lines are frames: a message may have lines that look like them. */
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
