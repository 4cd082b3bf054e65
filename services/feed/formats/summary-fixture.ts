/** A day of the exchange's summary in the shape of the real one, with invented stocks and numbers. */

type Row = Record<string, unknown>;

/** A row of a stock that traded, or of one that did not (`Volume: 0`). */
export function summaryRow(StockCode: string, day: string, changes: Row = {}): Row {
  return {
    No: 1,
    IDStockSummary: 100_001,
    Date: `${day}T00:00:00`,
    StockCode,
    StockName: `Contoh ${StockCode} Tbk.`,
    Remarks: '--U3322100000000000000',
    Previous: 1000,
    OpenPrice: 0,
    FirstTrade: 1005,
    High: 1030,
    Low: 995,
    Close: 1020,
    Change: 20,
    Volume: 1_200_000,
    Value: 1_214_400_000,
    Frequency: 350,
    IndexIndividual: 510,
    Offer: 1025,
    OfferVolume: 40_000,
    Bid: 1020,
    BidVolume: 12_300,
    ListedShares: 1_000_000_000,
    TradebleShares: 990_000_000,
    WeightForIndex: 600_000_000,
    ForeignSell: 120_000,
    ForeignBuy: 300_000,
    DelistingDate: '',
    NonRegularVolume: 500_000,
    NonRegularValue: 490_000_000,
    NonRegularFrequency: 2,
    persen: null,
    percentage: null,
    ...changes,
  };
}

export function summaryOf(rows: Row[]): { recordsTotal: number; data: Row[] } {
  return { recordsTotal: rows.length, data: rows };
}

/** The answer of a day with two stocks, one of which did not trade. */
export function summaryJson(day: string, changes: Row = {}): string {
  const quiet = { High: 0, Low: 0, Volume: 0, Value: 0, Frequency: 0, ForeignSell: 0, ForeignBuy: 0 };
  return JSON.stringify(summaryOf([summaryRow('QAAA', day, changes), summaryRow('QBBB', day, quiet)]));
}
