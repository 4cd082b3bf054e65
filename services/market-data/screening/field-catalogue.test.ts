import { expect, test } from 'vitest';
import { FACTS } from '#fields/catalogue/market-fixture.ts';
import { invalidRequest } from '#foundation/errors/invalid-request.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { FieldCatalogue, withNewest, type KnownFields } from './field-catalogue.ts';
import type { FactVersion, StoredFact } from '../store/fact-store.ts';
import type { StoredResults } from '../model-results/model-result-store.ts';

const log = createLogger('test', 'silent');
const SIZE = { rows: 1, tickers: 1, known_from: '2024-01-02', known_until: '2024-01-02' };
const stored = ({ name }: { name: string }): StoredFact => ({
  ...FACTS.find((fact) => fact.name === name)!,
  ...SIZE,
  edition: `${name}.1`,
  imported_at: '2024-01-03T00:00:00Z',
  imported_by: '',
});

/** Stores that hold more facts with every change, and count the looks at them. */
class ChangingStores {
  looks = 0;
  version = 0;
  isUnavailable = false;
  stored: StoredResults[] = [];
  readonly facts = { newest: () => this.#newest() };
  readonly results = { all: () => Promise.resolve(this.stored) };

  async #newest(): Promise<FactVersion> {
    this.looks++;
    await new Promise((resolve) => setImmediate(resolve));
    if (this.isUnavailable) throw Object.assign(new Error('unavailable'), { code: 'ECONNREFUSED' });
    return { version: this.version, facts: FACTS.slice(0, this.version).map(stored) };
  }
}

/** Looks a field up as rules do that name one. */
const require = (name: string) => (known: KnownFields) => {
  if (known.fields.has(name)) return name;
  throw invalidRequest([{ loc: ['rules'], msg: `no field ${name}`, type: 'value_error' }]);
};
const [first, second] = FACTS.map(({ name }) => name) as [string, string];

test('a name of which this copy has not heard is found at once, and one that no fact has is refused', async () => {
  const stores = new ChangingStores();
  const catalogue = new FieldCatalogue(stores, log);
  await catalogue.get();
  stores.version = 1;
  expect(await withNewest(catalogue, require(first))).toBe(first);
  await expect(withNewest(catalogue, require(second))).rejects.toMatchObject({ code: 'invalid_request' });
  const { looks } = stores;
  expect(await withNewest(catalogue, require(first))).toBe(first);
  expect(stores.looks).toBe(looks);
});

test('many that wait for the newest facts share one look, and none gets what an earlier look had read', async () => {
  const stores = new ChangingStores();
  const catalogue = new FieldCatalogue(stores, log);
  const early = catalogue.refresh();
  await Promise.resolve();
  stores.version = 2;
  const late = await Promise.all(Array.from({ length: 20 }, () => catalogue.refresh()));
  await early;
  expect(late.every(({ facts }) => facts.size === 2)).toBe(true);
  expect(stores.looks).toBe(2);
});

test('while the store is unavailable, what is known stays known, and nothing is taken for no facts', async () => {
  const stores = new ChangingStores();
  const catalogue = new FieldCatalogue(stores, log);
  stores.isUnavailable = true;
  await expect(catalogue.get()).rejects.toMatchObject({ code: 'data_unavailable' });
  [stores.isUnavailable, stores.version] = [false, 1];
  const known = await catalogue.get();
  stores.isUnavailable = true;
  expect(await catalogue.newest()).toBe(known);
  await expect(withNewest(catalogue, require(second))).rejects.toMatchObject({ code: 'data_unavailable' });
});

test('a further result of a model is known after the next look, and the fields stay the same until then', async () => {
  const stores = new ChangingStores();
  const catalogue = new FieldCatalogue(stores, log);
  const before = await catalogue.get();
  expect(await catalogue.refresh()).toBe(before);
  const days = { first_day: '2024-01-02', last_day: '2024-01-03' };
  const ofModel = { dataset_kind: 'real', model_id: 'model_f_combined', rows: 2, ...days };
  stores.stored = [ofModel];
  const after = await catalogue.refresh();
  expect(before.resultsOf('real', 'model_f_combined')).toBeUndefined();
  expect(after.resultsOf('real', 'model_f_combined')).toEqual(ofModel);
  for (const [kind, id] of [
    ['synthetic', 'model_f_combined'],
    ['real', 'gann_classic_v7'],
  ] as const)
    // prettier-ignore
    expect(after.resultsOf(kind, id)).toBeUndefined();
  stores.stored = [{ ...ofModel, rows: 3 }];
  expect((await catalogue.refresh()).resultsOf('real', 'model_f_combined')?.rows).toBe(3);
});
