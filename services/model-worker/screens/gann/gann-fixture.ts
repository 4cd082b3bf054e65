import type { Panel } from '#quant/panel/panel.ts';
import type { ScreenOutput } from '../screen.ts';
import { screenInput } from '../screen-input-fixture.ts';
import { gannClassic } from './gann-classic.ts';
import type { GannParams } from './params.ts';

export const DEFAULTS: GannParams = {
  min_price: 200,
  min_daily_val: 5_000_000_000,
  pivot_window: 10,
  cycle_tolerance: 2,
  price_tolerance_pct: 1.5,
  min_cycle_score: 50,
  cycles: [45, 90, 144, 180, 360],
  use_ml: true,
  min_probability: 55,
  target_gain: 0.1,
  stop_loss: 0.05,
  max_picks: 10,
};

export interface GannResult {
  as_of: string;
  pick_count: number;
  df_result: Record<string, string | number | null>[];
  levels: Record<string, number>;
  model_quality: { win_rate: number | null; payoff: number | null; candidates: number };
  diag: Record<(typeof FUNNEL)[number], number> & { model: Record<string, unknown> | null };
  empty?: { message: string; funnel: object; suggestions: Record<'label' | 'suggested' | 'why', string>[] };
}

/** The stages of `diag`, widest first. */
export const FUNNEL = ['total_scanned', 'total_liquid', 'after_cycle', 'after_probability', 'final'] as const;

/** A run on a day of `panel`, the last one unless it is named. */
export function runGann(
  panel: Panel,
  change: Partial<GannParams> = {},
  analysisDate = panel.columns.dates.at(-1)!,
): Promise<ScreenOutput> {
  return gannClassic.run(screenInput({ panel, analysisDate, params: { ...DEFAULTS, ...change } }));
}

export async function gannResultOf(...run: Parameters<typeof runGann>): Promise<GannResult> {
  const { result } = await runGann(...run);
  return result as unknown as GannResult;
}
