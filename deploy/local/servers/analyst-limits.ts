/**
 * What the analyst of the embedded server may do. deploy/clickhouse/analyst.sql says the same of an analyst on a server
 * of the operator's own; a test holds both against each other.
 */

/** Bounds of one query, each also the default. An analyst may choose less, never more and never "unlimited" (0). */
export const QUERY_LIMITS = {
  max_execution_time: 30,
  max_memory_usage: 1_000_000_000,
  max_threads: 2,
  max_rows_to_read: 200_000_000,
  max_result_rows: 1_000_000,
  max_result_bytes: 500_000_000,
} as const;

/**
 * Bounds of all queries of the user together, which no analyst can change. Introspection is on in the embedded server
 * unless it is turned off.
 */
export const FIXED_SETTINGS = {
  max_concurrent_queries_for_user: 4,
  max_memory_usage_for_user: 1_200_000_000,
  max_temporary_data_on_disk_size_for_user: 2_000_000_000,
  allow_introspection_functions: 0,
  // On a cluster a shard cannot look up rows of another by itself; on one server it changes nothing.
  prefer_global_in_and_join: 1,
  // Nor has an analyst rights on its own one: it is asked as the others are, as the cluster's user.
  prefer_localhost_replica: 0,
} as const;

/**
 * How an answer looks, which JDBC drivers, DBeaver, Metabase, Grafana and other clients set for themselves. Every other
 * setting stays as it is: `readonly` is 1.
 */
export const FREE_SETTINGS = [
  // Lets a page in a browser ask; it still needs the password.
  'add_http_cors_header',
  'cancel_http_readonly_queries_on_client_close',
  'date_time_output_format',
  'enable_http_compression',
  'http_wait_end_of_query',
  'log_comment',
  'output_format_json_quote_64bit_integers',
  // With `break` a tool that wants the first rows gets them; more than the bound nobody gets.
  'result_overflow_mode',
  'send_progress_in_http_headers',
  'session_timezone',
] as const;

/** How much of each an interval of so many seconds allows. */
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
 * Of the ledger only what shows a run once, never the table below it, where replaced states still lie. Pseudonymous ids
 * of keys and end users are in the views; what a key is called and its secret are in PostgreSQL.
 */
export const READABLE = [
  'usage.run_v1',
  'usage.run_v2',
  'usage.pick_v1',
  'usage.runs_per_day_v1',
  'usage.durations_per_day_v1',
  'usage.errors_per_day_v1',
  'usage.picks_by_ticker_v1',
  'usage.keys_per_day_v1',
  'usage.end_users_v1',
  'usage.end_user_cohorts_v1',
  'market.dataset',
  'market.daily_bar',
  'market.listing',
  'market.broker',
  'market.broker_flow',
  'market.finding',
  'market.rejection',
  'market.rejected_row',
  'market.refused_close',
  'market.pruned_version',
  'market.served',
] as const;

/** Where tools look up what there is. Each shows an analyst only what that analyst may read; drivers spell it both ways. */
const CATALOGUE = ['information_schema', 'INFORMATION_SCHEMA'].flatMap((database) =>
  ['schemata', 'tables', 'views', 'columns', 'key_column_usage', 'referential_constraints', 'statistics'].map(
    (table) => `SELECT ON ${database}.${database === 'information_schema' ? table : table.toUpperCase()}`,
  ),
);

/** Of a table, where not all: not who chose a version, and why. */
const READABLE_COLUMNS: Partial<Record<(typeof READABLE)[number], string>> = {
  'market.served': 'served_at, version, action',
};

/** What the catalogue reads to say how large tables are; of tables that an analyst may not read it shows nothing. */
const SIZES =
  'SELECT(database, `table`, active, primary_key_size, marks_bytes, secondary_indices_compressed_bytes, ' +
  'secondary_indices_marks_bytes) ON system.parts';

/** As in `SELECT ON usage.run_v2`. */
export const READS = [
  ...READABLE.map((name) => {
    const columns = READABLE_COLUMNS[name];
    return columns === undefined ? `SELECT ON ${name}` : `SELECT(${columns}) ON ${name}`;
  }),
  ...CATALOGUE,
  SIZES,
];
