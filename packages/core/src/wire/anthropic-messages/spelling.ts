// Notes on how a request was spelled, where the model does not hold it.

export interface Spelling {
  /** On a message: whether its content was one string. A message without this note was not sent by a client. */
  content?: 'string' | 'blocks';
  /** On a user's message that shared its content with the results before it: the places of its own parts. */
  places?: number[];
  /** With `places`: how many results there were. */
  results?: number;
  /** On a call: its input, if it was no object. */
  input?: unknown;
  /** On a system message: it was among the messages. */
  inline?: true;
  /** On a result: its blocks, if the model took the whole list for the output. */
  blocks?: unknown;
  /** On reasoning: the client sent it without a signature. */
  unsigned?: true;
  /** On a request: how many tools it had, and those that run at a provider, with their places. */
  tools?: number;
  skipped?: { at: number; tool: unknown }[];
}
