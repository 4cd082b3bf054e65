import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '#platform/configuration/config.ts';
import { checkedDefinition, readDefinitions } from './definition.ts';
import { ownFolder } from '../origins/folder-fixture.ts';
import { FORMATS } from '../formats/formats.ts';
import { VENDOR_MAPPING } from '../formats/mapping-fixture.ts';

const own = ownFolder();

async function read(declared: unknown) {
  await own.drop('sources.json', typeof declared === 'string' ? declared : JSON.stringify(declared));
  return readDefinitions(join(own.path, 'sources.json'));
}

async function mistakesOf(declared: unknown): Promise<string> {
  const error = await read(declared).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).message;
}

const FILE = { name: 'exchange', format: 'idx_summary', from: { file: '/data/{yyyymmdd}.json' } };
const withFrom = (from: object) => ({ sources: [{ ...FILE, from }] });

describe('the file that declares sources', () => {
  test('is read with its defaults, and paths are relative to it', async () => {
    await own.drop('vendor.json', JSON.stringify(VENDOR_MAPPING));
    const headers = { cookie: { file: 'cookie' }, authorization: { env: 'TOKEN' }, 'user-agent': 'saring' };
    const url = 'https://data.example/{yyyymmdd}';
    const [exchange, vendor, inbox] = await read({
      sources: [
        { ...FILE, from: { url, headers } },
        {
          name: 'vendor',
          format: 'mapping',
          mapping: 'vendor.json',
          from: { file: 'days/{yyyy-mm-dd}.csv' },
          due_at: '19:00',
        },
        { name: 'inbox', format: 'dataset_files', from: { folder: 'inbox' }, recheck_days: 0 },
      ],
    });
    expect(exchange).toEqual({
      ...{
        name: 'exchange',
        format: 'idx_summary',
        due_at: '18:35',
        requests_per_day: 100,
        timeout_seconds: 30,
      },
      ...{ max_bytes: 67_108_864, recheck_days: 5, broker_unit: 'shares', broker_mode: 'gross' },
      from: { url, headers: { ...headers, cookie: { file: join(own.path, 'cookie') } } },
    });
    expect(vendor).toMatchObject({
      due_at: '19:00',
      from: { file: join(own.path, 'days/{yyyy-mm-dd}.csv') },
      mapping: { into: 'bars' },
    });
    expect(inbox).toMatchObject({ from: { folder: join(own.path, 'inbox') }, recheck_days: 0 });
  });

  test.each([
    [{}, 'sources: is required: a list'],
    [{ sources: [], source: [] }, 'source: is not known here; allowed: sources'],
    [{ sources: [{}] }, 'sources.0.name: is required: a lower-case letter'],
    [
      { sources: [{ ...FILE, name: 'Exchange' }] },
      'sources.0.name: must be a lower-case letter, then up to 31',
    ],
    [{ sources: [{ ...FILE, name: 'generator' }] }, "sources.0.name: must not be 'generator'"],
    [{ sources: [FILE, FILE] }, 'sources.1.name: must differ from the names of all other sources'],
    [
      { sources: [{ ...FILE, format: 'csv' }] },
      'sources.0.format: must be one of idx_summary, broker_rows, mapping, dataset_files',
    ],
    [
      { sources: [{ ...FILE, due_at: '25:00' }] },
      'sources.0.due_at: must be a time of day in Jakarta as HH:MM',
    ],
    [
      { sources: [{ ...FILE, timeout_seconds: 301 }] },
      'sources.0.timeout_seconds: must be a whole number from 1 to 300',
    ],
    [
      { sources: [{ ...FILE, requests_per_day: '5' }] },
      'sources.0.requests_per_day: must be a whole number from 1 to 100000',
    ],
    [{ sources: [{ ...FILE, broker_unit: 'lot' }] }, 'sources.0.broker_unit: must be one of shares, lots'],
    [
      { sources: [{ ...FILE, format: 'mapping' }] },
      'sources.0.mapping: is required: the path of a mapping file, or its content',
    ],
    [{ sources: [{ ...FILE, mapping: 'm.json' }] }, 'sources.0.mapping: is for the format mapping only'],
    [withFrom({}), 'sources.0.from: must have exactly one of url, file and folder'],
    [
      withFrom({ file: '/a/{yyyymmdd}', folder: '/b' }),
      'sources.0.from: must have exactly one of url, file and folder',
    ],
    [withFrom({ folder: '/b', headers: {} }), 'sources.0.from.headers: is for a url only'],
    [withFrom({ path: '/b' }), 'sources.0.from.path: is not known here; allowed: url, headers, file, folder'],
    [withFrom({ file: '/data/today.json' }), 'sources.0.from.file: must contain the day'],
    [withFrom({ url: 'ftp://host/{yyyymmdd}' }), 'sources.0.from.url: must be an http:// or https:// URL'],
    [withFrom({ url: 'https://host/{day}' }), 'sources.0.from.url: has the unknown placeholder {day}'],
    [
      withFrom({ url: 'https://host/{yyyymmdd}', headers: { 'a b': 'c' } }),
      'sources.0.from.headers.a b: is no name of a header',
    ],
    [
      withFrom({ url: 'https://host/{yyyymmdd}', headers: { cookie: 5 } }),
      'sources.0.from.headers.cookie: must be text, {"file"',
    ],
    [
      withFrom({ url: 'https://host/{yyyymmdd}', headers: { cookie: {} } }),
      'sources.0.from.headers.cookie: must be text, {"file"',
    ],
    [
      withFrom({ url: 'https://host/{yyyymmdd}', headers: { cookie: { file: 'a', env: 'b' } } }),
      'sources.0.from.headers.cookie: must be text, {"file"',
    ],
  ])('with a mistake is refused with its path and what is allowed (%#)', async (declared, message) => {
    expect(await mistakesOf(declared)).toContain(message);
  });

  test('names every unknown field and every wrong value, however many there are', async () => {
    const unknown = fc.uniqueArray(fc.stringMatching(/^x[a-z]{1,8}$/), { minLength: 1, maxLength: 30 });
    const name = fc.constantFrom('Wrong', '', '9a', 'a'.repeat(33));
    await fc.assert(
      fc.asyncProperty(unknown, name, fc.constantFrom(...FORMATS), async (names, wrong, format) => {
        const extra = Object.fromEntries(names.map((key) => [key, 1]));
        const message = await mistakesOf({
          sources: [{ ...FILE, format, name: wrong, timeout_seconds: 0, ...extra }],
        });
        for (const key of [...names, 'name', 'timeout_seconds'])
          expect(message).toContain(`sources.0.${key}: `);
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    [
      'a header of the wrong type',
      JSON.stringify(withFrom({ url: 'https://host/{yyyymmdd}', headers: { cookie: ['hush'] } })),
    ],
    ['a login in the URL', JSON.stringify(withFrom({ url: 'https://me:hush@host/{yyyymmdd}' }))],
    ['a key in a URL without a day', JSON.stringify(withFrom({ url: 'https://host/?key=hush' }))],
    ['JSON that is broken near a secret', '{"sources": [{"headers": {"cookie": "hush" "b"}}]}'],
    ['JSON that ends too early', '{"sources": [{"headers": {"cookie": "hush'],
  ])('never shows secrets in its message: %s', async (_, declared) => {
    expect(await mistakesOf(declared)).not.toContain('hush');
  });

  test('names a file that is missing, and the mistakes in a mapping file', async () => {
    await expect(readDefinitions(join(own.path, 'none.json'))).rejects.toThrow(
      'none.json cannot be read: ENOENT',
    );
    await own.drop('vendor.json', '{"into": "bars"}');
    const message = await mistakesOf({ sources: [{ ...FILE, format: 'mapping', mapping: 'vendor.json' }] });
    expect(message).toContain(
      '  sources.0.mapping.body: is required: an object\n  sources.0.mapping.fields: is required: an object',
    );
    const missing = await mistakesOf({ sources: [{ ...FILE, format: 'mapping', mapping: 'none.json' }] });
    expect(missing).toMatch(/sources\.0\.mapping: must be a mapping: .*none\.json cannot be read: ENOENT/);
  });
});

test('a source that is not in a file is checked like those that are, with its mapping in it', async () => {
  const declared = { ...FILE, format: 'mapping', mapping: VENDOR_MAPPING };
  expect(await checkedDefinition(declared, own.path)).toMatchObject({
    definition: { timeout_seconds: 30, mapping: { into: 'bars', other_days: 'refuse' } },
  });
  expect(
    await checkedDefinition({ ...declared, mapping: { into: 'bars' }, due_at: '19' }, own.path),
  ).toMatchObject({
    mistakes: [{ loc: ['due_at'] }],
  });
  expect(await checkedDefinition({ ...declared, mapping: { into: 'bars' } }, own.path)).toMatchObject({
    mistakes: [{ loc: ['mapping', 'body'] }, { loc: ['mapping', 'fields'] }],
  });
});
