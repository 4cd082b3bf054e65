import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { CLICKHOUSE_SCHEMAS } from '#clickhouse/schemas.ts';
import type { Progress } from '#local/progress.ts';
import { startServer, type RunningServer } from '#local/servers/embedded-server.ts';
import { planServers } from '#local/servers/plan-servers.ts';
import { Ports } from '#local/state/ports.ts';
import { loadSecrets, type Secrets } from '#local/state/secrets.ts';
import type { LocalSettings } from '#local/configuration/settings.ts';
import { StateDir, UNFINISHED_RESTORE } from '#local/state/state-dir.ts';
import { StateLock } from '#local/state/state-lock.ts';
import { storeUrls } from '#local/service-credentials.ts';
import type { StoreUrls } from '#local/state/fleet-file.ts';
import { prepareDatabase } from '#postgres/prepare-database.ts';
import { SCHEMAS } from '#postgres/schemas.ts';
import { migrateClickHouse } from '#platform/clickhouse/migrate.ts';
import { missingMigrations } from '#platform/migrations/migration-numbers.ts';
import { isArchive, unpackArchive } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { clickhouseTables, countSelected, insertLines, type Databases } from './clickhouse-tables.ts';
import { emptyClickhouse, emptyPostgres, REMOVAL, requireEmptyStores } from './empty-stores.ts';
import {
  filesOf,
  MANIFEST_FILE,
  readManifest,
  SECRETS_FILE,
  type Manifest,
  type TablePart,
} from './manifest.ts';
import { readPart, sha256Of } from './part-file.ts';
import { copyIn, countRows, postgresTables } from './postgres-tables.ts';
import { withStores, type Stores } from './stores.ts';

/** The only entry that the state directory may have when a restore starts: its own lock. */
const LOCK = 'lock';

interface RestoreOptions {
  /** A folder or an archive made by `takeBackup`. */
  source: string;
  /** Gives the state directory, and external servers where the fleet does not run its own. */
  settings: LocalSettings;
  progress: Progress;
}

