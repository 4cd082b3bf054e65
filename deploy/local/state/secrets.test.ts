import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSecrets, saveSecrets } from './secrets.ts';

let file: string;

beforeEach(() => {
  file = path.join(mkdtempSync(path.join(tmpdir(), 'saring-secrets-')), 'secrets.json');
});
afterEach(() => rmSync(path.dirname(file), { recursive: true, force: true }));

describe('secrets of the local fleet', () => {
  test('are created once, stored, all different, and readable by their owner only', () => {
    const made = loadSecrets(file);
    expect(loadSecrets(file)).toEqual(made);
    const { caller_secrets, postgres_role_passwords, nats_passwords, clickhouse_passwords, ...others } = made;
    const all = [others, caller_secrets, postgres_role_passwords, nats_passwords, clickhouse_passwords];
    const secrets = all.flatMap((each) => Object.values(each));
    expect(secrets.length).toBeGreaterThan(20);
    expect(new Set(secrets).size).toBe(secrets.length);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('keep a saved demo key', () => {
    saveSecrets(file, { ...loadSecrets(file), demo_key: 'sk' });
    expect(loadSecrets(file).demo_key).toBe('sk');
  });

  test('that cannot be read are an error, because the stores depend on them', () => {
    writeFileSync(file, '{');
    expect(() => loadSecrets(file)).toThrow('cannot be read');
    expect(readFileSync(file, 'utf8')).toBe('{');
  });
});
