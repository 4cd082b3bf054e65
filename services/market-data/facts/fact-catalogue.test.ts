import { expect, test } from 'vitest';
import { FACTS } from '#fields/catalogue/market-fixture.ts';
import { invalidRequest } from '#shared/invalid-request.ts';
import { createLogger } from '#shared/logger.ts';
import { FactCatalogue, withNewest, type KnownFields } from './fact-catalogue.ts';
import type { FactVersion, StoredFact } from './fact-store.ts';

const log = createLogger('test', 'silent');
const SIZE = { rows: 1, tickers: 1, known_from: '2024-01-02', known_until: '2024-01-02' };
const stored = ({ name }: { name: string }): StoredFact => ({
  ...FACTS.find((fact) => fact.name === name)!,
  ...SIZE,
  edition: `${name}.1`,
  imported_at: '2024-01-03T00:00:00Z',
  imported_by: '',
});

/** A store that holds more facts with every change, and counts the looks at it. */
class ChangingStore {
  looks = 0;
  version = 0;
  isAway = false;

  async newest(): Promise<FactVersion> {
    this.looks++;
    await new Promise((resolve) => setImmediate(resolve));
    if (this.isAway) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    return { version: this.version, facts: FACTS.slice(0, this.version).map(stored) };
  }
}

/** As rules do that name a field. */
const require = (name: string) => (known: KnownFields) => {
  if (known.fields.has(name)) return name;
  throw invalidRequest([{ loc: ['rules'], msg: `no field ${name}`, type: 'value_error' }]);
};
const [first, second] = FACTS.map(({ name }) => name) as [string, string];

test('a name of which this copy has not heard is found at once, and one that no fact has is refused', async () => {
  const store = new ChangingStore();
  const catalogue = new FactCatalogue(store, log);
  await catalogue.get();
  store.version = 1;
  expect(await withNewest(catalogue, require(first))).toBe(first);
  await expect(withNewest(catalogue, require(second))).rejects.toMatchObject({ code: 'invalid_request' });
  const { looks } = store;
  expect(await withNewest(catalogue, require(first))).toBe(first);
  expect(store.looks).toBe(looks);
});

test('many that wait for the newest facts share one look, and none gets what an earlier look had read', async () => {
  const store = new ChangingStore();
  const catalogue = new FactCatalogue(store, log);
  const early = catalogue.refresh();
  await Promise.resolve();
  store.version = 2;
  const late = await Promise.all(Array.from({ length: 20 }, () => catalogue.refresh()));
  await early;
  expect(late.every(({ facts }) => facts.size === 2)).toBe(true);
  expect(store.looks).toBe(2);
});

test('while the store is away, what is known stays known, and nothing is taken for no facts', async () => {
  const store = new ChangingStore();
  const catalogue = new FactCatalogue(store, log);
  store.isAway = true;
  await expect(catalogue.get()).rejects.toMatchObject({ code: 'data_unavailable' });
  [store.isAway, store.version] = [false, 1];
  const known = await catalogue.get();
  store.isAway = true;
  expect(await catalogue.newest()).toBe(known);
  await expect(withNewest(catalogue, require(second))).rejects.toMatchObject({ code: 'data_unavailable' });
});
