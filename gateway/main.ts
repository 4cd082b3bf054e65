import { runServices } from '#platform/process/run-services.ts';
import { defineService } from '#platform/process/service.ts';
import { followKeyChanges } from './auth/key-cache.ts';
import { checkServices } from './backend/health-probe.ts';
import { settings } from './config.ts';
import { openGateway } from './open-gateway.ts';

const gateway = defineService('gateway', settings, async ({ config, log, operations, defer }) => {
  const { keys, backend, serve } = await openGateway({ config, log, defer });
  const changes = followKeyChanges(config.NATS_URL, log, (keyId) => keys.outdate(keyId));
  defer('key changes', () => changes.stop());
  checkServices(operations.readiness, backend.health);
  log.info({ port: await serve() }, 'listening');
});

await runServices(gateway);
