// Imports a pasted request as the conversation, and exports the conversation as a request.

import type { Wire } from '@dragoman/core/wire';
import { createSignal, For, Show } from 'solid-js';
import { copyText } from '../../parts/copy-text.js';
import type { TextRange } from '../../parts/editor-text.js';
import { words } from '../../words/words.js';
import type { Draft } from './draft.js';
import { type RefusedRequest, readRequest, servedApis, writeRequest } from './request-text.js';
import { TextField } from './text-field.js';

export function RequestPanel(props: { draft(): Draft; onImport(draft: Draft): void }) {
  const [text, setText] = createSignal('');
  const [status, setStatus] = createSignal('');
  const [refused, setRefused] = createSignal<RefusedRequest>();
  const [select, setSelect] = createSignal<TextRange>();
  const [apis, setApis] = createSignal<readonly Wire[]>([]);

  const problem = () => {
    const found = refused();
    return found && words().write.line(found.line, found.message);
  };
  const edit = (next: string) => {
    setText(next);
    setRefused(undefined);
    setStatus('');
  };
  const take = async () => {
    const read = await readRequest(text());
    if ('message' in read) {
      setRefused(read);
      return;
    }
    props.onImport(read.draft);
    setStatus(words().write.imported(read.draft.messages.length, read.leftOut));
  };
  const give = (api: Wire) => {
    const written = writeRequest(props.draft(), api);
    edit('text' in written ? written.text : text());
    setStatus(
      'text' in written ? words().write.exported(api.title) : `${words().write.cannot} ${written.problem}`,
    );
  };
  const copy = async () => {
    setStatus((await copyText(text())) ? words().page.copied : words().page.cannotCopy);
  };
  return (
    <details class="write-panel" onToggle={() => void servedApis().then(setApis)}>
      <summary>{words().write.request}</summary>
      <p>{words().write.requestAbout}</p>
      <TextField
        label={words().write.requestLabel}
        code
        value={text()}
        placeholder='{"messages": [{"role": "user", "content": "Hi"}]}'
        problem={problem()}
        select={select()}
        onInput={edit}
      />
      <div class="flow write-row">
        <Show when={refused()}>
          {(found) => (
            <button type="button" onClick={() => setSelect({ ...found().place })}>
              {words().write.goTo(found().line)}
            </button>
          )}
        </Show>
        <button type="button" disabled={text().trim() === ''} onClick={() => void take()}>
          {words().write.use}
        </button>
        <For each={apis()}>
          {(api) => (
            <button type="button" onClick={() => give(api)}>
              {words().write.as(api.title)}
            </button>
          )}
        </For>
        <button type="button" disabled={text() === ''} onClick={() => void copy()}>
          {words().read.copy}
        </button>
      </div>
      <p role="status">{status()}</p>
    </details>
  );
}
