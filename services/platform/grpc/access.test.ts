import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { EVERY_SERVICE, outcomeOfCall } from '#support/grpc/every-service.ts';
import { identityOf, NO_TLS, OPERATOR_TOKEN, SERVER_CONFIG } from '#support/processes/service-process.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { Caller } from './access.ts';
import { callerToken, type CallerIdentity } from './callers.ts';
import { createGrpcClient, type ClientOptions } from './client.ts';
import type { ServiceMethods } from './method-types.ts';
import { GrpcServer, type GrpcServerOptions, type Handlers } from './server.ts';
import { needing } from '#support/needing.ts';

/** Who is admitted to which methods. Lists every method, so that a new one has to be decided here as well as in proto/. */
const ADMITTED: Record<string, Record<string, string>> = {
  'gateway internal': {
    ConsentService: 'checkConsent recordConsent',
    BackfillsService:
      'startBackfill getBackfill listBackfills listBackfillPages listPastPicks cancelBackfill',
    RunsService: 'submitSimulation getJob listJobs getRunModel explainRun diffRuns watchRun',
    ScreensService: `createScreen listScreens getScreen replaceScreen deleteScreen runScreen previewScreen
      explainScreen getScreenPast prepareSimulation listScreenChanges listScreensOfStock`,
    WatchlistsService: 'createWatchlist listWatchlists getWatchlist replaceWatchlist deleteWatchlist',
    UsageService: `listEvents getEvent summarizeUsage listEndUsers listScreenRuns summarizeScreenRuns
      summarizeRequests`,
    EventsService: 'listEvents watchEvents',
  },
  anyone: {
    ConsentService: 'getDocument',
    DatasetService: 'getCurrentDataset listTradingDays watchDataset',
    FieldService: 'listScreenedStocks',
    MarketDataService: `getQuotes getSnapshot compare getNego scanNego scanNegoWindow getMarketOverview
      getTurningPoint listTurningPoints getBrokers getBrokerWindow getBrokerTimeline
      listBrokerStocks listFlows getNegoBrokers resolvePicks listStocks listBars listBarsOfDay
      listActions listUniverses`,
    CatalogueService: 'listModels getModel validateRun checkModels',
    SchedulerService: 'countSchedules',
  },
  operator: {
    EndUserDataService: 'exportEndUser eraseEndUser',
    FeedService: 'listSources runSource pauseSource resumeSource listFetches trySource',
    KeysService: 'createKey listKeys updateKey rotateKey disableKey enableKey deleteKey listKeyActions',
    DatasetService: `generateSample listDatasets useDataset listRejectedRows synthesizeBrokers acceptDay
      listBrokers`,
    FactService: 'importFacts listFacts removeFact',
    RecordService: 'verifyRecord',
    RunsService: 'listRuns getQueue',
    SchedulerService: 'createSchedule listSchedules updateSchedule deleteSchedule listFirings',
  },
  'operator scheduler': {
    KeysService: 'getKey',
  },
  webhooks: {
    KeysService: 'listKeysWithScope',
  },
  gateway: {
    KeysService: 'authenticate startSession listSessions endSession',
    ScreensService: 'listFieldValues tellBudgetSpent',
    UsageService: 'recordRequests',
  },
  'operator feed': {
    DatasetService: 'importDataset continueSample listServedDatasets pruneDatasets',
  },
  'gateway screens': {
    FieldService: 'listFields',
  },
  screens: {
    FieldService: 'listFieldValues screenStocks explainStock judgeScreen listPastMembers followScreens',
  },
  models: {
    ModelResultService: 'storeModelResult',
    UsageService: 'findUnrecorded',
  },
  'gateway operator internal': {
    RecordService: 'getRecord',
    RunsService: 'cancelRun',
  },
  'gateway scheduler internal': {
    RunsService: 'submitRun',
  },
  scheduler: {
    RunsService: 'closeIdempotencyKey',
  },
  'gateway operator': {
    UsageService: `listAllEvents summarizeAllUsage listAllEndUsers listKeyUsage listAllScreenRuns
      summarizeAllScreenRuns`,
  },
  'gateway internal operator': {
    WebhooksService: `createWebhook listWebhooks getWebhook replaceWebhook deleteWebhook enableWebhook
      disableWebhook rotateWebhookSecret testWebhook listDeliveries redeliverEvent
      redeliverMissed`,
  },
};

