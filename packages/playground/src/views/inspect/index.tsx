import type { View } from '../../view.js';

export const inspectView: View = {
  name: 'inspect',
  title: 'Inspect',
  about: 'The last exchanges of this gateway.',
  Component: () => <p>Not built yet.</p>,
};
