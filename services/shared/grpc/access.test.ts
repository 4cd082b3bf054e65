import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { EVERY_SERVICE, outcomeOfCall } from '#support/fleets/every-service.ts';
import { identityOf, NO_TLS, OPERATOR_TOKEN, SERVER_CONFIG } from '#support/processes/service-process.ts';
import { ServiceError } from '../service-error.ts';
import { callerToken, type CallerIdentity } from './callers.ts';
import { createGrpcClient, type ClientOptions } from './client.ts';
import type { ServiceMethods } from './method-types.ts';
import { GrpcServer, type GrpcServerOptions, type Handlers } from './server.ts';
import { needing } from '#support/needing.ts';

/** The callers admitted to each method. Lists every method, so that a new one has to be decided here as well. */
const ADMITTED: Record<string, Record<string, string>> = {
  ConsentService: {
    checkConsent: 'G I',
    recordConsent: 'G I',
    getDocument: '*',
    exportEndUser: 'O',
    eraseEndUser: 'O',
  },
  FeedService: {
    listSources: 'O',
    runSource: 'O',
    pauseSource: 'O',
    resumeSource: 'O',
    listFetches: 'O',
    trySource: 'O',
  },
  KeysService: {
    authenticate: 'G',
    startSession: 'G',
    listSessions: 'G',
    endSession: 'G',
    createKey: 'O',
    listKeys: 'O',
    getKey: 'O S',
    updateKey: 'O',
    rotateKey: 'O',
    disableKey: 'O',
    enableKey: 'O',
    deleteKey: 'O',
    listKeysWithScope: 'W',
    listKeyActions: 'O',
  },
  DatasetService: {
    importDataset: 'O F',
    generateSample: 'O',
    continueSample: 'O F',
    listDatasets: 'O',
    listRejectedRows: 'O',
    synthesizeBrokers: 'O',
    listBrokers: 'O',
    pruneDatasets: 'O F',
    useDataset: 'O',
    listServedDatasets: 'O F',
    getCurrentDataset: '*',
    listTradingDays: '*',
    watchDataset: '*',
  },
  FactService: {
    importFacts: 'O',
    listFacts: 'O',
    removeFact: 'O',
  },
  FieldService: {
    listFields: 'G C',
    listFieldValues: 'C',
    screenStocks: 'C',
    listScreenedStocks: '*',
    explainStock: 'C',
    judgeScreen: 'C',
    listPastMembers: 'C',
    followScreens: 'C',
  },
  MarketDataService: {
    getQuotes: '*',
    getSnapshot: '*',
    compare: '*',
    getNego: '*',
    scanNego: '*',
    scanNegoWindow: '*',
    getMarketOverview: '*',
    getTurningPoint: '*',
    listTurningPoints: '*',
    getBrokers: '*',
    getBrokerWindow: '*',
    getBrokerTimeline: '*',
    listBrokerStocks: '*',
    listFlows: '*',
    getNegoBrokers: '*',
    resolvePicks: '*',
    listStocks: '*',
    listBars: '*',
    listBarsOfDay: '*',
    listActions: '*',
    listUniverses: '*',
  },
  ModelResultService: { storeModelResult: 'M' },
  BackfillsService: {
    startBackfill: 'G I',
    getBackfill: 'G I',
    listBackfills: 'G I',
    listBackfillPages: 'G I',
    listPastPicks: 'G I',
    cancelBackfill: 'G I',
  },
  CatalogueService: { listModels: '*', getModel: '*', validateRun: '*', checkModels: '*' },
  RecordService: { getRecord: 'G O I', verifyRecord: 'O' },
  RunsService: {
    submitRun: 'G S I',
    submitSimulation: 'G I',
    closeIdempotencyKey: 'S',
    getJob: 'G I',
    listJobs: 'G I',
    listRuns: 'O',
    getQueue: 'O',
    getRunModel: 'G I',
    explainRun: 'G I',
    diffRuns: 'G I',
    cancelRun: 'G O I',
    watchRun: 'G I',
    exportEndUser: 'O',
    eraseEndUser: 'O',
  },
  SchedulerService: {
    createSchedule: 'O',
    listSchedules: 'O',
    updateSchedule: 'O',
    deleteSchedule: 'O',
    listFirings: 'O',
    countSchedules: '*',
    exportEndUser: 'O',
    eraseEndUser: 'O',
  },
  ScreensService: {
    createScreen: 'G I',
    listScreens: 'G I',
    getScreen: 'G I',
    replaceScreen: 'G I',
    deleteScreen: 'G I',
    runScreen: 'G I',
    listFieldValues: 'G',
    previewScreen: 'G I',
    explainScreen: 'G I',
    getScreenPast: 'G I',
    prepareSimulation: 'G I',
    listScreenChanges: 'G I',
    listScreensOfStock: 'G I',
    exportEndUser: 'O',
    eraseEndUser: 'O',
  },
  WatchlistsService: {
    createWatchlist: 'G I',
    listWatchlists: 'G I',
    getWatchlist: 'G I',
    replaceWatchlist: 'G I',
    deleteWatchlist: 'G I',
  },
  UsageService: {
    listEvents: 'G I',
    getEvent: 'G I',
    summarizeUsage: 'G I',
    listEndUsers: 'G I',
    listAllEvents: 'G O',
    summarizeAllUsage: 'G O',
    listAllEndUsers: 'G O',
    listKeyUsage: 'G O',
    listScreenRuns: 'G I',
    summarizeScreenRuns: 'G I',
    listAllScreenRuns: 'G O',
    summarizeAllScreenRuns: 'G O',
    recordRequests: 'G',
    summarizeRequests: 'G I',
    findUnrecorded: 'M',
    exportEndUser: 'O',
    eraseEndUser: 'O',
  },
  EventsService: { listEvents: 'G I', watchEvents: 'G I', exportEndUser: 'O', eraseEndUser: 'O' },
  WebhooksService: {
    createWebhook: 'G O I',
    listWebhooks: 'G O I',
    getWebhook: 'G O I',
    replaceWebhook: 'G O I',
    deleteWebhook: 'G O I',
    enableWebhook: 'G O I',
    disableWebhook: 'G O I',
    rotateWebhookSecret: 'G O I',
    testWebhook: 'G O I',
    listDeliveries: 'G O I',
    redeliverEvent: 'G O I',
    redeliverMissed: 'G O I',
  },
};

