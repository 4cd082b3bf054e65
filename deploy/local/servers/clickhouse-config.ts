import { createHash } from 'node:crypto';

export interface ClickhouseUsers {
  /** Reads and writes everything; the services. */
  fleet: { user: string; password: string };
  /** Reads the databases `usage` and `market`; people. */
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
      <readonly>2</readonly>
      <max_execution_time>60</max_execution_time>
      <max_memory_usage>1000000000</max_memory_usage>
      <constraints>
        <max_execution_time><min>1</min><max>60</max></max_execution_time>
        <max_memory_usage><min>1</min><max>1000000000</max></max_memory_usage>
      </constraints>
    </analyst>
  </profiles>
  <quotas>
    <default/>
    <once><interval><duration>1576800000</duration><queries>1</queries></interval></once>
    <analyst><interval><duration>60</duration><queries>600</queries><execution_time>60</execution_time></interval></analyst>
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
        <query>GRANT SELECT ON usage.*</query>
        <query>GRANT SELECT ON market.*</query>
      </grants>
    </${analyst.user}>
  </users>
</clickhouse>
`;
}

const LOOPBACK_ONLY = '<networks><ip>127.0.0.1</ip><ip>::1</ip></networks>';

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
