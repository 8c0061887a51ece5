// Chooses the tokenizer.json that tokens are counted with.

import { createUniqueId, Show } from 'solid-js';
import { words } from '../../words/words.js';
import type { ChosenTokenizer, TokenCounts } from './tokens.js';

export function TokensChoice(props: { tokens: TokenCounts }) {
  const id = createUniqueId();
  const chosen = () => props.tokens.chosen();
  return (
    <div class="flow write-row write-tokens">
      <input
        id={id}
        class="unseen"
        type="file"
        accept=".json,application/json"
        aria-describedby={`${id}-status`}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) props.tokens.choose(file);
          // The same file can be chosen again after it was changed.
          event.currentTarget.value = '';
        }}
      />
      <label for={id} class="file-button">
        {words().write.tokenizer}
      </label>
      <span id={`${id}-status`} class="faint" role="status">
        {chosen() ? sentenceOf(chosen() as ChosenTokenizer) : words().write.tokenizerAbout}
      </span>
      <Show when={chosen()}>
        <button type="button" onClick={() => props.tokens.remove()}>
          {words().write.removeTokenizer}
        </button>
      </Show>
    </div>
  );
}

function sentenceOf({ name, state, vocabulary = 0, problem = '' }: ChosenTokenizer): string {
  const { tokenizerStates } = words().write;
  if (state === 'loading') return tokenizerStates.loading(name);
  return state === 'ready' ? tokenizerStates.ready(name, vocabulary) : tokenizerStates.failed(name, problem);
}
