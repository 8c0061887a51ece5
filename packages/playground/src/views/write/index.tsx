import type { View } from '../../view.js';

export const writeView: View = {
  name: 'write',
  title: 'Write',
  about: 'One conversation, as each dialect writes it.',
  Component: () => <p>Not built yet.</p>,
};
