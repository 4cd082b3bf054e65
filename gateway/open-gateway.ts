import { randomId } from '#foundation/ids.ts';
import type { Logger } from '#platform/operations/logger.ts';
import type { ServiceStart } from '#platform/process/service.ts';
import { createApp } from './app.ts';
import { KeyCache } from './auth/key-cache.ts';
import { MemoryCounts, type Counts } from './auth/rate-limit-counts.ts';
import { UnauthenticatedBudget } from './auth/unauthenticated-budget.ts';
import { createBackend, type Backend } from './backend/backend.ts';
import { connectServices } from './backend/services.ts';
import type { GatewayConfig } from './config.ts';
import { CountedRequests } from './request/counted-requests.ts';
import { RequestLog } from './request/request-log.ts';
import { CrossOrigin } from './server/cross-origin.ts';
import { startHttpServer } from './server/http-server.ts';

interface GatewayOptions {
  config: GatewayConfig;
  log: Logger;
  defer: ServiceStart<never>['defer'];
  /** How long a stop waits for requests in flight. */
  drainMs?: number;
}

interface Gateway {
  keys: KeyCache;
  backend: Backend;
  /** Listens from now on. Returns the port. */
  serve: () => Promise<number>;
}

/** All parts of a gateway, which the process and the tests open alike. */
export async function openGateway({ config, log, defer, drainMs }: GatewayOptions): Promise<Gateway> {
  const nowMs = () => performance.now();
  const services = connectServices(config, log);
  defer('gRPC clients', () => services.close());
  const keys = new KeyCache({
    nowMs,
    lookUp: async (secret, request = { requestId: randomId('req') }) => {
      const { api_key } = await services.keys.authenticate({ secret }, request);
      if (!api_key) throw new Error('the keys service answered no key');
      return api_key;
    },
  });
  const counts = await openCounts(config, log);
  defer('rate limits', () => counts.stop());
  const stopping = new AbortController();
  const backend = createBackend({ config, log, services, counts, keys, stopping: stopping.signal, nowMs });
  const counted = new CountedRequests({ usage: services.usage, nowMs: Date.now, log });
  defer('counts of requests', () => counted.stop());
  const requestLog = new RequestLog(log, nowMs, randomId, counted);
  defer('request log', () => requestLog.flush());
  const unauthenticated = new UnauthenticatedBudget({ config, keys, nowMs });
  const crossOrigin = new CrossOrigin(config.CORS_ORIGINS);
  const door = { config, newId: randomId, crossOrigin, unauthenticated, requestLog };
  const app = createApp({ ...door, log, nowMs, keys, counts, backend });
  const serve = async () => {
    const server = await startHttpServer({ ...door, app, ...(drainMs !== undefined && { drainMs }) });
    defer('HTTP server', () => server.stop());
    defer('waiting clients', () => stopping.abort());
    return server.port;
  };
  return { keys, backend, serve };
}

/** Counts shared by all gateways if a Redis is configured, otherwise counts of this process. */
async function openCounts(config: GatewayConfig, log: Logger): Promise<Counts> {
  const { RATE_LIMIT_REDIS_URL: url, RATE_LIMIT_REDIS_TIMEOUT_MS: patienceMs } = config;
  if (!url) return new MemoryCounts();
  // The Redis client is a quarter of all modules of a gateway, so it is loaded only when it is used.
  const { SharedCounts } = await import('./auth/rate-limit-shared.ts');
  return SharedCounts.open({ url, patienceMs, log });
}
