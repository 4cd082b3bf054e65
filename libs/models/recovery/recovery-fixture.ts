import { asRead } from '../fixtures/read-result-fixture.ts';
import { defaultsOf } from '../inputs/parameters.ts';
import type { PositionOutlook, RecoveryQuality } from './result.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { Direction, Trajectory } from '#quant/recovery/trajectory.ts';
import type { ScreenInput, ScreenOutput } from '../model/screen.ts';
import { screenInput } from '../fixtures/screen-input-fixture.ts';
import type { SkippedPosition } from './positions.ts';
import { params as declared, type RecoveryParams } from './params.ts';
import { screen } from './screen.ts';

/** A client reads the reason as a string. */
type AsRead<T extends { reason: unknown }> = Omit<T, 'reason'> & { reason: string };

interface Common {
  as_of: string;
  horizon_days: number;
  summary: Record<'total' | 'winners' | 'neutral' | 'losers', number>;
  skipped?: AsRead<SkippedPosition>[];
  notice: string;
}

interface CompactResult extends Common {
  caution?: string;
  positions: (AsRead<PositionOutlook> & { probabilities: Direction; trajectory: Trajectory })[];
}

interface FullResult extends Common {
  pick_count: number;
  target_date: string;
  df_result: Record<string, string | number>[];
  model_quality: RecoveryQuality;
  diag: Record<'total' | 'known' | 'evaluated' | 'final', number> & {
    model: {
      fingerprint: string;
      caution?: string;
      training: { from: string; to: string; rows: number; base_rates_pct: Trajectory };
      rounds: number;
      feature_names: string[];
    };
  };
}

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
