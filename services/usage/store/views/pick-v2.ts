import { analystView } from './analyst-view.ts';
import {
  ACTOR,
  API_KEY_ID,
  CHANNEL,
  DATASET_KIND,
  DATASET_VERSION,
  END_USER,
  EVENT_ID,
  MODEL_ID,
  TS,
} from './view-columns.ts';

export const pickV2 = analystView({
  name: 'pick_v2',
  comment:
    'One row a pick: every stock of every run that succeeded, once a run, with the dataset that the run read.',
  columns: {
    event_id: EVENT_ID,
    ts: TS,
    jakarta_day: ['Date', 'day of ts in Asia/Jakarta'],
    channel: CHANNEL,
    actor: ACTOR,
    api_key_id: API_KEY_ID,
    end_user: END_USER,
    model_id: MODEL_ID,
    target_date: ['Nullable(Date)', 'trading day that was analysed'],
    dataset_version: DATASET_VERSION,
    dataset_kind: DATASET_KIND,
    rank: ['UInt32', '1 for the best pick of its run'],
    ticker: ['LowCardinality(String)', 'stock that was picked'],
  },
  select: `SELECT
      event_id,
      ts,
      jakarta_day,
      channel,
      actor,
      api_key_id,
      end_user,
      model_id,
      target_date,
      dataset_version,
      dataset_kind,
      rank,
      ticker
    FROM (SELECT *, arrayDistinct(tickers) AS picked FROM usage.run_v3 WHERE status = 'succeeded')
    ARRAY JOIN picked AS ticker, arrayEnumerate(picked) AS rank`,
});
