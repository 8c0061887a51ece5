// The session of Try. It is kept as long as the page is open, so that an answer goes on while another view is shown.

import { batch, createSignal } from 'solid-js';
import type { ListedModel } from '../../gateway/gateway.js';
import { ownGateway } from '../../gateway/own-gateway.js';
import { type Trouble, toTrouble } from '../../gateway/trouble.js';
import { gatewayHere } from '../../tiny/browser-model.js';
import { dialectIn } from '../../tiny/tiny-messages.js';
import { keepRounds, keptRounds } from './kept-rounds.js';
import { type ChatMessage, toResults, waitsForResults } from './messages.js';
import { messagesIn, type Round, RunningRound, rawTextsOf } from './round.js';
import { firstState, type TryState } from './state.js';

/** Rounds whose raw text is kept: the last ones. */
const RAW_KEPT = 10;

export type TrySession = ReturnType<typeof createTrySession>;

export function createTrySession() {
  const [form, setForm] = createSignal(firstState());
  const [rounds, setRounds] = createSignal<Round[]>([]);
  const [models, setModels] = createSignal<ListedModel[]>();
  const [trouble, setTrouble] = createSignal<Trouble>();
  let running: AbortController | undefined;

  const write = (change: Partial<TryState>) => setForm({ ...form(), ...change });
  const conversation = (): ChatMessage[] => [...form().messages, ...messagesIn(rounds())];
  const last = () => rounds().at(-1);
  const busy = () => last()?.state === 'asking';
  /** The round whose calls have no results yet. Rounds that failed or were stopped may follow it. */
  const waiting = () => {
    const round = busy() ? undefined : rounds().findLast(({ state }) => state === 'done');
    return round && waitsForResults(round.answer) ? round : undefined;
  };
  const waits = () => waiting() !== undefined;
  /** Results written by hand, kept in case the answer to them is stopped. */
  let results: { of: string; texts: readonly string[] } | undefined;

  const loadModels = async () => {
    setTrouble(undefined);
    try {
      const list = await ownGateway().models();
      batch(() => {
        setModels(list);
        if (form().model === '') write({ model: list[0]?.id ?? '' });
      });
    } catch (error) {
      setTrouble(toTrouble(error));
    }
  };

  const send = async (added: ChatMessage[]) => {
    const { model, others, system, tools } = form();
    const before = rounds().map((round, at, all) =>
      at < all.length - RAW_KEPT ? { ...round, raw: [] } : round,
    );
    const messages = [...conversation(), ...added];
    const stop = new AbortController();
    running = stop;
    const show = () => {
      const beside = runs.slice(1).map(({ round }) => round);
      setRounds([...before, { ...one.round, ...(beside.length > 0 && { beside }) }]);
    };
    const frame = oncePerFrame(() => {
      if (running === stop) show();
    });
    const runs = [model, ...others].map(
      (name) =>
        new RunningRound(dialectIn(name) === undefined ? ownGateway() : gatewayHere(), {
          id: newId(),
          asked: { model: name, system, tools, messages },
          messages: added,
          signal: stop.signal,
          onChange: frame,
        }),
    );
    const [one] = runs as [RunningRound];
    show();
    await Promise.all(runs.map((run) => run.run()));
    if (running !== stop) return;
    show();
    keepRounds(rounds());
    if (one.round.state === 'failed' || one.round.state === 'stopped') takeBack(added);
  };

  /** Puts a question that got no answer back into its field. */
  const takeBack = ([first]: ChatMessage[]) => {
    if (first?.role === 'user' && form().question === '') write({ question: first.content });
  };

  return {
    form,
    write,
    rounds,
    models,
    trouble,
    busy,
    waiting,
    waits,
    resultsOf: ({ id }: Round) => (results?.of === id ? results.texts : undefined),
    conversation,
    loadModels,
    ask: () => {
      const content = form().question;
      write({ question: '' });
      return send([{ role: 'user', content }]);
    },
    goOn: (texts: readonly string[]) => {
      const round = waiting();
      if (!round) return Promise.resolve();
      results = { of: round.id, texts };
      return send(toResults(round.answer, texts));
    },
    stop: () => running?.abort(),
    /** Sends the last request again, in the place of its answer. */
    retry: () => {
      const round = last();
      if (!round || busy()) return Promise.resolve();
      setRounds(rounds().slice(0, -1));
      return send(round.messages);
    },
    /** Takes a question back into its field, with all that came after it. */
    edit: (round: Round) => {
      const at = rounds().findIndex(({ id }) => id === round.id);
      const question = round.messages.find(({ role }) => role === 'user');
      if (at < 0 || !question || busy()) return;
      batch(() => {
        setRounds(rounds().slice(0, at));
        write({ question: question.content });
      });
    },
    /** Brings back the rounds of this tab after a reload. Their raw text comes from the inspector. */
    restore: async () => {
      const kept = keptRounds(conversation());
      if (kept.length === 0 || rounds().length > 0) return;
      batch(() => {
        write({ messages: [] });
        setRounds(kept);
      });
      for (const { id } of kept.slice(-RAW_KEPT)) {
        const record = await ownGateway()
          .exchange(id)
          .catch(() => undefined);
        if (!record) continue;
        const raw = rawTextsOf(record);
        setRounds((now) => now.map((round) => (round.id === id ? { ...round, raw } : round)));
      }
    },
    /** Clears the conversation, and keeps the model, the system text and the tools. */
    startOver: () => {
      running?.abort();
      running = undefined;
      batch(() => {
        const first = form().messages.find(({ role }) => role === 'user') ?? rounds()[0]?.messages[0];
        if (form().question === '' && first) write({ question: first.content });
        write({ messages: [] });
        setRounds([]);
      });
      keepRounds([]);
    },
    /** Loads the state of a link. */
    load: (state: TryState) => {
      running?.abort();
      running = undefined;
      batch(() => {
        setRounds([]);
        setForm({ ...state, model: state.model || form().model });
      });
    },
  };
}

/** `randomUUID` is not there on a page without TLS. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `try-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * Throttles `act` to once a frame, with a pause that grows with its cost: a long text is drawn less often, and the page
 * stays responsive. A hidden page has no frames, so a timer is used there.
 */
function oncePerFrame(act: () => void): () => void {
  let due = false;
  let rest = 0;
  const run = () => {
    if (!due) return;
    due = false;
    const began = performance.now();
    act();
    rest = 4 * (performance.now() - began);
  };
  return () => {
    if (due) return;
    due = true;
    if (rest < 16) requestAnimationFrame(run);
    setTimeout(run, Math.max(rest, 100));
  };
}
