import type { PageView } from '../../view.js';
import { Write } from './write.js';

export const writeView: PageView = {
  name: 'write',
  title: 'Write',
  about: 'One conversation, as each dialect writes it: what the model really gets to read.',
  Component: Write,
};
