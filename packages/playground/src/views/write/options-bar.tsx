// How the conversation is written: the options of the library, in words.

import { createUniqueId, For } from 'solid-js';
import { Check } from './part-editor.js';
import type { Options } from './state.js';

type OptionChoice<Name extends keyof Options> = readonly [Options[Name], string];

const thinking: readonly OptionChoice<'thinking'>[] = [
  ['own', 'as the dialect does'],
  ['on', 'on'],
  ['off', 'off'],
];
const teaching: readonly OptionChoice<'teaching'>[] = [
  ['full', 'full'],
  ['short', 'short'],
];
const language: readonly OptionChoice<'language'>[] = [
  ['en', 'English'],
  ['zh', 'Chinese'],
];
const safety: readonly OptionChoice<'safety'>[] = [
  ['escape', 'escape: break them'],
  ['reject', 'reject: refuse the text'],
  ['exact', 'exact: leave them (unsafe)'],
];

export function OptionsBar(props: { options: Options; onChange(change: Partial<Options>): void }) {
  return (
    <fieldset class="write-row write-options" aria-label="Options">
      <Select
        label="Thinking"
        value={props.options.thinking}
        choices={thinking}
        onChange={(thinking) => props.onChange({ thinking })}
      />
      <Select
        label="Teaching"
        value={props.options.teaching}
        choices={teaching}
        onChange={(teaching) => props.onChange({ teaching })}
      />
      <Select
        label="Language"
        value={props.options.language}
        choices={language}
        onChange={(language) => props.onChange({ language })}
      />
      <Select
        label="Markers in outside text"
        value={props.options.safety}
        choices={safety}
        onChange={(safety) => props.onChange({ safety })}
      />
      <Check
        label="Mark differences"
        checked={props.options.differences}
        onInput={(differences) => props.onChange({ differences })}
      />
    </fieldset>
  );
}

interface SelectProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly (readonly [Value, string])[];
  onChange(value: Value): void;
}

function Select<Value extends string>(props: SelectProps<Value>) {
  const id = createUniqueId();
  return (
    <div class="write-field">
      <label for={id}>{props.label}</label>
      <select id={id} onChange={(event) => props.onChange(event.currentTarget.value as Value)}>
        <For each={props.choices}>
          {([value, words]) => (
            <option value={value} selected={value === props.value}>
              {words}
            </option>
          )}
        </For>
      </select>
    </div>
  );
}
