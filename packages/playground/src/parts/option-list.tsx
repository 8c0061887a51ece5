import { Index } from 'solid-js';

type Option = string | readonly [value: string, words: string];

/** The options of a `select`: values, with words where they differ. */
export function OptionList(props: { of: readonly Option[]; chosen: string }) {
  const pair = (option: Option) => (typeof option === 'string' ? [option, option] : option);
  return (
    <Index each={props.of.map(pair)}>
      {(option) => (
        <option value={option()[0]} selected={option()[0] === props.chosen}>
          {option()[1]}
        </option>
      )}
    </Index>
  );
}
