// What the codec of an API asks of a converter: exact values, and notes of what the API cannot say.

import type {
  CodecLoss,
  Conversation,
  ExactValue,
  Extra,
  Members,
  ToolCall,
  WriteContext,
} from '@dragoman/core/internal';
import { writeJson } from '../quick/plain-json.js';
import { exactInput, inputText } from './call-input.js';
import { arrivedChoice, noteChoice } from './choice.js';
import type { Note, Transcript } from './form.js';
import { callNames, noteExtra, noteLoss } from './losses.js';
import { putExtra } from './members.js';
import { noteResult } from './note-result.js';
import { keptOf, noteTools, wasEmpty, withKept } from './tools.js';

export class RowContext implements WriteContext {
  readonly own: boolean;
  readonly names: ReadonlyMap<string, string>;
  readonly inputText: (call: ToolCall) => string = inputText;
  readonly inputValue: (call: ToolCall) => ExactValue = exactInput;
  readonly stringify: (value: ExactValue) => string = writeJson;

  /** Adds to `notes`. `form` is the form that is written. */
  constructor(
    { conversation, form: source }: Transcript,
    form: string,
    private readonly notes: Note[],
  ) {
    this.own = source === form;
    this.names = callNames(conversation.messages);
  }

  lose(code: CodecLoss, path: string): void {
    noteLoss(this.notes, code, path);
  }

  beside(members: Members, extra: Extra | undefined, path: string): void {
    if (this.own) putExtra(members, extra);
    else noteExtra(this.notes, extra, path);
  }

  loseExtra(extra: Extra | undefined, path: string, ...ignored: string[]): void {
    noteExtra(this.notes, extra, path, ...ignored);
  }

  loseResult(extra: Extra | undefined, path: string): void {
    noteResult(this.notes, extra, path);
  }

  ownTools(list: ExactValue[], extra: Extra | undefined): ExactValue[] | undefined {
    const all = withKept(list, keptOf(extra));
    return all.length > 0 || wasEmpty(extra) ? all : undefined;
  }

  loseTools({ tools, extra }: Conversation): void {
    noteTools(this.notes, tools, extra);
  }

  arrivedChoice(extra: Extra | undefined): ExactValue | undefined {
    if (this.own) return arrivedChoice(extra);
    noteChoice(this.notes, extra);
    return undefined;
  }
}
