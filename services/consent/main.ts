import { GrpcServer } from '#shared/grpc/server.ts';
import { runService } from '#shared/run-service.ts';
import { settings } from './config.ts';

await runService('consent', settings, async ({ config, log, defer }) => {
  const server = new GrpcServer({ config, log });
  await server.listen();
  defer('gRPC server', () => server.stop());
});
