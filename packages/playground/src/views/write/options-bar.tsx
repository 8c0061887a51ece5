// How the conversation is written: the options of the library, in words.

import { createUniqueId, For } from 'solid-js';
import { OptionList } from '../../parts/option-list.jsx';
import { Check } from './part-editor.js';
import { type ChosenOptions, type Options, optionChoices } from './state.js';

export function OptionsBar(props: { options: Options; onChange(change: Partial<Options>): void }) {
  return (
    <fieldset class="flow write-row write-options" aria-label="Options">
      <For each={Object.keys(optionChoices) as (keyof ChosenOptions)[]}>
        {(name) => {
          const id = createUniqueId();
          const { title, words } = optionChoices[name];
          return (
            <div class="write-field">
              <label for={id}>{title}</label>
              <select id={id} onChange={(event) => props.onChange({ [name]: event.currentTarget.value })}>
                <OptionList of={Object.entries(words)} chosen={props.options[name]} />
              </select>
            </div>
          );
        }}
      </For>
      <Check
        label="Mark differences"
        checked={props.options.differences}
        onInput={(differences) => props.onChange({ differences })}
      />
    </fieldset>
  );
}
