// A JSON value as a tree that folds. What is folded is not drawn, and of a long list only the first.

import { ExactNumber, type ExactValue, exactEntries } from '@dragoman/core';
import { createSignal, For, type JSX, Show } from 'solid-js';
import { briefly } from './briefly.js';
import './json-view.css';

export interface JsonViewProps {
  value: ExactValue;
  /** Before it: the key, or the place in a list. */
  name?: string;
  /** How many levels are open at first. Default 1. */
  open?: number;
}

/** Members that are drawn at once. */
const PAGE = 100;
const LONG_STRING = 400;

export function JsonView(props: JsonViewProps) {
  const entries = () => entriesOf(props.value);
  return (
    <Show when={entries()} fallback={<Leaf name={props.name} value={props.value} />}>
      {(members) => (
        <Show when={members().length > 0} fallback={<Leaf name={props.name} value={props.value} />}>
          <Branch members={members()} value={props.value} name={props.name} open={props.open ?? 1} />
        </Show>
      )}
    </Show>
  );
}

function Branch(props: {
  members: [string, ExactValue][];
  value: ExactValue;
  name: string | undefined;
  open: number;
}) {
  const [open, setOpen] = createSignal(props.open > 0);
  const [shown, setShown] = createSignal(PAGE);
  return (
    <details class="json-view" open={open()} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Name name={props.name} />
        <span class="json-brief">{briefly(props.value, open())}</span>
      </summary>
      <Show when={open()}>
        <ul>
          <For each={props.members.slice(0, shown())}>
            {([key, member]) => (
              <li>
                <JsonView name={key} value={member} open={props.open - 1} />
              </li>
            )}
          </For>
        </ul>
        <Show when={props.members.length > shown()}>
          <button type="button" onClick={() => setShown(shown() + PAGE)}>
            {props.members.length - shown()} more
          </button>
        </Show>
      </Show>
    </details>
  );
}

function Leaf(props: { name: string | undefined; value: ExactValue }) {
  const [whole, setWhole] = createSignal(false);
  const text = () => leafText(props.value);
  const long = () => text().length > LONG_STRING && !whole();
  return (
    <span class="json-leaf">
      <Name name={props.name} />
      <span class={`json-${kindOf(props.value)}`}>
        {long() ? `${text().slice(0, LONG_STRING)}…` : text()}
      </span>
      <Show when={long()}>
        {' '}
        <button type="button" onClick={() => setWhole(true)}>
          {text().length - LONG_STRING} characters more
        </button>
      </Show>
    </span>
  );
}

function Name(props: { name: string | undefined }): JSX.Element {
  return (
    <Show when={props.name !== undefined}>
      <span class="json-name">{props.name}: </span>
    </Show>
  );
}

function entriesOf(value: ExactValue): [string, ExactValue][] | undefined {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return undefined;
  return Array.isArray(value) ? value.map((item, at) => [String(at), item]) : exactEntries(value);
}

function kindOf(value: ExactValue): string {
  if (value instanceof ExactNumber) return 'number';
  return value === null || typeof value === 'object' ? 'null' : typeof value;
}

function leafText(value: ExactValue): string {
  if (value instanceof ExactNumber) return value.text;
  return JSON.stringify(value);
}
