// The panel of the search: a field, two ways to go, and how many matches there are.

import { closeSearchPanel, getSearchQuery, SearchQuery, setSearchQuery } from '@codemirror/search';
import type { EditorState } from '@codemirror/state';
import { EditorView, type Panel, runScopeHandlers, type ViewUpdate } from '@codemirror/view';
import { words } from '../words/words.js';
import { findMatches, hasMore, type Match, MOST_MATCHES, nextMatch } from './find-matches.js';

/** Milliseconds of work before keys are heard again. */
const TURN = 8;

const rest = () => new Promise((go) => setTimeout(go));

const isLong = ({ doc }: EditorState) => doc.length > 100_000;

/** Marks in what is seen of a long text: a line of a megabyte with hundreds of them takes a tenth of a second to lay out. */
const MOST_MARKED = 100;

/** Of a query that marks nothing. */
const none = () => false;

const withMarks = ({ test: _, ...query }: SearchQuery) => new SearchQuery(query);

export class SearchPanel implements Panel {
  readonly dom = document.createElement('div');
  readonly top = true;
  readonly #field = document.createElement('input');
  readonly #status = document.createElement('span');
  #query: SearchQuery;
  #options: { caseSensitive: boolean; regexp: boolean; wholeWord: boolean };
  /** The matches of the query in the text; the last search cancels those before it. */
  #found: Promise<Match[] | undefined> = Promise.resolve(undefined);
  #search = 0;

  constructor(readonly view: EditorView) {
    this.#query = withMarks(getSearchQuery(view.state));
    const { search, caseSensitive, regexp, wholeWord } = this.#query;
    this.#options = { caseSensitive, regexp, wholeWord };
    const { Find, next, previous, close, ...said } = words().search;
    this.dom.className = 'search-panel';
    this.#field.value = search;
    this.#field.placeholder = Find;
    this.#field.setAttribute('aria-label', Find);
    // The editor gives it the focus by this name.
    this.#field.setAttribute('main-field', 'true');
    this.#field.oninput = () => this.#commit();
    this.#status.setAttribute('role', 'status');
    this.dom.onkeydown = (event) => this.#onKey(event);
    this.dom.append(
      this.#field,
      button('↑', previous, () => this.step(-1)),
      button('↓', next, () => this.step(1)),
      this.#status,
      this.#choice('caseSensitive', said.matchCase),
      this.#choice('regexp', said.regexp),
      this.#choice('wholeWord', said.byWord),
      button('×', close, () => closeSearchPanel(view)),
    );
    this.#look();
  }

  mount(): void {
    this.#field.select();
  }

  update({ docChanged, selectionSet, transactions }: ViewUpdate): void {
    const given = transactions.flatMap(({ effects }) => effects).find((one) => one.is(setSearchQuery));
    const query = given && withMarks(given.value);
    // The selected text, when the search is opened again.
    if (query && !query.eq(this.#query)) {
      this.#query = query;
      this.#field.value = query.search;
      this.#look();
    } else if (docChanged) this.#look();
    else if (selectionSet) void this.#tell();
  }

  destroy(): void {
    this.#search++;
  }

  /** Goes to the next match or the one before. */
  async step(direction: 1 | -1): Promise<void> {
    const matches = await this.#found;
    if (!matches?.length) return;
    const { main } = this.view.state.selection;
    const { from, to } = matches[nextMatch(matches, main, direction)] as Match;
    this.view.dispatch({
      selection: { anchor: from, head: to },
      effects: EditorView.scrollIntoView(from, { y: 'nearest', yMargin: 40 }),
      userEvent: 'select.search',
    });
  }

  #commit(): void {
    const query = new SearchQuery({ search: this.#field.value, ...this.#options });
    if (query.eq(this.#query)) return;
    this.#query = query;
    this.#look();
  }

  #look(): void {
    this.#found = this.#find(++this.#search);
    void this.#tell();
  }

  async #find(search: number): Promise<Match[] | undefined> {
    const { state } = this.view;
    // The key that was pressed is drawn first.
    if (isLong(state)) await rest();
    const steps = findMatches(state, this.#query);
    for (let turn = performance.now(); search === this.#search; ) {
      const { done, value } = steps.next();
      if (done) return value;
      if (performance.now() - turn < TURN) continue;
      await rest();
      turn = performance.now();
    }
    return undefined;
  }

  /** Lets the editor mark the matches that are seen, unless there are so many that the page would stand still. */
  #mark(): void {
    const { view } = this;
    const { state, visibleRanges } = view;
    // Not those that are listed: of very many, these are the first in the text.
    const tooMany = isLong(state) && hasMore(state, this.#query, visibleRanges, MOST_MARKED);
    const query = tooMany ? new SearchQuery({ ...this.#query, test: none }) : this.#query;
    if (!query.eq(getSearchQuery(state))) view.dispatch({ effects: setSearchQuery.of(query) });
  }

  async #tell(): Promise<void> {
    const said = words().search;
    const query = this.#query;
    const found = this.#found;
    const matches = await found;
    if (!matches || found !== this.#found) return;
    this.#mark();
    const { from, to } = this.view.state.selection.main;
    const at = matches.findIndex((one) => one.from === from && one.to === to);
    const isWrong = query.search !== '' && !query.valid;
    this.#field.setAttribute('aria-invalid', String(isWrong));
    if (query.search === '') this.#status.textContent = '';
    else if (isWrong) this.#status.textContent = said.notValid;
    else this.#status.textContent = said.count(at + 1, matches.length, matches.length >= MOST_MATCHES);
  }

  #choice(name: 'caseSensitive' | 'regexp' | 'wholeWord', title: string): HTMLElement {
    const label = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = this.#options[name];
    box.onchange = () => {
      this.#options = { ...this.#options, [name]: box.checked };
      this.#commit();
    };
    label.append(box, title);
    return label;
  }

  #onKey(event: KeyboardEvent): void {
    if (runScopeHandlers(this.view, event, 'search-panel')) event.preventDefault();
    else if (event.key === 'Enter' && event.target === this.#field) {
      event.preventDefault();
      void this.step(event.shiftKey ? -1 : 1);
    }
  }
}

function button(sign: string, title: string, press: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = sign;
  made.title = title;
  made.setAttribute('aria-label', title);
  made.onclick = press;
  return made;
}
