import type { Company } from './company.ts';
import type { Random } from './random.ts';

const SHORT_PER_DAY = 1 / 900;
const SHORT_DAYS_MAX = 5;
const LONG_PER_DAY = 1 / 4_000;
const LONG_DAYS_MEAN = 110;

/** 1 on the days of the listing on which trading is suspended by the exchange. */
export function suspendedDays(random: Random, company: Company): Uint8Array {
  const suspended = new Uint8Array(company.endDay - company.firstDay);
  for (let i = 1; i < suspended.length; i++) {
    if (random.chance(SHORT_PER_DAY)) suspended.fill(1, i, i + 1 + random.below(SHORT_DAYS_MAX));
    if (random.chance(LONG_PER_DAY)) suspended.fill(1, i, i + 20 + exponential(random, LONG_DAYS_MEAN));
  }
  if (company.dormantFrom !== null) suspended.fill(1, Math.max(1, company.dormantFrom - company.firstDay));
  return suspended;
}

function exponential(random: Random, mean: number): number {
  return Math.floor(-mean * Math.log(random.uniform()));
}
