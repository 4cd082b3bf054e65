import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';
import type { IdSource } from '#shared/ids.ts';
import { answerBrokenRequests } from './broken-requests.ts';

/** Longer than the idle time of usual load balancers, which would otherwise send into a closing connection. */
const KEEP_ALIVE_MS = 65_000;
/** For the arrival of a request, not for its answer. */
const REQUEST_ARRIVAL_MS = 30_000;
/** Requests in flight get this long when the gateway stops. */
const DRAIN_MS = 5_000;
const DRAIN_CHECK_MS = 50;

export interface HttpServer {
  port: number;
  stop: () => Promise<void>;
}

/** Serves until it is stopped; a stop lets requests in flight finish. */
export async function startHttpServer(
  app: Express,
  { HOST, PORT }: { HOST: string; PORT: number },
  newId: IdSource,
): Promise<HttpServer> {
  const timeouts = { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_ARRIVAL_MS };
  const server = createServer({ ...timeouts, requireHostHeader: false }, app);
  answerBrokenRequests(server, newId);
  const connections = openConnections(server);
  // Node would refuse what it cannot expect by itself, without an envelope. HTTP allows to ignore it instead.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  await listen(server, HOST, PORT);
  return { port: (server.address() as AddressInfo).port, stop: () => drain(server, connections) };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new Error(`port ${port} on ${host} cannot be used: ${error.message}`, { cause: error })),
    );
    server.listen(port, host, resolve);
  });
}

function openConnections(server: Server): Set<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

/**
 * A kept-alive connection becomes idle only after its answer, so idle ones are closed again and again. Node counts none
 * as idle that never carried a request; those on which nothing has come are closed here.
 */
async function drain(server: Server, connections: Set<Socket>): Promise<void> {
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => {
    server.closeIdleConnections();
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  }, DRAIN_CHECK_MS);
  const overdue = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(overdue);
}
