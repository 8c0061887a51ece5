// Combines several watchers into one. A watcher that throws is left out for the rest of that exchange, and logged once.
// An exchange without watchers costs nothing.

import type { ExchangeInfo, ExchangeWatch, Log, Watcher } from '../services.js';

export function joinWatchers(watchers: readonly Watcher[], log?: Log): Watcher {
  const blamed = new WeakSet<Watcher>();
  const blame: Blame = (watcher, error) => {
    if (blamed.has(watcher)) return;
    blamed.add(watcher);
    log?.error({ error }, 'A watcher threw an error. Its errors are ignored, and this is logged once.');
  };
  return { begin: (exchange) => begin(watchers, exchange, blame) };
}

type Blame = (watcher: Watcher, error: unknown) => void;

interface Member {
  watcher: Watcher;
  /** Absent once it threw. */
  watch: ExchangeWatch | undefined;
}

function begin(
  watchers: readonly Watcher[],
  exchange: ExchangeInfo,
  blame: Blame,
): ExchangeWatch | undefined {
  const members: Member[] = [];
  for (const watcher of watchers) {
    try {
      const watch = watcher.begin(exchange);
      if (watch) members.push({ watcher, watch });
    } catch (error) {
      blame(watcher, error);
    }
  }
  return members.length > 0 ? joined(members, blame) : undefined;
}

/** Has only the members that some watcher implements, so that the caller can skip the others. */
function joined(members: readonly Member[], blame: Blame): ExchangeWatch {
  const watch: ExchangeWatch = {};
  const to = (name: keyof ExchangeWatch) => members.filter((member) => member.watch?.[name] !== undefined);
  const [models, events, firsts, ends] = [to('model'), to('event'), to('firstByte'), to('end')];
  if (models.length > 0) watch.model = (model) => tell(models, blame, (one) => one.model?.(model));
  if (events.length > 0) watch.event = (event) => tell(events, blame, (one) => one.event?.(event));
  if (firsts.length > 0) watch.firstByte = () => tell(firsts, blame, (one) => one.firstByte?.());
  if (ends.length > 0) watch.end = (outcome) => tell(ends, blame, (one) => one.end?.(outcome));
  return watch;
}

function tell(members: readonly Member[], blame: Blame, say: (watch: ExchangeWatch) => void): void {
  for (const member of members) {
    if (!member.watch) continue;
    try {
      say(member.watch);
    } catch (error) {
      member.watch = undefined;
      blame(member.watcher, error);
    }
  }
}
