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
  return isBare(value) ? value : visible(JSON.stringify(value));
}

function isBare(text: string): boolean {
  if (text === '') return false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code >= 0x7f || code === 0x22 || code === 0x3d || code === 0x5c) return false;
  }
  return true;
}

function visible(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    out += isControl(code) ? `\\u${code.toString(16).padStart(4, '0')}` : text.charAt(at);
  }
  return out;
}

/** Also those that end lines, and those that turn the direction of writing. */
function isControl(code: number): boolean {
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return true;
  return (
    code === 0x2028 ||
    code === 0x2029 ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  );
}
