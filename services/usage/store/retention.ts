import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';

/**
 * Lets ClickHouse forget events after so many days; 0 keeps them for ever. The table is left alone when it is set
 * so already, because a change makes ClickHouse rewrite every part.
 */
export async function applyRetention(client: ClickHouseClient, days: number): Promise<void> {
  const wanted = days === 0 ? undefined : `ts + toIntervalDay(${days})`;
  const present = await presentRetention(client);
  if (wanted === present) return;
  const change = wanted === undefined ? 'REMOVE TTL' : `MODIFY TTL ${wanted}`;
  await client.command({ query: `ALTER TABLE usage.event ${change}` });
}

async function presentRetention(client: ClickHouseClient): Promise<string | undefined> {
  const answer = await client.query({
    query: `SELECT engine_full FROM system.tables WHERE database = 'usage' AND name = 'event'`,
    format: 'JSONEachRow',
  });
  const [table] = await answer.json<{ engine_full: string }>();
  return / TTL (.+?)(?= SETTINGS |$)/.exec(table?.engine_full ?? '')?.[1];
}
