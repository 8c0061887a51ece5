// Which model to use where a person named none: the settings of agents, the calls of `doctor`, the greeting of `serve`.

/** Models that make embeddings, rankings, transcripts or speech, and no answers. */
const NO_CHAT = /embed|rerank|whisper|tts|minilm|\bbge-/i;

/** By its name, which is all that servers tell alike. */
export function makesAnswers(name: string): boolean {
  return !NO_CHAT.test(name);
}

/** The first that makes answers and whose dialect is known, else the first that makes answers. */
export function preferredModel<Model extends { name: string; dialect?: string | undefined }>(
  models: readonly Model[],
): Model | undefined {
  const answering = models.filter(({ name }) => makesAnswers(name));
  return answering.find(({ dialect }) => dialect !== undefined) ?? answering[0];
}
