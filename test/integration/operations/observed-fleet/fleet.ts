import { afterAll, beforeAll } from 'vitest';
import { Fleet, SMALL_MARKET } from '#support/fleets/fleet.ts';
import { TraceReceiver } from '#support/servers/trace-receiver.ts';

/** A fleet with canary runs that reports its traces and trains anew for each run, so that every stage of a run is seen. */
export const observed = {} as { fleet: Fleet; receiver: TraceReceiver };

beforeAll(async () => {
  observed.receiver = await TraceReceiver.start();
  const settings = {
    CANARY_SECONDS: '1',
    REUSE_MODELS: 'false',
    OTEL_EXPORTER_OTLP_ENDPOINT: observed.receiver.url,
  };
  observed.fleet = await Fleet.start({ ...SMALL_MARKET, ...settings });
});
afterAll(async () => {
  await observed.fleet?.stop();
  observed.receiver?.stop();
});
