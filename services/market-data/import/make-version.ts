import type { BrokerTableChange, Dataset, RejectionSummary } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { Clock } from '#shared/clock.ts';
import { jakartaDay } from '#shared/jakarta-time.ts';
import { summarizeRejections, type DatasetStore } from '../store/dataset-store.ts';
import { dropDraft } from '../store/leftovers.ts';
import { brokerOrigin } from './broker-origin.ts';
import { brokerTableChange } from './broker-table-change.ts';
import { chooseBase } from './choose-base.ts';
import { refuseRows } from './cleaning.ts';
import { rowParams, type DraftVersion } from './draft-version.ts';
import { fingerprintOf, originFingerprintOf, sameAsNewest } from './fingerprint.ts';
import type { ImportSource } from './import-source.ts';
import { countKept, isAllThere } from './kept-rows.ts';
import type { Progress } from './progress.ts';
import { publish } from './publish.ts';
import { countRejectedRows } from './rejected-rows.ts';
import { stageFiles } from './stage-files.ts';
import type { Staging } from './staging.ts';
import { storeBars } from './store-bars.ts';
import { storeBrokers } from './store-brokers.ts';
import type { SynthesizeBrokerRows } from './synthesis/synthesize-broker-rows.ts';
import { nextVersion } from './version-name.ts';

export interface MakerDependencies {
  client: ClickHouseClient;
  store: DatasetStore;
  clock: Clock;
  synthesize: SynthesizeBrokerRows;
}

export interface MadeVersion {
  dataset: Dataset;
  /** Whether it was there before, so that nothing was published. */
  isUnchanged: boolean;
  /** Of an upload that was read for nothing; those of a published one are stored. */
  rejections?: RejectionSummary[];
  /** Of an upload with a broker table. */
  brokerTable?: BrokerTableChange | undefined;
}

/** Of ClickHouse's type Date. */
const LAST_STORABLE_DAY = '2149-06-06';

/**
 * The way from files to a published version: stage them, choose what they are added to, refuse rows, store bars and
 * listing, store broker rows, publish. When a step fails or `signal` aborts, nothing of it stays.
 */
export async function makeVersion(
  deps: MakerDependencies,
  staging: Staging,
  source: ImportSource,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<MadeVersion> {
  const { client, store, clock } = deps;
  if (source.files) {
    progress.step = 'reading and parsing';
    const rules = { latestDay: latestDay(source.kind, clock), assumed: source.brokers };
    await stageFiles(source.files, staging, rules, progress);
  }
  const contents = await staging.contents();
  const published = await store.list();
  const base = chooseBase(source, contents, published[0]);
  const same = sameAsNewest(source, published);
  if (same) return { dataset: same, isUnchanged: true };

  progress.step = 'validating';
  const { lastDate, ...plan } = await planVersion(client, source, { base, staging, contents });
  if (base && !changesBrokers(plan, base) && (await isAllThere(client, staging, rowParams(plan)))) {
    const rejections = await summarizeRejections(client, `SELECT * FROM ${staging.refused}`);
    return { dataset: base, isUnchanged: true, rejections };
  }
  // A statement under way runs to its end even if its client leaves, so that giving up is possible only between
  // two of them.
  signal.throwIfAborted();
  progress.step = 'cleaning and publishing';
  const name = { kind: source.kind, lastDate, hasSyntheticBrokers: plan.brokers.origin === 'generator' };
  const version = nextVersion(name, await store.namesTaken());
  const brokerTable = await brokerTableChange(store, { base, uploaded: staging.brokers.table });
  const stored = await storeDraft(deps, { version, ...plan }, { progress, signal });
  const origin = {
    ...{ kind: source.kind, source: sourceOf(source, base) },
    fingerprint: fingerprintOf(source, base),
    origin_fingerprint: base?.origin_fingerprint ?? originFingerprintOf(source),
  };
  const dataset = await publish(deps, { version, ...origin, ...stored });
  return { dataset, isUnchanged: false, brokerTable };
}

/** What a version will be made of, once the rows that may not stay are refused. */
async function planVersion(
  client: ClickHouseClient,
  { kind, brokers }: ImportSource,
  staged: Pick<DraftVersion, 'base' | 'staging' | 'contents'>,
): Promise<Omit<DraftVersion, 'version'> & { lastDate: string }> {
  const { base, staging, contents } = staged;
  const quietDays = await refuseRows(client, staging, base);
  const kept = await countKept(client, { ...staged, quietDays });
  const origin = brokerOrigin(contents, brokers, base);
  return { kind, ...staged, ...kept, quietDays, brokers: { ...brokers, origin } };
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
    return { ...bars, ...brokers, rejected_rows: await countRejectedRows(client, draft.version) };
  } catch (error) {
    await dropDraft(client, draft.version);
    throw error;
  }
}

function sourceOf({ source, files }: ImportSource, base: Dataset | undefined): string {
  return files && base ? `${source}, added to ${base.version}` : source;
}

/** Real bars cannot be from tomorrow. A made-up market has a fixed calendar, whatever this machine's clock says. */
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
