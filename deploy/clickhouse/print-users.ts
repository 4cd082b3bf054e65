/**
 * Prints the SQL that gives each service a user with just its rights on a ClickHouse server of one's own, as the local
 * fleet's server has them. An administrator runs it before the services start, and again after an upgrade.
 *
 *   node deploy/clickhouse/print-users.ts | clickhouse-client --user admin --ask-password \
 *     --param_market_data_password=… --param_usage_password=… --param_model_worker_password=… --multiquery
 *
 * With `cluster` as its argument, for every server of a cluster: services make Distributed and replicated tables there.
 */
import { CLICKHOUSE_SERVICES, userStatements } from './service-users.ts';

for (const service of CLICKHOUSE_SERVICES)
  process.stdout.write(
    userStatements(service, { onCluster: process.argv[2] === 'cluster' })
      .map((statement) => `${statement};\n`)
      .join(''),
  );
