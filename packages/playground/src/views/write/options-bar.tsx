// How the conversation is written: the options of the library, in words.

import { createUniqueId, For } from 'solid-js';
import { OptionList } from '../../parts/option-list.jsx';
import { words } from '../../words/words.js';
import { Check } from './part-editor.js';
import { type ChosenOptions, type Options, optionChoices } from './state.js';

export function OptionsBar(props: { options: Options; onChange(change: Partial<Options>): void }) {
  return (
    <fieldset class="flow write-row write-options" aria-label={words().write.options}>
      <For each={Object.keys(optionChoices) as (keyof ChosenOptions)[]}>
        {(name) => {
          const id = createUniqueId();
          const values = optionChoices[name];
          const named = (): Record<string, string> => words().write.choices[name];
          return (
            <div class="write-field">
              <label for={id}>{words().write.optionTitles[name]}</label>
              <select id={id} onChange={(event) => props.onChange({ [name]: event.currentTarget.value })}>
                <OptionList
                  of={values.map((value) => [value, named()[value] ?? value])}
                  chosen={props.options[name]}
                />
              </select>
            </div>
          );
        }}
      </For>
      <Check
        label={words().write.markDifferences}
        checked={props.options.differences}
        onInput={(differences) => props.onChange({ differences })}
      />
      <Check
        label={words().write.markOutside}
        checked={props.options.origins}
        onInput={(origins) => props.onChange({ origins })}
      />
    </fieldset>
  );
}
