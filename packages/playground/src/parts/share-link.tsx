// Copies the address of the page as it is.

import { words } from '../words/words.js';
import { copyText } from './copy-text.js';

export function ShareLink(props: {
  address(): Promise<string>;
  /** What the link holds. */
  shared: string;
  /** Told where the state is too long for a link. */
  tooLong: string;
  onStatus(status: string): void;
}) {
  const share = async () => {
    const address = await props.address();
    if (!address.includes('=')) return props.onStatus(props.tooLong);
    props.onStatus((await copyText(address)) ? props.shared : words().page.cannotCopy);
  };
  return (
    <button type="button" class="main" onClick={() => void share()}>
      {words().read.share}
    </button>
  );
}
