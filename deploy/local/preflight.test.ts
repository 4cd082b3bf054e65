import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { freePort } from './state/ports.ts';
import { checkDataset, checkDiskSpace, checkPlatform, checkPort } from './preflight.ts';
import { readSettings } from './configuration/settings.ts';

const linux = { platform: 'linux', arch: 'x64', hasGlibc: true };
const mac = { platform: 'darwin', arch: 'arm64', hasGlibc: false };
const urls = {
  DATABASE_URL: 'postgres://u:p@db:5432/saring',
  NATS_URL: 'nats://u:p@nats:4222',
  CLICKHOUSE_URL: 'http://u:p@clickhouse:8123',
};

describe('the preflight check', () => {
  test('accepts linux-x64 with glibc for the embedded servers', () => {
    expect(() => checkPlatform(readSettings({}), linux)).not.toThrow();
  });

  test('on another platform lists exactly the servers that are still missing', () => {
    expect(() => checkPlatform(readSettings({ NATS_URL: urls.NATS_URL }), mac)).toThrow(
      /darwin-arm64. Set DATABASE_URL, CLICKHOUSE_URL to/,
    );
    expect(() => checkPlatform(readSettings({}), { ...linux, hasGlibc: false })).toThrow(/without glibc/);
  });

  test('accepts another platform that has its own servers', () => {
    expect(() => checkPlatform(readSettings(urls), mac)).not.toThrow();
  });

  test('reports a port that is in use', async () => {
    const port = await freePort();
    const server = createServer().listen(port, '127.0.0.1');
    await expect(checkPort(port)).rejects.toThrow(`Port ${port} is in use`);
    server.close();
  });

  test('reports a nearly full disk with the free space left', () => {
    expect(() => checkDiskSpace(tmpdir(), Number.MAX_SAFE_INTEGER)).toThrow(
      /Only \d+ MiB of disk space are free/,
    );
    expect(() => checkDiskSpace(tmpdir(), 1)).not.toThrow();
  });

  test('names the path of a missing dataset', () => {
    expect(() => checkDataset('/no/such/file.csv')).toThrow('/no/such/file.csv');
    expect(() => checkDataset(undefined)).not.toThrow();
  });

  test('reports all wrong settings together', () => {
    expect(() => readSettings({ PORT: 'eighty', WORKERS: '0', NATS_URL: 'http://x' })).toThrow(
      /PORT[^]*WORKERS[^]*NATS_URL/,
    );
  });
});
