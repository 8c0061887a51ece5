import { render } from 'solid-js/web';
import { viewOf } from './link.js';
import { Page } from './page.js';
import { prepareReader } from './reading/index.js';
import './theme.css';
import { inspectView } from './views/inspect/index.jsx';
import { readView } from './views/read/read.jsx';
import { tryView } from './views/try/index.jsx';
import { verifyView } from './views/verify/index.jsx';
import { writeView } from './views/write/write.jsx';

/** In the order of their tabs. */
const views = [readView, writeView, tryView, inspectView, verifyView];

if (viewOf(location.hash) === 'read') prepareReader();
const place = document.getElementById('page');
if (place) render(() => <Page views={views} />, place);
