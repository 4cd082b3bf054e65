import type { StockFeature } from './definitions.ts';
import { ratio, type StockBars } from './stock-bars.ts';

const foreignNet = (days: number): StockFeature => ({
  name: `foreign_net_${days}`,
  formula: `net foreign value of ${days} days / value of ${days} days`,
  source: 'Choe, Kho & Stulz 1999: trades of foreign investors, which the exchange publishes',
  of: (stock) => ratio(stock.sumOverDays(stock.foreignNet, days), stock.valueOver(days)),
});

/** What foreign investors bought and what they sold on every row, IDR: in shares, a split would change the unit. */
function foreignGross(stock: StockBars): Float64Array {
  const { foreign_buy, foreign_sell, value, volume } = stock.panel.columns;
  return stock.ofRows((row) => {
    if (volume[row] === 0) return 0;
    return ((foreign_buy[row]! + foreign_sell[row]!) * value[row]!) / volume[row]!;
  });
}

/** How much money deals in a stock, whose, and what all of it is worth. */
export const MONEY_FEATURES: readonly StockFeature[] = [
  {
    name: 'average_value_20',
    formula: 'value of 20 days',
    source: 'Brennan, Chordia & Subrahmanyam 1998: traded value',
    of: ({ monthValue }) => monthValue,
  },
  {
    name: 'turnover_20',
    formula: 'value of 20 days / (listed_shares × close)',
    source: 'Datar, Naik & Radcliffe 1998',
    of: (stock) => ratio(stock.monthValue, stock.capitalisation),
  },
  {
    name: 'capitalisation',
    formula: 'listed_shares × close',
    source: 'Banz 1981',
    of: (stock) => stock.capitalisation,
  },
  {
    name: 'trade_size_20',
    formula: 'value of 20 days / number of trades of 20 days',
    source: 'Lee & Radhakrishna 2000: small trades are those of private investors',
    of: (stock) => {
      const { frequency } = stock.panel.columns;
      const trades = stock.ofRows((row) => frequency[row]!);
      return ratio(stock.monthValue, stock.sumOverDays(trades, 20));
    },
  },
  {
    name: 'foreign_share_20',
    formula: 'value bought and sold by foreign investors in 20 days / (2 × value of 20 days)',
    source: 'Grinblatt & Keloharju 2000: foreign investors as a class',
    of: (stock) => {
      const dealt = stock.sumOverDays(foreignGross(stock), 20);
      return stock.map((bar) => dealt[bar]! / (2 * stock.monthValue[bar]!));
    },
  },
  ...[5, 20].map(foreignNet),
  {
    name: 'nego_20',
    formula: 'nego_value of 20 days / value of 20 days',
    source: 'Keim & Madhavan 1996: blocks dealt off the market',
    of: (stock) => {
      const { nego_value } = stock.panel.columns;
      const dealt = stock.ofRows((row) => nego_value[row]!);
      return ratio(stock.sumOverDays(dealt, 20), stock.monthValue);
    },
  },
  {
    name: 'age',
    formula: 'traded bars so far',
    source: 'Ritter 1991: young stocks',
    of: (stock) => stock.map((bar) => bar + 1),
  },
];
