import { expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import { ownTenant } from '#support/fleets/contract.ts';

const tenant = ownTenant();
const flows = (query = '') => tenant.rest.get<Schemas['Flows']>(`/api/v1/data/flows?${query}`);

test('flows without parameters are of foreign investors over five days, from a billion rupiah, fifteen per list', async () => {
  const { status, body } = await flows();
  expect(status).toBe(200);
  expect(body).toMatchObject({ flow_type: 'foreign', days: 5, pattern: 'total', sort_by: 'value' });
  expect(body.broker_data).toBe('none');
  expect(body.count).toBe(body.inflow.length + body.outflow.length);
  for (const list of [body.inflow, body.outflow]) {
    expect(list.length).toBeLessThanOrEqual(15);
    for (const stock of list) {
      expect(Math.abs(stock.net_value)).toBeGreaterThanOrEqual(1e9);
      expect(stock.close).toBeGreaterThanOrEqual(200);
      expect(stock.avg_daily_value).toBeGreaterThanOrEqual(1e9);
    }
  }
  expect([body.max_price_change_pct, body.min_accum_day_ratio]).toEqual([6, null]);
  for (const { price_change_pct } of body.inflow) expect(price_change_pct ?? 0).toBeLessThanOrEqual(6);
  for (const { price_change_pct } of body.outflow) expect(price_change_pct ?? 0).toBeGreaterThanOrEqual(-6);
  const written =
    'flow_type=foreign&days=5&min_abs_val=1000000000&top_n=15&min_price=200&min_daily_val=1000000000' +
    '&sort_by=value&pattern=total&min_accum_day_ratio=0.6&max_price_change_pct=6.0';
  expect((await flows(written)).body).toEqual(body);
});
