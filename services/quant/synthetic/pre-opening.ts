import type { Company } from './company.ts';
import type { Random } from './random.ts';

/** Until this day only the most traded companies had a pre-opening session, from it on most of the market. */
const WIDENED_ON = '2024-12-09';
const LEADERS_RANK = 0.95;
const WIDENED_RANK = 0.3;
const PRICE_MADE = 0.85;

/** Whether the pre-opening session made a price: on most rows it did not, and the open is published as 0. */
export function hasOpeningPrice(random: Random, company: Company, isoDate: string): boolean {
  const rankFrom = isoDate < WIDENED_ON ? LEADERS_RANK : WIDENED_RANK;
  return company.liquidityRank >= rankFrom && random.chance(PRICE_MADE * company.liquidityRank);
}
