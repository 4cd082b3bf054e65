import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Router } from 'express';
import { atFirstRequest, sharedFile, sharedText } from '../responses/shared-content.ts';
import { OWN, pagePolicy } from '../responses/page-policy.ts';

const SWAGGER_UI = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
export const OPENAPI_DOCUMENT = '/api/openapi.json';

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

/** A script of the page, in the language of browsers. */
const START = path.join(import.meta.dirname, 'docs-page-start.js');

/** Its style sheet embeds images of its own. */
const policy = pagePolicy({ scriptSrc: OWN, imgSrc: [...OWN, 'data:'], connectSrc: OWN });

/**
 * Serves the OpenAPI document, and a reference page that needs no other server. Neither is made or read before the first request
 * for it.
 */
export function docs(documentOf: () => object, withPage: boolean): Router {
  const router = Router({ caseSensitive: true });
  router.get(
    OPENAPI_DOCUMENT,
    atFirstRequest(() => sharedText('application/json', JSON.stringify(documentOf()))),
  );
  if (!withPage) return router;
  router.get('/api/docs', policy, (_req, res) => void res.type('text/html').send(PAGE));
  router.get(
    '/api/docs/start.js',
    atFirstRequest(() => sharedFile('text/javascript', readFileSync(START))),
  );
  for (const file of FILES) {
    const read = () => sharedFile(path.extname(file), readFileSync(path.join(SWAGGER_UI, file)));
    router.get(`/api/docs/${file}`, atFirstRequest(read));
  }
  return router;
}
