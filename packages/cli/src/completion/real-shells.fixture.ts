// Types into bash, zsh and fish as Debian ships them, each in a terminal of its own. A missing shell is installed where
// test/installs.mjs allows it; else its tests are skipped and the reason is listed.

import { spawn } from 'node:child_process';
import { find, findOrInstall } from '../../../../test/debian.mjs';
import { reportMissing } from '../../../../test/installs.mjs';

export type ShellName = 'bash' | 'zsh' | 'fish';

const ANSWER_TIME = 120_000;
const READY = 'READY>';

/** The path of the shell, or undefined, which is also reported on the terminal. */
export async function findShell(name: ShellName): Promise<string | undefined> {
  try {
    if (find('script') === undefined) throw new Error('there is no `script` to give it a terminal');
    return await findOrInstall(name);
  } catch (error) {
    return void reportMissing(`completion in ${name}`, error);
  }
}

/** How each shell starts without the user's settings, loads a script, and prompts. */
const starts: Record<ShellName, { flags: string; prepare(script: string): string[] }> = {
  bash: {
    flags: '--norc --noprofile -i',
    prepare: (script) => [
      "bind 'set enable-bracketed-paste off'",
      `dragoman() { printf '[%s]' "$@"; echo; }`,
      `. '${script}'`,
      `PS1='READ''Y>'`,
    ],
  },
  zsh: {
    flags: '-f -i',
    prepare: (script) => [
      'unset zle_bracketed_paste; unsetopt prompt_sp',
      `dragoman() { printf '[%s]' "$@"; echo }`,
      'autoload -Uz compinit && compinit -D -u',
      `. '${script}'`,
      `PROMPT='READ''Y>'`,
    ],
  },
  fish: {
    flags: '--no-config -i',
    prepare: (script) => [
      `function dragoman; printf '[%s]' $argv; echo; end`,
      `source '${script}'`,
      `function fish_prompt; echo -n READ; echo -n 'Y>'; end`,
    ],
  },
};

/** Types each line and Enter; gives the arguments that the command got from each. */
export async function typeInto(
  name: ShellName,
  path: string,
  script: string,
  folder: string,
  lines: readonly string[],
): Promise<string[]> {
  const { flags, prepare } = starts[name];
  const env = { ...process.env, TERM: 'xterm', HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const child = spawn(find('script') ?? '', ['-qfec', `${path} ${flags}`, '/dev/null'], { cwd: folder, env });
  let said = '';
  child.stdout.on('data', (piece) => {
    said += piece;
  });
  const until = async (done: () => boolean) => {
    const end = Date.now() + ANSWER_TIME;
    while (!done()) {
      if (Date.now() > end) throw new Error(`${name} did not answer: ${JSON.stringify(said.slice(-800))}`);
      await new Promise((tell) => setTimeout(tell, 5));
    }
  };
  const answers: string[] = [];
  try {
    child.stdin.write(`${prepare(script).join('\n')}\n`);
    await until(() => said.includes(READY));
    for (const line of lines) {
      const from = said.length;
      child.stdin.write(line);
      // The shell needs time to complete the line before Enter.
      await new Promise((tell) => setTimeout(tell, 300));
      child.stdin.write('\r');
      const answer = /(?:^|[\r\n])((?:\[[^\]\r\n]*\])+)\r?\n/;
      await until(() => answer.test(said.slice(from)) && said.slice(from).trimEnd().includes(READY));
      answers.push(answer.exec(said.slice(from))?.[1] ?? '');
    }
    return answers;
  } finally {
    const gone = new Promise((tell) => child.once('close', tell));
    child.kill('SIGKILL');
    await gone;
  }
}
