import type { View } from '../../view.js';
import { Write } from './write.js';

export const writeView: View = {
  name: 'write',
  title: 'Write',
  about: 'One conversation, as each dialect writes it: what the model really gets to read.',
  Component: Write,
};
