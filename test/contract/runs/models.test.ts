import { expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { MODELS } from '#models/registry.ts';
import { ownTenant } from '#support/fleets/contract.ts';

const tenant = ownTenant('models:read');
const IDS = MODELS.map(({ id }) => id);

test('the catalogue lists every registered model in order', async () => {
  const models = await tenant.client.models.list();
  expect(models.map((model) => model.id)).toEqual(IDS);
  for (const model of models)
    expect(Object.keys(model).toSorted()).toEqual(['category', 'evidence', 'id', 'name', 'version']);
  expect(models.find((model) => model.id === 'recovery_v4')).toMatchObject({
    name: 'Model E: Portfolio Recovery',
    category: 'recovery',
  });
});

test.each(IDS)('%s is described with its parameters and an explanation', async (id) => {
  const model = await tenant.client.models.get(id);
  expect(model).toMatchObject({ id, params: expect.any(Object) as object });
  for (const part of ['what', 'when', 'how'] as const) {
    expect(model.explanation[part].length).toBeGreaterThan(40);
  }
  const path = { model_id: id };
  const schema = await tenant.client.rest.get('/api/v1/models/{model_id}/params', { path });
  expect(schema).toEqual({ model_id: id, params: model.params });
});

test.each<[string, string, Partial<Schemas['Parameter']>]>([
  ['model_f_combined', 'min_price', { type: 'integer', default: 500, min: 100, max: 5000 }],
  ['model_f_combined', 'min_daily_val', { type: 'integer', default: 1e10, min: 1e8, max: 1e11 }],
  ['model_f_combined', 'min_probability', { type: 'float', default: 65, min: 30, max: 100 }],
  ['model_f_combined', 'min_signals', { type: 'integer', default: 2, min: 1, max: 4 }],
  ['model_f_combined', 'prob_weight', { type: 'float', default: 0.6, min: 0.3, max: 0.8 }],
  ['model_f_combined', 'signal_penalty', { type: 'float', default: 0.3, min: 0, max: 0.5 }],
  ['model_f_combined', 'target_gain', { type: 'float', default: 0.1, min: 0.05, max: 0.3 }],
  ['model_f_combined', 'stop_loss', { type: 'float', default: 0.05, min: 0.02, max: 0.15 }],
  ['model_f_combined', 'max_picks', { type: 'integer', default: 10, min: 1, max: 20 }],
  [
    'model_f_combined',
    'strategy',
    {
      type: 'string',
      default: 'Inverse Signal',
      options: ['Inverse Signal', 'Gated', 'Hybrid Score', 'Intersection', 'Compare All'],
    },
  ],
  ['recovery_v4', 'analysis_date', { type: 'date', default: 'today' }],
  ['recovery_v4', 'horizon', { type: 'integer', default: 20, options: [10, 20, 30, 40] }],
  ['recovery_v4', 'positions', { type: 'array', default: [] }],
  ['confluence_filter', 'analysis_date', { type: 'date', default: 'today' }],
  ['confluence_filter', 'lookback', { type: 'integer', default: 5, min: 1, max: 10 }],
  ['confluence_filter', 'min_signals', { type: 'integer', default: 2, min: 1, max: 4 }],
  ['confluence_filter', 'max_picks', { type: 'integer', default: 20, min: 1, max: 50 }],
])('%s has the contract’s parameter %s', async (id, name, expected) => {
  const { label, description, items, max_items, ...entry } = (await tenant.client.models.params(id))[name]!;
  expect([items !== undefined, max_items !== undefined]).toEqual(Array(2).fill(expected.type === 'array'));
  expect(entry).toEqual(expected);
  expect(label).toMatch(/./);
  expect(description).toMatch(/./);
});
