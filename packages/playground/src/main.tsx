import { render } from 'solid-js/web';
import { viewOf } from './link.js';
import { Page } from './page.js';
import { prepareReader } from './reading/index.js';
import './theme.css';
import { views } from './views/index.js';

if (viewOf(location.hash) === 'read') prepareReader();
const place = document.getElementById('page');
if (place) render(() => <Page views={views} />, place);
