import { annualVolatility } from '../indicators/volatility.ts';
import { simpleReturns } from '../indicators/returns.ts';
import { indexLevel } from '../regime/regime-score.ts';
import type { MarketFeature } from './definitions.ts';

const indexChange = (days: number, full: number): MarketFeature => ({
  name: `index_return_${days}`,
  formula: `index / index ${days} days before - 1, in units of ${full}`,
  source: 'Moskowitz, Ooi & Pedersen 2012: momentum over time',
  of: ({ days: { indexReturn } }) => simpleReturns(indexLevel(indexReturn), days).map((step) => step / full),
});

/** Units are such that a day in twenty or so reaches 1; what is beyond is cut off by the table. */
export const MARKET_FEATURES: readonly MarketFeature[] = [
  {
    name: 'regime_score',
    formula: 'regime score / 100',
    source: 'composition of breadth and trend, see regimeScores',
    of: ({ score }) => score.map((points) => points / 100),
  },
  {
    name: 'breadth_20',
    formula: '2 × share of liquid names above their mean of 20 closes - 1',
    source: 'Zaremba, Szyszka, Karathanasopoulos & Mikutowski 2021: breadth',
    of: ({ days: { aboveMa20, withMa20 } }) =>
      Float64Array.from(aboveMa20, (above, day) => (2 * above) / withMa20[day]! - 1),
  },
  indexChange(5, 0.05),
  indexChange(20, 0.1),
  {
    name: 'index_volatility_20',
    formula: 'std of 20 daily log returns of the index, a year, in units of 0.3',
    source: 'Schwert 1989: volatility of the market',
    of: ({ days: { indexReturn } }) =>
      annualVolatility(indexLevel(indexReturn)).map((volatility) => volatility / 0.3),
  },
];
