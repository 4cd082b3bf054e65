import { servicesWith, type ServiceWith } from '#services/service-table.ts';

/** The services that use ClickHouse. Each connects as a user of the same name. */
export const CLICKHOUSE_SERVICES = servicesWith('CLICKHOUSE_URL');
export type ClickhouseService = ServiceWith<'CLICKHOUSE_URL'>;

export interface ClickhousePermissions {
  /** All privileges of the user, for example `SELECT ON market.dataset`. */
  grants: readonly string[];
  /**
   * Concurrent queries of the user. ClickHouse refuses further ones immediately, and the service retries as when ClickHouse is
   * unavailable. The limit is above what the processes of the service send together, plus queries that a killed process left running.
   * It is low enough that a flood of one user's queries leaves processor time for the others: with 96 concurrent queries an
   * insert took more than 10 s.
   */
  maxQueries: number;
}

/** The state of the user's tables. ClickHouse shows no tables that the user may not read. */
const READS_SYSTEM = ['tables', 'parts', 'detached_parts'].map((name) => `SELECT ON system.${name}`);

/** Additional privileges of services that create tables, on the servers of a cluster. */
export const ON_CLUSTER: readonly string[] = [
  ...['Distributed', 'ReplicatedMergeTree', 'ReplicatedReplacingMergeTree'].map(
    (engine) => `TABLE ENGINE ON ${engine}`,
  ),
  'REMOTE ON *.*',
];

/** The permissions of each service: exactly what it needs. */
export const PERMISSIONS: Record<ClickhouseService, ClickhousePermissions> = {
  'market-data': {
    grants: [
      // DROP, TRUNCATE and CREATE OR REPLACE are needed for the tables of running imports.
      'CREATE DATABASE, CREATE TABLE, DROP TABLE, TRUNCATE, ALTER TABLE, SELECT, INSERT ON market.*',
      'TABLE ENGINE ON MergeTree, TABLE ENGINE ON ReplacingMergeTree, TABLE ENGINE ON Memory',
      // To end queries that a killed import left running. It sees the statements of other users but cannot end them.
      'SELECT ON system.processes',
      ...READS_SYSTEM,
    ],
    // Eight for older days, two for each requested list, and a few for an import and for loading a version.
    maxQueries: 48,
  },
  usage: {
    grants: [
      // Only expired months are ever dropped, which ALTER does.
      'CREATE DATABASE, CREATE TABLE, CREATE VIEW, ALTER TABLE, ALTER VIEW, SELECT, INSERT ON usage.*',
      'TABLE ENGINE ON MergeTree, TABLE ENGINE ON ReplacingMergeTree',
      ...READS_SYSTEM,
    ],
    // Readers have 32 connections. The other half is for inserts and for reads that no caller waits for any more.
    maxQueries: 64,
  },
  'model-worker': {
    grants: [
      ...['dataset', 'daily_bar', 'late_factor', 'listing', 'broker', 'broker_flow'].map(
        (table) => `SELECT ON market.${table}`,
      ),
      // Not the columns that say who chose the version and why.
      'SELECT(served_at, version) ON market.served',
    ],
    // A worker sends at most five queries at a time. When 16 start together some may wait, as for an unavailable server.
    maxQueries: 32,
  },
};

/** SQL that creates the user and sets its privileges. The password is a query parameter named after the user. */
export function userStatements(service: ClickhouseService, { onCluster = false } = {}): string[] {
  const { grants, maxQueries } = PERMISSIONS[service];
  const user = `\`${service}\``;
  const password = `{${service.replace('-', '_')}_password:String}`;
  return [
    `CREATE USER IF NOT EXISTS ${user} IDENTIFIED WITH sha256_password BY ${password}`,
    `ALTER USER ${user} SETTINGS max_concurrent_queries_for_user = ${maxQueries} READONLY`,
    `REVOKE ALL ON *.* FROM ${user}`,
    ...[...grants, ...(onCluster && makesTables(grants) ? ON_CLUSTER : [])].map(
      (grant) => `GRANT ${grant} TO ${user}`,
    ),
  ];
}

function makesTables(grants: readonly string[]): boolean {
  return grants.some((grant) => grant.includes('CREATE TABLE'));
}
