import type { Stored } from '#support/load/comparison.ts';
import type { LoadClient } from '#support/load/load-client.ts';
import type { LoadStage } from './load-stage.ts';

interface KeyUsage {
  api_key_id: string;
  runs: number;
  succeeded: number;
  failed: number;
}

/** Sums of /api/v1/admin/usage/keys for the load's applications; undefined if they could not be read. */
export async function keyUsage(client: LoadClient, { admin, applications }: LoadStage) {
  const path = '/api/v1/admin/usage/keys';
  const requested = { kind: 'usage, of every key', path, app: admin, expected: ['200'] };
  const { status, body } = await client.ask<{ keys: KeyUsage[] }>({
    ...requested,
    away: 'usage_unavailable',
  });
  if (status !== 200) return undefined;
  const own = body.keys.filter(({ api_key_id }) => applications.some(({ keyId }) => keyId === api_key_id));
  const sum = (field: 'runs' | 'succeeded' | 'failed') => own.reduce((total, key) => total + key[field], 0);
  return { runs: sum('runs'), succeeded: sum('succeeded'), failed: sum('failed') };
}

/** The same sums, counted from the rows. */
export function countedUsage({ usage }: Stored) {
  const having = (status: string) => usage.filter((row) => row.status === status).length;
  return { runs: usage.length, succeeded: having('succeeded'), failed: having('failed') };
}
