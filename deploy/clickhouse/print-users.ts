/**
 * Prints the SQL that creates a user for each service on an external ClickHouse server, with only the privileges that the
 * service needs, as on the local fleet's server. An administrator runs it before the services start, and after each upgrade.
 *
 *   node_modules/.bin/node deploy/clickhouse/print-users.ts | clickhouse-client --user admin --ask-password \
 *     --param_market_data_password=… --param_usage_password=… --param_model_worker_password=… --multiquery
 *
 * With the argument `cluster` it prints the SQL for every server of a cluster, where services create Distributed and replicated
 * tables.
 */
import { CLICKHOUSE_SERVICES, userStatements } from './service-users.ts';

for (const service of CLICKHOUSE_SERVICES)
  process.stdout.write(
    userStatements(service, { onCluster: process.argv[2] === 'cluster' })
      .map((statement) => `${statement};\n`)
      .join(''),
  );
