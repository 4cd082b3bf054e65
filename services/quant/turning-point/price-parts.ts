import type { TurningPart } from './parts.ts';
import type { TurningView } from './turning-view.ts';

const RALLY_PCT = 15;
const RUN_PCT = 10;
const NEAR_HIGH_PCT = -3;
const FALL_PCT = -10;
const FAR_BELOW_HIGH_PCT = -25;

/** What the price alone says: how far it went over the lookback, and where it stands in its 60 bars. */
export function priceParts({ retPct, fromHighPct }: TurningView): TurningPart[] {
  const parts: TurningPart[] = [];
  if (retPct !== null && retPct >= RALLY_PCT) parts.push({ kind: 'rally', amount: retPct });
  if (retPct !== null && retPct <= FALL_PCT) parts.push({ kind: 'fall', amount: retPct });
  if (fromHighPct === null) return parts;
  if (retPct !== null && retPct >= RUN_PCT && fromHighPct >= NEAR_HIGH_PCT) {
    parts.push({ kind: 'near_high', amount: fromHighPct });
  }
  if (fromHighPct <= FAR_BELOW_HIGH_PCT) parts.push({ kind: 'far_below_high', amount: fromHighPct });
  return parts;
}
