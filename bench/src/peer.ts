// The peer: `@ai-sdk-tool/parser`, by the stream of its protocols, as its middleware uses it. It is a web stream, so a
// part of the time is the stream's own; every user of the peer pays for it.

import { hermesProtocol, morphXmlProtocol, qwen3CoderProtocol } from '@ai-sdk-tool/parser';
import { tools } from './inputs.js';

type Protocol = ReturnType<typeof hermesProtocol>;
type PeerPart = Protocol extends { createStreamParser(options: never): TransformStream<infer P, unknown> }
  ? P
  : never;

const peerTools = tools.map(({ name, description, parameters }) => ({
  type: 'function' as const,
  name,
  description,
  inputSchema: parameters as never,
}));

export interface Peer {
  name: string;
  /** Our dialect for the same text; absent: the peer has a spelling of its own. */
  dialect: string | undefined;
  protocol: () => Protocol;
}

export const peers: Peer[] = [
  { name: 'hermesProtocol', dialect: 'hermes', protocol: () => hermesProtocol() },
  { name: 'qwen3CoderProtocol', dialect: 'qwen3-coder', protocol: () => qwen3CoderProtocol() },
  { name: 'morphXmlProtocol', dialect: undefined, protocol: () => morphXmlProtocol() },
];

/** The call as the peer itself spells it. */
export function peerCallText(peer: Peer, text: string): string {
  const input = JSON.stringify({ text });
  return peer
    .protocol()
    .formatToolCall({ type: 'tool-call', toolCallId: 'c1', toolName: 'write_file', input });
}

/**
 * Characters of text and of complete arguments that come out. Deltas are pulled one by one, as from a connection: in a
 * stream that is filled at its start, Node's own queue takes quadratic time, which is not the peer's.
 */
export async function readWithPeer(peer: Peer, deltas: readonly string[]): Promise<number> {
  const parser = peer.protocol().createStreamParser({ tools: peerTools });
  let at = 0;
  const source = new ReadableStream<PeerPart>({
    pull(controller) {
      const delta = deltas[at++];
      if (delta === undefined) controller.close();
      else controller.enqueue({ type: 'text-delta', id: 't', delta } as PeerPart);
    },
  });
  let seen = 0;
  const reader = source.pipeThrough(parser).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const part = next.value;
    if (part.type === 'text-delta') seen += part.delta.length;
    else if (part.type === 'tool-call') seen += part.input.length;
  }
  return seen;
}
