import type { PageView } from '../../view.js';
import { Read } from './read.jsx';

export const readView: PageView = {
  name: 'read',
  title: 'Read',
  about:
    'Models write their tool calls as text, each family in a dialect of its own. Paste what one wrote, and see what each character was read as.',
  Component: Read,
};
