import { asRead, type ReadOf } from '../fixtures/read-result-fixture.ts';
import { defaultsOf } from '../inputs/parameters.ts';
import { MarketSwings } from '#quant/gann/swings.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { ScreenOutput } from '../model/screen.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import type { results } from './result.ts';
import { keptScores } from './cycle-scores.ts';
import { gannResult, screen } from './screen.ts';
import type { TrainedMarket } from '../trained/trained-market.ts';
import { type GannParams, params as declared } from './params.ts';

export const DEFAULTS = defaultsOf(declared);

export type GannResult = ReadOf<typeof results.full>;

/** The stages of `diag`, widest first. */
export const FUNNEL = ['total_scanned', 'total_liquid', 'after_cycle', 'after_probability', 'final'] as const;

/** Runs the screen on a day of `panel`, by default the last one. */
export function runGann(
  panel: Panel,
  change: Partial<GannParams> = {},
  analysisDate = panel.columns.dates.at(-1)!,
): Promise<ScreenOutput> {
  return screen.run(screenInput({ panel, analysisDate, params: { ...DEFAULTS, ...change } }));
}

/** Runs it on the market of a day with given probabilities, with the cycle scores that a model keeps. */
export function gannResultOn(panel: Panel, market: TrainedMarket, params: GannParams): ScreenOutput {
  const swings = new MarketSwings(panel, market.day, params.pivot_window);
  const input = screenInput({ panel, params });
  const scoresOf = (names: readonly { row: number }[]) =>
    keptScores(
      swings,
      params,
      input.features(),
      Uint32Array.from(names, ({ row }) => row),
    );
  const kept = { ...market.kept, stocks: scoresOf(market.stocks), past: scoresOf(market.past) };
  return gannResult(input, { ...market, kept }, swings);
}

export async function gannResultOf(...run: Parameters<typeof runGann>): Promise<GannResult> {
  const { result } = await runGann(...run);
  return asRead<GannResult>(result);
}
