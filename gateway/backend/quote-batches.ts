import type { GetQuotesResponse, Quote } from '#proto/saring/market_data/v1/market_data.ts';
import type { CallContext } from '#platform/grpc/call-context.ts';
import { universeIn } from '#foundation/text/codes.ts';
import { fieldNamed, rulesOf } from '#platform/wire/descriptors.ts';

/** Maximum number of tickers in one call. */
const MAX_TICKERS = rulesOf(fieldNamed('saring.market_data.v1.GetQuotesRequest', 'tickers')).max_distinct!;

type GetQuotes = (tickers: string[], call: CallContext) => Promise<GetQuotesResponse>;

interface Batch {
  tickers: Set<string>;
  answer: Promise<GetQuotesResponse>;
}

/**
 * Combines quote requests that arrive within one turn of the event loop into one call: under load, a call costs
 * several times as much as the rest of a quote request. An idle gateway adds no wait. The call carries the request id
 * of its first request.
 */
export class QuoteBatches {
  readonly #getQuotes: GetQuotes;
  #open: Batch | undefined;

  constructor(getQuotes: GetQuotes) {
    this.#getQuotes = getQuotes;
  }

  /**
   * The quotes of these upper-case tickers. Tickers without a quote are left out. Only the service knows the members of universes
   * and their number, so a request that names any goes alone.
   */
  async get(tickers: string[], call: CallContext): Promise<GetQuotesResponse> {
    if (tickers.some((ticker) => universeIn(ticker) !== undefined)) return this.#getQuotes(tickers, call);
    const { answer: response } = this.#batchFor(tickers, call);
    const { quotes, ...facts } = await response;
    const own: [string, Quote][] = [];
    for (const ticker of new Set(tickers)) {
      const quote = Object.hasOwn(quotes, ticker) ? quotes[ticker] : undefined;
      if (quote) own.push([ticker, quote]);
    }
    return { quotes: Object.fromEntries(own), ...facts };
  }

  /**
   * If the tickers do not fit into the open batch, they start a new one. A request with more tickers than a call
   * allows goes alone and is refused alone.
   */
  #batchFor(tickers: string[], call: CallContext): Batch {
    const open = this.#open;
    const added = open ? tickers.filter((ticker) => !open.tickers.has(ticker)) : [];
    if (open && open.tickers.size + added.length <= MAX_TICKERS) {
      for (const ticker of added) open.tickers.add(ticker);
      return open;
    }
    const inBatch = new Set(tickers);
    this.#open = { tickers: inBatch, answer: this.#askAfterThisTurn(inBatch, call) };
    return this.#open;
  }

  async #askAfterThisTurn(tickers: Set<string>, call: CallContext): Promise<GetQuotesResponse> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (this.#open?.tickers === tickers) this.#open = undefined;
    return this.#getQuotes([...tickers], call);
  }
}