interface CallerUnderTest {
  /** A letter of ADMITTED. A caller without one is only admitted to the methods open to anyone. */
  letter?: string;
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
  'the gateway': { letter: 'G', identity: identityOf('gateway') },
  'the scheduler': { letter: 'S', identity: identityOf('scheduler') },
  'the feed': { letter: 'F', identity: identityOf('feed') },
  'the screens service': { letter: 'C', identity: identityOf('screens') },
  'the webhooks service': { letter: 'W', identity: identityOf('webhooks') },
  'the models service': { letter: 'M', identity: identityOf('models') },
  'a trusted service': { letter: 'I', identity: identityOf('chat') },
  'the operator by its token': { letter: 'O', operatorToken: OPERATOR_TOKEN },
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
      // A client with an identity reports a refused identity as a service that is away.
      else expect(options.identity ? ['data_unavailable'] : IDENTITY_CODES, name).toContain(code);
    }
    client.close();
  }
  return admitted;
}

/** The methods that ADMITTED lists for a letter. */
function expected(letter = ''): string[] {
  const all = Object.entries(ADMITTED).flatMap(([service, methods]) =>
    Object.entries(methods).map(([name, letters]) => [`${service}/${name}`, letters.split(' ')] as const),
  );
  return all.flatMap(([call, letters]) => (letters.includes('*') || letters.includes(letter) ? [call] : []));
}

test('the access table covers every method of every service', () => {
  const methods = ({ definition }: (typeof EVERY_SERVICE)[string]) => Object.keys(definition).toSorted();
  const decided = Object.entries(ADMITTED).map(([name, rules]) => [name, Object.keys(rules).toSorted()]);
  expect(decided).toEqual(Object.entries(EVERY_SERVICE).map(([name, service]) => [name, methods(service)]));
});

describe('over plain text', () => {
  test.each(Object.entries(CALLERS))('%s is admitted to its own calls only', async (_name, caller) => {
    await withServer({ ...SERVER_CONFIG, TRUSTED_CALLERS: 'chat, other' }, async (port) => {
      const { identity } = caller;
      const options = { address: `127.0.0.1:${port}`, tls: NO_TLS, ...(identity && { identity }) };
      expect((await admittedTo(caller, options)).toSorted()).toEqual(expected(caller.letter).toSorted());
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
    /access\.ts does not say who may call saring\.keys\.v1\.KeysService\/forgetKey/,
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
      const callers: [letter: string, ReturnType<typeof certificate>][] = [
        ['G', certificate('gateway')],
        ['S', certificate('host-1', 'scheduler')],
        ['F', certificate('host-1', 'feed')],
        // Only the token administers.
        ['', certificate('operator')],
        ['', certificate('host-1', 'somewhere')],
      ];
      for (const [letter, tls] of callers)
        expect((await admittedTo({}, { address: `127.0.0.1:${port}`, tls })).toSorted(), letter).toEqual(
          expected(letter).toSorted(),
        );
    });
  });
});
