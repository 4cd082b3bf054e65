import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';

/** For what changes with the release alone. Browsers keep it for an hour and then revalidate it. */
export const AN_HOUR = { 'Cache-Control': 'public, max-age=3600' };

/** A handler that is made at its first request, so that what nobody asks for costs nothing. */
export function atFirstRequest(make: () => RequestHandler | Promise<RequestHandler>): RequestHandler {
  let made: RequestHandler | Promise<RequestHandler> | undefined;
  return async (...request) => (await (made ??= make()))(...request);
}

/** A large text of which all answers share one copy, compressed for whoever takes that: anybody may ask for it at any rate. */
export function sharedText(type: string, text: string, headers: Record<string, string> = {}): RequestHandler {
  const bytes = Buffer.from(text);
  const tag = tagOf(bytes);
  const compressed = gzipSync(bytes);
  return (req, res) => {
    const isCompressed = req.acceptsEncodings('gzip', 'identity') === 'gzip';
    res.set({ ...headers, ETag: tag, ...(isCompressed && { 'Content-Encoding': 'gzip' }) });
    res
      .vary('Accept-Encoding')
      .type(type)
      .send(isCompressed ? compressed : bytes);
  };
}

/** A file. It is always sent whole, so no range request can go wrong. */
export function sharedFile(type: string, bytes: Buffer): RequestHandler {
  const tag = tagOf(bytes);
  return (_req, res) =>
    void res
      .set({ ...AN_HOUR, ETag: tag })
      .type(type)
      .send(bytes);
}

function tagOf(bytes: Buffer): string {
  return `"${hash('sha1', bytes, 'base64url')}"`;
}
