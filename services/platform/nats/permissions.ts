import { CHANGES_STREAMS, streamsOf } from './streams.ts';
import { inboxOf, subjects } from './subjects.ts';

/** The services that use NATS. Each connects as a user of the same name. */
export const NATS_SERVICES = [
  'keys',
  'market-data',
  'usage',
  'models',
  'model-worker',
  'gateway',
  'feed',
  'screens',
  'webhooks',
] as const;
export type NatsService = (typeof NATS_SERVICES)[number];

/** The only subjects on which a user may publish and to which it may subscribe. */
export interface NatsPermissions {
  publish: string[];
  subscribe: string[];
}

/** The permissions of each service: exactly what it needs. */
const WORK: Record<NatsService, NatsPermissions> = {
  keys: {
    publish: [subjects.keyChanged, subjects.event('keys')],
    // Its other copies tell of changes too.
    subscribe: [subjects.keyChanged],
  },
  'market-data': {
    publish: [
      subjects.datasetPublished,
      subjects.datasetServed,
      subjects.datasetLease,
      ...declares('market-data'),
      ...getsMessages('DATASETS'),
      ...getsMessages('DATASET_TURNS'),
    ],
    subscribe: [subjects.datasetPublished, subjects.workerHeartbeats, subjects.feedHeartbeats],
  },
  models: {
    publish: [
      subjects.run('*', '*'),
      subjects.quickRun('*', '*'),
      // For cancelled runs.
      subjects.runStarted('*'),
      subjects.runFinished('*'),
      subjects.runCancelled,
      subjects.usage('*'),
      subjects.event('models'),
      subjects.backfillDay('*', '*'),
      // Workers of an earlier version that still run during an upgrade take these.
      subjects.earlierBackfillDays('*'),
      subjects.storageProbe('models'),
      subjects.jobChanged,
      // To hear its own heartbeats.
      subjects.runHeartbeats,
      ...declares('models'),
      ...consumes('RUN_EVENTS', 'models'),
      ...consumes('BACKFILL_PAGES', 'models'),
      ...purges('BACKFILLS'),
      ...getsMessages('RUN_EVENTS'),
      ...getsInfo('USAGE'),
      // To read how many messages wait.
      ...getsInfo('RUNS'),
      ...getsInfo('BACKFILLS'),
      ...getsInfo('RESULTS'),
      // To remove the results of its canaries.
      ...purges('RESULTS'),
      ...purges('ARTEFACTS'),
      ...getsDirectly('RESULTS', subjects.result('*')),
      ...getsDirectly('ARTEFACTS', subjects.artefact('*')),
    ],
    subscribe: [subjects.runHeartbeats, subjects.workerHeartbeats, subjects.jobChanged],
  },
  'model-worker': {
    publish: [
      subjects.runStarted('*'),
      subjects.runFinished('*'),
      subjects.result('*'),
      subjects.artefact('*'),
      subjects.cachedModel('*'),
      subjects.runHeartbeats,
      subjects.workerHeartbeats,
      subjects.backfillPage('*'),
      // To put days back that it cannot run.
      subjects.backfillDay('*', '*'),
      // Workers of an earlier version that still run during an upgrade take these.
      subjects.earlierBackfillDays('*'),
      ...consumes('RUNS', 'workers', subjects.run('*', '*')),
      ...consumes('RUNS', 'quick', subjects.quickRun('*', '*')),
      ...consumes('BACKFILLS', 'workers'),
      ...getsMessages('RUN_EVENTS'),
      ...getsDirectly('LESSONS', subjects.cachedModel('*')),
    ],
    subscribe: [subjects.runHeartbeats, subjects.runCancelled, subjects.datasetPublished],
  },
  usage: {
    publish: [...consumes('USAGE', 'usage'), ...consumes('SCREEN_RUNS', 'usage')],
    subscribe: [],
  },
  gateway: {
    publish: [],
    subscribe: [subjects.keyChanged],
  },
  feed: {
    publish: [subjects.feedHeartbeats, subjects.event('feed')],
    subscribe: [],
  },
  webhooks: {
    publish: [subjects.event('webhooks'), subjects.eventsStored, ...consumes('EVENTS', 'webhooks')],
    subscribe: [subjects.eventsStored],
  },
  screens: {
    publish: [subjects.screenRun, subjects.event('screens')],
    subscribe: [],
  },
};

export function permissionsOf(service: NatsService): NatsPermissions {
  const { publish, subscribe } = WORK[service];
  return { publish, subscribe: [...subscribe, `${inboxOf(service)}.>`] };
}

function declares(service: NatsService): string[] {
  const calls = service === CHANGES_STREAMS ? ['CREATE', 'UPDATE'] : ['CREATE'];
  return streamsOf(service).flatMap(({ name }) => calls.map((call) => `$JS.API.STREAM.${call}.${name}`));
}

/** Creates the consumer, of messages of one subject if it is given, requests messages and acknowledges them. */
function consumes(stream: string, consumer: string, subject?: string): string[] {
  const calls = ['CREATE', 'INFO', 'MSG.NEXT'];
  return [
    ...(subject ? [`$JS.API.CONSUMER.CREATE.${stream}.${consumer}.${subject}`] : []),
    ...calls.map((call) => `$JS.API.CONSUMER.${call}.${stream}.${consumer}`),
    `$JS.ACK.${stream}.${consumer}.>`,
  ];
}

/** Removes messages that no longer need processing. */
function purges(stream: string): string[] {
  return [`$JS.API.STREAM.PURGE.${stream}`];
}

/** Reads any message of the stream. */
function getsMessages(stream: string): string[] {
  return [`$JS.API.STREAM.MSG.GET.${stream}`];
}

/** Reads the last message of a subject, from a stream that allows direct access. */
function getsDirectly(stream: string, subject: string): string[] {
  return [`$JS.API.DIRECT.GET.${stream}.${subject}`];
}

/** Reads how many messages the stream holds and on which subjects. */
function getsInfo(stream: string): string[] {
  return [`$JS.API.STREAM.INFO.${stream}`];
}
