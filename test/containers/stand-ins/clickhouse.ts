/** ClickHouse in a container: the embedded server with the users of the compose file, reachable from other containers. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { serverConfig } from '#local/servers/clickhouse-config.ts';

const dir = '/var/lib/clickhouse';
mkdirSync(dir, { recursive: true });
const config = serverConfig({ dir, port: 8123 }).replace('127.0.0.1', '0.0.0.0');
writeFileSync(`${dir}/config.xml`, config);
copyFileSync('/etc/clickhouse-server/users.d/saring.xml', `${dir}/users.xml`);
process.env['TZ'] = 'UTC';
process.argv[2] = dir;
await import('#local/servers/clickhouse-host.ts');
