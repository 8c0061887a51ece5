// A part of an exchange that folds. What is folded is not drawn.

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
