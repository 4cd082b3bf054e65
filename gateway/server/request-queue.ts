import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Of one connection. Their answers are held in memory until the client has read those before them. */
export const MAX_IN_FLIGHT = 16;

/** Of all connections together; parsed requests take about 3 KB each. */
const MAX_WAITING = 10_000;

/** How many requests of all connections wait for their turn. */
export interface WaitingRoom {
  taken: number;
}

/**
 * The requests of one connection. No more than a few are handled at a time, and nothing is read from the connection
 * while others wait: what a client sends without reading its answers stays in its own memory. Node itself reads on
 * until answers pile up, which is too late for answers that take a moment to make. What has arrived with the request
 * that is one too many is parsed already and waits here: 64 KiB at most.
 */
export class RequestQueue {
  readonly #socket: Socket;
  readonly #handle: RequestListener;
  readonly #room: WaitingRoom;
  readonly #inFlight = new Set<ServerResponse>();
  readonly #waiting: [IncomingMessage, ServerResponse][] = [];
  #isClosing = false;

  constructor(socket: Socket, handle: RequestListener, room: WaitingRoom) {
    this.#socket = socket;
    this.#handle = handle;
    this.#room = room;
    // Node resumes a connection for reasons of its own: a drained buffer, a body that is wanted or thrown away.
    socket.on('resume', () => this.#isHeld && this.#hold());
    socket.once('close', () => this.#abandon());
  }

  add(req: IncomingMessage, res: ServerResponse): void {
    if (this.#isClosing) return;
    if (this.#inFlight.size < MAX_IN_FLIGHT) return this.#begin(req, res);
    if (this.#room.taken >= MAX_WAITING) return this.#giveUp();
    this.#room.taken++;
    this.#waiting.push([req, res]);
    this.#hold();
  }

  /** Reads and handles nothing more; what was added before is answered still. */
  close(): void {
    this.#isClosing = true;
    this.#hold();
  }

  /** Drops what waits as well. */
  cutOff(): void {
    this.close();
    this.#abandon();
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  get isIdle(): boolean {
    return this.#inFlight.size === 0;
  }

  get #isHeld(): boolean {
    return this.#waiting.length > 0 || this.#isClosing;
  }

  #begin(req: IncomingMessage, res: ServerResponse): void {
    this.#inFlight.add(res);
    res.once('close', () => this.#end(res));
    this.#handle(req, res);
  }

  #end(res: ServerResponse): void {
    this.#inFlight.delete(res);
    if (this.#socket.destroyed) return;
    const next = this.#waiting.shift();
    if (!next) return;
    this.#room.taken--;
    if (!this.#isHeld) this.#socket.resume();
    this.#begin(...next);
  }

  #hold(): void {
    // Where it was resumed and paused in the same turn, Node reads all the same and a second pause says nothing.
    if (this.#socket.isPaused()) this.#socket.emit('pause');
    else this.#socket.pause();
  }

  #giveUp(): void {
    this.#isClosing = true;
    this.#socket.destroy();
  }

  #abandon(): void {
    this.#room.taken -= this.#waiting.length;
    this.#waiting.length = 0;
  }
}
