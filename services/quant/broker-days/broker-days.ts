/** Summaries of the broker rows of the regular market, a stock-day each. */
export interface BrokerDays {
  /** Calendar indices of the panel, both included; `lastDay` below `firstDay` for none. */
  firstDay: number;
  lastDay: number;
}
