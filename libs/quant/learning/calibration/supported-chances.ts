import type { Calibration } from './calibration.ts';

/** A chance describes at least this share of the decided outcomes, as a point of the isotonic curve does. */
const LEAST_SHARE = 0.01;
/** Imagined outcomes at the base rate that every share is drawn to: Laplace's rule of succession, as in Platt's targets. */
const IMAGINED = 2;

export interface ChanceBounds {
  least: number;
  most: number;
}

/**
 * The bound on how far a chance may lie from its base rate r, for n decided outcomes: 2r / (n/100 + 2) at least, and
 * 1 - 2(1 - r) / (n/100 + 2) at most. These are the chances of a stock like a hundredth of the outcomes of which none won, and of
 * which all did, and so the ends of what outcomes can support. Of 500 outcomes at 30 %: 8.6 and 80 %; of 25,000: 0.2 and 99.4 %.
 */
export function supportedChances(baseRate: number, outcomes: number): ChanceBounds {
  const drawn = IMAGINED / (LEAST_SHARE * outcomes + IMAGINED);
  return { least: drawn * baseRate, most: 1 - drawn * (1 - baseRate) };
}

/** The calibration with its chances cut to these bounds. Only Platt and isotonic. */
export function within({ least, most }: ChanceBounds, calibration: Calibration): Calibration {
  switch (calibration.kind) {
    case 'platt':
      return { ...calibration, bounds: { lowest: logOdds(least), highest: logOdds(most) } };
    case 'isotonic': {
      const probabilities = calibration.probabilities.map((p) => Math.min(Math.max(p, least), most));
      return { ...calibration, probabilities };
    }
    default:
      throw new RangeError(`${calibration.kind} cannot be bounded`);
  }
}

function logOdds(probability: number): number {
  return Math.log(probability / (1 - probability));
}
