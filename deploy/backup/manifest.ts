import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CLICKHOUSE_SCHEMAS } from '#clickhouse/schemas.ts';
import { SCHEMAS } from '#postgres/schemas.ts';
import { unknownMigrations } from '#platform/migrations/migration-numbers.ts';
import { BackupError } from './backup-error.ts';
import type { PartContent } from './part-file.ts';

export const MANIFEST_FILE = 'manifest.json';
export const SECRETS_FILE = 'secrets.json';
/** Incremented when an older program could not restore what a newer one writes. */
const FORMAT = 1;

const STORES = ['postgres', 'clickhouse'] as const;
type Store = (typeof STORES)[number];

/** The rows of one table in their own file, one on each line in the store's format. */
export interface TablePart extends PartContent {
  store: Store;
  /** The schema in PostgreSQL, or the database in ClickHouse. */
  schema: string;
  table: string;
  columns: string[];
  /** Relative to the backup’s folder. */
  file: string;
}

/** The content of a backup. Written last: a folder without a manifest is not a backup. */
export interface Manifest {
  format: number;
  /** The point in time to which all data belongs. */
  point: string;
  /** The migrations that the tables had, by store and schema. */
  migrations: Record<Store, Record<string, string[]>>;
  dataset_version: string | null;
  parts: TablePart[];
  /** SHA-256 of the file that contains the secrets. */
  secrets_sha256: string;
}

type Table = Pick<TablePart, 'store' | 'schema' | 'table'>;

/** The half of the ledger with the rows that may belong to the point. The other half has those that certainly do. */
export const RECENT = 'recent';

/** The file of a part. */
export function partFile({ store, schema, table }: Table, half?: typeof RECENT): string {
  return path.join(store, `${[schema, table, half].filter(Boolean).join('.')}.tsv.zst`);
}

/** The files of all parts of a table. */
export function filesOf(table: Table): string[] {
  return table.schema === 'usage' ? [partFile(table), partFile(table, RECENT)] : [partFile(table)];
}

export function newManifest(content: Omit<Manifest, 'format'>): Manifest {
  return { format: FORMAT, ...content };
}

/** @throws BackupError unless this program can restore the backup in the folder */
export function readManifest(folder: string): Manifest {
  const manifest = parse(path.join(folder, MANIFEST_FILE));
  if (manifest.format !== FORMAT) {
    throw new BackupError(
      `The backup has format ${String(manifest.format)}, but this version reads only format ${FORMAT}. Restore it with the version of Saring that made it.`,
    );
  }
  const ahead = migrationsOfNewer(manifest);
  if (ahead.length > 0) {
    throw new BackupError(
      `The backup was made by a newer version of Saring: this one does not know ${ahead.join(', ')}. Restore it with the newer version.`,
    );
  }
  return manifest;
}

function parse(file: string): Manifest {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  } catch (error) {
    throw new BackupError(`This is not a complete backup: ${MANIFEST_FILE} cannot be read.`, {
      cause: error,
    });
  }
}

function migrationsOfNewer({ migrations }: Manifest): string[] {
  const known = {
    postgres: Object.fromEntries(SCHEMAS.map((schema) => [schema.name, Object.keys(schema.migrations)])),
    clickhouse: Object.fromEntries(
      CLICKHOUSE_SCHEMAS.map((schema) => [schema.database, schema.migrations.map(({ name }) => name)]),
    ),
  };
  return STORES.flatMap((store) =>
    Object.entries(migrations[store]).flatMap(([schema, names]) =>
      unknownMigrations(names, known[store][schema] ?? []).map((name) => `migration ${name} of ${schema}`),
    ),
  );
}
