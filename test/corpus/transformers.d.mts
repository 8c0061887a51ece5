export interface TransformersAnswer {
  text?: string;
  message?: { content?: string; thinking?: string; tool_calls?: unknown };
  error?: string;
}

export const missing: string;
export function hasTransformers(): boolean;
export function askTransformers(requests: readonly (object | string)[]): {
  version: string;
  answers: TransformersAnswer[];
};
