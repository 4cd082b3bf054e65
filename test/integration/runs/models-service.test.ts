import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, onTestFinished, test } from 'vitest';
import { natsOptions } from '#shared/nats/connection.ts';
import { identityOf, startService } from '#support/processes/service-process.ts';
import { ownServers } from '#support/servers/servers.ts';

const servers = ownServers();
async function startModels(env: Record<string, string>): Promise<void> {
  const service = await startService('models', {
    DATABASE_URL: servers.databaseUrl,
    NATS_URL: servers.natsUrl,
    RECORD_SECRET: 'record-secret-of-a-test',
    MARKET_DATA_ADDRESS: '127.0.0.1:1',
    MARKET_DATA_TOKEN: identityOf('models').token,
    USAGE_ADDRESS: '127.0.0.1:1',
    USAGE_TOKEN: identityOf('models').token,
    ...env,
  });
  onTestFinished(async () => void (await service.kill()));
}

test.each([
  ['an hour and 500 results by default', {}, { hours: 1, ceiling: 500 }],
  [
    'as its settings say',
    { RESULT_RETENTION_SECONDS: '60', RESULT_CEILING: '7' },
    { hours: 1 / 60, ceiling: 7 },
  ],
  ['the defaults again', {}, { hours: 1, ceiling: 500 }],
])('the stream of results keeps %s', async (_name, env, { hours, ceiling }) => {
  await startModels(env);
  const connection = await connect(natsOptions(servers.natsUrl, 'test'));
  const { streams } = await jetstreamManager(connection);
  const { config } = await streams.info('RESULTS');
  expect(config).toMatchObject({ max_age: hours * 3_600e9, max_msgs: ceiling + 50 });
  await connection.close();
});
