import { isClickHouseAway, type ClickHouseClient, type ClickHouseNode } from './clickhouse.ts';
import { shardOf } from './tables.ts';

interface Command {
  query: string;
  query_params?: Record<string, unknown>;
  abort_signal?: AbortSignal;
}

/** The table that holds the rows of each server: of a cluster the one of its shard. */
export function storedTable({ cluster }: ClickHouseClient, table: string): string {
  return cluster ? shardOf(table) : table;
}

/** What is no query of the whole table, such as dropping a partition or removing rows, in each server's stored tables. */
export async function commandEverywhere(client: ClickHouseClient, command: Command): Promise<void> {
  await onEveryNode(client, (node) => node.command(command));
}

/** Rows that servers say of themselves, one server's after the other's. */
export async function rowsOfEveryNode<Row>(client: ClickHouseClient, asked: Command): Promise<Row[]> {
  const answers = await onEveryNode(client, async (node) =>
    (await node.query({ ...asked, format: 'JSONEachRow' })).json<Row>(),
  );
  return answers.flat();
}

/**
 * Does it on one server after the other, on the first of the cluster last: it finds all others ready. A server that is away
 * fails it, since its rows would be left out; but not where another one has the same rows and hands on what it missed.
 */
export async function onEveryNode<T>(
  client: ClickHouseClient,
  work: (node: ClickHouseNode, isFirst: boolean) => Promise<T>,
): Promise<T[]> {
  const { cluster } = client;
  const done: T[] = [];
  let away: unknown;
  const [first = client, ...others] = cluster?.nodes ?? [];
  for (const node of [...others, first]) {
    try {
      done.push(await work(node, node === first));
    } catch (error) {
      if (!cluster?.isReplicated || !isClickHouseAway(error)) throw error;
      away = error;
    }
  }
  if (done.length === 0) throw away;
  return done;
}
