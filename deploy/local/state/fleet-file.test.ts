import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addressesBy } from '../configuration/service-table.ts';
import { FleetFile, type FleetDescription } from './fleet-file.ts';

const DESCRIPTION: FleetDescription = {
  console_url: 'http://127.0.0.1:8080/console#/sign-in/token',
  base_url: 'http://127.0.0.1:8080',
  demo_key: 'sk',
  ports: { gateway: 8080, clickhouse: 8123, nats: 4222, postgres: 5432 },
  addresses: addressesBy(() => '127.0.0.1:1'),
  ops: { keys: 'http://127.0.0.1:7' },
  operator_token: 'token',
  gateway_tokens: {
    keys: 'k',
    models: 'm',
    usage: 'u',
    consent: 'c',
    'market-data': 'd',
    screens: 's',
    webhooks: 'w',
  },
  clickhouse: { url: 'http://127.0.0.1:8123', analyst_user: 'analyst', analyst_password: 'password' },
  nats_url: 'nats://u:p@127.0.0.1:4222',
  stores: {
    postgres: 'postgres://u:p@127.0.0.1:5432/saring',
    clickhouse: { market: { url: 'http://m:p@127.0.0.1:8123' }, usage: { url: 'http://u:p@127.0.0.1:8123' } },
  },
};

let file: string;
const written = () =>
  JSON.parse(readFileSync(file, 'utf8')) as FleetDescription & { pids: Record<string, number> };

beforeEach(() => {
  file = path.join(mkdtempSync(path.join(tmpdir(), 'saring-fleet-file-')), 'fleet.json');
});
afterEach(() => rmSync(path.dirname(file), { recursive: true, force: true }));

test('the fleet file does not exist before the fleet is ready, not even an old one', () => {
  writeFileSync(file, '{}');
  const fleetFile = new FleetFile(file);
  fleetFile.setPid('nats', 11);
  expect(existsSync(file)).toBe(false);
});

test('the fleet file lists the current process ids and is readable by its owner only', () => {
  const fleetFile = new FleetFile(file);
  fleetFile.setPid('nats', 11);
  fleetFile.setPid('keys', 12);
  fleetFile.write(DESCRIPTION);
  expect(written()).toEqual({ ...DESCRIPTION, pids: { nats: 11, keys: 12 } });
  fleetFile.setPid('nats', undefined);
  expect(written().pids).toEqual({ keys: 12 });
  fleetFile.setPid('nats', 13);
  expect(written().pids).toEqual({ keys: 12, nats: 13 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('the fleet file stays removed after a stop, even if a process ends later', () => {
  const fleetFile = new FleetFile(file);
  fleetFile.write(DESCRIPTION);
  fleetFile.remove();
  fleetFile.setPid('nats', undefined);
  expect(existsSync(file)).toBe(false);
});
