/**
 * What was written for a question: its tokens, or its text. Tokens hold the end token, unless there were too many;
 * text that had no end says so.
 */
export type Answer = readonly number[] | string | { text: string; isCut: boolean };

/** By the id of the question. */
export type Answers = Record<string, Answer>;
