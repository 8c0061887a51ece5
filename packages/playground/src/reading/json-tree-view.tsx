// JSON as a tree that folds. Arrow keys move in it; what is in focus or under the pointer says where it stands.

import { createMemo, createSignal, Index, Show } from 'solid-js';
import type { JsonNode } from './json-tree.js';
import './json-tree.css';

export interface JsonTreeViewProps {
  label: string;
  json: string;
  root: JsonNode | undefined;
  /** Nodes to light up, the innermost last. */
  lit: readonly JsonNode[];
  onPoint(node: JsonNode | undefined): void;
  /** Chosen with a click or Enter. */
  onPick(node: JsonNode): void;
}

/** Children that are drawn at once; the rest is behind a button. */
const PAGE = 100;
/** Characters of one value that are drawn. */
const LONG = 2000;

export function JsonTreeView(props: JsonTreeViewProps) {
  let tree!: HTMLDivElement;
  return (
    <div
      class="json-tree"
      role="tree"
      aria-label={props.label}
      ref={tree}
      onKeyDown={(event) => moveIn(tree, event)}
      onMouseLeave={() => props.onPoint(undefined)}
    >
      <Show when={props.root} fallback={<div class="waiting">No arguments yet.</div>}>
        {(root) => <Branch node={root()} depth={0} first={true} view={props} />}
      </Show>
    </div>
  );
}

function Branch(props: { node: JsonNode; depth: number; first: boolean; view: JsonTreeViewProps }) {
  const [open, setOpen] = createSignal(props.depth < 3);
  const [shown, setShown] = createSignal(PAGE);
  const isBranch = () => props.node.type === 'object' || props.node.type === 'array';
  const children = createMemo(() => props.node.children.slice(0, shown()));
  const isLit = () => props.view.lit.at(-1)?.start === props.node.start && props.view.lit.length > 0;
  const rest = () => props.node.children.length - children().length;
  return (
    <div
      role="treeitem"
      aria-expanded={isBranch() ? open() : undefined}
      aria-selected={isLit()}
      tabIndex={props.first ? 0 : -1}
      onFocus={(event) => {
        event.stopPropagation();
        if (event.target === event.currentTarget) props.view.onPoint(props.node);
      }}
      onBlur={() => props.view.onPoint(undefined)}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget) return;
        if (event.key === 'ArrowRight' && isBranch() && !open()) setOpen(true);
        else if (event.key === 'ArrowLeft' && isBranch() && open()) setOpen(false);
        else if (event.key === 'Enter' || event.key === ' ') props.view.onPick(props.node);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter and the arrows do the same, on the item around it. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the item around it has the role. */}
      <div
        class="row"
        classList={{ lit: isLit() }}
        onMouseEnter={() => props.view.onPoint(props.node)}
        onClick={() => (isBranch() ? setOpen(!open()) : props.view.onPick(props.node))}
      >
        <span class="arrow" aria-hidden="true">
          {isBranch() ? (open() ? '▾' : '▸') : ''}
        </span>
        <Show when={props.node.key !== undefined}>
          <span class="key">{props.node.key}</span>
          <span class="colon">: </span>
        </Show>
        <Value node={props.node} json={props.view.json} open={open()} />
      </div>
      <Show when={isBranch() && open()}>
        {/* biome-ignore lint/a11y/useSemanticElements: a group of tree items is what the pattern of a tree asks for. */}
        <div role="group" class="members">
          <Index each={children()}>
            {(child) => <Branch node={child()} depth={props.depth + 1} first={false} view={props.view} />}
          </Index>
          <Show when={rest() > 0}>
            <div role="none">
              <button type="button" onClick={() => setShown(shown() + PAGE * 10)}>
                {rest()} more
              </button>
            </div>
          </Show>
        </div>
      </Show>
    </div>
  );
}

function Value(props: { node: JsonNode; json: string; open: boolean }) {
  const count = () => props.node.children.length;
  const written = () =>
    props.json.slice(props.node.valueStart, Math.min(props.node.end, props.node.valueStart + LONG));
  const cut = () => props.node.end - props.node.valueStart - LONG;
  return (
    <Show
      when={props.node.type === 'object' || props.node.type === 'array'}
      fallback={
        <span class={`value ${props.node.type}`}>
          {written()}
          <Show when={cut() > 0}>
            <span class="note"> … and {cut().toLocaleString('en')} characters more</span>
          </Show>
          <Show when={props.node.open}>
            <span class="growing" title="More is to come.">
              …
            </span>
          </Show>
        </span>
      }
    >
      <span class="value">{props.node.type === 'object' ? '{' : '['}</span>
      <span class="note">
        {' '}
        {count()} {props.node.type === 'object' ? 'member' : 'element'}
        {count() === 1 ? '' : 's'}
        {props.node.open ? ' so far' : ''}{' '}
      </span>
      <span class="value">{props.node.type === 'object' ? '}' : ']'}</span>
    </Show>
  );
}

/** As trees go: up and down over what is seen, left to the parent, right to the first child. */
function moveIn(tree: HTMLElement, event: KeyboardEvent): void {
  const items = [...tree.querySelectorAll<HTMLElement>('[role=treeitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  const parent = items[at]?.parentElement?.closest<HTMLElement>('[role=treeitem]');
  const goals: Record<string, HTMLElement | null | undefined> = {
    ArrowDown: items[at + 1],
    ArrowRight: items[at]?.getAttribute('aria-expanded') === 'true' ? items[at + 1] : undefined,
    ArrowUp: items[at - 1],
    ArrowLeft: parent,
    Home: items[0],
    End: items.at(-1),
  };
  if (!Object.hasOwn(goals, event.key)) return;
  event.preventDefault();
  const goal = goals[event.key];
  if (!goal) return;
  for (const item of items) item.tabIndex = item === goal ? 0 : -1;
  goal.focus();
}
