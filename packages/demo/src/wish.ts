// What people ask coding agents for, whose tools go by many names: list, read, run, search, fetch, write.

import type { Things } from './things.js';
import { wordsOf } from './words.js';

export type WishKind = 'list' | 'read' | 'run' | 'search' | 'fetch' | 'write';

export interface Wish {
  kind: WishKind;
  /** What a shell would be told. */
  command?: string;
}

/** Words in tools' names, and how well a tool with that word does it. */
const SUITED: Readonly<Record<WishKind, string>> = {
  list: 'ls 10|list 9|readdir 9|tree 7|glob 7|find 5|bash 4|shell 4|exec 4|terminal 4|cmd 3|command 3',
  read: 'read 10|cat 9|view 8|open 7|get 3|bash 4|shell 4|exec 4|terminal 4|cmd 3|command 3',
  run: 'bash 10|shell 10|terminal 9|exec 9|execute 9|run 8|command 8|cmd 8',
  search: 'grep 10|rg 10|ripgrep 10|search 9|find 6|bash 4|shell 4|exec 4|terminal 4',
  fetch: 'fetch 10|browse 9|web 8|url 8|http 8|curl 8|open 5|bash 3|shell 3|exec 3',
  write: 'write 10|save 8|create 8|edit 4',
};

const suited = new Map(
  Object.entries(SUITED).map(([kind, words]) => [
    kind,
    new Map(words.split('|').map((entry) => [entry.split(' ')[0] ?? '', Number(entry.split(' ')[1])])),
  ]),
);

/** Words that change nothing about what a tool is for. */
const NEUTRAL = new Set(
  'file files directory dir folder text path tool fs filesystem local content contents'.split(' '),
);

/** `list_agents` and `view_image` do it with something else: even a shell does it better. */
const STRANGE = 6;

export function wishOf(question: string, things: Things): Wish | undefined {
  const words = new Set(wordsOf(question));
  const has = (list: string) => list.split(' ').some((word) => words.has(word));
  const says = (list: string) => list.split(' ').some((word) => question.includes(word));
  const [path = ''] = things.paths;
  const command = commandIn(question, things);
  if (command !== undefined) return { kind: 'run', command };
  if (things.urls.length > 0) return { kind: 'fetch', command: `curl -s ${things.urls[0]}` };
  if ((has('write save create') || says('写入 保存 创建')) && path !== '') return { kind: 'write' };
  const looks =
    has('read open cat view show display print summarize summarise contents content') || says('读 打开 查看');
  const lists = has('ls files folder directory dir') || says('文件 目录');
  if (looks && path !== '' && !path.endsWith('/') && path !== '.')
    return { kind: 'read', command: `cat ${path}` };
  if (has('search grep find') && has('file files code codebase repo repository project grep')) {
    return { kind: 'search', command: `grep -rn ${JSON.stringify(soughtIn(things))} .` };
  }
  if (lists) return { kind: 'list', command: path === '' ? 'ls' : `ls ${path}` };
  return undefined;
}

/** How well a tool of this name does it; 0 for not at all. */
export function suits(name: string, kind: WishKind): number {
  const values = suited.get(kind) as ReadonlyMap<string, number>;
  let best = 0;
  let strange = 0;
  for (const word of wordsOf(name)) {
    const value = values.get(word) ?? 0;
    best = Math.max(best, value);
    if (value === 0 && !NEUTRAL.has(word) && !suited.get('run')?.has(word)) strange++;
  }
  return best === 0 ? 0 : Math.max(best - STRANGE * strange, 0.5);
}

export function soughtIn({ quoted, code, topic, text }: Things): string {
  return quoted[0] ?? code[0] ?? topic ?? text;
}

/** Between backticks, or behind `run`. */
function commandIn(question: string, { code }: Things): string | undefined {
  const words = wordsOf(question);
  const runs =
    words.includes('run') ||
    words.includes('execute') ||
    question.includes('运行') ||
    question.includes('执行');
  if (!runs) return undefined;
  if (code[0] !== undefined) return code[0];
  const [first, ...rest] = question.trim().split(' ');
  return first?.toLowerCase() === 'run' && rest.length > 0 ? rest.join(' ') : undefined;
}
