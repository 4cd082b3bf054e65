import { simpleReturns } from '#quant/indicators/volatility.ts';
import { maxDrawdownPct } from '#quant/snapshot/period-statistics.ts';
import { field, NULL_MEANS, orUnknownShares, type Field } from '../values/field.ts';
import { fromFeature } from './from-feature.ts';
import { perBar, perWantedBar, scaled } from '../values/stock.ts';

const returnOver = (bars: number) =>
  field({
    name: `ret_${bars}d`,
    label: { id: `Imbal hasil ${bars} hari`, en: `Return of ${bars} ${bars === 1 ? 'day' : 'days'}` },
    unit: 'percent',
    formula: `100 × (close / close ${bars} ${bars === 1 ? 'bar' : 'bars'} before - 1), adjusted for corporate actions`,
    source: 'Simple return without dividends',
    daysNeeded: bars + 1,
    of: perBar(({ close }) => scaled(simpleReturns(close, bars), 100)),
  });

const drawdown = (bars: number) =>
  field({
    name: `max_drawdown_${bars}d_pct`,
    label: { id: `Penurunan terdalam ${bars} hari`, en: `Maximum drawdown of ${bars} days` },
    unit: 'percent',
    formula: `largest fall of the close below the highest close before it, within ${bars} bars; 0 when it never fell`,
    source: 'Magdon-Ismail & Atiya 2004',
    daysNeeded: bars,
    computeUs: 0.5,
    of: perWantedBar(({ close }, bar) =>
      bar + 1 < bars ? NaN : maxDrawdownPct(close.subarray(bar + 1 - bars, bar + 1)),
    ),
  });

/** How the price moved over spans of traded days. */
export const RETURN_FIELDS: readonly Field[] = [
  ...[1, 2, 3, 5, 10, 20, 60, 120, 250].map(returnOver),
  drawdown(20),
  drawdown(60),
  fromFeature('rises_20', 'times 100', { name: 'rising_days_20d_pct', unit: 'percent', daysNeeded: 21 }),
  fromFeature('rsqr_20', 'as it is', { name: 'trend_fit_20', unit: 'none', daysNeeded: 20 }),
  fromFeature('price_volume_corr_20', 'as it is', {
    name: 'price_volume_corr_20',
    unit: 'none',
    daysNeeded: 20,
    nullMeans: orUnknownShares(NULL_MEANS.short_history),
  }),
];
