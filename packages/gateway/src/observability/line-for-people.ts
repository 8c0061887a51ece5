// Formats a log entry for people: `12:00:01.123 info  The gateway listens. port=8787`.
// Control characters are escaped, so that logged text cannot break the line or move the cursor.

export function lineForPeople(line: string): string {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line);
  } catch {
    return `${visible(line.trimEnd())}\n`;
  }
  const { level, time, msg, ...rest } = fields;
  const head = `${clock(time)} ${String(level).padEnd(5)} ${visible(String(msg ?? ''))}`;
  const pairs = Object.entries(rest).map(([key, value]) => ` ${visible(key)}=${toWord(value)}`);
  return `${head}${pairs.join('')}\n`;
}

/** The time of day, without the date: these lines are read as they come. */
function clock(time: unknown): string {
  return typeof time === 'string' ? time.slice(11, 23) : '-';
}

/** Bare where nothing in it could be mistaken for the next field. */
function toWord(value: unknown): string {
  if (typeof value !== 'string') return visible(JSON.stringify(value) ?? String(value));
  return bare.test(value) ? value : visible(JSON.stringify(value));
}

/** Printable ASCII without a quote, an equals sign or a backslash. */
const bare = /^[!#-<>-[\]-~]+$/;

/** Control characters, also those that end lines, and those that turn the direction of writing. */
const controls = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

function visible(text: string): string {
  return text.replace(controls, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
