// A section of an exchange that folds. Its content is drawn only while it is unfolded.

import { createSignal, type JSX, Show } from 'solid-js';

export function Fold(props: { title: string; about?: string; open?: boolean; children: JSX.Element }) {
  const [open, setOpen] = createSignal(props.open ?? false);
  return (
    <details class="fold" open={open()} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h3>{props.title}</h3> <span class="faint">{props.about}</span>
      </summary>
      <Show when={open()}>{props.children}</Show>
    </details>
  );
}
