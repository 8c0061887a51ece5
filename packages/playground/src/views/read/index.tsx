import type { View } from '../../view.js';
import { Read } from './read.jsx';

export const readView: View = {
  name: 'read',
  title: 'Read',
  about: 'Paste what a model wrote, and see what each character was read as.',
  Component: Read,
};
