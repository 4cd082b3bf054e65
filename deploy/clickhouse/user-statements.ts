import { ON_CLUSTER, PERMISSIONS, type ClickhouseService } from './service-users.ts';

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
