import type { Request, Response } from 'express';
import type { Freshness } from '#proto/saring/market_data/v1/datasets.ts';
import type { RenderedResponse } from './rendered-response.ts';
import { sendContent } from './send-json.ts';

/**
 * Sends a response and ends it. Headers name the dataset version, how fresh it is now, and where accepted work is polled, and mark
 * a replay. The status is 304, without a body, if the client already has the response. A large body is compressed if the client
 * accepts that.
 */
export async function sendResponse(
  req: Request,
  res: Response,
  response: RenderedResponse,
  freshness?: Freshness,
): Promise<void> {
  const { status, mediaType, body, datasetVersion, opaqueTag, isReplay, isInLanguages, language } = response;
  res.statusCode = status;
  res.vary(isInLanguages ? 'Accept-Encoding, Accept-Language' : 'Accept-Encoding');
  if (language !== undefined) res.setHeader('Content-Language', language);
  if (isReplay) res.setHeader('Idempotent-Replayed', 'true');
  if (datasetVersion !== undefined) res.setHeader('X-Dataset-Version', datasetVersion);
  if (response.nextCursor !== undefined) res.setHeader('X-Next-Cursor', response.nextCursor);
  if (response.polling !== undefined) {
    res.setHeader('Location', response.polling.location);
    res.setHeader('Retry-After', response.polling.afterSeconds);
  }
  if (freshness !== undefined) {
    res.setHeader('X-Data-As-Of', freshness.data_as_of);
    res.setHeader('X-Data-Behind-Trading-Days', freshness.behind_trading_days);
  }
  if (opaqueTag !== undefined && isKnownToClient(req, res, opaqueTag)) {
    res.statusCode = 304;
    res.end();
    return;
  }
  if (response.fileName !== undefined)
    res.setHeader('Content-Disposition', `attachment; filename="${response.fileName}"`);
  if (!response.isCompressible || req.acceptsEncodings('gzip', 'identity') !== 'gzip') {
    sendContent(res, mediaType, body);
    return;
  }
  const compressed = await response.gzipped();
  res.setHeader('Content-Encoding', 'gzip');
  sendContent(res, mediaType, compressed);
}

/**
 * The tag is weak because compression changes the bytes. Caches must revalidate every time, because the next dataset
 * can be published at any moment.
 */
function isKnownToClient(req: Request, res: Response, opaqueTag: string): boolean {
  res.setHeader('ETag', `W/${opaqueTag}`);
  res.setHeader('Cache-Control', 'private, no-cache');
  const condition = req.headers['if-none-match'];
  return condition !== undefined && names(condition, opaqueTag);
}

/**
 * Weak comparison (RFC 9110, 13.1.2). Express's `req.fresh` does not work here: it treats `Cache-Control: no-cache`
 * as a request for the body, but `fetch` sends that header with every If-None-Match that an application sets.
 */
function names(condition: string, opaqueTag: string): boolean {
  return condition.trim() === '*' || (condition.match(/"[^"]*"/g)?.includes(opaqueTag) ?? false);
}