/**
 * Restores a backup into an empty state directory. Every part is verified before anything is written. If the restore fails,
 * everything it wrote is removed. A fleet does not start from an interrupted restore.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { source, settings, progress } = options;
  const root = settings.stateDir;
  requireEmpty(root);
  return withFolder(source, root, progress, async (folder) => {
    const manifest = readManifest(folder);
    await progress.during('the parts to be verified', verify(folder, manifest));
    progress.step('✓', `${manifest.parts.length} parts are undamaged`);
    const stateDir = new StateDir(root);
    const lock = await StateLock.take(stateDir.path(LOCK));
    try {
      requireEmpty(root);
      writeFileSync(stateDir.path(UNFINISHED_RESTORE), `${source}\n`, { mode: 0o600, flush: true });
      copyFileSync(path.join(folder, SECRETS_FILE), stateDir.path('secrets.json'));
      const secrets = loadSecrets(stateDir.path('secrets.json'));
      await withServers({ settings, stateDir, secrets, progress }, (urls) =>
        withStores(urls, async (stores) => {
          await requireEmptyStores(stores);
          await fill({ stores, urls, secrets, folder, manifest, progress }).catch((error: unknown) =>
            removeOwn(settings, urls, error),
          );
        }),
      );
      rmSync(stateDir.path(UNFINISHED_RESTORE));
      return manifest;
    } catch (error) {
      for (const name of readdirSync(root)) {
        if (name !== LOCK) rmSync(stateDir.path(name), { recursive: true, force: true });
      }
      throw error;
    } finally {
      lock.release();
    }
  });
}

/** @throws BackupError when the state directory is not empty */
function requireEmpty(root: string): void {
  let names: string[];
  try {
    names = readdirSync(root).filter((name) => name !== LOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (names.length === 0) return;
  throw new BackupError(
    `The state directory ${root} is not empty (it contains ${names.slice(0, 3).join(', ')}), and a restore overwrites nothing. Set STATE_DIR to an empty one, or move this one away.`,
  );
}

/** Unpacks an archive beside the state directory, on the disk that must have space for its content anyway. */
async function withFolder<T>(
  source: string,
  root: string,
  progress: Progress,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const found = await stat(source).catch(() => {
    throw new BackupError(`${source} does not exist.`);
  });
  if (found.isDirectory()) return work(source);
  if (!isArchive(source))
    throw new BackupError(`${source} is neither the folder nor the .tar file of a backup.`);
  const folder = await mkdtemp(`${root}.restoring-`);
  try {
    await progress.during('the archive', unpackArchive(source, folder));
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the embedded PostgreSQL and ClickHouse of a state directory during the work. External servers are used unchanged. */
async function withServers(
  context: { settings: LocalSettings; stateDir: StateDir; secrets: Secrets; progress: Progress },
  work: (urls: StoreUrls) => Promise<void>,
): Promise<void> {
  const { settings, stateDir, secrets, progress } = context;
  const servers = await planServers(settings, secrets, stateDir, new Ports([], { wantsUsual: false }));
  const running: RunningServer[] = [];
  try {
    for (const { title, url, port, spec } of [servers.postgres, servers.clickhouse]) {
      if (spec) running.push(await progress.during(title, startServer(spec, url, port)));
    }
    await work(storeUrls(secrets, servers, settings.clickhouse?.cluster));
  } finally {
    await progress.during('the stores to stop', Promise.all(running.map((server) => server.stop())));
  }
}

/** @throws BackupError that names the first file that differs from what was written */
async function verify(folder: string, manifest: Manifest): Promise<void> {
  const files = [
    ...manifest.parts.map(({ file, sha256 }) => ({ file, sha256 })),
    { file: SECRETS_FILE, sha256: manifest.secrets_sha256 },
  ];
  for (const { file, sha256 } of files) {
    const found = await sha256Of(path.join(folder, file)).catch((error: Error) => {
      throw new BackupError(`${file} of the backup cannot be read: ${error.message}`, { cause: error });
    });
    if (found !== sha256) {
      throw new BackupError(
        `${file} of the backup is damaged: its SHA-256 differs from the manifest. Use another backup.`,
      );
    }
  }
}

interface Filling {
  stores: Stores;
  urls: StoreUrls;
  secrets: Secrets;
  folder: string;
  manifest: Manifest;
  progress: Progress;
}

/** Creates the tables at the version they had in the backup. The fleet migrates them when it starts. */
async function fill({ stores, urls, secrets, folder, manifest, progress }: Filling): Promise<void> {
  const { migrations } = manifest;
  const schemas = SCHEMAS.map(({ name, migrations: all }) => ({
    name,
    migrations: Object.fromEntries(
      appliedOf(Object.keys(all), migrations.postgres[name]).map((step) => [step, all[step]!]),
    ),
  }));
  await prepareDatabase(urls.postgres, secrets.postgres_role_passwords, schemas);
  for (const { database, migrations: all } of CLICKHOUSE_SCHEMAS) {
    const names = all.map(({ name }) => name);
    const made = appliedOf(names, migrations.clickhouse[database]);
    const steps = all.filter(({ name }) => made.includes(name));
    await migrateClickHouse(stores.databases[database], database, steps);
  }
  await requireAllParts(stores, manifest.parts);
  for (const part of await inOrder(stores, manifest.parts)) {
    const name = `${part.schema}.${part.table}`;
    const lines = readPart(path.join(folder, part.file));
    await progress.during(name, load(stores, part, lines));
  }
  await requireCounts(stores, manifest.parts);
  progress.step('✓', `${manifest.parts.reduce((sum, { rows }) => sum + rows, 0)} rows are restored`);
}

/** Those of the known migrations that the backup's tables had. */
function appliedOf(known: string[], applied: string[] = []): string[] {
  const missing = missingMigrations('the backup', applied, known);
  return known.filter((name) => !missing.includes(name));
}

/**
 * Removes what a failed restore wrote into external servers: otherwise a fleet that uses them would start with half of the
 * backup. Embedded servers are removed with their folders. Opens new connections, because the old ones may be broken.
 */
async function removeOwn(settings: LocalSettings, urls: StoreUrls, failure: unknown): Promise<never> {
  await withStores(urls, async ({ postgres, databases }) => {
    if (settings.databaseUrl) await emptyPostgres({ postgres });
    if (settings.clickhouse) await emptyClickhouse(databases);
  }).catch((error: Error) => {
    throw new BackupError(
      `The restore failed, and its rows could not be removed from your own servers (${error.message}). Remove them before the next attempt: ${REMOVAL}. Why the restore failed: ${(failure as Error).message}`,
      { cause: failure },
    );
  });
  throw failure;
}

/** @throws BackupError unless the backup has every part of every table at its version once, and no other */
async function requireAllParts({ postgres, databases }: Stores, parts: TablePart[]): Promise<void> {
  const tables: Pick<TablePart, 'store' | 'schema' | 'table'>[] = [
    ...(await postgresTables(postgres)).map((table) => ({ store: 'postgres' as const, ...table })),
    ...(await clickhouseTables(databases)).map(({ database, table }) => {
      return { store: 'clickhouse' as const, schema: database, table };
    }),
  ];
  const wanted = new Set(tables.flatMap(filesOf));
  const given = parts.map(({ file }) => file);
  const missing = [...wanted].filter((file) => !given.includes(file));
  const repeated = given.filter((file, index) => given.indexOf(file) !== index);
  const unknown = parts.filter((part) => !wanted.has(part.file) || !filesOf(part).includes(part.file));
  if (missing.length > 0)
    throw new BackupError(`The backup is not complete: it lacks ${missing.join(', ')}. Use another backup.`);
  if (repeated.length > 0)
    throw new BackupError(`${MANIFEST_FILE} lists ${repeated.join(', ')} twice. Use another backup.`);
  if (unknown.length > 0) {
    const names = new Set(unknown.map(({ schema, table }) => `${schema}.${table}`));
    // The migrations of the backup are known, so this table is not one of a newer version.
    throw new BackupError(
      `The backup has rows of ${[...names].join(', ')}, which is none of Saring’s tables. Earlier versions copied such tables too. To restore the rest, unpack the backup if it is a .tar file, remove these tables from \`parts\` in its ${MANIFEST_FILE}, and restore the folder.`,
    );
  }
}

/** The parts in an order in which each table of PostgreSQL comes after the tables that it refers to. */
async function inOrder({ postgres }: Stores, parts: TablePart[]): Promise<TablePart[]> {
  const tables = await postgresTables(postgres);
  const placeOf = ({ store, schema, table }: TablePart) =>
    store === 'postgres'
      ? tables.findIndex((other) => other.schema === schema && other.table === table)
      : tables.length;
  return parts.toSorted((a, b) => placeOf(a) - placeOf(b));
}

async function load({ postgres, databases }: Stores, part: TablePart, lines: Readable): Promise<void> {
  if (part.store === 'postgres') return copyIn(postgres, part, lines);
  // ClickHouse refuses an insert without any bytes.
  if (part.rows === 0) return void lines.destroy();
  await insertLines(databases, { ...part, database: part.schema as keyof Databases }, lines);
}

/** @throws BackupError when a table does not have as many rows as the backup */
async function requireCounts({ postgres, databases }: Stores, parts: TablePart[]): Promise<void> {
  const expected = Map.groupBy(parts, ({ store, schema, table }) => `${store} ${schema}.${table}`);
  for (const [name, halves] of expected) {
    const { store, schema, table, columns } = halves[0]!;
    const rows = halves.reduce((sum, part) => sum + part.rows, 0);
    const found =
      store === 'postgres'
        ? await countRows(postgres, { schema, table, columns })
        : await countSelected(databases, { database: schema as keyof Databases, table });
    if (found !== rows)
      throw new BackupError(`${name} has ${found} rows after the restore instead of ${rows}.`);
  }
}
