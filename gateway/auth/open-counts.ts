import type { Logger } from '#platform/operations/logger.ts';
import { MemoryCounts, type Counts } from './rate-limit-counts.ts';

/** Counts shared by all gateways if a Redis is configured, otherwise counts of this process. */
export async function openCounts(
  config: { RATE_LIMIT_REDIS_URL: string; RATE_LIMIT_REDIS_TIMEOUT_MS: number },
  log: Logger,
): Promise<Counts> {
  const { RATE_LIMIT_REDIS_URL: url, RATE_LIMIT_REDIS_TIMEOUT_MS: patienceMs } = config;
  if (!url) return new MemoryCounts();
  // The Redis client is a quarter of all modules of a gateway, so it is loaded only when it is used.
  const { SharedCounts } = await import('./rate-limit-shared.ts');
  return SharedCounts.open({ url, patienceMs, log });
}
