import type { Panel } from '../panel/panel.ts';
import {
  flowParts,
  momentumParts,
  pointsOf,
  priceParts,
  returnPct,
  turningView,
  volumeParts,
  type BrokerFlows,
  type TurningPart,
} from './turning-parts.ts';

/** In the order of the score, from a rise that may end to a fall that may end. */
export const TURNING_SIGNALS = [
  'DISTRIBUTION_RISK',
  'WEAKENING',
  'NEUTRAL',
  'EARLY_RECOVERY',
  'ACCUMULATION_REVERSAL',
] as const;
type TurningSignal = (typeof TURNING_SIGNALS)[number];

/** From 4 up, 2 to 3, -1 to 1, -2 to -3, from -4 down. */
export function signalOfScore(score: number): TurningSignal {
  if (score >= 4) return 'ACCUMULATION_REVERSAL';
  if (score >= 2) return 'EARLY_RECOVERY';
  if (score > -2) return 'NEUTRAL';
  return score > -4 ? 'WEAKENING' : 'DISTRIBUTION_RISK';
}

/** Whether a rise or a fall looks exhausted. */
export interface TurningPoint {
  /** Sum of the points of `parts`. */
  score: number;
  signal: TurningSignal;
  /** Price first, then flows, volume and momentum. */
  parts: TurningPart[];
  /** Return over the lookback, percent; null where history is shorter. */
  retPct: number | null;
  /** Return over 10 bars, whatever the lookback. */
  ret10dPct: number | null;
}

/** The turning point of a stock without a sufficiently recent trade. */
export const NO_TURNING_POINT: Readonly<TurningPoint> = {
  score: 0,
  signal: 'NEUTRAL',
  parts: [],
  retPct: null,
  ret10dPct: null,
};

const RET_BARS = 10;

/**
 * The turning point of `ticker` (index) as seen on `asOfDay` (calendar index), a day on which it traded: the parts of
 * PART_POINTS that apply over `lookback` (2 to 60) traded bars. Money is counted over as many exchange days. Parts without
 * enough history or without a source are left out. Rows after `asOfDay` have no influence.
 */
export function turningPoint(
  panel: Panel,
  ticker: number,
  { asOfDay, lookback, broker }: { asOfDay: number; lookback: number; broker?: BrokerFlows | undefined },
): TurningPoint {
  const view = turningView(panel, ticker, asOfDay, lookback);
  const parts = [
    ...priceParts(view),
    ...flowParts(view, broker),
    ...volumeParts(view),
    ...momentumParts(view),
  ];
  const score = parts.reduce((sum, part) => sum + pointsOf(part), 0);
  return {
    score,
    signal: signalOfScore(score),
    parts,
    retPct: view.retPct,
    ret10dPct: returnPct(view.series, RET_BARS),
  };
}
