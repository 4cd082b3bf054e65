import { Dataset, DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import { GrpcServer, type Handlers } from '#platform/grpc/server.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { SERVER_CONFIG } from '../processes/service-process.ts';

export interface ServedDays {
  address: string;
  stop: () => Promise<void>;
}

/** A market-data service that only says which trading days it serves. The system chooses the port if it is 0. */
export async function serveDays(days: string[], port = 0): Promise<ServedDays> {
  const whole_until = days.at(-1) ?? '';
  const dataset = { ...Dataset.decode(new Uint8Array()), version: 'real-1', whole_until };
  const answers = {
    listTradingDays: async () => ({ version: 'real-1', days }),
    getCurrentDataset: async () => ({ dataset, data_loaded: true, lost_version: '' }),
  };
  const unavailable = async () => {
    throw new Error('not needed');
  };
  const handlers = new Proxy({} as Handlers<DatasetServiceService>, {
    get: (_, method) => answers[method as keyof typeof answers] ?? unavailable,
  });
  const log = createLogger('test', 'silent');
  const server = new GrpcServer({ service: 'test', config: { ...SERVER_CONFIG, GRPC_PORT: port }, log });
  const address = `127.0.0.1:${await server.add(DatasetServiceService, handlers).listen()}`;
  return { address, stop: () => server.stop() };
}
