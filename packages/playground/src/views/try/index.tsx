import type { View } from '../../view.js';

export const tryView: View = {
  name: 'try',
  title: 'Try',
  about: 'Ask a model of this gateway, and watch its raw text and the reading of it.',
  Component: () => <p>Not built yet.</p>,
};