interface CallerUnderTest {
  /** As in ADMITTED. A caller without one is only admitted to the methods open to anyone. */
  kind?: Caller;
  identity?: CallerIdentity;
  operatorToken?: string;
}

const otherService = callerToken('secret-of-another-service', 'gateway');
const CALLERS: Record<string, CallerUnderTest> = {
  'a caller without identity': {},
  'a wrong token': { identity: identityOf('gateway', 'f'.repeat(64)) },
  'the token of another service': { identity: identityOf('gateway', otherService) },
  'the token of another caller': { identity: identityOf('gateway', identityOf('scheduler').token) },
  'a service that nobody trusts': { identity: identityOf('news-desk') },
  'a wrong operator token': { operatorToken: 'wrong-operator-token' },
  'the gateway': { kind: 'gateway', identity: identityOf('gateway') },
  'the scheduler': { kind: 'scheduler', identity: identityOf('scheduler') },
  'the feed': { kind: 'feed', identity: identityOf('feed') },
  'the screens service': { kind: 'screens', identity: identityOf('screens') },
  'the webhooks service': { kind: 'webhooks', identity: identityOf('webhooks') },
  'the models service': { kind: 'models', identity: identityOf('models') },
  'a trusted service': { kind: 'internal', identity: identityOf('chat') },
  'the operator by its token': { kind: 'operator', operatorToken: OPERATOR_TOKEN },
  'a caller token of the name operator': { identity: identityOf('operator') },
};
const IDENTITY_CODES = ['operator_token_required', 'caller_identity_required', 'caller_not_allowed'];

const ADMITTED_CODES = ['not_found', 'invalid_request'];

