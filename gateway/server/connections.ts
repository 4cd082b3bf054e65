import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { GatewayConfig } from '../config.ts';
import { networkOf } from './request-context.ts';
import { RequestQueue, type WaitingRoom } from './request-queue.ts';

/**
 * A client that takes nothing of what is there for it for so long is given up. The system's own buffers, of some
 * megabytes for a quick client, hide what it takes at first.
 */
const UNREAD_MS = 60_000;

export type ConnectionLimits = Pick<
  GatewayConfig,
  'MAX_CONNECTIONS' | 'MAX_CONNECTIONS_PER_ADDRESS' | 'TRUSTED_PROXIES'
>;

interface ConnectionsDependencies {
  limits: ConnectionLimits;
  /** Is called with each request when its turn comes. */
  handle: RequestListener;
  /** Is called for each connection that is one too many, and is closed without an answer. */
  onRefused: () => void;
  /** How long a client may leave what is there for it. */
  unreadMs?: number | undefined;
}

/** The open connections of a server: how many there are, and what each may have under way and unread. */
export class Connections {
  readonly #queues = new Map<Socket, RequestQueue>();
  readonly #perAddress = new Map<string, number>();
  readonly #waitingRoom: WaitingRoom = { taken: 0 };
  readonly #deps: ConnectionsDependencies;

  constructor(server: Server, deps: ConnectionsDependencies) {
    const { limits, onRefused, unreadMs = UNREAD_MS } = deps;
    this.#deps = deps;
    server.maxConnections = limits.MAX_CONNECTIONS;
    server.on('drop', onRefused);
    server.on('connection', (socket: Socket) => this.#open(socket));
    // Anything that moves on a connection begins this time anew, an answer that is read slowly as well.
    server.timeout = unreadMs;
    server.on('timeout', (socket: Socket) => this.#endSilent(socket));
  }

  /** The requests of a connection that is open. */
  queueOf(socket: Socket): RequestQueue | undefined {
    return this.#queues.get(socket);
  }

  /** Ends those on which nothing has ever come. */
  endUnused(): void {
    for (const socket of this.#queues.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  #open(socket: Socket): void {
    if (!this.#enter(socket)) {
      this.#deps.onRefused();
      socket.destroy();
      return;
    }
    this.#queues.set(socket, new RequestQueue(socket, this.#deps.handle, this.#waitingRoom));
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

  /** Nothing has moved. That is in order only while the client waits for an answer that is still being made. */
  #endSilent(socket: Socket): void {
    const queue = this.#queues.get(socket);
    if (!queue || queue.isIdle || socket.writableLength > 0) socket.destroy();
  }
}
