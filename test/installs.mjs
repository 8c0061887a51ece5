// Whether the tests may install what they need and do not find: Chromium, Redis, PostgreSQL, tmux and shells with
// apt-get, llama.cpp and xgrammar with npm. In CI they may; elsewhere only where DRAGOMAN_INSTALL=yes says so.

const { CI, DRAGOMAN_INSTALL } = process.env;
const isCi = CI !== undefined && CI !== '' && CI !== 'false';

export const mayInstall = DRAGOMAN_INSTALL === 'yes' || (isCi && DRAGOMAN_INSTALL !== 'no');

/** One line for the start of a run. */
export const policy = mayInstall
  ? `Programs that tests need and do not find are installed (${isCi ? 'CI is set' : 'DRAGOMAN_INSTALL=yes'}); DRAGOMAN_INSTALL=no forbids it.`
  : 'Programs that tests need and do not find are not installed, their tests are skipped and listed at the end; DRAGOMAN_INSTALL=yes installs them.';

/** Throws where nothing may be installed. */
export function announceInstall(what) {
  if (!mayInstall)
    throw new Error(`${what} is not installed; DRAGOMAN_INSTALL=yes lets the tests install it`);
  console.warn(`Installing ${what}; DRAGOMAN_INSTALL=no forbids it.`);
}

/** Begins the line that says what is not tested; skip-reporter.ts lists these at the end of the run. */
export const MISSING = 'NOT TESTED: ';

/** Why something is missing, in a line that is listed at the end of the run. Thrown in CI, where nothing may be missing. */
export function reportMissing(what, error) {
  const reason = String(error instanceof Error ? error.message : error).split('\n')[0];
  if (isCi) throw new Error(`${what}: ${reason}`);
  console.warn(`${MISSING}${what}: ${reason}`);
  return reason;
}
