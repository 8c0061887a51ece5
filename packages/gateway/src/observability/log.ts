// The log: JSON lines for machines, or lines for people. Secrets are removed from the finished line, at the sink.

import { pino } from 'pino';
import type { Log } from '../services.js';
import { createRedactor, HIDDEN, type Redactor } from './redactor.js';

export interface LogOptions {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Lines of JSON, or for people. */
  form: 'json' | 'text';
  /** The secrets that must never be written: every key of the configuration. */
  secrets?: Iterable<string>;
  /** Fields of every line, such as the number of a worker. Default none. */
  fields?: Readonly<Record<string, string | number>>;
  /** Takes a finished line, with its line break. Default: standard output, at once. */
  write?: (line: string) => void;
}

/** A log that accepts more secrets later, and whose redaction others can use. */
export interface SecretLog extends Log, Redactor {}

/** The longest line, in characters. A longer one keeps only its message. */
const MAX_LINE = 256 * 1024;
const MAX_MESSAGE = 4096;

export function createLog(given: LogOptions): SecretLog {
  const { level, form, secrets = [], fields = null, write = toStandardOutput() } = given;
  const redactor = createRedactor(secrets);
  const sink = {
    write(line: string) {
      const shown = form === 'json' ? line : lineForPeople(line);
      write(bounded(redactor.redact(shown, form), form));
    },
  };
  const options = {
    level,
    base: fields,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: loggedError, err: loggedError },
  };
  const lines = pino(options, sink);
  const at = (name: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) => {
    try {
      lines[name](fields, message);
    } catch (error) {
      lines[name]({ unwritable: String(error) }, message);
    }
  };
  return { ...redactor, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function toStandardOutput(): (line: string) => void {
  const out = pino.destination({ dest: 1, sync: true });
  return (line) => void out.write(line);
}

function bounded(line: string, form: LogOptions['form']): string {
  if (line.length <= MAX_LINE) return line;
  if (form === 'text') return `${line.slice(0, MAX_LINE)}… [${line.length - MAX_LINE} characters more]\n`;
  return `${JSON.stringify(shortened(line))}\n`;
}

/** Cutting comes after hiding, so that half a secret is never left at the end. */
function shortened(line: string): object {
  try {
    const { level, time, msg } = JSON.parse(line);
    return { level, time, cut: line.length, msg: String(msg).slice(0, MAX_MESSAGE) };
  } catch {
    return { level: 'error', cut: line.length, msg: `A line that is no JSON ${HIDDEN}` };
  }
}

/** The number of nested causes that are written. */
const MAX_CAUSES = 4;

/**
 * Serialises an error for the log. Only an Error is changed, because JSON does not see its members: it becomes its name,
 * message, code, cause and the frames of its stack without the message, which may quote anything.
 */
function loggedError(value: unknown, causes = 0): unknown {
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

/**
 * Formats an entry for people: `12:00:01.123 info  The gateway listens. port=8787`. Control characters are escaped, so
 * that logged text cannot break the line or move the cursor.
 */
function lineForPeople(line: string): string {
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
