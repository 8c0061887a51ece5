// Setup of `npm run test:quick`: every property draws for a moment only. It fails as ever at what it finds in it.

import fc from 'fast-check';

const MOMENT = 100;

fc.configureGlobal({ ...fc.readConfigureGlobal(), interruptAfterTimeLimit: MOMENT });
