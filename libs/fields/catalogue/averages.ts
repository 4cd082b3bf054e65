import { ema, sma } from '#quant/indicators/moving-averages.ts';
import { field, type Field } from '../values/field.ts';
import { distancePct, perBar, pricePerBar } from '../values/stock.ts';

const simple = (bars: number) =>
  field({
    name: `sma_${bars}`,
    label: { id: `Rata-rata harga ${bars} hari`, en: `Simple moving average of ${bars} days` },
    unit: 'idr_per_share',
    formula: `mean(close, ${bars}), adjusted for corporate actions up to the day`,
    source: 'Simple moving average of closes',
    daysNeeded: bars,
    of: pricePerBar(({ close }) => sma(close, bars)),
  });

const exponential = (bars: number) =>
  field({
    name: `ema_${bars}`,
    label: { id: `Rata-rata eksponensial ${bars} hari`, en: `Exponential moving average of ${bars} days` },
    unit: 'idr_per_share',
    formula: `ema(close, ${bars}), weight 2 / ${bars + 1}, adjusted for corporate actions up to the day`,
    source: 'Exponential moving average, seeded with the mean of the first closes',
    daysNeeded: bars,
    of: pricePerBar(({ close }) => ema(close, bars)),
  });

const distance = (bars: number) =>
  field({
    name: `dist_sma_${bars}_pct`,
    label: {
      id: `Jarak dari rata-rata harga ${bars} hari`,
      en: `Distance from the moving average of ${bars} days`,
    },
    unit: 'percent',
    formula: `100 × (close / mean(close, ${bars}) - 1)`,
    source: 'Simple moving average of closes',
    daysNeeded: bars,
    of: perBar(({ close }) => distancePct(close, sma(close, bars))),
  });

/** Moving averages of the price, and its distance from them. */
export const AVERAGE_FIELDS: readonly Field[] = [
  ...[5, 10, 20, 50, 100, 200].map(simple),
  ...[12, 26, 50].map(exponential),
  ...[20, 50, 200].map(distance),
];