const directory = mkdtempSync(path.join(tmpdir(), 'saring-access-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Runs a server on which every admitted call fails with one of `ADMITTED_CODES`, because the rules refuse an empty request. */
async function withServer(
  config: GrpcServerOptions['config'],
  work: (port: number) => Promise<void>,
): Promise<void> {
  const server = new GrpcServer({ service: 'test', config, log: pino({ level: 'silent' }) });
  for (const { definition } of Object.values(EVERY_SERVICE)) server.add(definition, admitting(definition));
  try {
    await work(await server.listen());
  } finally {
    await server.stop();
  }
}

function admitting(definition: ServiceMethods): Handlers<ServiceMethods> {
  const handler = () => {
    throw new ServiceError('not_found', 'admitted');
  };
  return Object.fromEntries(Object.keys(definition).map((name) => [name, handler]));
}

/** The methods to which this caller is admitted, for example `KeysService/getKey`. */
async function admittedTo(
  { operatorToken }: CallerUnderTest,
  options: Omit<ClientOptions, 'unavailableCode' | 'timeoutMs'>,
): Promise<string[]> {
  const admitted: string[] = [];
  for (const [service, { definition }] of Object.entries(EVERY_SERVICE)) {
    const client = createGrpcClient(definition, {
      ...options,
      unavailableCode: 'data_unavailable',
      timeoutMs: 10_000,
    });
    for (const [name, method] of Object.entries(definition)) {
      const code = await outcomeOfCall(client, method, name, { requestId: 'req_test', operatorToken });
      if (code && ADMITTED_CODES.includes(code)) admitted.push(`${service}/${name}`);
      // A client with an identity reports a refused identity as a service that is unavailable.
      else expect(options.identity ? ['data_unavailable'] : IDENTITY_CODES, name).toContain(code);
    }
    client.close();
  }
  return admitted;
}

/** The methods to which ADMITTED admits a kind of caller. */
function expected(kind?: Caller): string[] {
  return DECIDED.filter(({ kinds }) => kinds.includes('anyone') || (kind && kinds.includes(kind))).map(
    ({ call }) => call,
  );
}

const DECIDED = Object.entries(ADMITTED).flatMap(([kinds, services]) =>
  Object.entries(services).flatMap(([service, names]) =>
    names.split(/\s+/).map((name) => ({ call: `${service}/${name}`, kinds: kinds.split(' ') })),
  ),
);

test('who may call is decided of every method of every service', () => {
  const calls = Object.entries(EVERY_SERVICE).flatMap(([service, { definition }]) =>
    Object.keys(definition).map((name) => `${service}/${name}`),
  );
  expect(DECIDED.map(({ call }) => call).toSorted()).toEqual(calls.toSorted());
});

describe('over plain text', () => {
  test.each(Object.entries(CALLERS))('%s is admitted to its own calls only', async (_name, caller) => {
    await withServer({ ...SERVER_CONFIG, TRUSTED_CALLERS: 'chat, other' }, async (port) => {
      const { identity } = caller;
      const options = { address: `127.0.0.1:${port}`, tls: NO_TLS, ...(identity && { identity }) };
      expect((await admittedTo(caller, options)).toSorted()).toEqual(expected(caller.kind).toSorted());
    });
  });
});

test('a server refuses to start with a method that has no access rule', () => {
  const { definition } = EVERY_SERVICE['KeysService']!;
  const undecided = {
    forgetKey: { ...definition['getKey']!, path: '/saring.keys.v1.KeysService/ForgetKey' },
  };
  const server = new GrpcServer({ service: 'test', config: SERVER_CONFIG, log: pino({ level: 'silent' }) });
  expect(() => server.add(undecided, admitting(undecided))).toThrow(
    'proto/ does not say who may call /saring.keys.v1.KeysService/ForgetKey',
  );
});

test('a server refuses to start if it cannot verify its callers', () => {
  const { definition } = EVERY_SERVICE['UsageService']!;
  const config = { ...SERVER_CONFIG, CALLER_SECRET: '' };
  const server = new GrpcServer({ service: 'test', config, log: pino({ level: 'silent' }) });
  expect(() => server.add(definition, {})).toThrow(/^CALLER_SECRET is not set/);
});

/** A certificate signed by the CA in the directory. The caller's name is its CN or, if the CN is another name, its DNS name. */
function certificate(cn: string, dnsName = 'localhost') {
  const file = (suffix: string) => path.join(directory, `${cn}-${dnsName}.${suffix}`);
  const [ca, caKey] = [path.join(directory, 'ca.crt'), path.join(directory, 'ca.key')];
  openssl('req', '-x509', '-subj', `/CN=${cn}`, '-CA', ca, '-CAkey', caKey, '-out', file('crt'), ...NEW_KEY, file('key'), '-addext', `subjectAltName=DNS:${dnsName},IP:127.0.0.1`); // prettier-ignore
  return { GRPC_TLS_CA: ca, GRPC_TLS_CERT: file('crt'), GRPC_TLS_KEY: file('key') };
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout'];

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}

function hasOpenssl(): boolean {
  try {
    openssl('version');
    return true;
  } catch {
    return false;
  }
}

describe('over mutual TLS', needing('openssl', hasOpenssl()), () => {
  test('the CN or DNS name of the client certificate identifies the caller', async () => {
    openssl('req', '-x509', '-subj', '/CN=a CA', '-out', path.join(directory, 'ca.crt'), ...NEW_KEY, path.join(directory, 'ca.key')); // prettier-ignore
    const config = { ...SERVER_CONFIG, CALLER_SECRET: '', ...certificate('localhost') };
    await withServer(config, async (port) => {
      const callers: [kind: Caller | undefined, ReturnType<typeof certificate>][] = [
        ['gateway', certificate('gateway')],
        ['scheduler', certificate('host-1', 'scheduler')],
        ['feed', certificate('host-1', 'feed')],
        // Only the token administers.
        [undefined, certificate('operator')],
        [undefined, certificate('host-1', 'somewhere')],
      ];
      for (const [kind, tls] of callers)
        expect((await admittedTo({}, { address: `127.0.0.1:${port}`, tls })).toSorted(), kind).toEqual(
          expected(kind).toSorted(),
        );
    });
  });
});
