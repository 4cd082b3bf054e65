import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { isMarketData, type Route } from './define-route.ts';
import { Answer, jsonText, sendText } from './send-json.ts';

/** Shorter bodies (in characters) fit into a packet anyway. */
const MIN_COMPRESSED_LENGTH = 1_024;
const compress = promisify(gzip);

/**
 * Ends the response with what a handler answered: what is known of its dataset in headers, 304 in place of a body that
 * the client has already, compressed if it is large and the client takes that.
 */
export async function sendAnswer(
  req: Request,
  res: Response,
  route: Route,
  answered: unknown,
): Promise<void> {
  const { status, body } = answered instanceof Answer ? answered : new Answer(200, answered);
  const text = jsonText(body);
  res.statusCode = status;
  res.setHeader('Vary', 'Accept-Encoding');
  if (isMarketData(route)) {
    res.setHeader('X-Dataset-Version', (body as { dataset_version: string }).dataset_version);
    if (route.method === 'get' && isKnownToClient(req, res, text)) {
      res.statusCode = 304;
      res.end();
      return;
    }
  }
  if (text.length < MIN_COMPRESSED_LENGTH || req.acceptsEncodings('gzip', 'identity') !== 'gzip') {
    sendText(res, text);
    return;
  }
  const compressed = await compress(text, { level: constants.Z_BEST_SPEED });
  res.setHeader('Content-Encoding', 'gzip');
  sendText(res, compressed);
}

/**
 * The tag is made of the answer itself, which names its dataset version. A tag made of version and request alone would
 * miss what else an answer depends on: the day in Jakarta (`is_partial`, `today`) and a release that answers more than
 * the one before. It is weak because compression changes the bytes. The service is asked each time, and no cache may
 * do without: the next dataset can be published at any moment, and what a gateway knows of it is always a bit late.
 */
function isKnownToClient(req: Request, res: Response, text: string): boolean {
  const opaqueTag = `"${hash('sha1', text, 'base64url')}"`;
  res.setHeader('ETag', `W/${opaqueTag}`);
  res.setHeader('Cache-Control', 'private, no-cache');
  const condition = req.headers['if-none-match'];
  return condition !== undefined && names(condition, opaqueTag);
}

/**
 * Weak comparison (RFC 9110, 13.1.2). Express's own `req.fresh` is of no use: it takes `Cache-Control: no-cache` for a
 * wish to have the body, but `fetch` sends that with every If-None-Match that an application sets.
 */
function names(condition: string, opaqueTag: string): boolean {
  return condition.trim() === '*' || (condition.match(/"[^"]*"/g)?.includes(opaqueTag) ?? false);
}
