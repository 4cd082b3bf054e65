import { FeedServiceService, type Fetch, type FeedSource } from '#proto/saring/feed/v1/feed.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { answeringByExample } from '#support/message-examples.ts';

const EXCHANGE: FeedSource = {
  name: 'exchange',
  format: 'idx_summary',
  origin: 'https://proxy.example/TradingSummary/GetStockSummary',
  state: 'failing',
  last_day: '2024-06-27',
  last_published_at: new Date('2024-06-27T11:40:00Z'),
  due_day: '2024-06-28',
  next_attempt_at: new Date('2024-06-28T12:10:00Z'),
  reason: 'The site answered 429. Ask less often, or raise requests_per_day with its owner.',
  requests_today: 7,
  requests_per_day: 100,
  catch_up: undefined,
};
const IDLE: FeedSource = {
  ...EXCHANGE,
  state: 'idle',
  last_day: '2024-06-28',
  due_day: undefined,
  reason: undefined,
};

const FAILED: Fetch = {
  id: 12,
  source: 'exchange',
  subject: '2024-06-28',
  started_at: new Date('2024-06-28T11:40:00Z'),
  ended_at: new Date('2024-06-28T11:40:02Z'),
  outcome: 'failed',
  problem: 'rate_limited',
  reason: EXCHANGE.reason,
  bytes: 512,
  rows: 0,
  rejected_rows: 0,
  findings: [],
  dataset_version: undefined,
};
const RUNNING: Fetch = {
  ...FAILED,
  id: 13,
  source: 'brokers',
  ended_at: undefined,
  outcome: 'running',
  problem: undefined,
  reason: undefined,
  bytes: 0,
};
const PUBLISHED: Fetch = {
  ...FAILED,
  id: 11,
  subject: '2024-06-27',
  outcome: 'published',
  problem: undefined,
  reason: undefined,
  bytes: 2_097_152,
  rows: 943,
  rejected_rows: 2,
  findings: ['Two rows have a close of 0.'],
  dataset_version: 'real-20240627-1',
};

/** Has sources that fail, catch up a span, wait paused and have nothing to do, and a log with one day of each outcome. */
export const fakeFeed: Handlers<FeedServiceService> = {
  ...answeringByExample(FeedServiceService),
  listSources: async () => ({
    sources: [
      EXCHANGE,
      {
        ...IDLE,
        name: 'brokers',
        format: 'broker_rows',
        state: 'fetching',
        catch_up: { from: '2024-05-02', to: '2024-05-31', days_done: 4, days: 18 },
      },
      {
        ...IDLE,
        name: 'vendor',
        format: 'mapping',
        state: 'paused',
        next_attempt_at: undefined,
        reason: 'The contract ends.',
      },
      { ...IDLE, name: 'generator', format: 'generator', origin: '' },
    ],
  }),
  listFetches: async ({ source, subject, outcome, limit }) => {
    const log: Fetch[] = [
      RUNNING,
      FAILED,
      PUBLISHED,
      { ...PUBLISHED, id: 10, source: 'vendor', subject: 'june.csv', outcome: 'unchanged', findings: [] },
    ];
    const fetches = log.filter(
      (fetch) =>
        fetch.source === (source ?? fetch.source) &&
        fetch.subject === (subject ?? fetch.subject) &&
        fetch.outcome === (outcome ?? fetch.outcome),
    );
    return { fetches: fetches.slice(0, limit) };
  },
};
