/** Numbered statements that leave what is already there alone, so that several processes can apply them at once. */
export interface ClickHouseMigration {
  /** As in `001_event`. */
  name: string;
  statements: ClickHouseStatement[];
}

/** A view, or anything else that is the same on every server, as SQL; or what depends on where the rows lie. */
type ClickHouseStatement = string | TableDeclaration | ColumnChange | StorageChange | Fill;

/** A table, declared once for one server and for the shards of a cluster. */
interface TableDeclaration {
  /** As in `market.listing`. */
  create: string;
  columns: string;
  /** Of the MergeTree family, without its replication. */
  engine: 'MergeTree' | `ReplacingMergeTree${string}`;
  /** PARTITION BY, ORDER BY and SETTINGS. */
  order: string;
  /**
   * Rows of one value lie on one shard. Of a table whose rows replace each other it must be part of what identifies a
   * row, or both would live on.
   */
  shardedBy: string;
}

/** ADD COLUMN and the like: every server must see it in all forms of the table. */
interface ColumnChange {
  alter: string;
  columns: string;
}

/** A setting of how rows are kept. */
interface StorageChange {
  alter: string;
  storage: string;
}

/** Rows that are written once, wherever they go. */
interface Fill {
  fill: string;
}

/** How the servers of a cluster keep tables, as `remote_servers` of each of them says. */
export interface ClusterLayout {
  name: string;
  /** Whether a shard is several servers with the same rows; they agree through ClickHouse Keeper. */
  isReplicated: boolean;
}

const SYNCED = [
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'min_rows_to_fsync_after_merge = 1',
  'min_compressed_bytes_to_fsync_after_merge = 1',
].join(', ');

/**
 * Of every table whose rows are acknowledged: the answer to an insert means that its rows survive a power cut. A merge or
 * a mutation removes parts that were synced, so its result is synced as well, however small. Tables that only an import
 * under way reads go without.
 */
export function syncedTables(tables: string[]): ClickHouseStatement[] {
  return tables.map((alter) => ({ alter, storage: `MODIFY SETTING ${SYNCED}` }));
}

/** The record of migrations is each server's own: a server that joins a cluster is brought up to date by itself. */
export function migrationRecordSql(database: string): string {
  return `CREATE TABLE IF NOT EXISTS ${database}.schema_migration (name String, applied_at DateTime DEFAULT now())
            ENGINE = ReplacingMergeTree ORDER BY name SETTINGS ${SYNCED}`;
}

/** The name of the table that holds the rows of one shard; queries use the other one, which spans all of them. */
export function shardOf(table: string): string {
  return `${table}_shard`;
}

/** What one server is told. @param isFirst of the servers of a cluster, which alone writes rows */
export function statementSql(
  statement: ClickHouseStatement,
  cluster: ClusterLayout | undefined,
  isFirst: boolean,
): string[] {
  if (typeof statement === 'string') return [statement];
  if ('fill' in statement) return isFirst ? [statement.fill] : [];
  if ('create' in statement) return cluster ? onShards(statement, cluster) : [onOneServer(statement)];
  const { alter } = statement;
  const stored = cluster ? shardOf(alter) : alter;
  if ('storage' in statement) return [`ALTER TABLE ${stored} ${statement.storage}`];
  const forms = cluster ? [stored, alter] : [alter];
  return forms.map((table) => `ALTER TABLE ${table} ${statement.columns}`);
}

function onOneServer({ create, columns, engine, order }: TableDeclaration): string {
  return `CREATE TABLE IF NOT EXISTS ${create} (${columns}) ENGINE = ${engine} ${order}`;
}

function onShards(table: TableDeclaration, { name, isReplicated }: ClusterLayout): string[] {
  const { create, engine, shardedBy } = table;
  const [database, shard] = shardOf(create).split('.');
  const kept = isReplicated ? replicated(engine, create) : engine;
  return [
    onOneServer({ ...table, create: `${database}.${shard}`, engine: kept as TableDeclaration['engine'] }),
    `CREATE TABLE IF NOT EXISTS ${create} AS ${database}.${shard}
     ENGINE = Distributed('${name}', '${database}', '${shard}', cityHash64(${shardedBy}))`,
  ];
}

/** With the macros `{shard}` and `{replica}` of each server's configuration. */
function replicated(engine: string, table: string): string {
  const [, family, given] = /^(\w+?)(?:\((.*)\))?$/.exec(engine)!;
  const path = `'/clickhouse/tables/{shard}/${table.replace('.', '/')}', '{replica}'`;
  return `Replicated${family}(${given ? `${path}, ${given}` : path})`;
}
