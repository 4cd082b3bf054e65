import { CHANGES_STREAMS, streamsOf } from './streams.ts';
import { inboxOf, subjects } from './subjects.ts';

/** The services that use NATS. Each connects as a user that is called like it. */
export const NATS_SERVICES = ['keys', 'market-data', 'usage', 'models', 'model-worker', 'gateway'] as const;
export type NatsService = (typeof NATS_SERVICES)[number];

/** The subjects on which a user may publish and those to which it may subscribe; no others. */
export interface NatsPermissions {
  publish: string[];
  subscribe: string[];
}

/** What each service does, and all that it may do. */
const WORK: Record<NatsService, NatsPermissions> = {
  keys: {
    publish: [subjects.keyChanged],
    subscribe: [],
  },
  'market-data': {
    publish: [
      subjects.datasetPublished,
      subjects.datasetServed,
      subjects.datasetTurn,
      ...declares('market-data'),
      ...getsMessages('DATASETS'),
      ...getsMessages('DATASET_TURNS'),
    ],
    subscribe: [subjects.datasetPublished],
  },
  models: {
    publish: [
      subjects.run('*'),
      // Of runs that are cancelled.
      subjects.runStarted('*'),
      subjects.runFinished('*'),
      subjects.runCancelled,
      subjects.usage('*'),
      subjects.backfillDay('*'),
      subjects.storageProbe('models'),
      subjects.jobChanged,
      // Its own echo.
      subjects.runHeartbeats,
      ...declares('models'),
      ...consumes('RUN_EVENTS', 'models'),
      ...consumes('BACKFILL_PAGES', 'models'),
      ...purges('BACKFILLS'),
      ...getsMessages('RUN_EVENTS'),
      ...getsInfo('USAGE'),
      // How much waits.
      ...getsInfo('RUNS'),
      ...getsInfo('BACKFILLS'),
      ...getsInfo('RESULTS'),
      // Of its canaries.
      ...purges('RESULTS'),
      ...purges('ARTEFACTS'),
      ...getsDirectly('RESULTS', subjects.result('*')),
      ...getsDirectly('ARTEFACTS', subjects.artefact('*')),
    ],
    subscribe: [subjects.runHeartbeats, subjects.jobChanged],
  },
  'model-worker': {
    publish: [
      subjects.runStarted('*'),
      subjects.runFinished('*'),
      subjects.result('*'),
      subjects.artefact('*'),
      subjects.lesson('*'),
      subjects.runHeartbeats,
      subjects.backfillPage('*'),
      ...consumes('RUNS', 'workers'),
      ...consumes('BACKFILLS', 'workers'),
      ...getsMessages('RUN_EVENTS'),
      ...getsDirectly('LESSONS', subjects.lesson('*')),
    ],
    subscribe: [subjects.runHeartbeats, subjects.runCancelled, subjects.datasetPublished],
  },
  usage: {
    publish: consumes('USAGE', 'usage'),
    subscribe: [],
  },
  gateway: {
    publish: [],
    subscribe: [subjects.keyChanged],
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

/** Makes the consumer, asks it for messages and answers them. */
function consumes(stream: string, consumer: string): string[] {
  const calls = ['CREATE', 'INFO', 'MSG.NEXT'];
  return [
    ...calls.map((call) => `$JS.API.CONSUMER.${call}.${stream}.${consumer}`),
    `$JS.ACK.${stream}.${consumer}.>`,
  ];
}

/** Removes messages that need not be dealt with any more. */
function purges(stream: string): string[] {
  return [`$JS.API.STREAM.PURGE.${stream}`];
}

/** Any message of the stream. */
function getsMessages(stream: string): string[] {
  return [`$JS.API.STREAM.MSG.GET.${stream}`];
}

/** The last message of a subject, of a stream that allows it. */
function getsDirectly(stream: string, subject: string): string[] {
  return [`$JS.API.DIRECT.GET.${stream}.${subject}`];
}

/** How many messages it holds and on which subjects. */
function getsInfo(stream: string): string[] {
  return [`$JS.API.STREAM.INFO.${stream}`];
}
