import { copyFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { CLICKHOUSE_SCHEMAS } from '#clickhouse/schemas.ts';
import type { Progress } from '#local/progress.ts';
import type { StoreUrls } from '#local/state/fleet-file.ts';
import { SCHEMAS } from '#postgres/schemas.ts';
import { BACKUP_LOCK } from '#platform/postgres/backup-lock.ts';
import { isArchive, packArchive } from './archive.ts';
import { BackupError } from './backup-error.ts';
import {
  clickhouseMigrations,
  clickhouseTables,
  countSelected,
  marketMark,
  marketSelection,
  selectLines,
  type ClickhouseTable,
  type MarketMark,
  type Selection,
} from './clickhouse-tables.ts';
import { keepsOfPoint, ledgerPoint, recentRows, settledRows, type LedgerPoint } from './ledger-point.ts';
import {
  MANIFEST_FILE,
  newManifest,
  partFile,
  RECENT,
  SECRETS_FILE,
  type Manifest,
  type TablePart,
} from './manifest.ts';
import { sha256Of, writePart } from './part-file.ts';
import { copyOut, postgresMigrations, postgresTables } from './postgres-tables.ts';
import { withStores, type Stores } from './stores.ts';

/** Number of attempts to open the snapshot while nothing is published. Publications are minutes apart. */
const MARK_ATTEMPTS = 20;

interface BackupOptions {
  urls: StoreUrls;
  secretsFile: string;
  /** A folder, or a tar archive if the name ends in .tar. It must not exist yet. */
  target: string;
  progress: Progress;
}

/**
 * Copies everything that the fleet stores, as of one point, while the fleet serves. The point is a snapshot of PostgreSQL, the
 * system of record. Dataset versions never change, so the versions published at the point are read afterwards. The ledger is
 * filtered to the rows of the point (`ledger-point.ts`). Data that only NATS holds is rebuilt from these rows.
 */
export async function takeBackup({ urls, secretsFile, target, progress }: BackupOptions): Promise<Manifest> {
  if (await exists(target)) throw new BackupError(`${target} already exists. Choose another name.`);
  const folder = `${target}.unfinished`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const manifest = await withStores(urls, (stores) => copyStores(stores, folder, secretsFile, progress));
    await writeFile(path.join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
      flush: true,
    });
    if (isArchive(target)) await progress.during('the archive', packArchive(folder, target));
    else await rename(folder, target);
    return manifest;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyStores(
  stores: Stores,
  folder: string,
  secretsFile: string,
  progress: Progress,
): Promise<Manifest> {
  // Held until the connection closes.
  await stores.postgres.query('select pg_advisory_lock_shared($1)', [BACKUP_LOCK]);
  const { point, mark } = await progress.during('a point in time to copy', beginAtPoint(stores));
  progress.step('✓', `the backup is of ${point.toISOString()}`);
  const parts = new PartWriter(folder, progress);
  const { postgres, databases } = stores;
  const ledger = await ledgerPoint(postgres, point);
  const known = (store: 'postgres' | 'clickhouse', schema: string, table: string) => {
    const isKnown = isKnownTable(store, schema, table);
    if (!isKnown) progress.step('!', `${schema}.${table} is none of Saring’s tables and is left out`);
    return isKnown;
  };
  for (const table of await postgresTables(postgres))
    if (known('postgres', table.schema, table.table))
      await parts.write({ store: 'postgres', ...table }, copyOut(postgres, table));
  const migrations = {
    postgres: await postgresMigrations(postgres),
    clickhouse: await clickhouseMigrations(databases),
  };
  await postgres.query('commit');
  for (const table of await clickhouseTables(databases)) {
    if (!known('clickhouse', table.database, table.table)) continue;
    if (table.database === 'usage') await copyLedger(stores, table, ledger, parts);
    else await copySettled(stores, table, marketSelection(table, mark), parts);
  }
  await requireUnpruned(stores, mark);
  const secrets = path.join(folder, SECRETS_FILE);
  await copyFile(secretsFile, secrets);
  return newManifest({
    point: point.toISOString(),
    migrations,
    dataset_version: mark.servedVersion,
    parts: parts.written,
    secrets_sha256: await sha256Of(secrets),
  });
}

/** Opens the snapshot of PostgreSQL so that nothing is published between it and the mark. */
async function beginAtPoint({ postgres, databases }: Stores): Promise<{ point: Date; mark: MarketMark }> {
  for (let attempt = 0; attempt < MARK_ATTEMPTS; attempt++) {
    const before = await marketMark(databases);
    await postgres.query('begin isolation level repeatable read, read only');
    const { rows } = await postgres.query<{ ts: Date }>('select clock_timestamp() as ts');
    const mark = await marketMark(databases);
    if (JSON.stringify(mark) === JSON.stringify(before)) return { point: rows[0]!.ts, mark };
    await postgres.query('rollback');
  }
  throw new BackupError(
    'Datasets are published without a pause. Make the backup when the imports have finished.',
  );
}

/** Copies rows that must not change meanwhile. */
async function copySettled(
  { databases }: Pick<Stores, 'databases'>,
  table: ClickhouseTable,
  selection: Selection,
  parts: PartWriter,
): Promise<void> {
  const { rows } = await parts.write(describe(table), await selectLines(databases, table, selection));
  const counted = await countSelected(databases, table, selection);
  if (rows !== counted) {
    throw new BackupError(
      `${table.database}.${table.table} changed while it was copied (${rows} of ${counted} rows). Make the backup again, and do not run 'saring dataset prune' meanwhile.`,
    );
  }
}

async function copyLedger(
  { databases }: Stores,
  table: ClickhouseTable,
  point: LedgerPoint,
  parts: PartWriter,
): Promise<void> {
  await parts.write(describe(table), await selectLines(databases, table, settledRows(point)));
  const recent = await selectLines(databases, table, recentRows(point));
  const kept = keepsOfPoint(table, point);
  recent.on('error', (error) => kept.destroy(error));
  await parts.write(describe(table), recent.pipe(kept), RECENT);
}

/** Fails if rows of a version or of facts were removed during the copy, because only part of them would be restored. */
async function requireUnpruned({ databases }: Stores, mark: MarketMark): Promise<void> {
  const { versions, factsVersion } = await marketMark(databases);
  if (factsVersion !== mark.factsVersion)
    throw new BackupError('Facts were changed while they were copied. Make the backup again.');
  const gone = mark.versions.filter((version) => !versions.includes(version));
  if (gone.length === 0) return;
  throw new BackupError(
    `${gone.join(', ')} was pruned while it was copied. Make the backup again, and do not run 'saring dataset prune' meanwhile.`,
  );
}

function describe({ database, table, columns }: ClickhouseTable) {
  return { store: 'clickhouse' as const, schema: database, table, columns };
}

/** Writes each table to its own file. */
class PartWriter {
  readonly written: TablePart[] = [];
  readonly #folder: string;
  readonly #progress: Progress;

  constructor(folder: string, progress: Progress) {
    this.#folder = folder;
    this.#progress = progress;
  }

  async write(
    table: Pick<TablePart, 'store' | 'schema' | 'table' | 'columns'>,
    lines: Readable,
    half?: typeof RECENT,
  ): Promise<TablePart> {
    const file = partFile(table, half);
    const name = path.basename(file, '.tsv.zst');
    const content = await this.#progress.during(name, writePart(path.join(this.#folder, file), lines));
    const part = { ...table, file, ...content };
    this.written.push(part);
    return part;
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

const CLICKHOUSE_TABLES: readonly string[] = CLICKHOUSE_SCHEMAS.flatMap(({ migrations }) =>
  migrations.flatMap(({ statements }) =>
    statements.flatMap((statement) =>
      typeof statement === 'object' && 'create' in statement ? [statement.create] : [],
    ),
  ),
);

/** Whether a table is one of Saring's, and not for example an operator's copy. */
export function isKnownTable(store: 'postgres' | 'clickhouse', schema: string, table: string): boolean {
  if (store === 'clickhouse') return CLICKHOUSE_TABLES.includes(`${schema}.${table}`);
  return SCHEMAS.some(({ name, tables }) => name === schema && tables.includes(table));
}
