import { sql, type Kysely, type Selectable } from 'kysely';
import type { Position } from '#shared/cursor.ts';
import type { WebhooksTables, WebhookTable } from './tables.ts';

export type WebhookRow = Selectable<WebhookTable>;

/** The table `webhook`, as its owners see it. */
export class WebhookStore {
  readonly #db: Kysely<WebhooksTables>;

  constructor(db: Kysely<WebhooksTables>) {
    this.#db = db;
  }

  /** Newest first. */
  list(apiKeyId: string, after: Position | undefined, limit: number): Promise<WebhookRow[]> {
    return this.#db
      .selectFrom('webhook')
      .selectAll()
      .where('api_key_id', '=', apiKeyId)
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(created_at, webhook_id) < (${new Date(after!.at)}, ${after!.id})`),
      )
      .orderBy('created_at', 'desc')
      .orderBy('webhook_id', 'desc')
      .limit(limit)
      .execute();
  }
}
