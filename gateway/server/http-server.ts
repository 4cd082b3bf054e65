import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import type { IdSource } from '#shared/ids.ts';
import type { Count } from '../auth/rate-limit-counts.ts';
import type { StrangerBudget } from '../auth/stranger-budget.ts';
import { answerBrokenRequests, answerOverBudget } from './broken-requests.ts';
import { Connections, type ConnectionLimits } from './connections.ts';
import type { RequestLog } from './request-log.ts';

/** Longer than the idle time of usual load balancers, which would otherwise send into a closing connection. */
const KEEP_ALIVE_MS = 65_000;
/** For the arrival of a request, not for its answer. */
const REQUEST_ARRIVAL_MS = 30_000;
/** For its first part, from when the connection opens or the answer before it is out. */
const HEAD_ARRIVAL_MS = 15_000;
/** How often arrivals are looked at; they may take that much longer. */
const ARRIVAL_CHECK_MS = 5_000;
/** Requests in flight get this long when the gateway stops. */
const DRAIN_MS = 5_000;
const DRAIN_CHECK_MS = 50;

interface HttpServer {
  port: number;
  stop: () => Promise<void>;
}

interface HttpServerDependencies {
  app: Express;
  config: ConnectionLimits & { HOST: string; PORT: number };
  newId: IdSource;
  strangers: StrangerBudget;
  requestLog: RequestLog;
  /** As of `Connections`. */
  unreadMs?: number;
}

/** Serves until it is stopped; a stop lets requests in flight finish. */
export async function startHttpServer(deps: HttpServerDependencies): Promise<HttpServer> {
  const { config } = deps;
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_ARRIVAL_MS,
    headersTimeout: HEAD_ARRIVAL_MS,
    connectionsCheckingInterval: ARRIVAL_CHECK_MS,
    requireHostHeader: false,
  });
  const connections = admitRequests(server, deps);
  answerBrokenRequests(server, connections, deps);
  await listen(server, config.HOST, config.PORT);
  return { port: (server.address() as AddressInfo).port, stop: () => drain(server, connections) };
}

/**
 * What comes first for every request: whether its client has a budget left, and then whether it is its turn. When that
 * comes the budget may be spent, by keys that came before it and were nobody's.
 */
function admitRequests(server: Server, deps: HttpServerDependencies): Connections {
  const { app, config, newId, strangers, requestLog, unreadMs } = deps;
  // What else a stranger has sent is not worth reading. A proxy's connection carries the requests of others too.
  const closes = config.TRUSTED_PROXIES === 0;
  const refuse = (req: IncomingMessage, res: ServerResponse, spent: Count) => {
    const requestId = newId('req');
    answerOverBudget(res, spent, requestId, { closes });
    requestLog.logRefusal({ requestId, method: req.method, url: req.url, status: 429, code: 'rate_limited' });
  };
  const connections = new Connections(server, {
    limits: config,
    unreadMs,
    handle: (req, res) => {
      const spent = strangers.recheck(req);
      if (!spent) return void app(req, res);
      refuse(req, res, spent);
      if (closes) connections.queueOf(req.socket)?.cutOff();
    },
    onRefused: () => requestLog.countRefusedConnection(),
  });
  const admit = (req: IncomingMessage, res: ServerResponse) => {
    const queue = connections.queueOf(req.socket);
    if (!queue || queue.isClosing) return;
    const spent = strangers.check(req);
    if (!spent) return queue.add(req, res);
    refuse(req, res, spent);
    if (closes) queue.close();
  };
  server.on('request', admit);
  // Node would refuse what it cannot expect by itself, without an envelope. HTTP allows to ignore it instead.
  server.on('checkExpectation', admit);
  return connections;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new Error(`port ${port} on ${host} cannot be used: ${error.message}`, { cause: error })),
    );
    server.listen(port, host, resolve);
  });
}

/**
 * A kept-alive connection becomes idle only after its answer, so idle ones are closed again and again. Node counts none
 * as idle that never carried a request; those on which nothing has come are closed here.
 */
async function drain(server: Server, connections: Connections): Promise<void> {
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => {
    server.closeIdleConnections();
    connections.endUnused();
  }, DRAIN_CHECK_MS);
  const overdue = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(overdue);
}
