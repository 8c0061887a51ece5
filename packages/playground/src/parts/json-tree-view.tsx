// JSON as a folding tree. Arrow keys move in it. It reports the node in focus or under the pointer.

import { createMemo, createSignal, Index, Show } from 'solid-js';
import { words } from '../words/words.js';
import { briefly } from './briefly.js';
import { type JsonNode, jsonTree } from './json-tree.js';
import { shownName, shownString, shownText } from './shown-call.js';
import './json-tree.css';

export interface JsonTreeViewProps {
  label: string;
  json: string;
  /** The tree of the text, if it was built already. */
  root?: JsonNode | undefined;
  /** How many levels are unfolded at first. Default 3. */
  levels?: number;
  /** Nodes to highlight, the innermost last. */
  lit?: readonly JsonNode[];
  onPoint?(node: JsonNode | undefined): void;
  /** Chosen with a click or Enter. */
  onPick?(node: JsonNode): void;
}

/** Children that are drawn at first; a button draws more. */
const PAGE = 100;
/** Characters of one value that are drawn at once. */
const LONG = 2000;
/** Characters of one value that are folded before it is cut. */
const FOLDED = 20_000;

export function JsonTreeView(props: JsonTreeViewProps) {
  let tree!: HTMLDivElement;
  const root = createMemo(() => props.root ?? jsonTree(props.json));
  return (
    <div
      class="json-tree"
      role="tree"
      aria-label={props.label}
      ref={tree}
      onKeyDown={(event) => moveIn(tree, event)}
      onMouseLeave={() => props.onPoint?.(undefined)}
    >
      <Show when={root()} fallback={<div class="waiting">{words().tree.none}</div>}>
        {(node) => <Branch node={node()} depth={0} first={true} view={props} />}
      </Show>
    </div>
  );
}

function Branch(props: { node: JsonNode; depth: number; first: boolean; view: JsonTreeViewProps }) {
  const [open, setOpen] = createSignal(props.depth < (props.view.levels ?? 3));
  const [shown, setShown] = createSignal(PAGE);
  const isBranch = () => isFolding(props.node);
  const children = createMemo(() => props.node.children.slice(0, shown()));
  const isLit = () => props.view.lit?.at(-1)?.start === props.node.start;
  const rest = () => props.node.children.length - children().length;
  return (
    <div
      role="treeitem"
      aria-expanded={isBranch() ? open() : undefined}
      aria-selected={isLit()}
      tabIndex={props.first ? 0 : -1}
      onFocus={(event) => {
        event.stopPropagation();
        if (event.target === event.currentTarget) props.view.onPoint?.(props.node);
      }}
      onBlur={() => props.view.onPoint?.(undefined)}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget) return;
        if (event.key === 'ArrowRight' && isBranch() && !open()) setOpen(true);
        else if (event.key === 'ArrowLeft' && isBranch() && open()) setOpen(false);
        else if (event.key === 'Enter' || event.key === ' ') props.view.onPick?.(props.node);
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
        onMouseEnter={() => props.view.onPoint?.(props.node)}
        onClick={() => (isBranch() ? setOpen(!open()) : props.view.onPick?.(props.node))}
      >
        <span class="arrow" aria-hidden="true">
          {isBranch() ? (open() ? '▾' : '▸') : ''}
        </span>
        <Show when={props.node.key !== undefined}>
          <span class="key">{shownName(props.node.key ?? '')}</span>
          <span class="colon">: </span>
        </Show>
        <Show when={isComposite(props.node)} fallback={<Leaf node={props.node} json={props.view.json} />}>
          <span class="note">{briefly(props.view.json, props.node, open())}</span>
        </Show>
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
                {words().tree.more(rest())}
              </button>
            </div>
          </Show>
        </div>
      </Show>
    </div>
  );
}

const isComposite = ({ type }: JsonNode) => type === 'object' || type === 'array';
/** Whether a node can be folded: an empty one that is complete cannot. */
const isFolding = (node: JsonNode) => isComposite(node) && (node.children.length > 0 || node.open);

function Leaf(props: { node: JsonNode; json: string }) {
  const [most, setMost] = createSignal(LONG);
  const length = () => props.node.end - props.node.valueStart;
  const taken = () => Math.min(length(), Math.max(most(), FOLDED));
  const shown = createMemo(() => {
    const { type, valueStart, end, open } = props.node;
    const written = props.json.slice(valueStart, end);
    return type === 'string'
      ? shownString(written, !open, taken())
      : { text: shownText(written.slice(0, taken())) };
  });
  const rest = () => shown().text.length - most() + length() - taken();
  return (
    <span class={`value ${props.node.type}`} classList={{ lines: shown().lines ?? false }}>
      <Show when={shown().extent}>
        <span class="note">
          {shown().extent}
          {rest() > 0 ? words().tree.notInSight : ''}
          {'\n'}
        </span>
      </Show>
      {shown().text.slice(0, most())}
      <Show when={rest() > 0}>
        {'… '}
        <button
          type="button"
          onClick={(event) => {
            event.stopPropagation();
            setMost(most() * 5);
          }}
        >
          {words().tree.charactersMore(rest())}
        </button>
      </Show>
      <Show when={props.node.open}>
        <span class="growing" title={words().tree.growing}>
          …
        </span>
      </Show>
    </span>
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
