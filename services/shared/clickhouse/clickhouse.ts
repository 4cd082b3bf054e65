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

/** Asks one server. Of a cluster it is the first, which asks the others; `cluster.ts` reaches each by itself. */
export interface ClickHouseClient extends ClickHouseNode {
  readonly cluster?: ClusterLayout & { readonly nodes: ClickHouseNode[] };
}

/**
 * Requests of one client that are under way at a time; others wait, and their deadlines run. With the ten that are usual,
 * readers of a server that takes 300 ms to answer wait for each other longer than for the server.
 */
const MAX_CONNECTIONS = 32;

/**
 * An insert is answered when each shard has its rows, not when they are on the way. What a condition or a join looks up is
 * gathered first and sent along: a shard has the rest of it nowhere, nor the tables of an import under way. Of servers
 * with the same rows all ask the same first one, so that what was written can be read at once. A server asks its own shard
 * as it asks the others, as the cluster's user: services have rights on the tables that span the shards alone.
 */
const OF_CLUSTER: ClickHouseSettings = {
  distributed_foreground_insert: 1,
  prefer_global_in_and_join: 1,
  allow_push_predicate_ast_for_distributed_subqueries: 0,
  parallel_distributed_insert_select: '0',
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
};

/** A client whose every request fails when nothing has arrived for `silenceMs`; an answer as a whole may take longer. */
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
    // Failures are thrown; a second, unstructured account of them would only spoil the log.
    log: { level: ClickHouseLogLevel.OFF },
    keep_alive: { idle_socket_ttl: 2_000 },
    clickhouse_settings: settings,
  });
}

/** The server answers, with its user and password. */
export function clickhouseAnswers(client: ClickHouseClient): () => Promise<unknown> {
  return async () => {
    const answer = await client.ping({ select: true });
    if (!answer.success) throw answer.error;
  };
}

/** Answers of a server that is there but cannot serve: not set up yet, starting, overloaded, stopping. */
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
export function isClickHouseAway(error: unknown): boolean {
  if (error instanceof ClickHouseError) return UNREADY.has(error.type ?? '');
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/.test(code ?? '') ||
    error.message === 'Timeout error.'
  );
}
