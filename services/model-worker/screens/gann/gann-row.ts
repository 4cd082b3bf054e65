import type { CycleHit } from '#quant/cycle/cycle-reading.ts';
import { epochDayFromIso, isoFromEpochDay } from '#quant/panel/iso-day.ts';
import { rounded } from '../display.ts';
import { pickRow, type RowContext } from '../learnt/pick-row.ts';
import type { Turning } from './gann-market.ts';

/**
 * A pick. `Cycle Hit` is the time cycle nearest to its day, in calendar days (`hari`) or days of the exchange (`hari
 * bursa`). `Next Turn Date` is a calendar day, on which the exchange may be closed: its coming holidays are not known.
 */
export function gannRow({ stock, cycle, score }: Turning, asOf: string, context: RowContext) {
  return {
    ...pickRow(stock, score, context),
    'Cycle Score': rounded(cycle.score, 1),
    'Cycle Hit': cycle.hit ? hitText(cycle.hit) : '-',
    'Sq9 Support': Number.isNaN(cycle.support) ? null : Math.floor(cycle.support),
    'Sq9 Resistance': Number.isNaN(cycle.resistance) ? null : Math.ceil(cycle.resistance),
    'Next Turn Date': Number.isFinite(cycle.daysToNextTurn)
      ? isoFromEpochDay(epochDayFromIso(asOf) + cycle.daysToNextTurn)
      : null,
  };
}

function hitText({ days, unit, from }: CycleHit): string {
  return `${days} ${unit === 'calendar' ? 'hari' : 'hari bursa'} dari swing ${from}`;
}
