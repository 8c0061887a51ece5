// The controls above the text: dialect, tools, example, and what can be copied and shared.

import { dialectList } from 'virtual:dialects';
import { examples } from 'virtual:examples';
import { For } from 'solid-js';
import { copyText } from '../../parts/copy-text.js';
import { Menu } from '../../parts/menu.jsx';
import { OptionList } from '../../parts/option-list.jsx';
import { ShareLink } from '../../parts/share-link.jsx';
import type { ReadContext } from '../../reading/editor-context.js';
import type { ReadOutcome, ReadTools } from '../../reading/index.js';
import type { ReadState } from '../../view.js';
import { words } from '../../words/words.js';
import { firstExample } from './examples.js';
import { Listener } from './listener.jsx';
import { fromExample, type ReadDocument } from './state.js';
import { callsAsJson, explainCommand, testCase } from './test-case.js';
import { ToolsMenu } from './tools-menu.jsx';

export interface ReadBarProps {
  doc: ReadDocument;
  outcome: ReadOutcome | undefined;
  tools: ReadTools;
  busy: boolean;
  /** A new document, and what is to be told of it. */
  onDocument(doc: ReadDocument, told: string): void;
  onContext(change: Partial<ReadContext>): void;
  onFind(): void;
  onShuffle(): void;
  onListen(state: ReadState): void;
  onStatus(status: string): void;
  address(): Promise<string>;
}

const choices = [firstExample, ...examples];

export function ReadBar(props: ReadBarProps) {
  const choose = (place: number) => {
    const chosen = choices[place];
    if (chosen) props.onDocument(fromExample(chosen), words().read.loadedExample);
  };
  const chosen = () => choices.findIndex(({ text }) => text === props.doc.text);
  return (
    <form class="bar" onSubmit={(event) => event.preventDefault()}>
      <p class="about">{words().read.about}</p>
      <label class="chip whole">
        {words().read.dialect}
        <select onChange={(event) => props.onContext({ dialect: event.currentTarget.value })}>
          <OptionList
            of={[['auto', detected(props.outcome)], ...dialectList.map(({ name }) => name)]}
            chosen={props.doc.context.dialect}
          />
        </select>
      </label>
      <ToolsMenu
        text={props.doc.context.tools}
        read={props.tools}
        onText={(tools) => tools !== props.doc.context.tools && props.onContext({ tools })}
      />
      <label class="chip whole example">
        {words().read.example}
        <select onChange={(event) => choose(Number(event.currentTarget.value))}>
          <option value="-1" selected={chosen() < 0}>
            {words().read.ownText}
          </option>
          <For each={[true, false]}>
            {(broken) => (
              <optgroup label={broken ? words().read.broken : words().read.well}>
                <OptionList of={optionsOf(broken)} chosen={String(chosen())} />
              </optgroup>
            )}
          </For>
        </select>
      </label>
      <span class="rest" />
      <Menu title={words().read.more}>
        <button
          type="button"
          onClick={(event) => {
            event.currentTarget.closest('details')?.removeAttribute('open');
            props.onFind();
          }}
        >
          {words().read.find}
        </button>
        <label>
          <input
            type="checkbox"
            checked={props.doc.context.thinking}
            onChange={(event) => props.onContext({ thinking: event.currentTarget.checked })}
          />{' '}
          {words().read.thinking}
        </label>
        <Listener busy={props.busy} onState={props.onListen} onStatus={props.onStatus} />
        <button type="button" disabled={props.busy || props.doc.text === ''} onClick={props.onShuffle}>
          {words().read.shuffle}
        </button>
      </Menu>
      <CopyMenu {...props} />
      <ShareLink
        address={props.address}
        shared={words().read.shared}
        tooLong={words().read.tooLong}
        onStatus={props.onStatus}
      />
    </form>
  );
}

function CopyMenu(props: ReadBarProps) {
  const copy = async (text: string, told: string) =>
    props.onStatus((await copyText(text)) ? told : words().page.cannotCopy);
  const reading = () => props.outcome?.reading;
  return (
    <Menu title={words().read.copy}>
      <button
        type="button"
        disabled={!reading()}
        onClick={() => {
          const found = reading();
          if (found) void copy(callsAsJson(found), words().read.copiedCalls(found.calls.length));
        }}
      >
        {words().read.copyCalls}
      </button>
      <button type="button" onClick={() => void copy(props.doc.text, words().read.copiedText)}>
        {words().read.copyText}
      </button>
      <button
        type="button"
        disabled={!reading()}
        onClick={() => {
          const { outcome } = props;
          if (outcome)
            void copy(testCase(props.doc, outcome.dialect, outcome.reading), words().read.copiedCase);
        }}
      >
        {words().read.copyCase}
      </button>
      <button type="button" onClick={() => void copy(explainCommand(props.doc), words().read.copiedCommand)}>
        {words().read.copyCommand}
      </button>
    </Menu>
  );
}

function detected(outcome: ReadOutcome | undefined): string {
  return outcome?.guess && outcome.guess.confidence !== 'none'
    ? `${outcome.dialect} (${words().read.detected})`
    : words().read.detect;
}

/** Gives the examples that are broken, or the others, as options of a list. */
function optionsOf(broken: boolean) {
  const all = choices.map((one, place) => [String(place), `${one.title} (${one.dialect})`] as const);
  return all.filter((_, place) => choices[place]?.broken === broken);
}
