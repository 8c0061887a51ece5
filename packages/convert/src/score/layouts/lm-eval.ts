// Samples of lm-evaluation-harness, from `--log_samples`: samples_<task>_<date>.jsonl.
//
//   {"doc_id": 0, "doc": {…}, "target": "…", "arguments": {…}, "resps": [["text"]], "filtered_resps": ["text"], …}
//
// `resps` has a list for each request, with an answer for each repeat. `target` is text, as Python's str() writes it.

import type { ExactValue } from '@dragoman/core/internal';
import type { Row } from '../../forms/form.js';
import { memberOf } from '../../forms/members.js';
import { type Expected, readAccepted } from '../expected.js';
import {
  expectedAt,
  expectedIfCalls,
  firstMember,
  idOf,
  type Layout,
  memberAtPath,
  readersAt,
  toolsAt,
} from './layout.js';

const TOOLS = ['doc.tools', 'doc.functions', 'doc.function'];
const EXPECTED = ['doc.expect', 'doc.expected_calls', 'doc.answers'];
const ACCEPTED = 'doc.ground_truth';

export const lmEvalLayout: Layout = {
  name: 'lm-eval',
  about: 'Samples of lm-evaluation-harness: the answers in `resps`, the task in `doc`, calls in `target`.',
  read(row, paths) {
    const outputs = answersOf(memberAtPath(row, paths.text ?? 'resps')).map((text) => [text]);
    return {
      ...idOf(memberOf(row, 'doc_id')),
      tools: toolsAt(row, paths.tools === undefined ? TOOLS : [paths.tools]),
      expected: paths.expect === undefined ? expectedOf(row) : expectedAt(row, paths.expect),
      outputs,
      readers: outputs.length > 0 ? readersAt(row, paths.reader, outputs.length) : undefined,
      ...(outputs.length === 0 && { unscored: 'no-output' }),
    };
  },
};

function expectedOf(row: Row): Expected | undefined {
  const found = firstMember(row, EXPECTED);
  if (found) return expectedAt(row, found.path);
  const accepted = memberAtPath(row, ACCEPTED);
  return accepted === undefined ? expectedIfCalls(row, 'target') : readAccepted(accepted, ACCEPTED);
}

/** Gives the texts. A request for likelihoods has numbers in place of one. */
function answersOf(value: ExactValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return [];
  const requests = value.map((one) => (Array.isArray(one) ? one : [one]));
  return requests.every((answers) => answers.every((one) => typeof one === 'string'))
    ? (requests.flat() as string[])
    : [];
}
