import { randomId } from '#foundation/ids.ts';
import { runServices } from '#platform/process/run-services.ts';
import { defineService } from '#platform/process/service.ts';
import { createApp } from './app.ts';
import { followKeyChanges, KeyCache } from './auth/key-cache.ts';
import { openCounts } from './auth/open-counts.ts';
import { UnauthenticatedBudget } from './auth/unauthenticated-budget.ts';
import { createBackend } from './backend/backend.ts';
import { settings } from './config.ts';
import { CrossOrigin } from './server/cross-origin.ts';
import { startHttpServer } from './server/http-server.ts';
import { checkServices } from './backend/health-probe.ts';
import { CountedRequests } from './request/counted-requests.ts';
import { RequestLog } from './request/request-log.ts';
import { connectServices } from './backend/services.ts';

const gateway = defineService('gateway', settings, async ({ config, log, operations, defer }) => {
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
  const changes = followKeyChanges(config.NATS_URL, log, (keyId) => keys.outdate(keyId));
  defer('key changes', () => changes.stop());

  const counts = await openCounts(config, log);
  defer('rate limits', () => counts.stop());

  const stopping = new AbortController();
  const backend = createBackend({ config, log, services, keys, stopping: stopping.signal, nowMs });
  checkServices(operations.readiness, backend.health);
  const counted = new CountedRequests({ usage: services.usage, nowMs: Date.now, log });
  defer('counts of requests', () => counted.stop());
  const requestLog = new RequestLog(log, nowMs, randomId, counted);
  defer('request log', () => requestLog.flush());
  const unauthenticated = new UnauthenticatedBudget({ config, keys, nowMs });
  const crossOrigin = new CrossOrigin(config.CORS_ORIGINS);
  const door = { config, newId: randomId, crossOrigin, unauthenticated, requestLog };
  const app = createApp({ ...door, log, nowMs, keys, counts, backend });
  const server = await startHttpServer({ ...door, app });
  defer('HTTP server', () => server.stop());
  defer('waiting clients', () => stopping.abort());
  log.info({ port: server.port }, 'listening');
});

await runServices(gateway);
