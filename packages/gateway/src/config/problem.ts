// A problem of a configuration: what is wrong, where, and what would be right. Values are not repeated unless their
// field cannot hold a secret.

export type Path = readonly (string | number)[];

export interface Problem {
  /** The file as it was given, or `command line`. */
  file: string;
  /** From 1. Absent if there is no text: flags, and files that are programs. */
  line?: number;
  column?: number;
  /** `models[0].dialect`; empty for the whole configuration. */
  path: string;
  /** One sentence: what was expected, what was found. */
  message: string;
  /** What to do. */
  hint?: string;
  /** The line with all possible secrets hidden, and the range of the fault in it. */
  excerpt?: { text: string; from: number; length: number };
}

export type ConfigResult<Config> =
  | {
      ok: true;
      config: Config;
      /** Logged at the start. */
      notes: readonly string[];
    }
  | { ok: false; problems: readonly Problem[] };

/** An error with the whole list of problems as its message, for callers that throw. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly problems: readonly Problem[]) {
    super(formatProblems(problems));
  }
}

export function formatProblems(problems: readonly Problem[]): string {
  return problems.map(formatProblem).join('\n\n');
}

/**
 *     dragoman.config.yaml:12:5  models[0].dialect: expected a dialect, found "gml-4.5"
 *         Did you mean glm-4.5?
 *
 *       12 |     dialect: gml-4.5
 *          |              ^^^^^^^
 */
export function formatProblem(problem: Problem): string {
  const { file, line, column, path, message, hint, excerpt } = problem;
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  const lines = [`${place}  ${path === '' ? '' : `${path}: `}${message}`];
  if (hint !== undefined) lines.push(`    ${hint}`);
  if (excerpt !== undefined && line !== undefined) {
    const margin = String(line).padStart(5);
    const carets = '^'.repeat(Math.max(1, excerpt.length));
    lines.push('', `${margin} | ${excerpt.text}`, `${' '.repeat(5)} | ${' '.repeat(excerpt.from)}${carets}`);
  }
  return lines.join('\n');
}

/** `upstreams.local.url`, `models[0].name`, `models["zai-org/GLM 4.5"].dialect`. */
export function formatPath(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (/^[\w.-]+$/.test(part)) text += text === '' ? part : `.${part}`;
    else text += `[${JSON.stringify(part)}]`;
  }
  return text;
}
