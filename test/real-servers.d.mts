export const CANARY: string;

export interface RealServer {
  url: string;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again where it was. */
  restart(): Promise<void>;
  /** It holds its connections and says nothing, until it is resumed. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

export function startRedis(): Promise<RealServer>;
export function startPostgres(): Promise<RealServer>;
export function freePort(): Promise<number>;
