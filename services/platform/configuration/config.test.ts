import { expect, test } from 'vitest';
import { ConfigError, integer, loadConfig, originsIn, originsOrNone, secret, urlOf } from './config.ts';

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

const withOrigins = { ORIGINS: originsOrNone({ default: '', desc: 'whose pages may call' }) };

test.each([
  ['', []],
  ['https://app.example.com', ['https://app.example.com']],
  ['https://a.example , http://localhost:5173', ['https://a.example', 'http://localhost:5173']],
])('the origins in “%s” are %j', (text, expected) => {
  expect(originsIn(loadConfig(withOrigins, { ORIGINS: text }).ORIGINS)).toEqual(expected);
});

test.each([
  '*',
  'null',
  'app.example.com',
  'https://app.example.com/',
  'https://app.example.com/path',
  'https://App.example.com',
  'https://app.example.com:443',
  'https://*.example.com',
  'https://user@app.example.com',
  'ftp://app.example.com',
  'https://',
  'https://a.example https://b.example',
])('“%s” is refused as an origin, also in a list, by the name of its setting', (origin) => {
  const load = () => loadConfig(withOrigins, { ORIGINS: `https://good.example,${origin}` });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(/ORIGINS must be origins such as https:/);
});
