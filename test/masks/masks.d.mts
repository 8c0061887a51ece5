export interface MaskAnswer {
  ids: number[];
  mask: number[];
}
/** Whether a Python with transformers is at hand. */
export function hasTransformers(): boolean;
/** Gives the version of transformers and its answers. */
export function askMasks(requests: readonly { tokenizer: string; pieces: readonly string[] }[]): {
  version: string;
  answers: MaskAnswer[];
};
