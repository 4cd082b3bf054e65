import { initial } from './001-initial.ts';
import { modelScreens } from './002-model-screens.ts';
import { heldRuns } from './003-held-runs.ts';
import { outbox } from './004-outbox.ts';
import { trials } from './005-trials.ts';
import { awaitedResults } from './006-awaited-results.ts';
import { setAside } from './007-set-aside.ts';

export const migrations = {
  '001_initial': initial,
  '002_model_screens': modelScreens,
  '003_held_runs': heldRuns,
  '004_outbox': outbox,
  '005_trials': trials,
  '006_awaited_results': awaitedResults,
  '007_set_aside': setAside,
};

/** Every table that they create. A backup leaves out a table that is missing here. */
export const tables = [
  'screen',
  'screen_version',
  'screen_place',
  'screen_change',
  'watchlist',
  'following_turn',
  'outbox',
  'budget_notice',
  'trial',
];
