export const FILL: number;
export const PERIOD: number;
export const PIECE_GROWTH: number;

export interface PacedModel {
  readonly url: string;
  /** Streams that wait for their next piece. */
  readonly open: number;
  tick(): void;
  end(): void;
  close(): Promise<void>;
}
export function startPacedModel(): Promise<PacedModel>;

export interface Streams {
  readonly seen: { readonly pieces: number; readonly whole: number; readonly broken: number };
  readonly over: Promise<void>;
}
export function openStreams(url: string, count: number): Streams;
