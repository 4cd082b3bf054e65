import type { Logger } from '#shared/logger.ts';
import type { GatewayConfig } from '../config.ts';
import { MemoryCounts, type Counts } from './rate-limit-counts.ts';

/** Counts shared by all gateways if a Redis is configured, otherwise counts of this process. */
export async function openCounts(
  config: Pick<GatewayConfig, 'RATE_LIMIT_REDIS_URL' | 'RATE_LIMIT_REDIS_TIMEOUT_MS'>,
  log: Logger,
): Promise<Counts> {
  const { RATE_LIMIT_REDIS_URL: url, RATE_LIMIT_REDIS_TIMEOUT_MS: patienceMs } = config;
  if (!url) return new MemoryCounts();
  // The Redis client is a quarter of all modules of a gateway, so it is loaded only when it is used.
  const { SharedCounts } = await import('./rate-limit-shared.ts');
  return SharedCounts.open({ url, patienceMs, log });
}
