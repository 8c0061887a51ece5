// A button that opens a short list of commands or controls. It closes by Escape and by a click elsewhere.

import { type JSX, onCleanup, onMount } from 'solid-js';
import './menu.css';

export function Menu(props: {
  title: JSX.Element;
  class?: string;
  /** Opened by the page. */
  open?: boolean;
  children: JSX.Element;
}) {
  let menu!: HTMLDetailsElement;
  const close = (event: Event) => {
    if (menu.open && !menu.contains(event.target as Node)) menu.open = false;
  };
  onMount(() => document.addEventListener('pointerdown', close));
  onCleanup(() => document.removeEventListener('pointerdown', close));
  return (
    <details
      class={`menu ${props.class ?? ''}`}
      ref={menu}
      open={props.open ?? false}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || !menu.open) return;
        menu.open = false;
        menu.querySelector('summary')?.focus();
      }}
    >
      <summary>{props.title}</summary>
      <div class="box menu-body">{props.children}</div>
    </details>
  );
}
