// One verification of a model of the gateway: its form, its progress, and its report.

import type { CheckId, VerifyReport } from '@dragoman/verify';
import { createSignal } from 'solid-js';
import type { VerifyRequest } from '../../gateway/gateway.js';
import { ownGateway } from '../../gateway/own-gateway.js';
import { Trouble } from '../../gateway/trouble.js';

export type VerifyForm = VerifyRequest;

/** What a check has found so far. */
export interface LiveCheck {
  id: CheckId;
  passed: number;
  of: number;
}

interface Progress {
  state: 'idle' | 'running' | 'done' | 'stopped';
  done: number;
  planned: number;
}

const NOTHING: Progress = { state: 'idle', done: 0, planned: 0 };

export type VerifySession = ReturnType<typeof createVerifySession>;

export function createVerifySession() {
  const [form, setForm] = createSignal<VerifyForm>({ model: '', suite: 'quick' });
  const [models, setModels] = createSignal<string[]>([]);
  const [trouble, setTrouble] = createSignal<Trouble>();
  const [progress, setProgress] = createSignal(NOTHING);
  const [live, setLive] = createSignal<LiveCheck[]>([]);
  const [report, setReport] = createSignal<VerifyReport>();
  let stopping: AbortController | undefined;

  const write = (part: Partial<VerifyForm>) => setForm({ ...form(), ...part });

  const loadModels = async () => {
    try {
      const ids = (await ownGateway().models()).map(({ id }) => id);
      setModels(ids);
      setTrouble(undefined);
      if (form().model === '') write({ model: ids[0] ?? '' });
    } catch (error) {
      setTrouble(asTrouble(error));
    }
  };

  const start = async () => {
    stopping = new AbortController();
    const { signal } = stopping;
    setTrouble(undefined);
    setReport(undefined);
    setLive([]);
    setProgress({ ...NOTHING, state: 'running' });
    try {
      for await (const event of ownGateway().verify(form(), signal)) {
        if (event.type === 'report') setReport(event.report);
        else if (event.type === 'start') setProgress({ state: 'running', done: 0, planned: event.planned });
        else {
          setProgress({ ...progress(), done: event.done });
          setLive(counted(live(), event.findings));
        }
      }
      setProgress({ ...progress(), state: signal.aborted ? 'stopped' : 'done' });
    } catch (error) {
      if (signal.aborted) setProgress({ ...progress(), state: 'stopped' });
      else {
        setProgress(NOTHING);
        setTrouble(asTrouble(error));
      }
    }
  };

  return {
    form,
    write,
    models,
    loadModels,
    trouble,
    progress,
    live,
    report,
    start,
    stop: () => stopping?.abort(),
  };
}

type Findings = readonly { check: CheckId; finding: { ok: boolean } }[];

function counted(known: readonly LiveCheck[], findings: Findings): LiveCheck[] {
  const counts = new Map(known.map((one) => [one.id, { ...one }]));
  for (const { check, finding } of findings) {
    const count = counts.get(check) ?? { id: check, passed: 0, of: 0 };
    count.of++;
    if (finding.ok) count.passed++;
    counts.set(check, count);
  }
  return [...counts.values()];
}

function asTrouble(error: unknown): Trouble {
  return error instanceof Trouble ? error : new Trouble('refused', (error as Error).message);
}
