import { sql } from 'kysely';
import type { Clock } from '#foundation/clock.ts';
import { eventFor } from '#platform/postgres/outbox-event.ts';
import { jakartaDateTime } from '#foundation/jakarta-time.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { Outbox } from '#platform/postgres/outbox.ts';
import type { ScreensTables } from '../store/tables.ts';

const HOUR_MS = 3_600_000;
const BUDGET = 'processor_ms_per_minute';

interface BudgetNoticesDependencies {
  outbox: Outbox<ScreensTables>;
  clock: Clock;
  log: Logger;
}

/** Tells a key that it has used up its budget: once in an hour, however often it is refused, and whichever copy hears of it. */
export class BudgetNotices {
  readonly #deps: BudgetNoticesDependencies;
  /** Keys that this copy need not tell again in this hour. */
  readonly #told = new Set<string>();
  #hourMs = 0;

  constructor(deps: BudgetNoticesDependencies) {
    this.#deps = deps;
  }

  /** Takes no time and never fails: whoever was refused waits for nothing here. A failure is repeated at the next refusal. */
  tell(apiKeyId: string, limitMs: number): void {
    const nowMs = this.#deps.clock().getTime();
    const hourMs = nowMs - (nowMs % HOUR_MS);
    if (hourMs !== this.#hourMs) this.#told.clear();
    this.#hourMs = hourMs;
    if (this.#told.has(apiKeyId)) return;
    this.#told.add(apiKeyId);
    this.#write(apiKeyId, limitMs, new Date(hourMs)).catch((error: unknown) => {
      this.#told.delete(apiKeyId);
      this.#deps.log.warn(
        { reason: (error as Error).message },
        'a key could not be told that its budget is used up',
      );
    });
  }

  #write(api_key_id: string, limit: number, window_began_at: Date): Promise<void> {
    const { outbox, clock: at } = this.#deps;
    return outbox.inTransaction(async (tx) => {
      const { rows: told } = await sql`insert into budget_notice as told (api_key_id, budget, window_began_at)
        values (${api_key_id}, ${BUDGET}, ${window_began_at})
        on conflict (api_key_id, budget) do update set window_began_at = excluded.window_began_at
        where told.window_began_at < excluded.window_began_at returning api_key_id`.execute(tx);
      if (told.length === 0) return;
      const data = { budget: BUDGET, limit, window_began_at: jakartaDateTime(window_began_at) } as const;
      await outbox.put(tx, [eventFor('screens', api_key_id, { type: 'budget.spent', data, at: at() })]);
    });
  }
}
