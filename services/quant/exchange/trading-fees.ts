/** What a broker takes of an order's value, levies and the tax on sales included: usual rates of online brokers. */
export const BUY_FEE = 0.0015;
export const SELL_FEE = 0.0025;
