import { createHash } from 'node:crypto';
import type { ClickhousePermissions } from '#clickhouse/service-users.ts';
import { FREE_SETTINGS, QUERY_LIMITS, QUOTA_INTERVALS, READS, FIXED_SETTINGS } from './analyst-limits.ts';

/** A user. Without permissions it may do everything. */
export interface ClickhouseUser {
  user: string;
  password: string;
  permissions?: ClickhousePermissions;
}

export interface ClickhouseUsers {
  /** The users of the services. */
  users: ClickhouseUser[];
  /** For people: reads the views of `usage` and the tables of `market`, within limits. */
  analyst: { user: string; password: string };
  /** Whether users may connect from other machines. By default only from this machine. */
  fromAnywhere?: boolean;
  /** The cluster in which the server is a shard; absent for a single server. */
  cluster?: LocalCluster;
}

/** The place of a server in a cluster whose servers are all on this machine. */
interface LocalCluster {
  name: string;
  /** The port on which the other servers query this one. */
  tcpPort: number;
  /** The TCP ports of all servers, one for each shard. */
  tcpPorts: number[];
  /** The user as which servers query each other. */
  as: { user: string; password: string };
}

/**
 * After a power cut, unsynced tables (those of a running import) may have any number of broken parts. With these limits the
 * server detaches them and starts. By default it refuses to start beyond a hundred of them, or a gigabyte.
 */
const OVER_BROKEN_PARTS = {
  max_suspicious_broken_parts: 1_000_000_000,
  max_suspicious_broken_parts_bytes: 1_000_000_000_000_000,
};

/**
 * By default the third query of a kind is compiled to machine code. That takes a second of processor time for the statements of
 * an import, and gains nothing until there have been many more.
 */
const COMPILED_FROM = 100;
const COMPILATION = {
  min_count_to_compile_expression: COMPILED_FROM,
  min_count_to_compile_aggregate_expression: COMPILED_FROM,
  min_count_to_compile_sort_description: COMPILED_FROM,
};

interface ServerPlace {
  dir: string;
  port: number;
  cluster?: LocalCluster;
}

/** Modest limits, because this server shares a machine with the whole fleet. */
export function serverConfig({ dir, port, cluster }: ServerPlace): string {
  return `<clickhouse>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${port}</http_port>
  <users_config>${escapeXml(dir)}/users.xml</users_config>
${cluster ? clusterConfig(cluster) : ''}  <timezone>UTC</timezone>
  <max_server_memory_usage>2000000000</max_server_memory_usage>
  <access_control_improvements>
    <settings_constraints_replace_previous>true</settings_constraints_replace_previous>
    <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
    <select_from_information_schema_requires_grant>true</select_from_information_schema_requires_grant>
  </access_control_improvements>
  <mark_cache_size>67108864</mark_cache_size>
  <background_schedule_pool_size>16</background_schedule_pool_size>
  <merge_tree>
${elements('    ', Object.entries(OVER_BROKEN_PARTS))}  </merge_tree>
</clickhouse>
`;
}

function clusterConfig({ name, tcpPort, tcpPorts, as }: LocalCluster): string {
  const shards = tcpPorts.map((port) => {
    const replica = elements('      ', [['host', '127.0.0.1'], ['port', port], ...Object.entries(as)]);
    return `    <shard><replica>\n${replica}    </replica></shard>\n`;
  });
  return `  <tcp_port>${tcpPort}</tcp_port>
  <remote_servers><${name}>
${shards.join('')}  </${name}></remote_servers>
`;
}

/**
 * Users are defined in this file because the server does not store users created by SQL. The host process is `default`, because
 * it cannot give a password. That user has a single session, which the host's prompt takes before it opens the HTTP port and
 * holds until the end, so no other client can run a query as `default`. It may only open its ports, once each.
 */
export function usersConfig({ users, analyst, fromAnywhere = false, cluster }: ClickhouseUsers): string {
  const networks = fromAnywhere ? '<networks><ip>::/0</ip></networks>' : LOOPBACK_ONLY;
  return `<clickhouse>
  <profiles>
    <default>
${elements('      ', Object.entries(COMPILATION))}    </default>
    <host><max_sessions_for_user>1</max_sessions_for_user></host>
${users.map(userProfile).join('')}    <analyst>
${analystProfile()}    </analyst>
  </profiles>
  <quotas>
    <default/>
    <once><interval><duration>1576800000</duration><queries>${cluster ? 2 : 1}</queries></interval></once>
    <analyst>
${analystQuota()}    </analyst>
  </quotas>
  <users>
    <default>
      <password/>
      ${LOOPBACK_ONLY}
      <profile>host</profile>
      <quota>once</quota>
      <grants><query>GRANT SYSTEM LISTEN ON *.*</query></grants>
    </default>
${users.map((user) => serviceUser(user, networks)).join('')}    <${analyst.user}>
${login(analyst.password, networks)}      <profile>analyst</profile>
      <quota>analyst</quota>
${grants(READS)}    </${analyst.user}>
  </users>
</clickhouse>
`;
}

/** A profile with the same name as the user. Settings in a query cannot override its limit. */
function userProfile({ user, permissions }: ClickhouseUser): string {
  if (!permissions) return `    <${user}/>\n`;
  const bound = 'max_concurrent_queries_for_user';
  return `    <${user}>
      <${bound}>${permissions.maxQueries}</${bound}>
      <constraints><${bound}><readonly/></${bound}></constraints>
    </${user}>
`;
}

function serviceUser({ user, password, permissions }: ClickhouseUser, networks: string): string {
  return `    <${user}>
${login(password, networks)}      <profile>${user}</profile>
      <quota>default</quota>
${permissions ? grants(permissions.grants) : ''}    </${user}>
`;
}

function login(password: string, networks: string): string {
  const hash = `      <password_sha256_hex>${sha256(password)}</password_sha256_hex>\n`;
  return `${hash}      ${networks}\n`;
}

function grants(list: readonly string[]): string {
  const queries = list.map((grant) => `        <query>GRANT ${grant}</query>\n`).join('');
  return `      <grants>\n${queries}      </grants>\n`;
}

/** With `readonly` 1 only settings that a constraint allows can be changed, within its bounds. */
function analystProfile(): string {
  const values = Object.entries({ readonly: 1, ...QUERY_LIMITS, ...FIXED_SETTINGS });
  const bounds = Object.entries(QUERY_LIMITS).map(
    ([name, max]) => [name, `<min>1</min><max>${max}</max><changeable_in_readonly/>`] as const,
  );
  const free = FREE_SETTINGS.map((name) => [name, '<changeable_in_readonly/>'] as const);
  const constraints = elements('        ', [...bounds, ...free]);
  return `${elements('      ', values)}      <constraints>\n${constraints}      </constraints>\n`;
}

function analystQuota(): string {
  return QUOTA_INTERVALS.map(({ seconds, ...most }) => {
    const limits = elements('        ', [['duration', seconds], ...Object.entries(most)]);
    return `      <interval>\n${limits}      </interval>\n`;
  }).join('');
}

function elements(indent: string, values: (readonly [name: string, value: string | number])[]): string {
  return values.map(([name, value]) => `${indent}<${name}>${value}</${name}>\n`).join('');
}

const LOOPBACK_ONLY = '<networks><ip>127.0.0.1</ip><ip>::1</ip></networks>';

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
