import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SERVED_DATASET } from '#gateway/testing/fake-services.ts';
import { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { EVERY_SERVICE, handledBy } from '../grpc/every-service.ts';
import { quietServer } from '../processes/service-process.ts';

/** An internal cause that must never reach a client. */
export const CAUSE = 'password authentication failed for user "innermost"';

/** Starts every service with handlers that always throw. */
export async function startFaultyServices() {
  const server = quietServer();
  for (const { definition } of Object.values(EVERY_SERVICE))
    server.add(definition, {
      ...handledBy(definition, fail),
      ...(definition === DatasetServiceService && unshowable),
    });
  const operations = createServer(respondUnshowably).listen(0, '127.0.0.1');
  await once(operations, 'listening');
  return {
    address: `127.0.0.1:${await server.listen()}`,
    /** Of an operations port that reports a start time that cannot be formatted. */
    operationsUrl: `http://127.0.0.1:${(operations.address() as AddressInfo).port}`,
    stop: async () => {
      operations.close();
      await server.stop();
    },
  };
}

function fail(): never {
  throw new Error(CAUSE);
}

/** Reports the latest possible date as the start of the process. */
function respondUnshowably({ url }: IncomingMessage, res: ServerResponse): void {
  const readiness = { ready: true, reasons: [], degraded: [] };
  res.end(url === '/metrics' ? 'process_start_time_seconds 8.64e12\n' : JSON.stringify(readiness));
}

/**
 * Health survives every failure of a service, but not a dataset published at the latest possible date, which cannot be
 * formatted.
 */
const unshowable: Pick<Handlers<DatasetServiceService>, 'getCurrentDataset'> = {
  getCurrentDataset: async () => ({
    data_loaded: true,
    lost_version: '',
    dataset: { ...SERVED_DATASET, version: CAUSE, published_at: new Date(8.64e15) },
  }),
};
