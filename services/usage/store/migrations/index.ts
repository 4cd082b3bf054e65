import { initial } from './021-initial.ts';

import { screenRuns } from './022-screen-runs.ts';
import { requests } from './023-requests.ts';

export const migrations = [initial, screenRuns, requests];
