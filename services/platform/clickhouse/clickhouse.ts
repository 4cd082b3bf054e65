import {
  ClickHouseError,
  ClickHouseLogLevel,
  createClient,
  type ClickHouseClient as ClickHouseNode,
  type ClickHouseSettings,
} from '@clickhouse/client';
import type { ClickHouseAddress } from './address.ts';
import type { ClusterLayout } from './tables.ts';

export type { ClickHouseNode };

/** A client of one server. In a cluster this is the first server, which asks the others; `cluster.ts` reaches each of them. */
export interface ClickHouseClient extends ClickHouseNode {
  readonly cluster?: ClusterLayout & { readonly nodes: ClickHouseNode[] };
}

/**
 * Concurrent requests of one client. Others wait while their deadlines run. With the usual limit of ten, readers of a server
 * that takes 300 ms to answer wait longer for each other than for the server.
 */
const MAX_CONNECTIONS = 32;

/**
 * An insert is acknowledged only when each shard has its rows. The right side of an IN or a JOIN is collected first and sent to
 * the shards, because a shard has neither the rest of it nor the tables of a running import. All queries use the same first
 * replica of a shard, so that written rows can be read immediately. A server queries its own shard like the others, as the
 * cluster's user, because services have privileges only on the tables that span the shards.
 */
const OF_CLUSTER: ClickHouseSettings = {
  distributed_foreground_insert: 1,
  prefer_global_in_and_join: 1,
  allow_push_predicate_ast_for_distributed_subqueries: 0,
  parallel_distributed_insert_select: '0',
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
};

/**
 * An answer begins once its query has succeeded or this much of it is there, so that a query that fails is an error from the start. The
 * client finds an exception behind rows only if it arrives in one piece: otherwise it reports a malformed answer, or looks for the
 * missing piece for ever, which blocks the whole process. The server holds the bytes in memory: with `wait_end_of_query` it would put
 * them on its disk, and on a full disk ClickHouse 26.7 then answers 200 with what it could write, which may be nothing.
 */
const HELD_BACK: ClickHouseSettings = { http_response_buffer_size: String(16 * 1024 ** 2) };

/** A client whose requests fail when no data arrives for `silenceMs`. A response as a whole may take longer. */
export function connectClickHouse(at: string | ClickHouseAddress, silenceMs = 10_000): ClickHouseClient {
  const { url, cluster } = typeof at === 'string' ? { url: at } : at;
  if (!cluster) return connectNode(url, silenceMs);
  const nodes = url.split(',').map((one) => connectNode(one, silenceMs, OF_CLUSTER));
  const [first, ...others] = nodes as [ClickHouseNode, ...ClickHouseNode[]];
  const closeFirst = first.close.bind(first);
  return Object.assign(first, {
    cluster: { ...cluster, nodes },
    close: async () => void (await Promise.all([closeFirst(), ...others.map((node) => node.close())])),
  });
}

function connectNode(url: string, silenceMs: number, settings: ClickHouseSettings = {}): ClickHouseNode {
  return createClient({
    url,
    request_timeout: silenceMs,
    max_open_connections: MAX_CONNECTIONS,
    application: 'saring',
    // Failures are thrown. Logging them a second time, without structure, would only clutter the log.
    log: { level: ClickHouseLogLevel.OFF },
    keep_alive: { idle_socket_ttl: 2_000 },
    clickhouse_settings: { ...HELD_BACK, ...settings },
  });
}

/** Checks that the server answers and accepts the user and password. */
export function clickhouseResponds(client: ClickHouseClient): () => Promise<unknown> {
  return async () => {
    const response = await client.ping({ select: true });
    if (!response.success) throw response.error;
  };
}

/** Errors of a server that is reachable but cannot serve: not set up yet, starting, overloaded or stopping. */
const UNREADY = new Set([
  'UNKNOWN_DATABASE',
  'UNKNOWN_TABLE',
  'MEMORY_LIMIT_EXCEEDED',
  'TOO_MANY_SIMULTANEOUS_QUERIES',
  'TIMEOUT_EXCEEDED',
  'QUERY_WAS_CANCELLED',
  'ABORTED',
]);

/** Whether ClickHouse did not answer, so that trying again later makes sense. */
export function isClickHouseUnavailable(error: unknown): boolean {
  if (error instanceof ClickHouseError) return UNREADY.has(error.type ?? '');
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/.test(code ?? '') ||
    error.message === 'Timeout error.'
  );
}
