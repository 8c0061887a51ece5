// The list of exchanges, kept up to date by the inspector's stream.

import { createSignal } from 'solid-js';
import type { ExchangeList } from '../../gateway/gateway.js';
import { ownGateway } from '../../gateway/own-gateway.js';
import { type Trouble, toTrouble } from '../../gateway/trouble.js';
import { bounded, withEvent } from './exchange-list.js';

/** Milliseconds before a stream that was lost is opened again. */
const AGAIN_AFTER = 2000;

export function createFeed() {
  const [list, setList] = createSignal<ExchangeList>();
  const [trouble, setTrouble] = createSignal<Trouble>();
  const [live, setLive] = createSignal(false);
  let running: AbortController | undefined;

  /** Opens the stream once, fetches the list, follows the stream. Gives whether to try again. */
  const follow = async (signal: AbortSignal): Promise<boolean> => {
    try {
      const events = await ownGateway().live({ only: 'list', signal });
      // The stream is open before the list is fetched, so no event is lost; some may be in both.
      setList(bounded(await ownGateway().exchanges()));
      setTrouble(undefined);
      for await (const event of events) setList((known) => known && withEvent(known, event));
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      setTrouble(toTrouble(error));
      // A gateway that was reachable may come back; one that refused will refuse again.
      return list() !== undefined && ['no-gateway', 'broken'].includes(trouble()?.kind ?? '');
    }
  };

  const start = async () => {
    running?.abort();
    const stop = new AbortController();
    running = stop;
    setLive(true);
    setTrouble(undefined);
    while (await follow(stop.signal)) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER));
      if (stop.signal.aborted) return;
    }
    if (running === stop) setLive(false);
  };
  return {
    list,
    trouble,
    live,
    start: () => void start(),
    stop: () => {
      running?.abort();
      running = undefined;
      setLive(false);
    },
  };
}
