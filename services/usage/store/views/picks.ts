import { analystView } from './analyst-view.ts';
import * as column from './view-columns.ts';

const OF_RUN = {
  event_id: column.EVENT_ID,
  ts: column.TS,
  jakarta_day: ['Date', 'day of ts in Asia/Jakarta'],
  channel: column.CHANNEL,
  actor: column.ACTOR,
  api_key_id: column.API_KEY_ID,
  end_user: column.END_USER,
  model_id: column.MODEL_ID,
  target_date: ['Nullable(Date)', 'trading day that was analysed'],
} as const;
const TICKER = ['LowCardinality(String)', 'stock that was picked'] as const;
const OF_PICK = { rank: ['UInt32', '1 for the best pick of its run'], ticker: TICKER } as const;

/** One row a pick of the runs of a version of `usage.run`. */
function pickView(version: number, runs: string, comment: string, columns: column.Columns): string {
  return analystView({
    name: `pick_v${version}`,
    comment,
    columns,
    select: `SELECT
      ${Object.keys(columns).join(',\n      ')}
    FROM (SELECT *, arrayDistinct(tickers) AS picked FROM usage.${runs} WHERE status = 'succeeded')
    ARRAY JOIN picked AS ticker, arrayEnumerate(picked) AS rank`,
  });
}

export const pickV1 = pickView(
  1,
  'run_v2',
  'One row a pick: every stock of every run that succeeded, once a run.',
  { ...OF_RUN, ...OF_PICK },
);

export const pickV2 = pickView(
  2,
  'run_v3',
  'One row a pick: every stock of every run that succeeded, once a run, with the dataset that the run read.',
  { ...OF_RUN, dataset_version: column.DATASET_VERSION, dataset_kind: column.DATASET_KIND, ...OF_PICK },
);

const OF_TICKER = {
  runs: ['UInt64', 'runs that picked it'],
  models: ['Array(String)', 'models that picked it, in alphabetical order'],
  mean_rank: ['Float64', 'its mean place in these runs; 1 is the best'],
  end_users: ['UInt64', 'end users whose runs picked it'],
  api_keys: ['UInt64', 'keys whose runs picked it'],
  first_picked_at: ["DateTime64(3, 'UTC')", 'when the first such run was accepted'],
  last_picked_at: ["DateTime64(3, 'UTC')", 'when the last such run was accepted'],
  last_target_date: ['Nullable(Date)', 'latest trading day for which it was picked'],
} as const;
const COUNTS_OF_TICKER = `count() AS runs,
      arraySort(groupUniqArray(toString(model_id))) AS models,
      avg(rank) AS mean_rank,
      ${column.DISTINCT_END_USERS} AS end_users,
      uniqExact(api_key_id) AS api_keys,
      min(ts) AS first_picked_at,
      max(ts) AS last_picked_at,
      max(target_date) AS last_target_date`;

export const picksByTickerV1 = analystView({
  name: 'picks_by_ticker_v1',
  comment:
    'How often each stock was picked in the whole ledger, by what and for whom. pick_v1 tells it of any period.',
  columns: { ticker: TICKER, ...OF_TICKER },
  select: `SELECT
      ticker,
      ${COUNTS_OF_TICKER}
    FROM usage.pick_v1
    GROUP BY ticker`,
});

/** Tickers alone do not keep the kinds apart: those of generated markets start with Q, but a listed company's may too. */
export const picksByTickerV2 = analystView({
  name: 'picks_by_ticker_v2',
  comment:
    'How often each stock was picked from data of each kind in the whole ledger, by what and for whom. pick_v2 tells it ' +
    'of any period.',
  columns: { ticker: TICKER, dataset_kind: column.DATASET_KIND, ...OF_TICKER },
  select: `SELECT
      ticker,
      dataset_kind,
      ${COUNTS_OF_TICKER}
    FROM usage.pick_v2
    GROUP BY ticker, dataset_kind`,
});
