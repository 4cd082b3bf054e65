/**
 * What a trade costs beside its price, as fractions of its value. The rates hold for every day of the data: the tax has not
 * changed since 1997, and the broker's rate includes the levies of the exchange, which changed by less than it differs between
 * brokers.
 */

/** Commission with levies and VAT: the typical rate of online brokers. */
const BROKER_FEE = 0.0015;
/** Final income tax, which only the seller pays. */
const SALES_TAX = 0.001;

export const BUY_FEE = BROKER_FEE;
export const SELL_FEE = BROKER_FEE + SALES_TAX;
