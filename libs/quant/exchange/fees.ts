/**
 * What a trade costs beside its price: fractions of its value, and stamp duty. The rates hold for every day of the data: the tax has not
 * changed since 1997, and the broker's rate includes the levies of the exchange, which changed by less than it differs between
 * brokers.
 */

/** Commission with levies and VAT: the typical rate of online brokers. */
const BROKER_FEE = 0.0015;
/** Final income tax, which only the seller pays. */
const SALES_TAX = 0.001;

export const BUY_FEE = BROKER_FEE;
export const SELL_FEE = BROKER_FEE + SALES_TAX;

/** Since then, brokers collect it: Government Regulation 3 of 2022. */
const STAMPED_SINCE = '2022-03-01';
/** A confirmation of at most this value is exempt. */
const UNSTAMPED_UP_TO_IDR = 10_000_000;
/** What one day's confirmation of all trades costs, IDR. */
export const STAMP_DUTY_IDR = 10_000;

/** The stamp duty on the confirmation of a day's trades, which lists purchases and sales of this value together; IDR. */
export function stampDuty(tradedIdr: number, isoDate: string): number {
  return isoDate >= STAMPED_SINCE && tradedIdr > UNSTAMPED_UP_TO_IDR ? STAMP_DUTY_IDR : 0;
}
