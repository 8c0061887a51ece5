// What is noted of a request's spelling where the model does not tell.

export interface Spelling {
  /** Of a message: whether its content was one string. A message without this note was not sent by a client. */
  content?: 'string' | 'blocks';
  /** Of a user's message that shared its content with the results before it: where its own parts stood. */
  places?: number[];
  /** Of a system message: it stood among the messages. */
  inline?: true;
  /** Of a result: its blocks, where some are of a kind the model takes as a whole for the value. */
  blocks?: unknown;
  /** Of a thought: it had no signature, and the client meant it so. */
  unsigned?: true;
  /** Of a request: how many tools it had, and those that run at a provider, with their places. */
  tools?: number;
  skipped?: { at: number; tool: unknown }[];
}
