// One part of a message: text, a thought, a call, a result.

import type { MediaPart } from '@dragoman/core';
import { createUniqueId, Match, Show, Switch } from 'solid-js';
import { words } from '../../words/words.js';
import type { DraftCall, DraftPart, DraftProblem, DraftResult, DraftText } from './draft.js';
import { SmallButton } from './small-button.js';
import { TextField } from './text-field.js';

export interface PartEditorProps {
  part: DraftPart;
  problem: DraftProblem | undefined;
  onChange(change: Partial<DraftPart>): void;
  onRemove(): void;
}

export function PartEditor(props: PartEditorProps) {
  const as = <Type extends DraftPart>(...types: Type['type'][]) =>
    types.some((type) => type === props.part.type) && (props.part as Type);
  return (
    <div class="write-part">
      <Switch>
        <Match when={as<DraftText>('text', 'reasoning')}>
          {(part) => (
            <TextField
              label={part().type === 'text' ? words().kinds.text.title : words().kinds.reasoning.title}
              value={part().text}
              problem={props.problem?.message}
              onInput={(text) => props.onChange({ text })}
            />
          )}
        </Match>
        <Match when={as<DraftCall>('tool-call')}>{(part) => <Call {...props} part={part()} />}</Match>
        <Match when={as<DraftResult>('tool-result')}>{(part) => <Result {...props} part={part()} />}</Match>
        <Match when={as<MediaPart>('media')}>
          <p>{words().write.media}</p>
        </Match>
      </Switch>
      <SmallButton label={words().write.removePart} sign="✕" onClick={props.onRemove} />
    </div>
  );
}

function Call(props: PartEditorProps & { part: DraftCall }) {
  /** The path of a problem ends with the field: `….name`, `….id`, `….input`. */
  const atInput = () => !props.problem?.path.endsWith('.name') && !props.problem?.path.endsWith('.id');
  return (
    <fieldset class="write-group" aria-label={words().write.call}>
      <div class="flow write-row">
        <Line
          label={words().write.tool}
          value={props.part.name}
          onInput={(name) => props.onChange({ name })}
        />
        <Line label={words().write.callId} value={props.part.id} onInput={(id) => props.onChange({ id })} />
      </div>
      <Show when={props.problem && !atInput()}>
        <p class="write-problem">{props.problem?.message}</p>
      </Show>
      <TextField
        label={words().write.callArguments}
        code
        value={props.part.input}
        problem={atInput() ? props.problem?.message : undefined}
        onInput={(input) => props.onChange({ input })}
      />
    </fieldset>
  );
}

function Result(props: PartEditorProps & { part: DraftResult }) {
  return (
    <fieldset class="write-group" aria-label={words().write.result}>
      <div class="flow write-row">
        <Line
          label={words().write.answers}
          value={props.part.callId}
          onInput={(callId) => props.onChange({ callId })}
        />
        <Check
          label={words().write.isJson}
          checked={props.part.json ?? false}
          onInput={(json) => props.onChange({ json })}
        />
        <Check
          label={words().write.isError}
          checked={props.part.isError ?? false}
          onInput={(isError) => props.onChange({ isError })}
        />
      </div>
      <TextField
        label={words().write.output}
        value={props.part.output}
        problem={props.problem?.message}
        onInput={(output) => props.onChange({ output })}
      />
    </fieldset>
  );
}

function Line(props: { label: string; value: string; onInput(text: string): void }) {
  const id = createUniqueId();
  return (
    <div class="write-field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        spellcheck={false}
        autocomplete="off"
        value={props.value}
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
    </div>
  );
}

export function Check(props: { label: string; checked: boolean; onInput(checked: boolean): void }) {
  return (
    <label class="write-check">
      <input
        type="checkbox"
        checked={props.checked}
        onInput={(event) => props.onInput(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  );
}
