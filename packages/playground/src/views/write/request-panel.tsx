// Imports a pasted request as the conversation, and exports the conversation as a request.

import type { Wire } from '@dragoman/core/wire';
import { createSignal, For, Show } from 'solid-js';
import type { TextRange } from '../../parts/editor-text.js';
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
    return found && `Line ${found.line}: ${found.message}`;
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
    setStatus(importedSentence(read.draft, read.leftOut));
  };
  const give = (api: Wire) => {
    const written = writeRequest(props.draft(), api);
    edit('text' in written ? written.text : text());
    setStatus(
      'text' in written ? `Written as a request of ${api.title}.` : `Cannot be written. ${written.problem}`,
    );
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setStatus('Copied.');
    } catch {
      setStatus('The browser does not allow copying here. Select the text and copy it yourself.');
    }
  };
  return (
    <details class="write-panel" onToggle={() => void servedApis().then(setApis)}>
      <summary>Import or export a request</summary>
      <p>
        Paste a request of OpenAI’s or Anthropic’s API as JSON and use it, or have this conversation written
        as one.
      </p>
      <TextField
        label="Request (JSON)"
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
              Go to line {found().line}
            </button>
          )}
        </Show>
        <button type="button" disabled={text().trim() === ''} onClick={() => void take()}>
          Use this request
        </button>
        <For each={apis()}>
          {(api) => (
            <button type="button" onClick={() => give(api)}>
              Write as {api.title}
            </button>
          )}
        </For>
        <button type="button" disabled={text() === ''} onClick={() => void copy()}>
          Copy
        </button>
      </div>
      <p role="status">{status()}</p>
    </details>
  );
}

function importedSentence({ messages }: Draft, leftOut: readonly string[]): string {
  const taken = `Taken over: ${messages.length} ${messages.length === 1 ? 'message' : 'messages'} and the tools.`;
  return leftOut.length === 0
    ? taken
    : `${taken} No part of a conversation, and left out: ${leftOut.join(', ')}.`;
}
