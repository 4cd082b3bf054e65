import { analystView } from './analyst-view.ts';
import { DATASET_KIND, DISTINCT_END_USERS } from './view-columns.ts';

/** Tickers alone do not keep the kinds apart: those of generated markets start with Q, but a listed company's may too. */
export const picksByTickerV2 = analystView({
  name: 'picks_by_ticker_v2',
  comment:
    'How often each stock was picked from data of each kind in the whole ledger, by what and for whom. pick_v2 tells it ' +
    'of any period.',
  columns: {
    ticker: ['LowCardinality(String)', 'stock that was picked'],
    dataset_kind: DATASET_KIND,
    runs: ['UInt64', 'runs that picked it'],
    models: ['Array(String)', 'models that picked it, in alphabetical order'],
    mean_rank: ['Float64', 'its mean place in these runs; 1 is the best'],
    end_users: ['UInt64', 'end users whose runs picked it'],
    api_keys: ['UInt64', 'keys whose runs picked it'],
    first_picked_at: ["DateTime64(3, 'UTC')", 'when the first such run was accepted'],
    last_picked_at: ["DateTime64(3, 'UTC')", 'when the last such run was accepted'],
    last_target_date: ['Nullable(Date)', 'latest trading day for which it was picked'],
  },
  select: `SELECT
      ticker,
      dataset_kind,
      count() AS runs,
      arraySort(groupUniqArray(toString(model_id))) AS models,
      avg(rank) AS mean_rank,
      ${DISTINCT_END_USERS} AS end_users,
      uniqExact(api_key_id) AS api_keys,
      min(ts) AS first_picked_at,
      max(ts) AS last_picked_at,
      max(target_date) AS last_target_date
    FROM usage.pick_v2
    GROUP BY ticker, dataset_kind`,
});
