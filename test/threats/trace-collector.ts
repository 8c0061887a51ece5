// A collector of traces, and what it was told.

import { createServer } from 'node:http';
import { close, listen } from '../scripted/text-model.js';

export interface TraceCollector {
  port: number;
  spans: string[];
  close(): Promise<unknown>;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece;
    spans.push(text);
    response.end('{}');
  });
  return { port: await listen(server), spans, close: async () => close(server) };
}
