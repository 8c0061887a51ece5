import { render } from 'solid-js/web';
import { Page } from './page.js';
import { prepareReader } from './reading/index.js';
import './theme.css';
import { views } from './views/index.js';

// A page without a link, or with one to Read, begins by reading.
if (/^(#read\b|$)/.test(location.hash)) prepareReader();
const place = document.getElementById('page');
if (place) render(() => <Page views={views} />, place);
