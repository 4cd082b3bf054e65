import type { RecordFigures, RecordPart, RecordServiceService } from '#proto/saring/models/v1/record.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { notNeeded } from './not-needed.ts';
import { requireModel } from './stand-in-runs.ts';

const figures: RecordFigures = {
  runs: 2,
  n: 3,
  open: 1,
  unfilled: 0,
  filled: 2,
  wins: 1,
  win_rate_pct: 50,
  base_rate_pct: 25,
  lift: { value: 2 },
  net_return_pct: { value: 1.5 },
};
const NOTHING: RecordPart = {
  figures: { runs: 0, n: 0, open: 0, unfilled: 0, filled: 0, wins: 0, lift: {}, net_return_pct: {} },
  history: 0,
  by_month: [],
  by_regime: [],
};

/** A record of one month. */
export const recordStandIn: Handlers<RecordServiceService> = {
  verifyRecord: notNeeded,
  getRecord: async ({ model_id }) => {
    requireModel(model_id);
    return {
      model_id,
      is_recorded: true,
      dataset_kind: 'synthetic',
      definition: { entry: 'next_day_limit', entry_spread_pct: 1 },
      head: { seq: 3, hash: 'f00d' },
      daily: { figures, history: 0, by_month: [{ month: '2024-06', figures }], by_regime: [] },
      own: NOTHING,
    };
  },
};
