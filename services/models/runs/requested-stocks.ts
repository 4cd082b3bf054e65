import type { CalledMarket } from '#foundation/test-market.ts';
import { randomId } from '#foundation/ids.ts';
import type { MarketClients } from '../connect-market.ts';
import type { Params } from '../catalogue/parameters.ts';

/** Names the stocks that the parameter `tickers` of a run stands for, as market-data knows them. */
export class RequestedStocks {
  readonly #fields: MarketClients['fields'];

  constructor(fields: MarketClients['fields']) {
    this.#fields = fields;
  }

  /**
   * The parameters with upper-case tickers without duplicates, and with the members of a day in the place of universes. What a run
   * was asked for stays readable when an index has other members.
   * @param as_of YYYY-MM-DD; the last day of the served dataset if undefined
   * @param market whose stocks they are
   * @throws ServiceError not_found for an unknown universe, or if no stock has any of the tickers; data_unavailable
   */
  async named(params: Params, as_of?: string, market?: CalledMarket): Promise<Params> {
    if (!params['tickers']) return params;
    const universe = { tickers: params['tickers'] as string[] };
    const call = { requestId: randomId('req'), market };
    const { tickers } = await this.#fields.listScreenedStocks({ universe, as_of }, call);
    return { ...params, tickers };
  }
}
