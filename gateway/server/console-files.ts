import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hash } from 'node:crypto';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { takeSignIn } from '#shared/one-time-sign-in.ts';
import { sendJson } from '../responses/send-json.ts';
import type { BodyReader } from '../validation/read-body.ts';
import { OWN, pagePolicy } from '../responses/page-policy.ts';

/** Written by `console/build.ts`. */
export const BUILT_CONSOLE = path.join(import.meta.dirname, '../../console/gen');
const ENCODINGS = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const;

/** Only the console's own files may run, and they may connect only to this gateway. */
const policy = pagePolicy({
  scriptSrc: OWN,
  imgSrc: OWN,
  connectSrc: OWN,
  requireTrustedTypesFor: ["'script'"],
});

interface ConsoleOptions {
  /** Folder of the built files. If it has none, there is no console. */
  folder: string;
  /** File that offers a one-time sign-in. No sign-in if empty. */
  signInFile: string;
  readBody: BodyReader;
  /** Signs the browser in with an API key. Returns what its page gets of the session. */
  startSession: StartSession;
}

type StartSession = (apiKey: string, req: Request, res: Response) => Promise<object>;

/** The console: its page, its files, and the exchange of a one-time sign-in token for a session. */
export function consoleFiles({ folder, signInFile, readBody, startSession }: ConsoleOptions): Router {
  const router = Router({ caseSensitive: true });
  if (!existsSync(path.join(folder, 'index.html'))) return router;
  router.get('/console', policy, page(path.join(folder, 'index.html')));
  const assets = path.join(folder, 'assets');
  for (const name of readdirSync(assets).filter((name) => /\.(js|css|svg)$/.test(name)))
    router.get(`/console/assets/${name}`, asset(path.join(assets, name)));
  if (signInFile !== '') router.post('/console/sign-in', signIn(signInFile, readBody, startSession));
  return router;
}

/** Browsers revalidate the page at every visit, so that a new build is seen immediately. */
function page(file: string): RequestHandler {
  const content = encodedFile(file);
  const tag = `"${hash('sha1', content.identity, 'base64url')}"`;
  return (req, res) => {
    res.set({ 'Cache-Control': 'no-cache', ETag: tag, 'Cross-Origin-Opener-Policy': 'same-origin' });
    res.set(content.headersFor(req)).send(content.bytesFor(req));
  };
}

/** The name changes with the content, so browsers may keep the file for good. */
function asset(file: string): RequestHandler {
  const content = encodedFile(file);
  return (req, res) => {
    res.set('Cache-Control', 'public, max-age=31536000, immutable');
    res.set(content.headersFor(req)).send(content.bytesFor(req));
  };
}

function encodedFile(file: string) {
  const identity = readFileSync(file);
  const encoded = new Map<string, Buffer>(
    ENCODINGS.filter(({ suffix }) => existsSync(file + suffix)).map(({ encoding, suffix }) => [
      encoding,
      readFileSync(file + suffix),
    ]),
  );
  const encodingFor = (req: Request) => req.acceptsEncodings(...encoded.keys(), 'identity') || 'identity';
  return {
    identity,
    bytesFor: (req: Request) => encoded.get(encodingFor(req)) ?? identity,
    headersFor: (req: Request) => {
      const encoding = encodingFor(req);
      return {
        'Content-Type': `${TYPES[path.extname(file)]}; charset=utf-8`,
        Vary: 'Accept-Encoding',
        ...(encoded.has(encoding) && { 'Content-Encoding': encoding }),
      };
    },
  };
}

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

function signIn(file: string, readBody: BodyReader, startSession: StartSession): RequestHandler {
  return async (req, res) => {
    const { token } = ((await readBody(req, res)) ?? {}) as { token?: unknown };
    const apiKey = typeof token === 'string' ? takeSignIn(file, token) : undefined;
    if (apiKey === undefined)
      throw new ServiceError('not_found', 'The sign-in link has been used, has expired, or is invalid.');
    res.setHeader('Cache-Control', 'no-store');
    sendJson(res, 200, await startSession(apiKey, req, res));
  };
}
