/**
 * The permissions and limits of the analyst on the embedded server. deploy/clickhouse/analyst.sql sets the same for an analyst
 * on an external server; a test compares both.
 */

/** Limits of one query, which are also the defaults. An analyst may lower them, but never raise them or set "unlimited" (0). */
export const QUERY_LIMITS = {
  max_execution_time: 30,
  max_memory_usage: 1_000_000_000,
  max_threads: 2,
  max_rows_to_read: 200_000_000,
  max_result_rows: 1_000_000,
  max_result_bytes: 500_000_000,
} as const;

/**
 * Limits of all queries of the user together, which an analyst cannot change. Introspection is on in the embedded server unless
 * it is turned off here.
 */
export const FIXED_SETTINGS = {
  max_concurrent_queries_for_user: 4,
  max_memory_usage_for_user: 1_200_000_000,
  max_temporary_data_on_disk_size_for_user: 2_000_000_000,
  allow_introspection_functions: 0,
  // In a cluster a shard cannot look up rows of another shard. On a single server this changes nothing.
  prefer_global_in_and_join: 1,
  // An analyst has no privileges on the shard's tables. So a server queries its own shard like the others, as the cluster's
  // user.
  prefer_localhost_replica: 0,
} as const;

/**
 * Settings of the output format, which JDBC drivers, DBeaver, Metabase, Grafana and other clients set. All other settings are
 * fixed, because `readonly` is 1.
 */
export const FREE_SETTINGS = [
  // Lets a web page query the server. It still needs the password.
  'add_http_cors_header',
  'cancel_http_readonly_queries_on_client_close',
  'date_time_output_format',
  'enable_http_compression',
  'http_wait_end_of_query',
  'log_comment',
  'output_format_json_quote_64bit_integers',
  // With `break` a tool gets the first rows of a larger result, but never more than the limit.
  'result_overflow_mode',
  'send_progress_in_http_headers',
  'session_timezone',
] as const;

/** What each interval allows; its length is in seconds. */
export const QUOTA_INTERVALS = [
  { seconds: 60, queries: 600, read_rows: 2_000_000_000, result_rows: 3_000_000, execution_time: 60 },
  {
    seconds: 3_600,
    queries: 10_000,
    read_rows: 30_000_000_000,
    result_rows: 20_000_000,
    execution_time: 900,
  },
] as const;

/**
 * The tables and views that analysts may read. From the ledger only views that show a run once, not the table below them, which
 * still contains replaced states. The views contain pseudonymous ids of keys and end users. Names and secrets of keys are in
 * PostgreSQL.
 */
export const READABLE = [
  'usage.run_v1',
  'usage.run_v2',
  'usage.run_v3',
  'usage.pick_v1',
  'usage.pick_v2',
  'usage.runs_per_day_v1',
  'usage.durations_per_day_v1',
  'usage.errors_per_day_v1',
  'usage.errors_per_day_v2',
  'usage.picks_by_ticker_v1',
  'usage.picks_by_ticker_v2',
  'usage.keys_per_day_v1',
  'usage.end_users_v1',
  'usage.end_user_cohorts_v1',
  'market.dataset',
  'market.daily_bar',
  'market.bar_origin',
  'market.listing',
  'market.broker',
  'market.broker_flow',
  'market.finding',
  'market.rejection',
  'market.rejected_row',
  'market.refused_close',
  'market.corporate_action',
  'market.late_factor',
  'market.pruned_version',
  'market.served',
] as const;

/** The catalogue that tools read. It only shows what the analyst may read. Drivers use both spellings. */
const CATALOGUE = ['information_schema', 'INFORMATION_SCHEMA'].flatMap((database) =>
  ['schemata', 'tables', 'views', 'columns', 'key_column_usage', 'referential_constraints', 'statistics'].map(
    (table) => `SELECT ON ${database}.${database === 'information_schema' ? table : table.toUpperCase()}`,
  ),
);

/** Columns that analysts may read, for tables that they may read only in part: not who chose a version and why. */
const READABLE_COLUMNS: Partial<Record<(typeof READABLE)[number], string>> = {
  'market.served': 'served_at, version, action',
};

/** What the catalogue reads for table sizes. It shows nothing about tables that the analyst may not read. */
const SIZES =
  'SELECT(database, `table`, active, primary_key_size, marks_bytes, secondary_indices_compressed_bytes, ' +
  'secondary_indices_marks_bytes) ON system.parts';

/** Grants such as `SELECT ON usage.run_v2`. */
export const READS = [
  ...READABLE.map((name) => {
    const columns = READABLE_COLUMNS[name];
    return columns === undefined ? `SELECT ON ${name}` : `SELECT(${columns}) ON ${name}`;
  }),
  ...CATALOGUE,
  SIZES,
];
