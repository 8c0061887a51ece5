// Results of the Berkeley Function Calling Leaderboard: BFCL_v4_<category>_result.json, a row a line.
//
//   {"id": "simple_python_0", "result": "…", …}
//
// The functions are in the questions and the accepted values in the possible answers, both with the same id: they are
// joined to the rows. Categories that need the leaderboard's own interpreter (several turns, Java, JavaScript) are left
// unscored.

import { type ExactObject, type ExactValue, exactObject } from '@dragoman/core/internal';
import type { Row } from '../../forms/form.js';
import { isRow, keysOf, memberAt, memberOf } from '../../forms/members.js';
import { readTools } from '../../forms/tools.js';
import { type Expected, readAccepted } from '../expected.js';
import { expectedAt, idOf, type Layout, memberAtPath, type ReadRow, readersAt } from './layout.js';

export const bfclLayout: Layout = {
  name: 'bfcl',
  about: 'Results of the Berkeley leaderboard, joined with its questions and possible answers.',
  read(row, paths) {
    const id = String(memberOf(row, 'id') ?? '');
    const result = memberAtPath(row, paths.text ?? 'result');
    const tools = memberAtPath(row, paths.tools ?? 'function');
    const expected = paths.expect === undefined ? expectedOf(row, id) : expectedAt(row, paths.expect);
    const reason = unscoredReason(id, result, tools, expected);
    return {
      ...idOf(memberOf(row, 'id')),
      tools: tools === undefined ? [] : readTools(withJsonTypes(tools), 'function').tools,
      expected,
      outputs: typeof result === 'string' ? [[result]] : [],
      readers: typeof result === 'string' ? readersAt(row, paths.reader, 1) : undefined,
      ...(reason !== undefined && { unscored: reason }),
    };
  },
};

function expectedOf(row: Row, id: string): Expected | undefined {
  const answers = memberOf(row, 'ground_truth');
  if (answers !== undefined && !isExecuted(id)) return readAccepted(answers, 'ground_truth');
  if (id.includes('irrelevance')) return { calls: [] };
  return id.includes('relevance') ? { calls: [], anyCall: true } : undefined;
}

function isExecuted(id: string): boolean {
  return /^(?:multi_turn|memory|web_search)/.test(id);
}

function unscoredReason(
  id: string,
  result: ExactValue | undefined,
  tools: ExactValue | undefined,
  expected: Expected | undefined,
): ReadRow['unscored'] {
  if (isExecuted(id)) return 'several-turns';
  if (/(?:^|_)java(?:script)?(?:_|$)/.test(id)) return 'other-language';
  // The results of an API are calls already: the text is not recorded.
  if (typeof result !== 'string') return 'no-output';
  return tools === undefined || expected === undefined ? 'not-joined' : undefined;
}

// --- types of the leaderboard ----------------------------------------------------------------------------------

const TYPES = new Map<ExactValue, string | undefined>([
  ['dict', 'object'],
  ['float', 'number'],
  ['tuple', 'array'],
  ['any', undefined],
]);

/** Writes Python's names of types as those of JSON Schema, in schemas of any depth. */
function withJsonTypes(value: ExactValue): ExactValue {
  if (Array.isArray(value)) return value.map(withJsonTypes);
  if (!isRow(value)) return value;
  const members: [string, ExactValue][] = [];
  for (const key of keysOf(value)) {
    const member = memberAt(value, key) as ExactValue;
    const type = key === 'type' && isSchema(value) && TYPES.has(member) ? TYPES.get(member) : member;
    if (type !== undefined) members.push([key, key === 'type' ? type : withJsonTypes(type)]);
  }
  return exactObject(members);
}

/** A parameter may be called `type`: there it is a schema, not a name. */
function isSchema(value: ExactObject): boolean {
  return typeof memberAt(value, 'type') === 'string';
}
