import { expect, test } from 'vitest';
import { ConfigError, integer, loadConfig, secret, urlOf } from './config.ts';

const settings = {
  PORT: integer({ min: 1, max: 65535 })({ default: 8080, desc: 'port to listen on' }),
  DATABASE_URL: urlOf('postgres')({ desc: 'PostgreSQL database' }),
  PEPPER: secret({ desc: 'pepper of the key hashes' }),
};

test('values are converted to their types and defaults are filled in', () => {
  const config = loadConfig(settings, { DATABASE_URL: 'postgres://a:b@c/d', PEPPER: 'x'.repeat(16) });
  expect(config).toMatchObject({ PORT: 8080, DATABASE_URL: 'postgres://a:b@c/d' });
});

test('all errors are reported together, each with the purpose of its setting', () => {
  const load = () => loadConfig(settings, { PORT: '70000', DATABASE_URL: 'mysql://x' });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(/PORT must be a whole number from 1 to 65535.*port to listen on/);
  expect(load).toThrow(/DATABASE_URL must be a postgres:\/\/ URL/);
  expect(load).toThrow(/PEPPER is not set \(pepper of the key hashes\)/);
});

test('the error message never repeats a wrong secret or URL', () => {
  const env = { DATABASE_URL: 'mysql://user:hunter2@host/db', PEPPER: 'short-secret' };
  expect(() => loadConfig(settings, env)).toThrow(
    expect.not.objectContaining({ message: expect.stringMatching(/hunter2|short-secret/) as string }),
  );
});
