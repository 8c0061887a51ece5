// The problems of an attempt: the reasons for which a model is asked again.

import type { CallEnd, Issue, IssueCode, ParseEvent, ToolChoice } from '../../model/index.js';

export interface AttemptProblem {
  /** Selects the words with which the model is asked again. */
  kind:
    | 'unreadable'
    | 'stripped'
    | 'unknown-tool'
    | 'bad-arguments'
    | 'other-tool'
    | 'echo'
    | 'forged'
    | 'no-call'
    | 'bad-answer';
  issues: Issue[];
  /** The call, if it could be read: then it is answered with an error result. */
  callId?: string;
}

const unreadable: IssueCode[] = [
  'incomplete-call',
  'unclosed-block',
  'unreadable-call',
  'ambiguous-value',
  'unsupported-code',
  'missing-id',
  'too-deep',
  'too-long',
];

/** Whether these issues show that text ended inside a call. */
export function isCut(issues: readonly Issue[]): boolean {
  return issues.some(({ code }) => code === 'incomplete-call' || code === 'unclosed-block');
}

/** Gives the issues of an event that show an unreadable call. */
export function unreadableIssues(event: ParseEvent): Issue[] {
  return (event.issues ?? []).filter(({ code }) => unreadable.includes(code));
}

export function issuesOf(event: ParseEvent, code: IssueCode): Issue[] {
  return (event.issues ?? []).filter((issue) => issue.code === code);
}

/** Gives the problem of a call that could be read, if it has one. */
export function problemOf(
  event: CallEnd,
  callId: string,
  { toolChoice, refuseEchoes }: { toolChoice: ToolChoice; refuseEchoes: boolean },
): AttemptProblem | undefined {
  const unknown = issuesOf(event, 'unknown-tool');
  if (unknown.length > 0) return { kind: 'unknown-tool', issues: unknown, callId };
  if (!isWanted(event.name, toolChoice)) return { kind: 'other-tool', issues: [otherTool(event)], callId };
  const echo = issuesOf(event, 'suspected-echo');
  if (echo.length > 0 && refuseEchoes) return { kind: 'echo', issues: echo, callId };
  // Without its id: how to write the value cannot be said in a result, where markers are broken.
  const cut = issuesOf(event, 'ambiguous-value');
  if (cut.length > 0) return { kind: 'unreadable', issues: cut };
  const faults = issuesOf(event, 'schema-mismatch');
  return faults.length > 0 ? { kind: 'bad-arguments', issues: faults, callId } : undefined;
}

/** Whether the tool choice allows this tool. */
export function isWanted(name: string, toolChoice: ToolChoice): boolean {
  return typeof toolChoice !== 'object' || toolChoice.name === name;
}

function otherTool({ name, range }: CallEnd): Issue {
  const message = `The model called ${JSON.stringify(name)}, which was not the tool asked for.`;
  return { code: 'other-tool', range, message };
}
