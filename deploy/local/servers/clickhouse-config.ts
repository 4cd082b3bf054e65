import { createHash } from 'node:crypto';
import { FREE_SETTINGS, QUERY_LIMITS, QUOTA_INTERVALS, READABLE, FIXED_SETTINGS } from './analyst-limits.ts';

export interface ClickhouseUsers {
  /** Reads and writes everything; the services. */
  fleet: { user: string; password: string };
  /** Reads the views of `usage` and the database `market`, within limits; people. */
  analyst: { user: string; password: string };
}

/** Modest limits: this server shares a machine with the whole fleet. */
export function serverConfig({ dir, port }: { dir: string; port: number }): string {
  return `<clickhouse>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${port}</http_port>
  <users_config>${escapeXml(dir)}/users.xml</users_config>
  <timezone>UTC</timezone>
  <max_server_memory_usage>2000000000</max_server_memory_usage>
  <access_control_improvements>
    <settings_constraints_replace_previous>true</settings_constraints_replace_previous>
    <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
    <select_from_information_schema_requires_grant>true</select_from_information_schema_requires_grant>
  </access_control_improvements>
  <mark_cache_size>67108864</mark_cache_size>
  <background_schedule_pool_size>16</background_schedule_pool_size>
</clickhouse>
`;
}

/**
 * Users live in this file because the server keeps none that SQL creates. `default` is who the host itself is: it
 * may open the HTTP port, once, and nothing else, so that it needs no password.
 */
export function usersConfig({ fleet, analyst }: ClickhouseUsers): string {
  return `<clickhouse>
  <profiles>
    <default/>
    <analyst>
${analystProfile()}    </analyst>
  </profiles>
  <quotas>
    <default/>
    <once><interval><duration>1576800000</duration><queries>1</queries></interval></once>
    <analyst>
${analystQuota()}    </analyst>
  </quotas>
  <users>
    <default>
      <password/>
      ${LOOPBACK_ONLY}
      <profile>default</profile>
      <quota>once</quota>
      <grants><query>GRANT SYSTEM LISTEN ON *.*</query></grants>
    </default>
    <${fleet.user}>
      <password_sha256_hex>${sha256(fleet.password)}</password_sha256_hex>
      ${LOOPBACK_ONLY}
      <profile>default</profile>
      <quota>default</quota>
    </${fleet.user}>
    <${analyst.user}>
      <password_sha256_hex>${sha256(analyst.password)}</password_sha256_hex>
      ${LOOPBACK_ONLY}
      <profile>analyst</profile>
      <quota>analyst</quota>
      <grants>
${READABLE.map((name) => `        <query>GRANT SELECT ON ${name}</query>\n`).join('')}      </grants>
    </${analyst.user}>
  </users>
</clickhouse>
`;
}

/** `readonly` 1 lets no setting be changed but those that a constraint frees, within its bounds. */
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
