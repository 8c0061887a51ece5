import { stripVTControlCharacters } from 'node:util';
import type { UserConsoleLog } from 'vitest';
import type { Reporter, TestModule, TestRunEndReason, TestSpecification, Vitest } from 'vitest/node';
import { MISSING, policy } from './installs.mjs';

/**
 * Says at the start what may be installed, and lists at the end what was skipped and why; last of all what failed, so
 * that the end of a long output tells it.
 */
export class SkipReporter implements Reporter {
  readonly #missing = new Set<string>();
  #isFiltered = false;

  /** With `-t` all other tests are skipped, which nobody needs to be told. */
  onInit({ config }: Vitest): void {
    this.#isFiltered = config.testNamePattern !== undefined;
  }

  onTestRunStart(files: readonly TestSpecification[]): void {
    const installs = files.some(({ moduleId }) => /\.(?:e2e|alone)\.test\.ts$/.test(moduleId));
    if (installs) console.log(policy);
  }

  onUserConsoleLog({ content }: UserConsoleLog): void {
    for (const line of content.split('\n')) if (line.startsWith(MISSING)) this.#missing.add(line);
  }

  onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: TestRunEndReason): void {
    if (reason === 'interrupted') return;
    const lines = this.#isFiltered ? [] : modules.flatMap(skippedIn);
    if (lines.length + this.#missing.size > 0)
      console.log(['', 'Skipped:', ...this.#missing, ...lines, ''].join('\n'));
    const failed = modules.flatMap(failedIn);
    if (failed.length > 0) console.log(['', 'Failed:', ...failed, ''].join('\n'));
  }
}

/** Characters of a message, which may hold the whole of what was compared. */
const MOST_SHOWN = 1500;

/** Each test that failed with its first message, and each file that could not be run. */
function failedIn(module: TestModule): string[] {
  const path = module.relativeModuleId;
  const tests = [...module.children.allTests('failed')].map((test) => {
    const [error] = test.result().errors ?? [];
    const message = stripVTControlCharacters(error?.diff ?? error?.message ?? '').slice(0, MOST_SHOWN);
    return [`${path}: ${test.fullName}`, ...message.split('\n')].join('\n    ');
  });
  return tests.length === 0 && module.state() === 'failed' ? [`  ${path}`] : tests.map((test) => `  ${test}`);
}

/** One line for each reason in a file. A test without a note has its reason in its name. */
function skippedIn(module: TestModule): string[] {
  const counts = new Map<string, number>();
  for (const test of module.children.allTests('skipped')) {
    if (test.options.mode === 'todo') continue;
    const result = test.result();
    const reason = (result.state === 'skipped' && result.note) || test.fullName;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const path = module.relativeModuleId;
  return [...counts].map(([reason, count]) => `  ${path}: ${reason}${count > 1 ? ` (${count} tests)` : ''}`);
}
