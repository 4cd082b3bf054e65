import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { Router, type RequestHandler } from 'express';
import { OWN, pagePolicy } from '../server/page-policy.ts';

const SWAGGER_UI = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Saring API</title>
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/api/docs/favicon-32x32.png">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`;

const START = `window.ui = SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** Its style sheet embeds images of its own. */
const policy = pagePolicy({ scriptSrc: OWN, imgSrc: [...OWN, 'data:'], connectSrc: OWN });

/**
 * Serves the OpenAPI document, and a reference page that needs no other server. Neither is made or read before the first request
 * for it.
 */
export function docs(documentOf: () => object, withPage: boolean): Router {
  const router = Router({ caseSensitive: true });
  router.get(
    '/api/openapi.json',
    atFirstRequest(() => shared('application/json', Buffer.from(JSON.stringify(documentOf())))),
  );
  if (!withPage) return router;
  router.get('/api/docs', policy, text('text/html', PAGE));
  router.get('/api/docs/start.js', text('text/javascript', START));
  for (const file of FILES) {
    const read = () => kept(path.extname(file), readFileSync(path.join(SWAGGER_UI, file)));
    router.get(`/api/docs/${file}`, atFirstRequest(read));
  }
  return router;
}

function atFirstRequest(make: () => RequestHandler): RequestHandler {
  let made: RequestHandler | undefined;
  return (...request) => (made ??= make())(...request);
}

function text(type: string, body: string): RequestHandler {
  return (_req, res) => void res.type(type).send(body);
}

/** A large text of which all answers share one copy, compressed for whoever takes that: anybody may ask for it at any rate. */
function shared(type: string, bytes: Buffer): RequestHandler {
  const tag = `"${hash('sha1', bytes, 'base64url')}"`;
  const compressed = gzipSync(bytes);
  return (req, res) => {
    const isCompressed = req.acceptsEncodings('gzip', 'identity') === 'gzip';
    res.set({ ETag: tag, ...(isCompressed && { 'Content-Encoding': 'gzip' }) });
    res
      .vary('Accept-Encoding')
      .type(type)
      .send(isCompressed ? compressed : bytes);
  };
}

/** A file that browsers keep for an hour and then revalidate. It is always sent whole, so no range request can go wrong. */
function kept(type: string, bytes: Buffer): RequestHandler {
  const tag = `"${hash('sha1', bytes, 'base64url')}"`;
  return (_req, res) => {
    res.set({ 'Cache-Control': 'public, max-age=3600', ETag: tag });
    res.type(type).send(bytes);
  };
}
