import { readFileSync } from 'node:fs';
import { connectClickHouse } from '#shared/clickhouse.ts';
import { createLogger } from '#shared/logger.ts';
import { LedgerClient } from '#services/usage/store/ledger-client.ts';
import { Ledger } from '#services/usage/store/ledger.ts';
import { UsageCounts } from '#services/usage/store/usage-counts.ts';
const { url } = JSON.parse(readFileSync('/tmp/usage-scratch.json', 'utf8'));
const sql = connectClickHouse(url, 120_000);
const client = new LedgerClient(sql, createLogger('bench', 'silent'));
const [ledger, counts] = [new Ledger(client), new UsageCounts(client)];
const { signal } = new AbortController();
const own = { of: { apiKeyId: 'key_000' } } as const, all = { of: 'every key' } as const;
const cases: [string, number, () => Promise<unknown>][] = [
  ['newest own', 60, () => ledger.newest(own, undefined, 51, signal)],
  ['sum model', 60, () => counts.byGroup(own, 'model', signal)],
  ['sum end_user', 60, () => counts.byGroup(own, 'end_user', signal)],
  ['sum day', 60, () => counts.byGroup(own, 'day', signal)],
  ['end users', 60, () => counts.byEndUser(own, 200, signal)],
  ['newest all', 15, () => ledger.newest(all, undefined, 51, signal)],
  ['all model', 8, () => counts.byGroup(all, 'model', signal)],
  ['all end_user', 8, () => counts.byGroup(all, 'end_user', signal)],
  ['all end users', 8, () => counts.byEndUser(all, 200, signal)],
  ['all keys', 8, () => counts.byKey(all, signal)],
];
for (const [name, n, run] of cases.filter(([c]) => !process.argv[2] || c.includes(process.argv[2]))) {
  const taken: number[] = [];
  for (let i = 0; i < n; i++) {
    const t = performance.now();
    try { await run(); taken.push(performance.now() - t); } catch { taken.push(9999); }
  }
  taken.sort((a, b) => a - b);
  console.log(name.padEnd(15), 'min', taken[0]!.toFixed(1), 'p25', taken[n >> 2]!.toFixed(1), 'p50', taken[n >> 1]!.toFixed(1));
}
await sql.close();
