import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Per connection. Answers are held in memory until the client has read those before them. */
export const MAX_IN_FLIGHT = 16;

/** Bytes of answers that may wait for the client while another request of its connection begins. */
const MAX_UNREAD_BYTES = 65_536;

/** For all connections together. A parsed request takes about 3 KB. */
const MAX_WAITING = 10_000;

/** How many requests of all connections are waiting. */
export interface WaitingRoom {
  taken: number;
}

/**
 * The requests of one connection. Only a few are handled at a time, none begins while answers wait for the client, and nothing
 * is read from the connection while requests wait: a client that sends without reading its answers must keep its data in its
 * own memory. Node itself goes on reading until answers pile up, which is too late for answers that take a moment to make.
 * Requests that arrived together with the first one over the limit are already parsed and wait here: 64 KiB at most. In one turn
 * of the event loop a connection begins no more requests than it may have in flight, so that others get their turn.
 */
export class RequestQueue {
  readonly #socket: Socket;
  readonly #handle: RequestListener;
  readonly #room: WaitingRoom;
  readonly #inFlight = new Set<ServerResponse>();
  readonly #waiting: [IncomingMessage, ServerResponse][] = [];
  #isClosing = false;
  #nextTurn: NodeJS.Immediate | undefined;

  constructor(socket: Socket, handle: RequestListener, room: WaitingRoom) {
    this.#socket = socket;
    this.#handle = handle;
    this.#room = room;
    // Node resumes a connection for reasons of its own: a drained buffer, or a body that is read or discarded.
    socket.on('resume', () => this.#isHeld && this.#hold());
    socket.on('drain', () => this.#continue());
    socket.once('close', () => this.#abandon());
  }

  add(req: IncomingMessage, res: ServerResponse): void {
    if (this.#isClosing) return;
    if (this.#waiting.length === 0 && this.#mayBegin) return this.#begin(req, res);
    if (this.#room.taken >= MAX_WAITING) return this.#giveUp();
    this.#room.taken++;
    this.#waiting.push([req, res]);
    this.#hold();
  }

  /** Reads nothing more and accepts no more requests. Those already added are still answered. */
  close(): void {
    this.#isClosing = true;
    this.#hold();
  }

  /** Also drops the requests that wait. */
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

  /** False while too many are in flight, or too much of their answers has not left for the client. */
  get #mayBegin(): boolean {
    if (this.#socket.writableNeedDrain || this.#inFlight.size >= MAX_IN_FLIGHT) return false;
    let unread = 0;
    for (const { writableLength } of this.#inFlight) unread += writableLength;
    return this.#inFlight.size === 0 || unread < MAX_UNREAD_BYTES;
  }

  #end(res: ServerResponse): void {
    this.#inFlight.delete(res);
    this.#continue();
  }

  #continue(): void {
    if (this.#socket.destroyed || this.#waiting.length === 0) return;
    this.#nextTurn ??= setImmediate(() => {
      this.#nextTurn = undefined;
      this.#beginWaiting();
    });
  }

  #beginWaiting(): void {
    for (let begun = 0; begun < MAX_IN_FLIGHT && this.#mayBegin; begun++) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#room.taken--;
      if (!this.#isHeld) this.#socket.resume();
      this.#begin(...next);
    }
    // Nothing in flight would wake the queue again.
    if (this.#inFlight.size === 0 && !this.#socket.writableNeedDrain) this.#continue();
  }

  #hold(): void {
    // If the socket was resumed and paused in one turn, Node reads anyway, and a second `pause()` emits no event.
    if (this.#socket.isPaused()) this.#socket.emit('pause');
    else this.#socket.pause();
  }

  #giveUp(): void {
    this.#isClosing = true;
    this.#socket.destroy();
  }

  #abandon(): void {
    clearImmediate(this.#nextTurn);
    this.#room.taken -= this.#waiting.length;
    this.#waiting.length = 0;
  }
}
