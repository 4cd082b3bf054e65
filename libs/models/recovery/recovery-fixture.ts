import { asRead, type ReadOf } from '../fixtures/read-result-fixture.ts';
import { defaultsOf } from '../inputs/parameters.ts';
import type { results } from './result.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { ScreenInput, ScreenOutput } from '../model/screen.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import { params as declared, type RecoveryParams } from './params.ts';
import { screen } from './screen.ts';

type CompactResult = ReadOf<typeof results.compact>;
type FullResult = ReadOf<typeof results.full>;

/** Runs the screen on a day of `panel`, by default the last one. */
export function runRecovery(
  panel: Panel,
  params: Partial<RecoveryParams>,
  given: Partial<Omit<ScreenInput, 'params'>> & { threads?: number } = {},
): Promise<ScreenOutput> {
  const analysis_date = params.analysis_date ?? panel.columns.dates.at(-1)!;
  return screen.run(
    screenInput({ panel, params: { ...defaultsOf(declared), ...params, analysis_date }, ...given }),
  );
}

export async function compactOf(panel: Panel, params: Partial<RecoveryParams>): Promise<CompactResult> {
  return asRead((await runRecovery(panel, params, { view: 'compact' })).result);
}

export async function fullOf(panel: Panel, params: Partial<RecoveryParams>): Promise<FullResult> {
  return asRead((await runRecovery(panel, params)).result);
}
