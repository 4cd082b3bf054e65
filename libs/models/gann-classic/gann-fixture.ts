import { asRead, type ReadOf } from '../fixtures/read-result-fixture.ts';
import { defaultsOf } from '../inputs/parameters.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { ScreenOutput } from '../model/screen.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import type { results } from './result.ts';
import { screen } from './screen.ts';
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

export async function gannResultOf(...run: Parameters<typeof runGann>): Promise<GannResult> {
  const { result } = await runGann(...run);
  return asRead<GannResult>(result);
}
