/** Upper bound on the rows of one stock in a month on both markets. With this much spare room, adding needs no check. */
const MAX_ROWS_OF_A_STOCK_MONTH = 2 * 31 * 256;

/** The trades of every broker in a stock on a day, by the broker's index: units and values, 0 if none. */
export interface BothSides {
  buyUnits: Float64Array;
  buyValue: Float64Array;
  sellUnits: Float64Array;
  sellValue: Float64Array;
}

export function bothSides(brokerCount: number): BothSides {
  return {
    buyUnits: new Float64Array(brokerCount),
    buyValue: new Float64Array(brokerCount),
    sellUnits: new Float64Array(brokerCount),
    sellValue: new Float64Array(brokerCount),
  };
}

interface StockDay {
  /** Index into the panel's tickers. */
  ticker: number;
  /** Days since 1970-01-01. */
  epochDay: number;
  isNego: boolean;
}

/**
 * Output buffer of broker rows, in columns, ordered by ticker, date, market (NEGO before REG) and broker. The caller fills it
 * until it is full, reads it, and clears it to fill it again.
 */
export class BrokerRows {
  readonly #wanted: number;
  readonly ticker: Uint16Array;
  readonly epochDay: Uint16Array;
  /** 1 for the negotiated market. */
  readonly isNego: Uint8Array;
  /** Index of the broker. */
  readonly broker: Uint8Array;
  /** Shares. */
  readonly buy_shares: Float64Array;
  readonly sell_shares: Float64Array;
  /** Whole IDR. */
  readonly buy_value: Float64Array;
  readonly sell_value: Float64Array;
  #length = 0;

  constructor(rows: number) {
    const capacity = rows + MAX_ROWS_OF_A_STOCK_MONTH;
    this.#wanted = rows;
    this.ticker = new Uint16Array(capacity);
    this.epochDay = new Uint16Array(capacity);
    this.isNego = new Uint8Array(capacity);
    this.broker = new Uint8Array(capacity);
    this.buy_shares = new Float64Array(capacity);
    this.sell_shares = new Float64Array(capacity);
    this.buy_value = new Float64Array(capacity);
    this.sell_value = new Float64Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Whether the caller must read and clear the rows before adding another stock-month. */
  get isFull(): boolean {
    return this.#length >= this.#wanted;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Adds a row for each broker that traded. A unit is `unit` shares, and its value is in multiples of `unit` IDR. */
  add({ ticker, epochDay, isNego }: StockDay, sides: BothSides, unit: number): void {
    const { buyUnits, buyValue, sellUnits, sellValue } = sides;
    const market = isNego ? 1 : 0;
    for (let broker = 0; broker < buyUnits.length; broker++) {
      if (buyUnits[broker] === 0 && sellUnits[broker] === 0) continue;
      const at = this.#length++;
      this.ticker[at] = ticker;
      this.epochDay[at] = epochDay;
      this.isNego[at] = market;
      this.broker[at] = broker;
      this.buy_shares[at] = buyUnits[broker]! * unit;
      this.buy_value[at] = buyValue[broker]! * unit;
      this.sell_shares[at] = sellUnits[broker]! * unit;
      this.sell_value[at] = sellValue[broker]! * unit;
    }
  }
}
