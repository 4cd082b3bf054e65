import type { Schemas } from '#client/index.ts';
import { savedScreens } from '#console/session/saved-screens.ts';
import { client } from '#console/session/session.ts';

/** What a simulation can follow. */
export interface Choices {
  screens: readonly Schemas['Screen'][];
  /** Those that have succeeded: their picks are those of a model. */
  backfills: readonly Schemas['Backfill'][];
  /** Newest day of the market. Undefined while no market is served. */
  newest: string | undefined;
}

export async function choicesToFollow(signal: AbortSignal): Promise<Choices> {
  const api = client.peek();
  const [{ screens }, started, { freshness }] = await Promise.all([
    savedScreens(signal),
    api.backfills.list({ signal }),
    api.health({ signal }),
  ]);
  return {
    screens,
    backfills: started.filter(({ status }) => status === 'succeeded'),
    newest: freshness?.data_as_of,
  };
}

/** What is followed, as members of a request. */
type Followed = { screen_id: string } | { model_id: string; params: Record<string, unknown> };

/** The choice with this id: of a screen, or of a backfill. */
export function followedIn({ screens, backfills }: Choices, id: string): Followed | undefined {
  if (screens.some(({ screen_id }) => screen_id === id)) return { screen_id: id };
  const backfill = backfills.find(({ backfill_id }) => backfill_id === id);
  return backfill && { model_id: backfill.model_id, params: backfill.params };
}

const PROPOSED_YEARS = 1;

/** The span that the form proposes: that of a backfill, or the last year. */
export function spanOf({ backfills, newest }: Choices, id: string): { from: string; to: string } {
  const backfill = backfills.find(({ backfill_id }) => backfill_id === id);
  if (backfill) return { from: backfill.from, to: backfill.to };
  if (newest === undefined) return { from: '', to: '' };
  const from = new Date(newest);
  from.setUTCFullYear(from.getUTCFullYear() - PROPOSED_YEARS);
  return { from: from.toISOString().slice(0, 10), to: newest };
}
