import type { Response } from 'express';
import type { Language } from '#shared/text/languages.ts';

/** JSON that is already text, sent as it is. */
export class JsonText {
  readonly text: string;
  /** The version it rests on, of text that may rest on one. */
  readonly datasetVersion: string | undefined;
  /** That of its sentences, of text that has any. */
  readonly language: Language | undefined;

  constructor(text: string, datasetVersion?: string, language?: Language) {
    this.text = text;
    this.datasetVersion = datasetVersion;
    this.language = language;
  }
}

/** An answer with another status than 200, or one that is a replay. */
export class Answer {
  readonly status: number;
  readonly body: unknown;
  /** Whether an earlier request with the same idempotency key did what this answers. */
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

/** Ends the response with a JSON body. Shorter than Express's own way, which each request would pay for. */
export function sendJson(res: Response, status: number, body: unknown): void {
  res.statusCode = status;
  sendText(res, jsonText(body));
}

/** Ends the response with JSON as text, or as the bytes of an encoded one. */
export function sendText(res: Response, text: string | Buffer): void {
  sendContent(res, 'application/json; charset=utf-8', text);
}

export function sendContent(res: Response, type: string, content: string | Buffer): void {
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', Buffer.byteLength(content));
  res.end(content);
}
