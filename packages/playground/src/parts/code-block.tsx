// A text to copy: JSON, a grammar, a prompt.

import { createSignal } from 'solid-js';
import { words } from '../words/words.js';
import { copyText } from './copy-text.js';
import { LongText } from './long-text.jsx';
import './code-block.css';

export function CodeBlock(props: { text: string; label: string; copy: string }) {
  const [status, setStatus] = createSignal('');
  const copy = async () => {
    setStatus((await copyText(props.text)) ? words().page.copied : words().page.cannotCopy);
  };
  return (
    <div class="code-block">
      <div class="flow code-block-row">
        <span class="faint" role="status">
          {status()}
        </span>
        <button type="button" onClick={() => void copy()}>
          {props.copy}
        </button>
      </div>
      <LongText text={props.text} label={props.label} />
    </div>
  );
}
