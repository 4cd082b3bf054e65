import type { ConsentServiceService } from '#proto/saring/consent/v1/consent.ts';
import type { FeedServiceService } from '#proto/saring/feed/v1/feed.ts';
import type { KeysServiceService } from '#proto/saring/keys/v1/keys.ts';
import type { DatasetServiceService } from '#proto/saring/market_data/v1/datasets.ts';
import type { FactServiceService } from '#proto/saring/market_data/v1/facts.ts';
import type { FieldServiceService } from '#proto/saring/market_data/v1/fields.ts';
import type { ModelResultServiceService } from '#proto/saring/market_data/v1/model_results.ts';
import type { MarketDataServiceService } from '#proto/saring/market_data/v1/market_data.ts';
import type { BackfillsServiceService } from '#proto/saring/models/v1/backfills.ts';
import type { CatalogueServiceService } from '#proto/saring/models/v1/catalogue.ts';
import type { RecordServiceService } from '#proto/saring/models/v1/record.ts';
import type { RunsServiceService } from '#proto/saring/models/v1/runs.ts';
import type { SchedulerServiceService } from '#proto/saring/scheduler/v1/scheduler.ts';
import type { ScreensServiceService } from '#proto/saring/screens/v1/screens.ts';
import type { WatchlistsServiceService } from '#proto/saring/screens/v1/watchlists.ts';
import type { UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import type { EventsServiceService } from '#proto/saring/webhooks/v1/events.ts';
import type { WebhooksServiceService } from '#proto/saring/webhooks/v1/webhooks.ts';

/**
 * The names of the project's own processes as callers. The operator is none of them: neither a certificate nor a caller's token
 * administers, only the operator token does. The one exception is the feed, which publishes datasets in the operator's place.
 */
export const OWN_CALLERS = ['gateway', 'scheduler', 'models', 'feed', 'screens', 'webhooks'] as const;

/** Kinds of callers. `internal` is every service of the operator's own that TRUSTED_CALLERS names. */
export type Caller = (typeof OWN_CALLERS)[number] | 'operator' | 'internal';

/** Who may call a method. */
export type AccessRule = 'anyone' | readonly Caller[];

type RulesOf<Methods> = Record<keyof Methods, AccessRule>;

const OPERATOR = ['operator'] as const;
/** These callers act for the tenant that the request names. They have authenticated it. */
const FOR_TENANTS = ['gateway', 'internal'] as const;
/** These callers see the data of every tenant. */
const ACROSS_TENANTS = ['gateway', 'operator'] as const;

const keys: RulesOf<KeysServiceService> = {
  authenticate: ['gateway'],
  startSession: ['gateway'],
  listSessions: ['gateway'],
  endSession: ['gateway'],
  createKey: OPERATOR,
  listKeys: OPERATOR,
  getKey: ['operator', 'scheduler'],
  updateKey: OPERATOR,
  rotateKey: OPERATOR,
  disableKey: OPERATOR,
  enableKey: OPERATOR,
  deleteKey: OPERATOR,
  listKeysWithScope: ['webhooks'],
  listKeyActions: OPERATOR,
};

const consent: RulesOf<ConsentServiceService> = {
  checkConsent: FOR_TENANTS,
  recordConsent: FOR_TENANTS,
  getDocument: 'anyone',
  exportEndUser: OPERATOR,
  eraseEndUser: OPERATOR,
};

/** These callers change the datasets. */
const PUBLISHERS = ['operator', 'feed'] as const;

const datasets: RulesOf<DatasetServiceService> = {
  importDataset: PUBLISHERS,
  generateSample: OPERATOR,
  continueSample: PUBLISHERS,
  getCurrentDataset: 'anyone',
  listTradingDays: 'anyone',
  listDatasets: OPERATOR,
  listRejectedRows: OPERATOR,
  synthesizeBrokers: OPERATOR,
  listBrokers: OPERATOR,
  pruneDatasets: PUBLISHERS,
  useDataset: OPERATOR,
  listServedDatasets: PUBLISHERS,
  watchDataset: 'anyone',
};

const feed: RulesOf<FeedServiceService> = {
  listSources: OPERATOR,
  runSource: OPERATOR,
  pauseSource: OPERATOR,
  resumeSource: OPERATOR,
  listFetches: OPERATOR,
  trySource: OPERATOR,
};

const facts: RulesOf<FactServiceService> = {
  importFacts: OPERATOR,
  listFacts: OPERATOR,
  removeFact: OPERATOR,
};

/**
 * The gateway reads the catalogue. Screens are evaluated for the screens service, which keeps the budget of each key. Which stocks
 * a universe has is as open as the rest of the market's data.
 */
const fields: RulesOf<FieldServiceService> = {
  listFields: ['gateway', 'screens'],
  listFieldValues: ['screens'],
  screenStocks: ['screens'],
  listScreenedStocks: 'anyone',
  explainStock: ['screens'],
  judgeScreen: ['screens'],
  listPastMembers: ['screens'],
  followScreens: ['screens'],
};

const modelResults: RulesOf<ModelResultServiceService> = {
  storeModelResult: ['models'],
};

const marketData: RulesOf<MarketDataServiceService> = {
  getQuotes: 'anyone',
  getSnapshot: 'anyone',
  compare: 'anyone',
  getNego: 'anyone',
  scanNego: 'anyone',
  scanNegoWindow: 'anyone',
  getMarketOverview: 'anyone',
  getTurningPoint: 'anyone',
  listTurningPoints: 'anyone',
  getBrokers: 'anyone',
  getBrokerWindow: 'anyone',
  getBrokerTimeline: 'anyone',
  listBrokerStocks: 'anyone',
  listFlows: 'anyone',
  getNegoBrokers: 'anyone',
  resolvePicks: 'anyone',
  listStocks: 'anyone',
  listBars: 'anyone',
  listBarsOfDay: 'anyone',
  listActions: 'anyone',
  listUniverses: 'anyone',
};

const catalogue: RulesOf<CatalogueServiceService> = {
  listModels: 'anyone',
  getModel: 'anyone',
  validateRun: 'anyone',
  checkModels: 'anyone',
};

const runs: RulesOf<RunsServiceService> = {
  submitRun: ['gateway', 'scheduler', 'internal'],
  submitSimulation: FOR_TENANTS,
  closeIdempotencyKey: ['scheduler'],
  getJob: FOR_TENANTS,
  listJobs: FOR_TENANTS,
  listRuns: OPERATOR,
  getQueue: OPERATOR,
  getRunModel: FOR_TENANTS,
  explainRun: FOR_TENANTS,
  diffRuns: FOR_TENANTS,
  cancelRun: ['gateway', 'operator', 'internal'],
  watchRun: FOR_TENANTS,
  exportEndUser: OPERATOR,
  eraseEndUser: OPERATOR,
};

const record: RulesOf<RecordServiceService> = {
  getRecord: ['gateway', 'operator', 'internal'],
  verifyRecord: OPERATOR,
};

const backfills: RulesOf<BackfillsServiceService> = {
  startBackfill: FOR_TENANTS,
  getBackfill: FOR_TENANTS,
  listBackfills: FOR_TENANTS,
  listBackfillPages: FOR_TENANTS,
  listPastPicks: FOR_TENANTS,
  cancelBackfill: FOR_TENANTS,
};

const scheduler: RulesOf<SchedulerServiceService> = {
  createSchedule: OPERATOR,
  listSchedules: OPERATOR,
  updateSchedule: OPERATOR,
  deleteSchedule: OPERATOR,
  listFirings: OPERATOR,
  countSchedules: 'anyone',
  exportEndUser: OPERATOR,
  eraseEndUser: OPERATOR,
};

const screens: RulesOf<ScreensServiceService> = {
  createScreen: FOR_TENANTS,
  listScreens: FOR_TENANTS,
  getScreen: FOR_TENANTS,
  replaceScreen: FOR_TENANTS,
  deleteScreen: FOR_TENANTS,
  runScreen: FOR_TENANTS,
  listFieldValues: ['gateway'],
  previewScreen: FOR_TENANTS,
  explainScreen: FOR_TENANTS,
  getScreenPast: FOR_TENANTS,
  prepareSimulation: FOR_TENANTS,
  listScreenChanges: FOR_TENANTS,
  listScreensOfStock: FOR_TENANTS,
  exportEndUser: OPERATOR,
  eraseEndUser: OPERATOR,
};

const watchlists: RulesOf<WatchlistsServiceService> = {
  createWatchlist: FOR_TENANTS,
  listWatchlists: FOR_TENANTS,
  getWatchlist: FOR_TENANTS,
  replaceWatchlist: FOR_TENANTS,
  deleteWatchlist: FOR_TENANTS,
};

const usage: RulesOf<UsageServiceService> = {
  listEvents: FOR_TENANTS,
  getEvent: FOR_TENANTS,
  summarizeUsage: FOR_TENANTS,
  listEndUsers: FOR_TENANTS,
  listAllEvents: ACROSS_TENANTS,
  summarizeAllUsage: ACROSS_TENANTS,
  listAllEndUsers: ACROSS_TENANTS,
  listKeyUsage: ACROSS_TENANTS,
  listScreenRuns: FOR_TENANTS,
  summarizeScreenRuns: FOR_TENANTS,
  listAllScreenRuns: ACROSS_TENANTS,
  summarizeAllScreenRuns: ACROSS_TENANTS,
  recordRequests: ['gateway'],
  summarizeRequests: FOR_TENANTS,
  findUnrecorded: ['models'],
  exportEndUser: OPERATOR,
  eraseEndUser: OPERATOR,
};

const events: RulesOf<EventsServiceService> = {
  listEvents: FOR_TENANTS,
  watchEvents: FOR_TENANTS,
  exportEndUser: OPERATOR,
  eraseEndUser: OPERATOR,
};

/** The operator sees and changes the webhooks of any key from the command line. */
const OF_TENANTS = [...FOR_TENANTS, 'operator'] as const;

const webhooks: RulesOf<WebhooksServiceService> = {
  createWebhook: OF_TENANTS,
  listWebhooks: OF_TENANTS,
  getWebhook: OF_TENANTS,
  replaceWebhook: OF_TENANTS,
  deleteWebhook: OF_TENANTS,
  enableWebhook: OF_TENANTS,
  disableWebhook: OF_TENANTS,
  rotateWebhookSecret: OF_TENANTS,
  testWebhook: OF_TENANTS,
  listDeliveries: OF_TENANTS,
  redeliverEvent: OF_TENANTS,
  redeliverMissed: OF_TENANTS,
};

/** The rule of every method. Health and reflection hold no data, are open to everyone and are not listed. */
const ACCESS: Record<string, Record<string, AccessRule>> = {
  'saring.consent.v1.ConsentService': consent,
  'saring.feed.v1.FeedService': feed,
  'saring.keys.v1.KeysService': keys,
  'saring.market_data.v1.DatasetService': datasets,
  'saring.market_data.v1.FactService': facts,
  'saring.market_data.v1.FieldService': fields,
  'saring.market_data.v1.MarketDataService': marketData,
  'saring.market_data.v1.ModelResultService': modelResults,
  'saring.models.v1.BackfillsService': backfills,
  'saring.models.v1.CatalogueService': catalogue,
  'saring.models.v1.RecordService': record,
  'saring.models.v1.RunsService': runs,
  'saring.scheduler.v1.SchedulerService': scheduler,
  'saring.screens.v1.ScreensService': screens,
  'saring.screens.v1.WatchlistsService': watchlists,
  'saring.usage.v1.UsageService': usage,
  'saring.webhooks.v1.EventsService': events,
  'saring.webhooks.v1.WebhooksService': webhooks,
};

/**
 * Who may call a method, given the full name of its service.
 * @throws Error for a method without a rule, so that its server does not start
 */
export function accessTo(service: string, method: string): AccessRule {
  const rule = ACCESS[service]?.[method];
  if (!rule) throw new Error(`services/shared/grpc/access.ts does not say who may call ${service}/${method}`);
  return rule;
}
