import { analystView } from './analyst-view.ts';
import { ACTOR, API_KEY_ID, CHANNEL, END_USER, EVENT_ID, MODEL_ID, TS } from './view-columns.ts';

export const pickV1 = analystView({
  name: 'pick_v1',
  comment: 'One row a pick: every stock of every run that succeeded, once a run.',
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
      rank,
      ticker
    FROM (SELECT *, arrayDistinct(tickers) AS picked FROM usage.run_v2 WHERE status = 'succeeded')
    ARRAY JOIN picked AS ticker, arrayEnumerate(picked) AS rank`,
});
