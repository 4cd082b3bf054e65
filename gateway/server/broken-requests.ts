import { STATUS_CODES, type ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '#foundation/errors/error-codes.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { secondsToWait, type Count } from '../auth/rate-limit-counts.ts';
import type { UnauthenticatedBudget } from '../auth/unauthenticated-budget.ts';
import { errorEnvelope } from '../responses/errors.ts';
import type { Connections } from './connections.ts';
import type { RequestLog } from '../request/request-log.ts';
import { JSON_TYPE } from '../responses/send-json.ts';

/** A placeholder with the length of a request id. */
const SOME_ID = 'req_000000000000000000000000';
const [OVER_BUDGET_HEAD = '', OVER_BUDGET_TAIL = ''] = JSON.stringify(
  errorEnvelope(
    new ServiceError('rate_limited', 'Too many requests without a valid API key came from this address.'),
    SOME_ID,
  ),
).split(SOME_ID);

/** The answer to an address without budget. It is prepared at the start, because many may be needed. */
function overBudgetBody(requestId: string): string {
  return OVER_BUDGET_HEAD + requestId + OVER_BUDGET_TAIL;
}

/** Answers with 429 before the application sees the request. */
export function respondOverBudget(
  res: ServerResponse,
  spent: Count,
  requestId: string,
  { closes }: { closes: boolean },
): void {
  const body = overBudgetBody(requestId);
  const headers = ['Content-Type', JSON_TYPE, 'Content-Length', String(Buffer.byteLength(body))];
  headers.push('X-Request-ID', requestId, 'Retry-After', String(secondsToWait(spent)));
  if (closes) headers.push('Connection', 'close');
  res.writeHead(429, headers).end(body);
}

/** Answers on a bare connection, as Node hands it over, and ends the connection. */
function respondRaw(
  socket: Socket,
  status: number,
  body: string,
  headers: { 'X-Request-ID': string; [name: string]: string },
): void {
  const head = Object.entries({
    'Content-Type': JSON_TYPE,
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', body].join('\r\n'));
}

/** Statuses of Node's errors. That of all others is 400. */
const BROKEN: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

interface BrokenRequestDependencies {
  unauthenticated: UnauthenticatedBudget;
  requestLog: RequestLog;
}

/**
 * Answers bytes that are not an HTTP request, and CONNECT, which is not supported, in the contract's envelope.
 * Neither reaches the application.
 */
export function respondToBrokenRequests(
  server: Server,
  connections: Connections,
  deps: BrokenRequestDependencies,
): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // A connection that was opened ahead of its use expects no response.
    if (!socket.writable || error.code === 'ECONNRESET' || socket.bytesRead === 0) {
      socket.destroy();
      return;
    }
    const status = BROKEN[error.code ?? ''] ?? 400;
    const message = `The HTTP request cannot be read: ${STATUS_CODES[status]}.`;
    refuse(socket, deps, { status, code: 'invalid_request', message });
  });
  server.on('connect', (req: IncomingMessage, socket: Socket) => {
    // From here on, the server does not handle errors of the connection.
    socket.on('error', () => socket.destroy());
    // The client would take anything written now for the answer to an earlier request.
    if (!connections.queueOf(socket)?.isIdle) return void socket.destroy();
    const message = 'CONNECT is not allowed here; allowed: GET, HEAD, POST.';
    refuse(socket, deps, { status: 405, code: 'method_not_allowed', message }, req);
    socket.destroySoon();
  });
}

interface Refusal {
  status: number;
  code: ErrorCode;
  message: string;
}

function refuse(
  socket: Socket,
  { unauthenticated, requestLog }: BrokenRequestDependencies,
  { status, code, message }: Refusal,
  req?: IncomingMessage,
): void {
  const known = { method: req?.method, url: req?.url };
  const spent = unauthenticated.checkBroken(socket);
  if (spent) {
    const requestId = requestLog.logRefusal({ ...known, status: 429, code: 'rate_limited' });
    const headers = { 'X-Request-ID': requestId, 'Retry-After': String(secondsToWait(spent)) };
    respondRaw(socket, 429, overBudgetBody(requestId), headers);
    return;
  }
  const requestId = requestLog.logRefusal({ ...known, status, code });
  const { error } = errorEnvelope(new ServiceError(code, message), requestId);
  const headers = { 'X-Request-ID': requestId, ...(status === 405 && { Allow: 'GET, HEAD, POST' }) };
  respondRaw(socket, status, JSON.stringify({ error }), headers);
}
