import { event } from './001-event.ts';
import { runV1 } from './002-run-v1.ts';
import { eventActor } from './003-event-actor.ts';
import { runV1Described } from './004-run-v1-described.ts';
import { runV2 } from './005-run-v2.ts';
import { runsPerDayV1 } from './006-runs-per-day-v1.ts';
import { durationsPerDayV1 } from './007-durations-per-day-v1.ts';
import { errorsPerDayV1 } from './008-errors-per-day-v1.ts';
import { pickV1 } from './009-pick-v1.ts';
import { picksByTickerV1 } from './010-picks-by-ticker-v1.ts';
import { keysPerDayV1 } from './011-keys-per-day-v1.ts';
import { endUsersV1 } from './012-end-users-v1.ts';
import { endUserCohortsV1 } from './013-end-user-cohorts-v1.ts';
import { mergedMonths } from './014-merged-months.ts';
import { synced } from './015-synced.ts';
import { viewDefiner } from './016-view-definer.ts';
import { eventDatasetAndError } from './017-event-dataset-and-error.ts';
import { runV3 } from './018-run-v3.ts';
import { pickV2 } from './019-pick-v2.ts';
import { picksByTickerV2 } from './020-picks-by-ticker-v2.ts';
import { errorsPerDayV2 } from './021-errors-per-day-v2.ts';

export const migrations = [
  event,
  runV1,
  eventActor,
  runV1Described,
  runV2,
  runsPerDayV1,
  durationsPerDayV1,
  errorsPerDayV1,
  pickV1,
  picksByTickerV1,
  keysPerDayV1,
  endUsersV1,
  endUserCohortsV1,
  mergedMonths,
  synced,
  viewDefiner,
  eventDatasetAndError,
  runV3,
  pickV2,
  picksByTickerV2,
  errorsPerDayV2,
];
