import { runV1 } from './run-v1.ts';
import { runV2 } from './run-v2.ts';
import { runsPerDayV1 } from './runs-per-day-v1.ts';
import { durationsPerDayV1 } from './durations-per-day-v1.ts';
import { errorsPerDayV1 } from './errors-per-day-v1.ts';
import { pickV1 } from './pick-v1.ts';
import { picksByTickerV1 } from './picks-by-ticker-v1.ts';
import { keysPerDayV1 } from './keys-per-day-v1.ts';
import { endUsersV1 } from './end-users-v1.ts';
import { endUserCohortsV1 } from './end-user-cohorts-v1.ts';
import { runV3 } from './run-v3.ts';
import { pickV2 } from './pick-v2.ts';
import { picksByTickerV2 } from './picks-by-ticker-v2.ts';
import { errorsPerDayV2 } from './errors-per-day-v2.ts';

/** Each one after those that it reads. */
export const ANALYST_VIEWS = [
  runV1,
  runV2,
  runsPerDayV1,
  durationsPerDayV1,
  errorsPerDayV1,
  pickV1,
  picksByTickerV1,
  keysPerDayV1,
  endUsersV1,
  endUserCohortsV1,
  runV3,
  pickV2,
  picksByTickerV2,
  errorsPerDayV2,
];
