import { render } from 'solid-js/web';
import { Page } from './page.js';
import './theme.css';
import { views } from './views/index.js';

const place = document.getElementById('page');
if (place) render(() => <Page views={views} />, place);
