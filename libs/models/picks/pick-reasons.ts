import { toDecimals } from '#foundation/rounded.ts';
import type { FeaturesOf, ScoredStock } from '../trained/trained-market.ts';
import { contributionLines, explained, type TwoClassModel } from '../reasons/contribution-lines.ts';
import type { Localised } from '#foundation/text/localised.ts';
import type { ContributionLines } from '../reasons/schema.ts';
import { chanceReasons } from '../reasons/sentences.ts';
import { winChance } from './pick-row.ts';

const DECIMALS = 4;

/** The features and contributions behind a pick. */
export interface PickReasons {
  /** Every feature column of the model, by name and in column order. */
  features: Record<string, number>;
  /** Null if no model was trained. */
  contributions: ContributionLines | null;
  /** The largest contributions in words. */
  reasons: readonly Localised[];
}

type Picked = Pick<ScoredStock, 'row'> & Partial<Pick<ScoredStock, 'chance' | 'baseRate' | 'probability'>>;

/** One entry per pick, in the same order. */
export function pickReasons(
  picks: readonly Picked[],
  { featuresOf, trained }: { featuresOf: FeaturesOf; trained?: TwoClassModel | undefined },
): PickReasons[] {
  // Features must be read in the order of the table.
  const rows = Uint32Array.from(picks, ({ row }) => row).sort();
  const matrix = featuresOf(rows);
  const model = trained && explained(trained);
  return picks.map((pick) => {
    const at = rows.indexOf(pick.row);
    const columns = matrix.names.map(
      (name, i) => [name, toDecimals(matrix.column(i)[at]!, DECIMALS)] as const,
    );
    const features = Object.fromEntries(columns);
    if (!model || pick.probability === undefined) return { features, contributions: null, reasons: [] };
    const shown = { ...winChance(pick), probability: pick.probability };
    const contributions = contributionLines(model, matrix, at, shown);
    return { features, contributions, reasons: chanceReasons(contributions.features) };
  });
}
