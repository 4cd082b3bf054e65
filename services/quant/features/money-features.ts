import type { StockFeature } from './definitions.ts';
import { ratio } from './stock-bars.ts';

const foreignNet = (days: number): StockFeature => ({
  name: `foreign_net_${days}`,
  formula: `net foreign value of ${days} days / value of ${days} days`,
  source: 'Choe, Kho & Stulz 1999: trades of foreign investors, which the exchange publishes',
  of: (stock) =>
    ratio(stock.sumOverDays(stock.foreignNet, days), stock.sumOverDays(stock.column('value'), days)),
});

/** How much money deals in a stock, whose, and what all of it is worth. */
export const MONEY_FEATURES: readonly StockFeature[] = [
  {
    name: 'average_value_20',
    formula: 'value of 20 days / 20',
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
    of: (stock) => ratio(stock.monthValue, stock.sumOverDays(stock.column('frequency'), 20)),
  },
  {
    name: 'foreign_share_20',
    formula: '(foreign_buy + foreign_sell) of 20 days / (2 × volume of 20 days)',
    source: 'Grinblatt & Keloharju 2000: foreign investors as a class',
    of: (stock) => {
      const [bought, sold] = [stock.column('foreign_buy'), stock.column('foreign_sell')];
      const dealt = stock.sumOverDays(
        bought.map((shares, i) => shares + sold[i]!),
        20,
      );
      const volume = stock.sumOverDays(stock.column('volume'), 20);
      return stock.map((bar) => dealt[bar]! / (2 * volume[bar]!));
    },
  },
  ...[5, 20].map(foreignNet),
  {
    name: 'nego_20',
    formula: 'nego_value of 20 days / value of 20 days',
    source: 'Keim & Madhavan 1996: blocks dealt off the market',
    of: (stock) => ratio(stock.sumOverDays(stock.column('nego_value'), 20), stock.monthValue),
  },
  {
    name: 'age',
    formula: 'traded bars so far',
    source: 'Ritter 1991: young stocks',
    of: (stock) => stock.map((bar) => bar + 1),
  },
];
