import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { IdSource } from '#shared/ids.ts';
import { ServiceError } from '#shared/service-error.ts';
import { errorEnvelope } from './errors.ts';

const STATUS_BY_CODE: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Bytes that are no HTTP request never reach the application; they too are answered in the contract's envelope. */
export function answerBrokenRequests(server: Server, newId: IdSource): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const status = STATUS_BY_CODE[error.code ?? ''] ?? 400;
    const reason = STATUS_CODES[status] ?? 'Bad Request';
    const requestId = newId('req');
    const refusal = new ServiceError('invalid_request', `The HTTP request cannot be read: ${reason}.`);
    const body = JSON.stringify({ error: errorEnvelope(refusal, requestId).error });
    const head = [
      `HTTP/1.1 ${status} ${reason}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-ID: ${requestId}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}
