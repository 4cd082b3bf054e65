import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../request/request-context.ts';
import { RequestQueue, type UnparsedBytes } from './request-queue.ts';
import { Turns } from './turns.ts';

/**
 * A client that takes none of the data that waits for it is disconnected after this time. The system's own buffers,
 * several megabytes for a fast client, hide at first what it takes.
 */
const UNREAD_MS = 60_000;

export interface ConnectionLimits {
  MAX_CONNECTIONS: number;
  MAX_CONNECTIONS_PER_ADDRESS: number;
  TRUSTED_PROXIES: number;
}

interface ConnectionsDependencies {
  limits: ConnectionLimits;
  /** Called with each request when its turn comes. */
  handle: RequestListener;
  /** Called for each connection over the limit, which is closed without a response. */
  onRefused: () => void;
  /** How long a client may leave data unread. */
  unreadMs?: number | undefined;
}

/** The open connections of a server. Limits their number, and the requests under way and the unread data of each. */
export class Connections {
  readonly #queues = new Map<Socket, RequestQueue>();
  readonly #perAddress = new Map<string, number>();
  readonly #shared = { turns: new Turns(), unparsed: { taken: 0 } satisfies UnparsedBytes };
  readonly #deps: ConnectionsDependencies;

  constructor(server: Server, deps: ConnectionsDependencies) {
    const { limits, onRefused, unreadMs = UNREAD_MS } = deps;
    this.#deps = deps;
    server.maxConnections = limits.MAX_CONNECTIONS;
    server.on('drop', onRefused);
    server.on('connection', (socket: Socket) => this.#open(socket));
    // Any activity on a connection restarts this timeout, including a response that is read slowly.
    server.timeout = unreadMs;
    server.on('timeout', (socket: Socket) => this.#endSilent(socket));
  }

  /** The requests of an open connection. */
  queueOf(socket: Socket): RequestQueue | undefined {
    return this.#queues.get(socket);
  }

  /** Ends connections that have never received a byte. */
  endUnused(): void {
    for (const socket of this.#queues.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  #open(socket: Socket): void {
    if (!this.#enter(socket)) {
      this.#deps.onRefused();
      socket.destroy();
      return;
    }
    this.#queues.set(socket, new RequestQueue(socket, this.#deps.handle, this.#shared));
    socket.once('close', () => this.#queues.delete(socket));
  }

  /** Takes a place of the address, unless all are taken. */
  #enter(socket: Socket): boolean {
    if (this.#deps.limits.TRUSTED_PROXIES > 0) return true;
    const address = networkOf(socket.remoteAddress ?? '');
    const open = this.#perAddress.get(address) ?? 0;
    if (open >= this.#deps.limits.MAX_CONNECTIONS_PER_ADDRESS) return false;
    this.#perAddress.set(address, open + 1);
    socket.once('close', () => this.#leave(address));
    return true;
  }

  #leave(address: string): void {
    const open = this.#perAddress.get(address) ?? 0;
    if (open > 1) this.#perAddress.set(address, open - 1);
    else this.#perAddress.delete(address);
  }

  /** Ends a connection without activity, unless the client waits for a response that is still being made. */
  #endSilent(socket: Socket): void {
    const queue = this.#queues.get(socket);
    if (!queue || queue.isIdle || socket.writableLength > 0) socket.destroy();
  }
}
