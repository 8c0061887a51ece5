// Why an attempt of a model does not do, where asking again may help.

import type { Issue, IssueCode, ParseEvent } from '../model/index.js';

export interface Problem {
  /** What is told to the model. */
  kind: 'unreadable' | 'unknown-tool' | 'bad-arguments' | 'other-tool' | 'echo' | 'forged' | 'no-call';
  issues: Issue[];
  /** The call, if it could be read: then it is answered with an error result. */
  callId?: string;
}

const unreadable: IssueCode[] = [
  'incomplete-call',
  'unclosed-block',
  'unreadable-call',
  'unsupported-code',
  'missing-id',
  'too-deep',
  'too-long',
];

/** Whether these issues say that text ended inside a call. */
export function isCut(issues: readonly Issue[]): boolean {
  return issues.some(({ code }) => code === 'incomplete-call' || code === 'unclosed-block');
}

/** The issues of an event that say that a call could not be read. */
export function unreadableIssues(event: ParseEvent): Issue[] {
  return (event.issues ?? []).filter(({ code }) => unreadable.includes(code));
}

export function issuesOf(event: ParseEvent, code: IssueCode): Issue[] {
  return (event.issues ?? []).filter((issue) => issue.code === code);
}
