import type { Response } from 'express';
import type { HeaderPairs } from '../request/request-context.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** JSON text that is sent unchanged. */
export class JsonText {
  readonly text: string;
  /** The dataset version that the text rests on, if any. */
  readonly datasetVersion: string | undefined;
  /** The language of the sentences in the text, if any. */
  readonly language: string | undefined;

  constructor(text: string, datasetVersion?: string, language?: string) {
    this.text = text;
    this.datasetVersion = datasetVersion;
    this.language = language;
  }
}

/** An answer with a status other than 200, or a replay. */
export class JsonResponse {
  readonly status: number;
  readonly body: unknown;
  /** Whether an earlier request with the same idempotency key did the work. */
  readonly isReplay: boolean;

  constructor(status: number, body: unknown, { isReplay = false } = {}) {
    this.status = status;
    this.body = body;
    this.isReplay = isReplay;
  }
}

export function jsonText(body: unknown): string {
  return body instanceof JsonText ? body.text : JSON.stringify(body);
}

/** Ends the response with a JSON body. Does less work per request than Express's own `res.json`. */
export function sendJson(res: Response, status: number, body: unknown): void {
  res.statusCode = status;
  sendContent(res, JSON_TYPE, jsonText(body));
}

/** Ends the response with text or with encoded bytes. */
export function sendContent(
  res: Response,
  type: string,
  content: string | Buffer,
  headers: HeaderPairs = [],
): void {
  const ofContent = ['Content-Type', type, 'Content-Length', Buffer.byteLength(content)];
  res.writeHead(res.statusCode, [...headers, ...ofContent]);
  // The answers of one turn leave together, after its last request was handled, so that whoever reads several wakes once.
  queueMicrotask(() => res.end(content));
}
