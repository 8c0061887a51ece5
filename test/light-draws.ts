// Setup of `npm run test:quick`: a property that names no number of runs draws a fifth of the usual hundred.

import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 20 });
