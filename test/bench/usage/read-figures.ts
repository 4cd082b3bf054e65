import type { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import type { EventFilter } from '#services/usage/store/event-conditions.ts';
import type { OwnGrouping } from '#proto/saring/wire/v1/words.ts';
import { fieldNamed, rulesOf } from '#platform/wire/descriptors.ts';
import type { Ledger } from '#services/usage/store/ledger.ts';
import type { UsageCounts } from '#services/usage/store/usage-counts.ts';
import type { ServiceClient } from '#platform/grpc/client.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { spread, type Figure } from '#support/measuring/report.ts';
import { timesOf } from '#support/measuring/times.ts';
import { LEDGER_EVENTS, MEASURED_END_USER, MEASURED_KEY, MEASURED_KEY_STRIDE } from './ledger-fill.ts';

const OWN_GROUPINGS = rulesOf(fieldNamed('saring.usage.v1.SummarizeUsageRequest', 'group_by'))
  .words as OwnGrouping[];
const PAGE = 50;
const END_USERS = 200;
const OWN_SAMPLES = 40;
/** Few, because one such read takes as long as a hundred of the others. */
const ALL_SAMPLES = 5;
const WARM_UP = 2;
const PAGE_BAR = '< 20 ms';
const SUMMARY_BAR = '< 50 ms';

/** The usage service, and its own readers of ClickHouse. */
interface UsageReaders {
  calls: ServiceClient<UsageServiceService>;
  ledger: Ledger;
  counts: UsageCounts;
}

/** The same question to the service and directly to ClickHouse. */
interface Question {
  what: string;
  call: () => Promise<unknown>;
  query: () => Promise<unknown>;
  bar?: string;
}

const CONTEXT = { requestId: 'req_bench' };
const { signal } = new AbortController();

/** Reads of a key's owner. */
export async function ownReadFigures({ calls, ledger, counts }: UsageReaders): Promise<Figure[]> {
  const api_key_id = MEASURED_KEY;
  const end_user = MEASURED_END_USER;
  const filter: EventFilter = { of: { apiKeyId: api_key_id } };
  const always = { since: undefined, until: undefined };
  const ownEvents = Math.ceil(LEDGER_EVENTS / MEASURED_KEY_STRIDE);
  const questions: Question[] = [
    {
      what: `newest ${PAGE} events of a key with ${ownEvents.toLocaleString('en')} of them`,
      call: () => calls.listEvents({ api_key_id, ...always, limit: PAGE }, CONTEXT),
      query: () => ledger.newest(filter, undefined, PAGE + 1, signal),
      bar: PAGE_BAR,
    },
    {
      what: `... those of one of its end users`,
      call: () => calls.listEvents({ api_key_id, ...always, end_user, limit: PAGE }, CONTEXT),
      query: () => ledger.newest({ ...filter, endUser: end_user }, undefined, PAGE + 1, signal),
    },
    ...OWN_GROUPINGS.map((group_by) => ({
      what: `... its summary by ${group_by}`,
      call: () => calls.summarizeUsage({ api_key_id, ...always, group_by }, CONTEXT),
      query: () => counts.byGroup(filter, group_by, signal),
      bar: SUMMARY_BAR,
    })),
    {
      what: '... its end users',
      call: () => calls.listEndUsers({ api_key_id, since: undefined, limit: END_USERS }, CONTEXT),
      query: () => counts.byEndUser(filter, END_USERS, signal),
    },
  ];
  return figuresOf(questions, OWN_SAMPLES);
}

/** Reads of an operator across all keys, for which there is no bar. */
export async function allReadFigures({ calls, ledger, counts }: UsageReaders): Promise<Figure[]> {
  const filter: EventFilter = { of: 'every key' };
  const always = { since: undefined, until: undefined };
  const questions: Question[] = [
    {
      what: `newest ${PAGE} events of every key`,
      call: () => calls.listAllEvents({ ...always, limit: PAGE }, CONTEXT),
      query: () => ledger.newest(filter, undefined, PAGE + 1, signal),
    },
    ...(['model', 'end_user'] as const).map((group_by) => ({
      what: `... summary of every key by ${group_by}`,
      call: () => calls.summarizeAllUsage({ ...always, group_by }, CONTEXT),
      query: () => counts.byGroup(filter, group_by, signal),
    })),
    {
      what: '... runs by key',
      call: () => calls.listKeyUsage({ since: undefined }, CONTEXT),
      query: () => counts.byKey(filter, signal),
    },
  ];
  return figuresOf(questions, ALL_SAMPLES);
}

async function figuresOf(questions: Question[], samples: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { what, call, query, bar } of questions) {
    const measured = `${await spreadOf(call, samples)}; the query alone ${await spreadOf(query, samples)}`;
    figures.push({ what: `${what}, over gRPC (p50 / p90 / max)`, measured, ...(bar && { bar }) });
  }
  return figures;
}

/** The service also gives up a slow read, with `usage_unavailable`. That is a result, not a reason to stop. */
async function spreadOf(read: () => Promise<unknown>, samples: number): Promise<string> {
  try {
    return `${spread(await timesOf(read, { count: samples, warmUp: WARM_UP }), [0.5, 0.9, 1])} ms`;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'usage_unavailable') return 'given up';
    throw error;
  }
}
