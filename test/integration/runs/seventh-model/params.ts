import { analysisDate, maxPicks, type ParamsOf } from '#models/inputs/parameters.ts';

export const ID = 'most_traded_v1';

export const params = {
  analysis_date: analysisDate,
  max_picks: maxPicks({ default: 5, maximum: 20 }),
};

export type MostTradedParams = ParamsOf<typeof params>;

/** Trading days that a run needs, up to and including the analysed day. */
export function daysNeeded(): number {
  return 1;
}
