import { isClickHouseUnavailable, type ClickHouseClient, type ClickHouseNode } from './clickhouse.ts';
import { shardOf } from './tables.ts';

interface Command {
  query: string;
  query_params?: Record<string, unknown>;
  abort_signal?: AbortSignal;
}

/** The table in which a server stores rows. In a cluster this is the table of its shard. */
export function storedTable({ cluster }: ClickHouseClient, table: string): string {
  return cluster ? shardOf(table) : table;
}

/** Runs a command on the stored tables of every server, for operations such as dropping a partition or removing rows. */
export async function commandEverywhere(client: ClickHouseClient, command: Command): Promise<void> {
  await onEveryNode(client, (node) => node.command(command));
}

/** Rows that each server returns about itself, one server after the other. */
export async function rowsOfEveryNode<Row>(client: ClickHouseClient, requested: Command): Promise<Row[]> {
  const responses = await onEveryNode(client, async (node) =>
    (await node.query({ ...requested, format: 'JSONEachRow' })).json<Row>(),
  );
  return responses.flat();
}

/**
 * Runs `work` on one server after the other. The first server of the cluster comes last, so that all others are ready by then.
 * A server that is unavailable fails the whole call, because its rows would be missing. In a replicated cluster the call skips it:
 * another server has the same rows and passes on what it missed.
 */
export async function onEveryNode<T>(
  client: ClickHouseClient,
  work: (node: ClickHouseNode, isFirst: boolean) => Promise<T>,
): Promise<T[]> {
  const { cluster } = client;
  const done: T[] = [];
  let unavailable: unknown;
  const [first = client, ...others] = cluster?.nodes ?? [];
  for (const node of [...others, first]) {
    try {
      done.push(await work(node, node === first));
    } catch (error) {
      if (!cluster?.isReplicated || !isClickHouseUnavailable(error)) throw error;
      unavailable = error;
    }
  }
  if (done.length === 0) throw unavailable;
  return done;
}
