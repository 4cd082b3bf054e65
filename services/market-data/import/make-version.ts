import { isDeepStrictEqual } from 'node:util';
import type {
  ActionTableChange,
  BrokerTableChange,
  Dataset,
  RejectedRow,
  RejectionSummary,
  Broker,
} from '#proto/saring/market_data/v1/datasets.ts';
import type { StatedAction } from '#quant/corporate-actions/corporate-action.ts';
import type { TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import type { Clock } from '#foundation/clock.ts';
import { jakartaDay } from '#foundation/jakarta-time.ts';
import { TEST_VERSIONS } from '#foundation/test-market.ts';
import { rejected } from './rejected.ts';
import type { DatasetStore } from '../store/dataset-store.ts';
import { dropDraft } from '../store/removals.ts';
import { readActionTable } from './store-actions.ts';
import { defaultBrokers } from './files/broker-table.ts';
import { countKept, isAllThere, type KeptBars } from './merging/kept-bars.ts';
import { refuseQuietAndRepeated } from './findings/quiet-and-repeated-rows.ts';
import { refuseRepeatedDays } from './findings/repeated-days.ts';
import { refuseRestated } from './findings/restated-days.ts';
import { brokerOrigin, rowParams, type DraftVersion } from './merging/draft-version.ts';
import {
  fingerprintOf,
  isMadeBy,
  originFingerprintOf,
  OF_OPERATOR,
  type ImportSource,
  type ImportOrder,
} from './request/import-source.ts';
import type { UploadOrigin } from './staging/bar-groups.ts';
import { mergeWithBase } from './merging/merged-rows.ts';
import { LAST_STORABLE_DAY } from './rules/row-rules.ts';
import type { Progress } from './request/progress.ts';
import { countRejectedRows, listRefused, summarizeRefused } from './rules/rejected-rows.ts';
import { renameStagedRows } from './merging/renamed-rows.ts';
import { refuseShrinking, refuseToHideLoss, sizeOf } from './findings/shrinkage.ts';
import { stageFiles, type SkippedFiles } from './staging/stage-files.ts';
import type { Staging, StagedContents } from './staging/staging.ts';
import { storeBars, storeBrokers } from './store-draft.ts';
import type { SynthesizeBrokerRows } from './synthesis/synthesize-broker-rows.ts';

export interface MakerDependencies {
  client: ClickHouseClient;
  store: DatasetStore;
  clock: Clock;
  /** Tells a day that is missing from a holiday. */
  calendar: TradingCalendar;
  synthesize: SynthesizeBrokerRows;
}

export interface MadeVersion {
  dataset: Dataset;
  /** Whether it existed before, so that nothing was published. */
  isUnchanged: boolean;
  /** Refused rows of an upload that changed nothing. Those of a published version are stored. */
  refused?: { rejections: RejectionSummary[]; first: RejectedRow[] };
  /** Set if the upload had a broker table. */
  brokerTable?: BrokerTableChange | undefined;
  /** Set if the upload had a table of corporate actions. */
  actionTable?: ActionTableChange | undefined;
}

/**
 * Makes a published version from files: stage them, choose the base, refuse rows, store bars and listing, store broker
 * rows, publish. If a step fails or `signal` aborts, nothing remains.
 */
export async function makeVersion(
  deps: MakerDependencies,
  staging: Staging,
  source: ImportSource,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<MadeVersion> {
  const { client, store, clock } = deps;
  let skipped: SkippedFiles = { count: 0, bytes: 0 };
  if (source.files) {
    progress.step = 'reading and parsing';
    const rules = { latestDay: latestDay(source.kind, clock), assumed: source.brokers };
    skipped = await stageFiles(source.files, staging, rules, progress);
  }
  const contents = await staging.contents();
  if (source.files) refuseNothing(contents, skipped);
  const serving = source.isTest ? undefined : await store.served();
  const served = serving?.dataset;
  const base = chooseBase(source, contents, served);
  if (served && isMadeBy(source, served, await store.list()) && (await isJudgedAsNow(deps, served)))
    return { dataset: served, isUnchanged: true };

  progress.step = 'validating';
  const actions = staging.actions ?? (base ? await readActionTable(client, base.version) : []);
  await renameStagedRows(client, staging, { actions, base });
  const provenance = provenanceOf(source, clock);
  const { kept, generated, ...plan } = await planVersion(deps, source, {
    base,
    staging,
    contents,
    actions,
    provenance,
  });
  if (
    base &&
    !staging.actions &&
    kept.bars === base.bars &&
    (source.acceptedDay ?? '') <= base.whole_until &&
    !changesBrokers(plan, base) &&
    isDeepStrictEqual(plan.missingDays, base.missing_days) &&
    (await isAllThere(client, staging, rowParams(plan)))
  ) {
    const [rejections, first] = [await summarizeRefused(client, staging), await listRefused(client, staging)];
    return { dataset: base, isUnchanged: true, refused: { rejections, first } };
  }
  if (serving && !source.mayShrink) {
    const real_broker_rows = base ? sizeOf(base).real_broker_rows : contents.brokerRows;
    if (served) refuseShrinking(served, sizeOf(served), { kind: source.kind, ...kept, real_broker_rows });
    else refuseToHideLoss(serving.version, source.kind);
  }
  // A running statement continues even if its client disconnects, so cancellation is possible only between two
  // statements.
  signal.throwIfAborted();
  progress.step = 'cleaning and publishing';
  const name = {
    kind: source.isTest ? TEST_VERSIONS : source.kind,
    lastDate: kept.last_date,
    hasSyntheticBrokers: plan.brokers.origin === 'generator',
  };
  const version = nextVersion(name, await store.namesTaken());
  const brokerTable = await brokerTableChange(store, { base, uploaded: staging.brokers.table });
  const actionTable = await actionTableChange(client, { base, uploaded: staging.actions });
  const stored = await storeDraft(deps, { version, ...plan }, { progress, signal });
  const origin = {
    kind: source.kind,
    source: sourceOf(source, base),
    fingerprint: fingerprintOf(source, base),
    origin_fingerprint: base?.origin_fingerprint ?? originFingerprintOf(source),
    generated,
  };
  const { action, actor } = source;
  const order = source.isTest ? undefined : { action, actor, reason: source.reason ?? origin.source };
  const dataset = await publish(deps, { version, ...origin, ...stored }, order);
  return { dataset, isUnchanged: false, brokerTable, actionTable };
}

/** The trading days that a market lacks. One that a generator made lacks none, whatever the calendar has been told since. */
function holesOf(calendar: TradingCalendar, days: string[], generated: Dataset['generated']): string[] {
  return generated ? [] : calendar.holesIn(days);
}

/** Whether the calendar says of the days that a version lacks what it said when the version was made. */
export async function isJudgedAsNow(
  { calendar, store }: Pick<MakerDependencies, 'calendar' | 'store'>,
  { version, generated, missing_days }: Dataset,
): Promise<boolean> {
  return isDeepStrictEqual(holesOf(calendar, await store.tradingDays(version), generated), missing_days);
}

/** Determines the content of a version, after refusing the rows that may not stay. */
async function planVersion(
  { client, calendar }: MakerDependencies,
  { kind, brokers, acceptedDay, restates, ...source }: ImportSource,
  staged: Pick<DraftVersion, 'base' | 'staging' | 'contents' | 'actions' | 'provenance'>,
): Promise<Omit<DraftVersion, 'version'> & { kept: KeptBars; generated: Dataset['generated'] }> {
  const { base, staging, contents } = staged;
  if (contents.bars > 0) await refuseRepeatedDays(client, staging, base);
  const quietDays = await refuseQuietAndRepeated(client, staging, base);
  if (base) await mergeWithBase(client, staging, { base, quietDays, rank: staged.provenance.rank });
  const restated = base
    ? await refuseRestated(client, staging, { base, restates, rank: source.said?.rank })
    : [];
  const { kept, days, refused } = await countKept(client, { ...staged, quietDays });
  const origin = brokerOrigin(contents, brokers, base);
  const { bars, last_date: lastDate } = kept;
  const refusesRows = refused > 0 || contents.refusedListings > 0 || quietDays.length > 0;
  const generated = source.generated ?? (contents.bars > 0 ? undefined : base?.generated);
  const missingDays = holesOf(calendar, days, generated);
  const acceptedDays = [...(base?.accepted_days ?? []), ...(acceptedDay === undefined ? [] : [acceptedDay])];
  const rows = { quietDays, missingDays, restated, refusesRows, acceptedDays };
  return { kind, ...staged, bars, lastDate, kept, generated, ...rows, brokers: { ...brokers, origin } };
}

async function storeDraft(
  deps: MakerDependencies,
  draft: DraftVersion,
  work: { progress: Progress; signal: AbortSignal },
) {
  const { client } = deps;
  try {
    const bars = await storeBars(client, draft);
    const brokers = await storeBrokers(deps, draft, work);
    work.signal.throwIfAborted();
    const rejected_rows = await countRejectedRows(client, draft.version);
    const { missingDays: missing_days, acceptedDays: accepted_days } = draft;
    return { ...bars, ...brokers, missing_days, accepted_days, rejected_rows };
  } catch (error) {
    await dropDraft(client, draft.version);
    throw error;
  }
}

function provenanceOf({ source, said, generated }: ImportSource, clock: Clock): UploadOrigin {
  return {
    source: said?.by ?? (generated ? 'generator' : OF_OPERATOR),
    upload: source,
    retrieved_at: (said?.retrievedAt ?? clock()).getTime(),
    rank: said?.rank ?? 0,
  };
}

function sourceOf({ source, files }: ImportSource, base: Dataset | undefined): string {
  return files && base ? `${source}, added to ${base.version}` : source;
}

/** Real bars cannot be from the future. A synthetic market has a fixed calendar that is independent of the clock. */
function latestDay(kind: string, clock: Clock): string {
  return kind === 'real' ? jakartaDay(clock()) : LAST_STORABLE_DAY;
}

function changesBrokers(
  { brokers, contents }: Pick<DraftVersion, 'brokers' | 'contents'>,
  base: Dataset,
): boolean {
  const { origin, seed } = brokers;
  if (contents.brokerRows > 0 || contents.brokers > 0) return true;
  return (
    origin === 'generator' &&
    (base.broker_data !== 'synthetic' || (seed !== undefined && seed !== base.broker_seed))
  );
}

/** @throws ServiceError import_rejected when the files have no data */
function refuseNothing(contents: StagedContents, { count, first }: SkippedFiles): void {
  if (Object.values(contents).some((rows) => rows > 0)) return;
  const files = count === 1 ? '1 file is' : `${count} files are`;
  const why = first ? ` ${files} skipped; ${first.path}, for example, because ${first.why}.` : '';
  throw rejected(`The upload has no bars and no other data of a dataset.${why}`);
}

/**
 * The dataset to which the staged files are added: the served version if that is requested or the files have no bars.
 * @throws ServiceError import_rejected when there is nothing to add them to, or not what they must be added to
 */
function chooseBase(
  { kind, adds, addsTo }: ImportSource,
  contents: StagedContents,
  served: Dataset | undefined,
): Dataset | undefined {
  if (!adds && contents.bars > 0) return undefined;
  if (!served) {
    throw rejected(
      adds
        ? 'There is no served dataset to add the upload to. Import a whole one first.'
        : 'The upload has no bars, and there is no served dataset to add it to.',
    );
  }
  if (addsTo !== undefined && addsTo !== served.version) {
    throw rejected(`${addsTo} cannot be continued, because ${served.version} is served. Continue that one.`);
  }
  if (served.kind === kind) return served;
  throw rejected(
    `The upload is called ${kind} and cannot be added to ${served.version}, which is ${served.kind}.`,
  );
}

/** The change of the broker table by an uploaded one; undefined without an upload. */
async function brokerTableChange(
  store: DatasetStore,
  { base, uploaded }: { base: Dataset | undefined; uploaded: Broker[] },
): Promise<BrokerTableChange | undefined> {
  if (uploaded.length === 0) return undefined;
  const before = base ? (await store.brokers(base.version)).brokers : defaultBrokers();
  return { brokers: uploaded.length, brokers_before: before.length };
}

/** The change of the table of corporate actions by an uploaded one; undefined without an upload. */
async function actionTableChange(
  client: ClickHouseClient,
  { base, uploaded }: { base: Dataset | undefined; uploaded: readonly StatedAction[] | undefined },
): Promise<ActionTableChange | undefined> {
  if (!uploaded) return undefined;
  const before = base ? await readActionTable(client, base.version) : [];
  return { actions: uploaded.length, actions_before: before.length };
}

/**
 * Publishes a completely stored version and, with an order, makes it the served one, with one row each in `market.dataset` and
 * `market.served`. It gets a later publication time than every other version, even if the clock went back. If the
 * second row cannot be written, the first is removed. If the process crashes between them, the version is listed but
 * not served.
 */
async function publish(
  deps: { client: ClickHouseClient; store: DatasetStore; clock: Clock },
  stored: Omit<Dataset, 'published_at'>,
  order: (Omit<ImportOrder, 'mayShrink'> & { reason: string }) | undefined,
): Promise<Dataset> {
  const { client, store, clock } = deps;
  const { version } = stored;
  const [newest] = await store.list();
  const publishedAt = Math.max(clock().getTime(), (newest?.published_at?.getTime() ?? 0) + 1);
  const dataset = { ...stored, published_at: new Date(publishedAt) };
  const isListed = async () => (await store.list()).some((other) => other.version === version);
  const isServed = async () => (await store.served())?.version === version;
  try {
    await evenIfUnanswered(store.insert(dataset), isListed);
    if (order) await evenIfUnanswered(store.serve({ version, ...order }, clock()), isServed);
  } catch (error) {
    if (error instanceof InDoubt) throw error.cause;
    await store.remove(version);
    await dropDraft(client, version);
    throw error;
  }
  return dataset;
}

/** It is unknown whether a row was written, so the data it may refer to must stay. */
class InDoubt extends Error {}

/** Runs an insert whose row may have been written although the response was lost. */
async function evenIfUnanswered(insert: Promise<void>, isDone: () => Promise<boolean>): Promise<void> {
  try {
    await insert;
  } catch (error) {
    const found = await isDone().catch(() => {
      throw new InDoubt('', { cause: error });
    });
    if (!found) throw error;
  }
}

/** Suffix of a version with synthetic broker rows on real bars. */
const SYNTHETIC_BROKERS = '-synthetic-brokers';

interface VersionToName {
  kind: string;
  lastDate: string;
  hasSyntheticBrokers: boolean;
}

/**
 * `real-20240628-1` or `real-20240628-2-synthetic-brokers`: kind, last day, and a number that no version of that kind
 * and day has ever had, with or without the suffix.
 */
export function nextVersion(
  { kind, lastDate, hasSyntheticBrokers }: VersionToName,
  taken: Pick<Dataset, 'version'>[],
): string {
  const prefix = `${kind}-${lastDate.replaceAll('-', '')}-`;
  const numbers = taken
    .filter(({ version }) => version.startsWith(prefix))
    .map(({ version }) => Number.parseInt(version.slice(prefix.length), 10));
  const ending = kind === 'real' && hasSyntheticBrokers ? SYNTHETIC_BROKERS : '';
  return `${prefix}${Math.max(0, ...numbers) + 1}${ending}`;
}
