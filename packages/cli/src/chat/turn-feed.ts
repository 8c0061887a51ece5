// Feeds the events of an answer to a view, in order.
//
// For a model that writes text, the view gets the parser's events instead of the answer's: the agent loop waits for
// complete calls, so that it can re-ask, but people want to see calls while they are written.

import type { ParseEvent, Report } from '@dragoman/core';
import type { AgentEvent } from '@dragoman/core/agent';
import type { BridgeEvent, Upstream } from '@dragoman/core/bridge';
import type { ReadPiece, TurnView } from './turn-view.js';

export class TurnFeed {
  readonly reports: Report[] = [];
  /** The raw text of the last answer. */
  source = '';
  /** The raw text of the last answer that had issues. */
  faulty: string | undefined;
  /** Names of calls that were shown while they were written. */
  #shown: string[] = [];
  #live: string | undefined;
  /** How far the source was read. */
  #readTo = 0;
  readonly #notes: string[] = [];

  constructor(
    private readonly view: TurnView,
    /** Shows calls as they are parsed from text; otherwise as native calls of the upstream. */
    private readonly reads: boolean,
  ) {}

  /** Reasoning in a field of its own is not part of the text. */
  watch(upstream: Upstream): Upstream {
    const { view } = this;
    if (!this.reads) return upstream;
    return {
      ...upstream,
      async *ask(request, context) {
        for await (const event of upstream.ask(request, context)) {
          if (event.type === 'reasoning-delta') view.read({ kind: 'reasoning', text: event.text, raw: '' });
          yield event;
        }
      },
    };
  }

  /** Must not throw. */
  readonly onBridge = (event: BridgeEvent): void => {
    if (event.type === 'upstream-request') this.#attempt();
    if (event.type === 'upstream-text') this.source += event.text;
    if (event.type === 'reask') this.faulty = this.source;
    if (event.type === 'tools-refused')
      this.view.note(`The upstream takes no tools (${event.message}); a prompt teaches it to write calls.`);
    if (event.type === 'mended') this.view.note(`Mended before sending: ${counted('fault', event.mended)}.`);
    if (!this.reads) return;
    if (event.type === 'parse') this.#read(event.event);
    if (event.type === 'reask') this.view.note(`Asked again: ${event.reask.reasons.join(' ')}`);
  };

  onAgent(event: AgentEvent): void {
    if (event.type === 'step-start') this.#begin();
    else if (event.type === 'call-ready') this.#ready(event.call.name, event.call.raw ?? '{}');
    else if (event.type === 'tool-start') this.view.wait(`${event.call.name} …`);
    else if (event.type === 'tool-end') this.view.result(event.call, event.result, event.ran);
    else if (event.type === 'finish') this.#finish();
    else if (event.type === 'report') this.#report(event.report);
    else if (event.type === 'step-end' || event.type === 'agent-end') this.#tellNotes();
    else if (!this.reads) this.#answered(event);
  }

  #attempt(): void {
    this.source = '';
    this.#readTo = 0;
  }

  #begin(): void {
    this.#shown = [];
    this.view.wait('…');
  }

  /** What the model wrote behind the point where it was no longer listened to is shown as its text, read as nothing. */
  #finish(): void {
    const rest = this.source.slice(this.#readTo);
    if (this.reads && rest !== '') this.view.read({ kind: 'markup', text: '', raw: rest });
    this.view.stepEnd();
  }

  #report(report: Report): void {
    this.reports.push(report);
    const notes = notesOf(report, this.view.takesCommands);
    if (notes.length > 0) this.faulty = this.source;
    this.#notes.push(...notes);
  }

  /** Behind the results, so that these stand under their calls. */
  #tellNotes(): void {
    for (const note of this.#notes.splice(0)) this.view.note(note);
  }

  /** Of an upstream that tells its calls itself. */
  #answered(event: AgentEvent): void {
    if (event.type === 'text-delta') this.#tell('text', event.text);
    else if (event.type === 'reasoning-delta') this.#tell('reasoning', event.text);
    else if (event.type === 'call-start') this.#start(event.id, event.name);
    else if (event.type === 'call-delta' && event.id === this.#live) this.#tell('call-delta', event.text);
    else if (event.type === 'call-end') this.#end(event.id);
  }

  #read(event: ParseEvent): void {
    const raw = this.source.slice(event.range[0], event.range[1]);
    this.#readTo = event.range[1];
    const reading = toReadPiece(event, raw);
    if (event.type === 'call-end') this.#shown.push(event.name);
    this.view.read(reading);
  }

  /** Calls of an upstream may interleave: the first is shown as it comes, the others when they are complete. */
  #start(id: string, name: string): void {
    if (this.#live !== undefined) return;
    this.#live = id;
    this.#shown.push(name);
    this.#tell('call-start', name);
  }

  #end(id: string): void {
    if (id !== this.#live) return;
    this.#live = undefined;
    this.#tell('call-end', '');
  }

  #ready(name: string, raw: string): void {
    const at = this.#shown.indexOf(name);
    if (at >= 0) {
      this.#shown.splice(at, 1);
      return;
    }
    this.#tell('call-start', name);
    this.#tell('call-delta', raw);
    this.#tell('call-end', '');
  }

  #tell(kind: ReadPiece['kind'], text: string): void {
    this.view.read({ kind, text, raw: '' });
  }
}

function toReadPiece(event: ParseEvent, raw: string): ReadPiece {
  switch (event.type) {
    case 'text-delta':
      return { kind: event.aside ? 'aside' : 'text', text: event.text, raw };
    case 'reasoning-delta':
      return { kind: 'reasoning', text: event.text, raw };
    case 'call-start':
      return { kind: 'call-start', text: event.name, raw };
    case 'call-delta':
      return { kind: 'call-delta', text: event.text, raw };
    case 'call-error':
      return { kind: 'call-error', text: '', raw, issues: event.issues };
    default:
      return { kind: event.type, text: '', raw };
  }
}

/** Gives one line for the issues and repairs of an answer, and one for tools that were left out. */
function notesOf({ issues, repairs, skippedTools, dialect }: Report, takesCommands: boolean): string[] {
  const said = [counted('issue', issues), counted('repair', repairs)].filter((words) => words !== '');
  const notes: string[] = [];
  if (said.length > 0) {
    const name = dialect === undefined ? '' : ` -d ${dialect}`;
    const where = takesCommands ? `/text answer.txt, then dragoman explain answer.txt${name}` : '--json';
    notes.push(`${said.join('; ')}. To see where: ${where}`);
  }
  if (skippedTools && skippedTools.length > 0) notes.push(`${skippedTools.length} tools were left out.`);
  return notes;
}

/** `2 repairs: trailing-comma, missing-closer`. */
function counted(word: string, found: readonly { code: string }[]): string {
  if (found.length === 0) return '';
  const codes = [...new Set(found.map(({ code }) => code))];
  const shown = codes.slice(0, 4).join(', ') + (codes.length > 4 ? ', …' : '');
  return `${found.length} ${word}${found.length === 1 ? '' : 's'}: ${shown}`;
}
