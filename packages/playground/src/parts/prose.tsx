// A text in prose. Of a long one only the visible part is drawn.

import { Show } from 'solid-js';
import { LongText } from './long-text.jsx';
import './prose.css';

const LONG = 4000;

export function Prose(props: { text: string; label: string; follow?: boolean }) {
  return (
    <Show when={props.text.length > LONG} fallback={<p class="prose">{props.text}</p>}>
      <LongText text={props.text} label={props.label} follow={props.follow ?? false} />
    </Show>
  );
}
