import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Step, Turns } from './turns.ts';

/** Per connection. Answers are held in memory until the client has read those before them. */
export const MAX_IN_FLIGHT = 16;

/** Bytes of answers that may wait for the client while another request of its connection begins. */
const MAX_UNREAD_BYTES = 65_536;

/** What is parsed at a time, unless the head of a request ends sooner. */
const PIECE_BYTES = 16_384;

/** The end of the head of every request: Node accepts no other. */
const HEAD_END = '\r\n\r\n';

/** For all connections together. Of each, Node reads 128 KiB ahead at most. */
const MAX_UNPARSED_BYTES = 33_554_432;

/** Bytes of all connections that were read and wait to be parsed. */
export interface UnparsedBytes {
  taken: number;
}

interface Shared {
  turns: Turns;
  unparsed: UnparsedBytes;
}

type Parse = (bytes: Buffer) => void;

/**
 * The requests of one connection. Only a few are handled at a time, and none begins while answers wait for the client. Node would
 * parse whatever has arrived in one go, thousands of requests that each take 3 KB and hold up everybody else. Here it gets one
 * request at a time, and none while another one waits: a client that sends without reading its responses must keep its data in its
 * own memory.
 */
export class RequestQueue {
  readonly #socket: Socket;
  readonly #handle: RequestListener;
  readonly #shared: Shared;
  readonly #parse: Parse;
  readonly #inFlight = new Set<ServerResponse>();
  /** One, or two if the head of the first arrived in parts. */
  readonly #waiting: [IncomingMessage, ServerResponse][] = [];
  /** The request whose body is arriving. */
  #receiving: IncomingMessage | undefined;
  /** What was read and is not parsed yet. */
  #rest: Buffer | undefined;
  /** Whether nothing more is read until that is parsed. */
  #isHolding = false;
  /** How much of `UnparsedBytes` is this connection's. */
  #unparsed = 0;
  #isClosing = false;

  constructor(socket: Socket, handle: RequestListener, shared: Shared) {
    this.#socket = socket;
    this.#handle = handle;
    this.#shared = shared;
    this.#parse = takeParser(socket);
    const goOn = () => this.#goOn();
    socket.on('data', (bytes: Buffer) => {
      this.#rest = this.#rest ? Buffer.concat([this.#rest, bytes]) : bytes;
      this.#goOn();
    });
    // Node resumes a connection once a body is wanted again, or once answers have left that made it stop.
    socket.on('resume', goOn).on('drain', goOn);
    socket.once('close', () => this.#abandon());
  }

  add(req: IncomingMessage, res: ServerResponse): void {
    this.#receiving = req;
    if (!this.#isClosing) this.#waiting.push([req, res]);
  }

  /** Parses nothing more and drops requests that wait. Those in flight are still answered. */
  cutOff(): void {
    this.#isClosing = true;
    this.#waiting.length = 0;
  }

  get isIdle(): boolean {
    return this.#inFlight.size === 0 && this.#waiting.length === 0;
  }

  #goOn(): void {
    if (this.#socket.destroyed) return;
    if (this.#hasMore) this.#shared.turns.add(this.#step);
    this.#countUnparsed();
  }

  get #hasMore(): boolean {
    return this.#rest !== undefined || this.#waiting.length > 0;
  }

  /** Parses the next request, unless one waits, and begins it, unless it must wait. */
  readonly #step: Step = () => {
    if (this.#socket.destroyed) return false;
    const hasParsed = this.#waiting.length === 0 && this.#parsePiece();
    const next = this.#waiting.length > 0 && this.#mayBegin ? this.#waiting.shift() : undefined;
    if (next) this.#begin(...next);
    this.#countUnparsed();
    return !this.#socket.destroyed && (hasParsed || next !== undefined) && this.#hasMore;
  };

  /** Returns whether there was anything to parse. */
  #parsePiece(): boolean {
    const bytes = this.#rest;
    if (bytes === undefined || !this.#mayParse) return false;
    this.#rest = undefined;
    // The connection is being ended, with an answer to bytes that are no request: the end of the other side is still awaited.
    if (this.#socket.writableEnded) return true;
    const headEnd = bytes.indexOf(HEAD_END);
    const length = Math.min(headEnd < 0 ? bytes.length : headEnd + HEAD_END.length, PIECE_BYTES);
    if (length < bytes.length) this.#rest = bytes.subarray(length);
    this.#parse(length < bytes.length ? bytes.subarray(0, length) : bytes);
    if (this.#receiving?.complete) this.#receiving = undefined;
    return true;
  }

  /** False while answers or a body wait to be read, and once this connection is about to end. */
  get #mayParse(): boolean {
    if (this.#isClosing) return false;
    // Set by Node's server while answers pile up. Anything that its parser is given then ends the process.
    if ((this.#socket as { _paused?: boolean })._paused) return false;
    const body = this.#receiving;
    return !body || body.readableLength < body.readableHighWaterMark;
  }

  #begin(req: IncomingMessage, res: ServerResponse): void {
    this.#inFlight.add(res);
    res.once('close', () => this.#end(res));
    this.#handle(req, res);
  }

  /** False while too many are in flight, or too much of their responses has not left for the client. */
  get #mayBegin(): boolean {
    if (this.#socket.writableNeedDrain || this.#inFlight.size >= MAX_IN_FLIGHT) return false;
    let unread = 0;
    for (const { writableLength } of this.#inFlight) unread += writableLength;
    return this.#inFlight.size === 0 || unread < MAX_UNREAD_BYTES;
  }

  #end(res: ServerResponse): void {
    this.#inFlight.delete(res);
    this.#goOn();
  }

  /**
   * Takes nothing more from the connection while more than a piece waits. Over the limit of all connections together, one that has
   * sent that much is ended.
   */
  #countUnparsed(): void {
    const taken = this.#rest?.length ?? 0;
    const bytes = taken + this.#socket.readableLength;
    this.#shared.unparsed.taken += bytes - this.#unparsed;
    this.#unparsed = bytes;
    if (bytes > PIECE_BYTES && this.#shared.unparsed.taken > MAX_UNPARSED_BYTES) this.#socket.destroy();
    const wasHolding = this.#isHolding;
    this.#isHolding = taken > PIECE_BYTES;
    // Node may have resumed it meanwhile.
    if (this.#isHolding) this.#socket.pause();
    else if (wasHolding) this.#socket.resume();
  }

  #abandon(): void {
    this.cutOff();
    this.#shared.turns.remove(this.#step);
    this.#rest = undefined;
    this.#shared.unparsed.taken -= this.#unparsed;
    this.#unparsed = 0;
  }
}

/** Takes over Node's own listener, which parses all that it is given. */
function takeParser(socket: Socket): Parse {
  const [parse] = socket.listeners('data') as Parse[];
  if (!parse)
    throw new Error('this version of Node reads connections in a way that the gateway does not know');
  socket.off('data', parse);
  return parse;
}
