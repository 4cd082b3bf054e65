import type { GetQuotesResponse, Quote } from '#proto/saring/market_data/v1/market_data.ts';
import type { CallContext } from '#shared/grpc/call-context.ts';
import { fieldNamed, rulesOf } from '#shared/wire/descriptors.ts';

/** What one call may name at most. */
const MAX_TICKERS = rulesOf(fieldNamed('saring.market_data.v1.GetQuotesRequest', 'tickers')).max_distinct!;

type GetQuotes = (tickers: string[], call: CallContext) => Promise<GetQuotesResponse>;

interface Batch {
  tickers: Set<string>;
  answer: Promise<GetQuotesResponse>;
}

/**
 * Quotes that are asked for within one turn of the event loop travel in one call: under load a call costs several
 * times what the rest of a quote request does. An idle gateway waits for nobody. The call carries the request id
 * of the first who asked.
 */
export class QuoteBatches {
  readonly #getQuotes: GetQuotes;
  #open: Batch | undefined;

  constructor(getQuotes: GetQuotes) {
    this.#getQuotes = getQuotes;
  }

  /** The quotes of these upper-case tickers, without the tickers that have none. */
  async get(tickers: string[], call: CallContext): Promise<GetQuotesResponse> {
    const { answer } = this.#batchFor(tickers, call);
    const { quotes, ...facts } = await answer;
    const own: [string, Quote][] = [];
    for (const ticker of new Set(tickers)) {
      const quote = Object.hasOwn(quotes, ticker) ? quotes[ticker] : undefined;
      if (quote) own.push([ticker, quote]);
    }
    return { quotes: Object.fromEntries(own), ...facts };
  }

  /** Too many tickers for the open batch begin a new one; too many for any go alone and are refused alone. */
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
