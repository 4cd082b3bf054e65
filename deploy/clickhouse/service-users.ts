/** The services that use ClickHouse. Each connects as a user that is called like it. */
export const CLICKHOUSE_SERVICES = ['market-data', 'usage', 'model-worker'] as const;
export type ClickhouseService = (typeof CLICKHOUSE_SERVICES)[number];

export interface ClickhousePermissions {
  /** As in `SELECT ON market.dataset`: all that the user may do. */
  grants: readonly string[];
  /**
   * Queries of the user that run at a time; more are refused at once, and their service tries again as when ClickHouse is
   * away. It is above what the processes of the service ask together, with what a killed one left running, and low enough
   * that a flood of the user's queries leaves the others some of each processor: under 96 of them an insert took more
   * than 10 s.
   */
  maxQueries: number;
}

/** How the user's own tables stand; ClickHouse shows it no others. */
const READS_SYSTEM = ['tables', 'parts', 'detached_parts'].map((name) => `SELECT ON system.${name}`);

/** What services that make tables may do besides on the servers of a cluster. */
export const ON_CLUSTER: readonly string[] = [
  ...['Distributed', 'ReplicatedMergeTree', 'ReplicatedReplacingMergeTree'].map(
    (engine) => `TABLE ENGINE ON ${engine}`,
  ),
  'REMOTE ON *.*',
];

/** What each service does, and all that it may do. */
export const PERMISSIONS: Record<ClickhouseService, ClickhousePermissions> = {
  'market-data': {
    grants: [
      // DROP, TRUNCATE and CREATE OR REPLACE are for the tables of an import under way.
      'CREATE DATABASE, CREATE TABLE, DROP TABLE, TRUNCATE, ALTER TABLE, SELECT, INSERT ON market.*',
      'TABLE ENGINE ON MergeTree, TABLE ENGINE ON ReplacingMergeTree, TABLE ENGINE ON Memory',
      // To end what a killed import has left running: of other users it sees the statements and can end none.
      'SELECT ON system.processes',
      ...READS_SYSTEM,
    ],
    // Eight of older days, two for each list that is asked for, and a handful of an import and of loading a version.
    maxQueries: 48,
  },
  usage: {
    grants: [
      // Nothing is ever dropped but months that are over, which ALTER does.
      'CREATE DATABASE, CREATE TABLE, CREATE VIEW, ALTER TABLE, ALTER VIEW, SELECT, INSERT ON usage.*',
      'TABLE ENGINE ON MergeTree, TABLE ENGINE ON ReplacingMergeTree',
      ...READS_SYSTEM,
    ],
    // Readers have 32 connections: half of it is left for inserts, and for reads that nobody waits for any more.
    maxQueries: 64,
  },
  'model-worker': {
    grants: [
      ...['dataset', 'daily_bar', 'listing', 'broker', 'broker_flow'].map(
        (table) => `SELECT ON market.${table}`,
      ),
      // Not who chose the version, and why.
      'SELECT(served_at, version) ON market.served',
    ],
    // A worker asks at most five things at a time. Of 16 that start together some may wait, as for a server that is away.
    maxQueries: 32,
  },
};

/** Make the user, whose password is a parameter called like it, and bring its rights to what they are to be. */
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
