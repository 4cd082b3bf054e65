-- The analyst on a ClickHouse server of your own. An administrator runs this once, after the fleet has started for the
-- first time, and again after an upgrade that brought new views. It changes nothing when nothing is new.
--
--   clickhouse-client --user admin --ask-password --param_analyst_password='a long one' --queries-file analyst.sql
--
-- The limits are those of the embedded server (deploy/local/servers/analyst-limits.ts). Raise them for a larger machine
-- with statements of your own that run after this file.

-- With readonly = 1 only the settings marked below can be changed, and only within their bounds.
CREATE SETTINGS PROFILE IF NOT EXISTS saring_analyst;
ALTER SETTINGS PROFILE saring_analyst SETTINGS
  readonly = 1 READONLY,
  max_execution_time = 30 MIN 1 MAX 30 CHANGEABLE_IN_READONLY,
  max_memory_usage = 1000000000 MIN 1 MAX 1000000000 CHANGEABLE_IN_READONLY,
  max_threads = 2 MIN 1 MAX 2 CHANGEABLE_IN_READONLY,
  max_rows_to_read = 200000000 MIN 1 MAX 200000000 CHANGEABLE_IN_READONLY,
  max_result_rows = 1000000 MIN 1 MAX 1000000 CHANGEABLE_IN_READONLY,
  max_result_bytes = 500000000 MIN 1 MAX 500000000 CHANGEABLE_IN_READONLY,
  max_concurrent_queries_for_user = 4,
  max_memory_usage_for_user = 1200000000,
  max_temporary_data_on_disk_size_for_user = 2000000000,
  allow_introspection_functions = 0,
  prefer_global_in_and_join = 1,
  prefer_localhost_replica = 0,
  add_http_cors_header CHANGEABLE_IN_READONLY,
  cancel_http_readonly_queries_on_client_close CHANGEABLE_IN_READONLY,
  date_time_output_format CHANGEABLE_IN_READONLY,
  enable_http_compression CHANGEABLE_IN_READONLY,
  http_wait_end_of_query CHANGEABLE_IN_READONLY,
  log_comment CHANGEABLE_IN_READONLY,
  output_format_json_quote_64bit_integers CHANGEABLE_IN_READONLY,
  result_overflow_mode CHANGEABLE_IN_READONLY,
  send_progress_in_http_headers CHANGEABLE_IN_READONLY,
  session_timezone CHANGEABLE_IN_READONLY;

CREATE ROLE IF NOT EXISTS saring_analyst;
-- An earlier version of this file let analysts read all tables of `market`.
REVOKE SELECT ON market.* FROM saring_analyst;
GRANT SELECT ON usage.run_v1 TO saring_analyst;
GRANT SELECT ON usage.run_v2 TO saring_analyst;
GRANT SELECT ON usage.run_v3 TO saring_analyst;
GRANT SELECT ON usage.pick_v1 TO saring_analyst;
GRANT SELECT ON usage.pick_v2 TO saring_analyst;
GRANT SELECT ON usage.runs_per_day_v1 TO saring_analyst;
GRANT SELECT ON usage.durations_per_day_v1 TO saring_analyst;
GRANT SELECT ON usage.errors_per_day_v1 TO saring_analyst;
GRANT SELECT ON usage.errors_per_day_v2 TO saring_analyst;
GRANT SELECT ON usage.picks_by_ticker_v1 TO saring_analyst;
GRANT SELECT ON usage.picks_by_ticker_v2 TO saring_analyst;
GRANT SELECT ON usage.keys_per_day_v1 TO saring_analyst;
GRANT SELECT ON usage.end_users_v1 TO saring_analyst;
GRANT SELECT ON usage.end_user_cohorts_v1 TO saring_analyst;
GRANT SELECT ON market.dataset TO saring_analyst;
GRANT SELECT ON market.daily_bar TO saring_analyst;
GRANT SELECT ON market.bar_origin TO saring_analyst;
GRANT SELECT ON market.listing TO saring_analyst;
GRANT SELECT ON market.broker TO saring_analyst;
GRANT SELECT ON market.broker_flow TO saring_analyst;
GRANT SELECT ON market.finding TO saring_analyst;
GRANT SELECT ON market.rejection TO saring_analyst;
GRANT SELECT ON market.rejected_row TO saring_analyst;
GRANT SELECT ON market.refused_close TO saring_analyst;
GRANT SELECT ON market.corporate_action TO saring_analyst;
GRANT SELECT ON market.late_factor TO saring_analyst;
GRANT SELECT ON market.pruned_version TO saring_analyst;
GRANT SELECT(served_at, version, action) ON market.served TO saring_analyst;
GRANT SELECT ON information_schema.schemata TO saring_analyst;
GRANT SELECT ON information_schema.tables TO saring_analyst;
GRANT SELECT ON information_schema.views TO saring_analyst;
GRANT SELECT ON information_schema.columns TO saring_analyst;
GRANT SELECT ON information_schema.key_column_usage TO saring_analyst;
GRANT SELECT ON information_schema.referential_constraints TO saring_analyst;
GRANT SELECT ON information_schema.statistics TO saring_analyst;
GRANT SELECT ON INFORMATION_SCHEMA.SCHEMATA TO saring_analyst;
GRANT SELECT ON INFORMATION_SCHEMA.TABLES TO saring_analyst;
GRANT SELECT ON INFORMATION_SCHEMA.VIEWS TO saring_analyst;
GRANT SELECT ON INFORMATION_SCHEMA.COLUMNS TO saring_analyst;
GRANT SELECT ON INFORMATION_SCHEMA.KEY_COLUMN_USAGE TO saring_analyst;
GRANT SELECT ON INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS TO saring_analyst;
GRANT SELECT ON INFORMATION_SCHEMA.STATISTICS TO saring_analyst;
GRANT SELECT(database, `table`, active, primary_key_size, marks_bytes, secondary_indices_compressed_bytes, secondary_indices_marks_bytes) ON system.parts TO saring_analyst;

-- The profile belongs to the user, not to the role: SET ROLE can drop a role, and its limits with it.
CREATE USER IF NOT EXISTS analyst IDENTIFIED WITH sha256_password BY {analyst_password:String}
  SETTINGS PROFILE 'saring_analyst';
GRANT saring_analyst TO analyst;

-- The quota applies to each user separately, whatever quota key a client sends.
CREATE QUOTA IF NOT EXISTS saring_analyst KEYED BY user_name TO analyst;
ALTER QUOTA saring_analyst
  FOR INTERVAL 60 second MAX queries = 600, read_rows = 2000000000, result_rows = 3000000, execution_time = 60,
  FOR INTERVAL 3600 second MAX queries = 10000, read_rows = 30000000000, result_rows = 20000000, execution_time = 900;
