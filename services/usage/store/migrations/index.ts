import { initial } from './021-initial.ts';

import { screenRuns } from './022-screen-runs.ts';

export const migrations = [initial, screenRuns];
