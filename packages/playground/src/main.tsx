import { lazy } from 'solid-js';
import { render } from 'solid-js/web';
import { viewOf } from './link.js';
import { Page } from './page.js';
import { restoreTheme } from './parts/theme-choice.js';
import { prepareReader } from './reading/reader.js';
import './fonts/fonts.css';
import './theme.css';
import type { PageView } from './view.js';
import { restoreLanguage } from './words/words.js';

/** In the order of their tabs. Each is loaded when it is opened. */
const views: readonly PageView[] = [
  { name: 'read', Component: lazy(() => import('./views/read/read.jsx')) },
  { name: 'write', Component: lazy(() => import('./views/write/write.jsx')) },
  { name: 'try', Component: lazy(() => import('./views/try/try.jsx')) },
  { name: 'inspect', Component: lazy(() => import('./views/inspect/inspect.jsx')) },
  { name: 'verify', Component: lazy(() => import('./views/verify/verify.jsx')) },
];

restoreTheme();
if (viewOf(location.hash) === 'read') {
  prepareReader();
  void import('./views/read/read.jsx');
}
const place = document.getElementById('page');
void restoreLanguage().then(() => place && render(() => <Page views={views} />, place));
