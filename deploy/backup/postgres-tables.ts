import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { SCHEMAS } from '#postgres/schemas.ts';

interface PostgresTable {
  schema: string;
  table: string;
  /** All columns except those that PostgreSQL computes. */
  columns: string[];
}

/** All tables, each after the tables that it refers to. */
export async function postgresTables(client: pg.Client): Promise<PostgresTable[]> {
  const { rows } = await client.query<PostgresTable & { refers_to: string[] }>(
    `select nspname as schema, relname as table,
       array(select attname::text from pg_attribute where attrelid = pg_class.oid and attnum > 0
         and not attisdropped and attgenerated = '' order by attnum) as columns,
       array(select other.relname::text from pg_constraint join pg_class other on other.oid = confrelid
         where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid) as refers_to
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relkind = 'r' and nspname = any($1) and relname not like 'kysely\\_migration%'
     order by nspname, relname`,
    [SCHEMAS.map(({ name }) => name)],
  );
  const ordered: typeof rows = [];
  while (ordered.length < rows.length) {
    const isReady = (row: (typeof rows)[number]) =>
      row.refers_to.every((name) =>
        ordered.some((before) => before.schema === row.schema && before.table === name),
      );
    const next = rows.filter((row) => !ordered.includes(row) && isReady(row));
    if (next.length === 0) throw new Error('tables of PostgreSQL refer to each other in a circle');
    ordered.push(...next);
  }
  return ordered.map(({ schema, table, columns }) => ({ schema, table, columns }));
}

/** The rows of a table in PostgreSQL’s text format, as seen by the connection's transaction. */
export function copyOut(client: pg.Client, table: PostgresTable): Readable {
  return client.query(copyTo(`copy ${target(table)} to stdout`));
}

/** Loads rows and sets identity columns to continue after them. */
export async function copyIn(client: pg.Client, table: PostgresTable, lines: Readable): Promise<void> {
  await pipeline(lines, client.query(copyFrom(`copy ${target(table)} from stdin`)));
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attidentity <> ''`,
    [qualified(table)],
  );
  for (const { name } of rows) {
    const column = pg.escapeIdentifier(name);
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), max(${column})) from ${qualified(table)} having count(*) > 0`,
      [qualified(table), name],
    );
  }
}

export async function countRows(client: pg.Client, table: PostgresTable): Promise<number> {
  const { rows } = await client.query<{ n: string }>(`select count(*) as n from ${qualified(table)}`);
  return Number(rows[0]!.n);
}

/** The migrations that have run, by schema. */
export async function postgresMigrations(client: pg.Client): Promise<Record<string, string[]>> {
  const migrations: Record<string, string[]> = {};
  for (const { name } of SCHEMAS) {
    const record = `${pg.escapeIdentifier(name)}.kysely_migration`;
    const { rows } = await client.query<{ name: string }>(`select name from ${record} order by name`);
    migrations[name] = rows.map((row) => row.name);
  }
  return migrations;
}

function target(table: PostgresTable): string {
  return `${qualified(table)} (${table.columns.map(pg.escapeIdentifier).join(', ')})`;
}

function qualified({ schema, table }: PostgresTable): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
}
