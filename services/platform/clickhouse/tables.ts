/** A numbered list of idempotent statements, so that several processes can apply them at the same time. */
export interface ClickHouseMigration {
  /** For example `001_event`. */
  name: string;
  statements: ClickHouseStatement[];
}

/** SQL of a view or anything else that is the same on every server, or a statement that depends on where rows are stored. */
type ClickHouseStatement = string | TableDeclaration | ColumnChange | StorageChange | Fill;

/** A table, declared once both for a single server and for the shards of a cluster. */
interface TableDeclaration {
  /** For example `market.listing`. */
  create: string;
  columns: string;
  /** An engine of the MergeTree family, without its replication. */
  engine: 'MergeTree' | `ReplacingMergeTree${string}`;
  /** PARTITION BY, ORDER BY and SETTINGS. */
  order: string;
  /**
   * Rows with the same value are stored on the same shard. In a ReplacingMergeTree table it must be part of the sorting key, or
   * a row and its replacement could end up on different shards and both would remain.
   */
  shardedBy: string;
}

/** A change of columns, such as ADD COLUMN. It applies to the stored table and to the one that spans the shards. */
interface ColumnChange {
  alter: string;
  columns: string;
}

/** A change of a storage setting. */
interface StorageChange {
  alter: string;
  storage: string;
}

/** An insert that runs only once, on the first server. */
interface Fill {
  fill: string;
}

/** The layout of the cluster, as `remote_servers` in the configuration of each server gives it. */
export interface ClusterLayout {
  name: string;
  /** Whether a shard is several servers with the same rows, coordinated by ClickHouse Keeper. */
  isReplicated: boolean;
}

const SYNCED = [
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'min_rows_to_fsync_after_merge = 1',
  'min_compressed_bytes_to_fsync_after_merge = 1',
].join(', ');

/**
 * For tables whose rows are acknowledged: after the answer to an insert its rows survive a power cut. A merge or a mutation
 * replaces parts that were synced, so its result is synced too, however small. Tables that only a running import reads do not
 * need this.
 */
export function syncedTables(tables: string[]): ClickHouseStatement[] {
  return tables.map((alter) => ({ alter, storage: `MODIFY SETTING ${SYNCED}` }));
}

/** Each server has its own record of migrations, so a server that joins a cluster is migrated independently. */
export function migrationRecordSql(database: string): string {
  return `CREATE TABLE IF NOT EXISTS ${database}.schema_migration (name String, applied_at DateTime DEFAULT now())
            ENGINE = ReplacingMergeTree ORDER BY name SETTINGS ${SYNCED}`;
}

/** The table that stores the rows of one shard. Queries use the table that spans all shards. */
export function shardOf(table: string): string {
  return `${table}_shard`;
}

/** The SQL to run on one server. @param isFirst whether it is the first server of the cluster, the only one that writes rows */
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

/** Uses the macros `{shard}` and `{replica}` of each server's configuration. */
function replicated(engine: string, table: string): string {
  const [, family, given] = /^(\w+?)(?:\((.*)\))?$/.exec(engine)!;
  const path = `'/clickhouse/tables/{shard}/${table.replace('.', '/')}', '{replica}'`;
  return `Replicated${family}(${given ? `${path}, ${given}` : path})`;
}
