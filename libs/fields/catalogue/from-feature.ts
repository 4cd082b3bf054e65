import { STOCK_FEATURES } from '#quant/features/feature-definitions.ts';
import { FEATURE_WORDS } from '#quant/features/feature-words.ts';
import { field, type Field } from '../values/field.ts';
import { relativeMove } from '#quant/price-move.ts';
import { changed, perBar, type OfStock } from '../values/stock.ts';
import type { StockBars } from '#quant/features/stock-bars.ts';

type Scale = 'as it is' | 'times 100' | 'change from 1';

const SCALES: Readonly<Record<Scale, { suffix: string; of: (value: number) => number }>> = {
  'as it is': { suffix: '', of: (value) => value },
  'times 100': { suffix: '; in percent', of: (value) => 100 * value },
  'change from 1': { suffix: '; less 1, in percent', of: (value) => 100 * relativeMove(1, value) },
};

type Declared = Pick<Field, 'name' | 'unit' | 'daysNeeded'> & Partial<Field>;

/**
 * A field that is a feature of the models, in another unit: formula, source, words and computation are declared with the
 * feature alone. Models see its rank among the names of the day, and rules its value. Without `per` it is one of traded days.
 */
export function fromFeature(
  feature: string,
  scale: Scale,
  { per = perBar, ...declared }: Declared & { per?: (of: (bars: StockBars) => Float64Array) => OfStock },
): Field {
  const { formula, source, of } = STOCK_FEATURES.find(({ name }) => name === feature)!;
  const { id, en } = FEATURE_WORDS[feature]!;
  return field({
    label: { id, en },
    formula: `${formula}${SCALES[scale].suffix}`,
    source,
    of: changed(per(of), SCALES[scale].of),
    ...declared,
  });
}
