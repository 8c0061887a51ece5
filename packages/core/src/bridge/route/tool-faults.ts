// The faults of an endpoint's tool calls, of four kinds. A fault counts whether it was healed or not: an endpoint whose
// calls need repairs, or a second request, is worse than one whose calls are right.

import type { Issue, IssueCode, Reask, RepairCode, Report, ToolFault } from '../../model/index.js';

/** Cut calls count only where the model was asked again: otherwise the token limit of the client may have cut them. */
const cut: readonly IssueCode[] = ['incomplete-call', 'unclosed-block'];

const issueFaults: ReadonlyMap<IssueCode, ToolFault> = new Map([
  ...(
    [
      ...cut,
      'unreadable-call',
      'ambiguous-value',
      'unsupported-code',
      'missing-id',
      'too-deep',
      'too-long',
    ] as IssueCode[]
  ).map((code) => [code, 'invalid-json'] as const),
  ['unknown-tool', 'unknown-tool'],
  ['schema-mismatch', 'schema-mismatch'],
  ['foreign-format', 'leak'],
  ['stripped-markers', 'leak'],
]);

const repairFaults: ReadonlyMap<RepairCode, ToolFault> = new Map([
  ...(
    [
      'trailing-comma',
      'missing-comma',
      'missing-colon',
      'missing-value',
      'comment',
      'single-quotes',
      'unquoted-key',
      'python-word',
      'control-character',
      'unescaped-quote',
      'bad-escape',
      'number-format',
      'missing-bracket',
      'extra-bracket',
    ] as const
  ).map((code) => [code, 'invalid-json'] as const),
  ['string-as-scalar', 'schema-mismatch'],
  ['string-as-json', 'schema-mismatch'],
  ['near-key', 'schema-mismatch'],
  ['rescued-call', 'invalid-json'],
  ['leaked-call', 'leak'],
  ['leaked-copy', 'leak'],
]);

type Notes = Pick<Report, 'issues' | 'repairs' | 'reasks'>;

type Kinds = (ToolFault | undefined)[];

/**
 * Gives the kinds of faults of each attempt at an answer. A kind counts once in an attempt: one call in single quotes
 * needs several repairs, and is one fault.
 */
export function toolFaults({ issues, repairs, reasks }: Notes): ToolFault[] {
  const last = [...finalFaults({ issues, reasks }), ...repairs.map(({ code }) => repairFaults.get(code))];
  return [...reasks.map(reaskFaults), last].flatMap((kinds) => [...new Set(kinds)].filter(isFault));
}

function isFault(kind: ToolFault | undefined): kind is ToolFault {
  return kind !== undefined;
}

/** A reask without an issue follows a call that the endpoint itself could not read. */
function reaskFaults({ issues }: Reask): Kinds {
  return issues.length === 0 ? ['invalid-json'] : issues.map(({ code }) => issueFaults.get(code));
}

/** Gives the first issue that shows that the delivered answer has a fault, after all reasks. */
export function lastingFault({ issues, reasks }: Pick<Notes, 'issues' | 'reasks'>): Issue | undefined {
  return issues.find(({ code }) => issueFaults.has(code) && (reasks.length > 0 || !cut.includes(code)));
}

function finalFaults({ issues, reasks }: Pick<Notes, 'issues' | 'reasks'>): Kinds {
  const counted = issues.filter(({ code }) => reasks.length > 0 || !cut.includes(code));
  return counted.map(({ code }) => issueFaults.get(code));
}

export function countFaults(faults: readonly ToolFault[]): Partial<Record<ToolFault, number>> {
  const counts: Partial<Record<ToolFault, number>> = {};
  for (const fault of faults) counts[fault] = (counts[fault] ?? 0) + 1;
  return counts;
}
