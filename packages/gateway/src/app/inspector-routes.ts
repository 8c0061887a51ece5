// The routes of the inspector: recorded exchanges as JSON, and live events as a stream.

import type { Hono, HonoRequest } from 'hono';
import type { Inspector } from '../observability/inspector.js';
import { inspectorStream } from '../observability/inspector-stream.js';
import { answerAdmin } from './admit-admin.js';
import type { AppContext } from './app.js';

const root = '/inspector';

export function addInspector(app: Hono, inspector: Inspector, context: AppContext): void {
  const guarded = (request: Request, answer: () => Response) => answerAdmin(request, context, answer);
  app.get(`${root}/exchanges`, ({ req }) =>
    guarded(req.raw, () => Response.json({ keep: inspector.keep, exchanges: inspector.list() })),
  );
  app.get(`${root}/exchanges/:id`, ({ req }) =>
    guarded(req.raw, () => {
      const found = inspector.get(req.param('id'));
      return found ? Response.json(found) : Response.json({ error: 'not kept' }, { status: 404 });
    }),
  );
  app.get(`${root}/events`, ({ req }) =>
    guarded(
      req.raw,
      () =>
        new Response(streamOf(inspector, context, req), {
          headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
        }),
    ),
  );
}

/** `?id=` selects one exchange, `?only=list` the events that change the list, without content. */
function streamOf(inspector: Inspector, { count }: AppContext, req: HonoRequest): ReadableStream<Uint8Array> {
  const id = req.query('id');
  const list = req.query('only') === 'list';
  return inspectorStream(inspector, {
    onEnd: (end) => count.whenOver(end),
    only: (event) =>
      event.type === 'dropped' ||
      ((id === undefined || event.id === id) && (!list || event.type.startsWith('exchange-'))),
  });
}
