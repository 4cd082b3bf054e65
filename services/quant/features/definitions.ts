import type { RegimeHistory } from '../regime/regime-history.ts';
import type { StockBars } from './stock-bars.ts';

interface Definition {
  /** snake_case; numbers are windows, in traded bars for prices and volumes, in exchange days for money. */
  name: string;
  /** Of the row's bar, in words of the panel; `mean`, `std`, `max` and the like take values and a window. */
  formula: string;
  source: string;
}

/** A figure of a stock; what a model sees of it is its rank among the names of the day. */
export interface StockFeature extends Definition {
  /** One value a traded bar, made of that bar and those before it; NaN where it is not defined. */
  of: (stock: StockBars) => Float64Array;
}

/** A figure of the market, which a model sees as it is: about -1 to 1. */
export interface MarketFeature extends Definition {
  /** One value a calendar day, made of that day and those before it; NaN where it is not defined. */
  of: (history: RegimeHistory) => Float64Array;
}
