// Verify: tests the tool calling of a model of the gateway. It is loaded when it is opened: few visitors do.

import { lazy } from 'solid-js';
import type { PageView } from '../../view.js';

export const verifyView: PageView = {
  name: 'verify',
  title: 'Verify',
  about: 'Test the tool calling of a model of this gateway: what leaks, what is lost, and what to do.',
  Component: lazy(() => import('./verify.jsx')),
};
