import { beforeAll, describe, expect, test } from 'vitest';
import type { Schemas } from '#client/index.ts';
import type { SyntheticTicker } from '#synthetic-market/generate-market.ts';
import { ownTenant } from '#support/fleets/contract.ts';
import { errorCode } from '#support/rest/rest.ts';
import { servedMarket } from '#support/markets/served-market.ts';

const tenant = ownTenant();

type Action = Schemas['CorporateAction'];
type Shown = Pick<Action, 'kind' | 'ex_date' | 'ratio'>;

let market: SyntheticTicker[];
let version: string;
beforeAll(async () => {
  ({ version, market } = await servedMarket(tenant.rest));
});

/** The actions that the rows of a company show, latest first. */
function shownBy({ rows }: SyntheticTicker): Shown[] {
  return rows.date
    .flatMap((ex_date, i): Shown[] => {
      const [previous, before] = [rows.previous[i]!, rows.close[i - 1]];
      if (before === undefined || previous === 0 || previous === before) return [];
      const price = previous / before;
      const ratio = rows.listed_shares[i]! / rows.listed_shares[i - 1]!;
      const isSplit = (ratio >= 1.25 || ratio <= 0.8) && Math.abs(1 / ratio / price - 1) <= 0.1;
      if (isSplit) return [{ kind: ratio > 1 ? 'split' : 'reverse_split', ex_date, ratio: near(ratio) }];
      return [{ kind: price < 1 ? 'rights' : 'unexplained', ex_date, ratio: null }];
    })
    .toReversed();
}

const near = (value: number) => expect.closeTo(value, 4) as number;

const briefly = (actions: readonly Action[]) =>
  actions.map(({ kind, ex_date, ratio }) => ({ kind, ex_date, ratio }));

describe('the corporate actions of a stock', () => {
  test('are the splits, reverse splits and rights that its rows show', async () => {
    const kinds = new Set<string>();
    for (const company of market.filter((one) => shownBy(one).length > 0)) {
      const { actions, dataset_version, has_more } = await tenant.client.data.actions(company.ticker).first();
      expect(briefly(actions), company.ticker).toEqual(shownBy(company));
      expect([dataset_version, has_more]).toEqual([version, false]);
      for (const { kind, status, price_factor } of actions) {
        kinds.add(kind);
        expect(status).toBe('detected');
        expect(price_factor).toBeGreaterThan(0);
      }
    }
    expect([...kinds].toSorted()).toEqual(['reverse_split', 'rights', 'split']);
  });

  test('of an uneventful stock are an empty list, and of an unknown one 404', async () => {
    const quiet = market.find((company) => shownBy(company).length === 0)!;
    expect(await tenant.client.data.actions(quiet.ticker.toLowerCase()).first()).toMatchObject({
      ticker: quiet.ticker,
      actions: [],
      count: 0,
      next_cursor: null,
    });
    expect(errorCode(await tenant.rest.get('/api/v1/data/stocks/NONE/actions'))).toBe('not_found');
  });
});
