import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import type { UnauthenticatedBudget } from '../auth/unauthenticated-budget.ts';
import { respondToBrokenRequests, respondOverBudget } from './broken-requests.ts';
import { Connections, type ConnectionLimits } from './connections.ts';
import type { CrossOrigin } from './cross-origin.ts';
import type { RequestLog } from '../request/request-log.ts';

/** Longer than the idle timeout of common load balancers, which would otherwise send into a closing connection. */
const KEEP_ALIVE_MS = 65_000;
/** Time limit for the arrival of a request, not for its response. */
const REQUEST_ARRIVAL_MS = 30_000;
/** Time limit for the head of a request. It starts when the connection opens or the previous answer has been sent. */
const HEAD_ARRIVAL_MS = 15_000;
/** How often both limits are checked. A request may take that much longer. */
const ARRIVAL_CHECK_MS = 5_000;
/** How long a stop of the gateway waits for requests in flight. */
const DRAIN_MS = 5_000;
const DRAIN_CHECK_MS = 50;

interface HttpServer {
  port: number;
  stop: () => Promise<void>;
}

interface HttpServerDependencies {
  app: Express;
  config: ConnectionLimits & { HOST: string; PORT: number };
  crossOrigin: CrossOrigin;
  unauthenticated: UnauthenticatedBudget;
  requestLog: RequestLog;
  /** As in `Connections`. */
  unreadMs?: number;
  /** How long a stop waits for requests in flight. */
  drainMs?: number;
}

/** Serves until it is stopped. A stop lets requests in flight finish. */
export async function startHttpServer(deps: HttpServerDependencies): Promise<HttpServer> {
  const { config, drainMs = DRAIN_MS } = deps;
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_ARRIVAL_MS,
    headersTimeout: HEAD_ARRIVAL_MS,
    connectionsCheckingInterval: ARRIVAL_CHECK_MS,
    requireHostHeader: false,
  });
  const connections = admitRequests(server, deps);
  respondToBrokenRequests(server, connections, deps);
  await listen(server, config.HOST, config.PORT);
  return { port: (server.address() as AddressInfo).port, stop: () => drain(server, connections, drainMs) };
}

/** Every request waits for its turn, and then for the check whether its client has budget left. */
function admitRequests(server: Server, deps: HttpServerDependencies): Connections {
  const { app, config, crossOrigin, unauthenticated, requestLog, unreadMs } = deps;
  // Anything else that an unauthenticated client sends is not worth reading. The connection of a proxy stays open, because it also
  // carries requests of others.
  const closes = config.TRUSTED_PROXIES === 0;
  const connections = new Connections(server, {
    limits: config,
    unreadMs,
    handle: (req, res) => {
      crossOrigin.allow(req, res);
      const spent = crossOrigin.isPreflight(req) ? undefined : unauthenticated.check(req);
      if (!spent) return void app(req, res);
      const { method, url } = req;
      const requestId = requestLog.logRefusal({ method, url, status: 429, code: 'rate_limited' });
      respondOverBudget(res, spent, requestId, { closes });
      if (closes) connections.queueOf(req.socket)?.cutOff();
    },
    onRefused: () => requestLog.countRefusedConnection(),
  });
  const admit = (req: IncomingMessage, res: ServerResponse) => connections.queueOf(req.socket)?.add(req, res);
  server.on('request', admit);
  // Node would refuse an unknown Expect header without an envelope. HTTP allows servers to ignore the header.
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
 * Connections become idle only after their response, so idle ones are closed repeatedly. Node does not count
 * connections that never carried a request as idle; those that received nothing are closed here.
 */
async function drain(server: Server, connections: Connections, drainMs: number): Promise<void> {
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => {
    server.closeIdleConnections();
    connections.endUnused();
  }, DRAIN_CHECK_MS);
  const overdue = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearInterval(idle);
  clearTimeout(overdue);
}
