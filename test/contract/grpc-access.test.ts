import { beforeAll, expect, inject } from 'vitest';
import { createGrpcClient } from '#platform/grpc/client.ts';
import { testOfOwnFleet } from '../support/fleets/contract.ts';
import { EVERY_SERVICE, outcomeOfCall } from '#support/grpc/every-service.ts';
import { fleetFileIn, type FleetFile } from '../support/fleets/fleet.ts';
import { identityOf, NO_TLS } from '../support/processes/service-process.ts';

const test = testOfOwnFleet('services that answer on this machine');

let fleet: FleetFile;
beforeAll(async () => {
  fleet = await fleetFileIn(inject('stateDir'));
});

/** Calls without tenant data: catalogue, disclaimers, the market and its universes, and counts of schedules. */
const FOR_ANYONE =
  /^(CatalogueService|MarketDataService)\/|^(ConsentService\/getDocument|DatasetService\/(getCurrentDataset|watchDataset|listTradingDays)|FieldService\/listScreenedStocks|SchedulerService\/countSchedules)$/;
const REFUSED = ['caller_identity_required', 'operator_token_required'];

const SERVED = Object.entries(EVERY_SERVICE).flatMap(([service, { definition, servedBy }]) =>
  servedBy.map((by) => ({ service, definition, by })),
);

test.each(SERVED)(
  'a local user without a token can call only the public methods of $service of $by',
  async ({ service, definition, by }) => {
    const options = {
      address: fleet.addresses[by],
      tls: NO_TLS,
      timeoutMs: 10_000,
      unavailableCode: 'internal_error',
    } as const;
    const client = createGrpcClient(definition, options);
    for (const [name, method] of Object.entries(definition)) {
      const code = await outcomeOfCall(client, method, name, { requestId: 'req_test' });
      if (FOR_ANYONE.test(`${service}/${name}`)) expect(REFUSED, name).not.toContain(code);
      else expect(REFUSED, name).toContain(code);
    }
    client.close();
  },
);

test('a gateway token for one service is rejected by every other service', async () => {
  const { definition } = EVERY_SERVICE['UsageService']!;
  const outcome = async (token: string) => {
    const client = createGrpcClient(definition, {
      address: fleet.addresses.usage,
      tls: NO_TLS,
      timeoutMs: 10_000,
      unavailableCode: 'usage_unavailable',
      identity: identityOf('gateway', token),
    });
    const code = await outcomeOfCall(client, definition['listKeyUsage']!, 'listKeyUsage', { requestId: 'r' });
    client.close();
    return code;
  };
  const { usage, ...others } = fleet.gateway_tokens;
  expect(await outcome(usage)).toBe('answered');
  for (const token of Object.values(others)) expect(await outcome(token)).toBe('usage_unavailable');
});
