export interface MaskAnswer {
  ids: number[];
  mask: number[];
}
/** Whether a Python with transformers is at hand. */
export function hasTransformers(): boolean;
/** Gives the version of transformers and its answers. */
export function askMasks(requests: readonly ({ tokenizer: string } & (MaskPieces | MaskMessages))[]): {
  version: string;
  answers: MaskAnswer[];
};
export interface MaskPieces {
  pieces: readonly string[];
}
export interface MaskMessages {
  template: string;
  messages: readonly { role: string; content: string }[];
}
