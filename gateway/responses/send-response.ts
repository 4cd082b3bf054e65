import type { Request, Response } from 'express';
import type { Freshness } from '#proto/saring/market_data/v1/datasets.ts';
import type { RenderedResponse } from './rendered-response.ts';
import type { HeaderPairs } from '../request/request-context.ts';
import { sendContent } from './send-json.ts';

/**
 * Sends a response and ends it. Headers name the dataset version, how fresh it is now, and where accepted work is polled, and mark
 * a replay. The status is 304, without a body, if the client already has the response. A large body is compressed if the client
 * accepts that.
 */
export function sendResponse(
  req: Request,
  res: Response,
  response: RenderedResponse,
  freshness?: Freshness,
): void | Promise<void> {
  const { mediaType, body, opaqueTag } = response;
  res.statusCode = response.status;
  const headers = headersOf(res, response, freshness);
  const condition = req.headers['if-none-match'];
  if (opaqueTag !== undefined && condition !== undefined && names(condition, opaqueTag))
    return void res.writeHead(304, headers).end();
  if (response.fileName !== undefined)
    headers.push('Content-Disposition', `attachment; filename="${response.fileName}"`);
  if (!response.isCompressible || req.acceptsEncodings('gzip', 'identity') !== 'gzip')
    return sendContent(res, mediaType, body, headers);
  headers.push('Content-Encoding', 'gzip');
  return response.gzipped().then((compressed) => sendContent(res, mediaType, compressed, headers));
}

function headersOf(res: Response, response: RenderedResponse, freshness: Freshness | undefined): HeaderPairs {
  const { datasetVersion, opaqueTag, isReplay, isInLanguages, language, nextCursor, polling } = response;
  const headers: HeaderPairs = [
    'Vary',
    isInLanguages ? 'Accept-Encoding, Accept-Language' : 'Accept-Encoding',
  ];
  // Where pages of other origins may call, the answer differs by their origin too.
  const varies = res.getHeader('Vary');
  if (varies !== undefined) headers[1] = `${String(varies)}, ${headers[1]}`;
  if (language !== undefined) headers.push('Content-Language', language);
  if (isReplay) headers.push('Idempotent-Replayed', 'true');
  if (datasetVersion !== undefined) headers.push('X-Dataset-Version', datasetVersion);
  if (nextCursor !== undefined) headers.push('X-Next-Cursor', nextCursor);
  if (polling !== undefined) headers.push('Location', polling.location, 'Retry-After', polling.afterSeconds);
  if (freshness !== undefined)
    headers.push(
      'X-Data-As-Of',
      freshness.data_as_of,
      'X-Data-Behind-Trading-Days',
      freshness.behind_trading_days,
    );
  // The tag is weak because compression changes the bytes. Caches must revalidate every time, because the next dataset can be
  // published at any moment.
  if (opaqueTag !== undefined) headers.push('ETag', `W/${opaqueTag}`, 'Cache-Control', 'private, no-cache');
  return headers;
}

/**
 * Weak comparison (RFC 9110, 13.1.2). Express's `req.fresh` does not work here: it treats `Cache-Control: no-cache`
 * as a request for the body, but `fetch` sends that header with every If-None-Match that an application sets.
 */
function names(condition: string, opaqueTag: string): boolean {
  return condition.trim() === '*' || (condition.match(/"[^"]*"/g)?.includes(opaqueTag) ?? false);
}
