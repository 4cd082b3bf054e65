import { createServer } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failureOf } from '../deliveries/source-failure-fixture.ts';
import { retryAfterMs, UrlOrigin } from './url.ts';
import { webServer } from './web-server-fixture.ts';

const DAY = '2024-07-01';
const NOW = new Date('2024-07-01T12:00:00Z');
const WALL = '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body></body></html>';
const PAGE = '<html><head><title>Sign in</title></head></html>';
type Options = Partial<ConstructorParameters<typeof UrlOrigin>[0]>;

function originOf(url: string, options: Options = {}): UrlOrigin {
  return new UrlOrigin({
    url,
    headers: {},
    timeoutMs: 60_000,
    maxBytes: 1_000_000,
    env: {},
    clock: () => NOW,
    ...options,
  });
}
const get = (origin: UrlOrigin, signal = new AbortController().signal) => origin.get(DAY, signal);

async function getFrom(listener: RequestListener, options: Options = {}) {
  const server = await webServer(listener);
  return get(originOf(`${server}/day/{yyyymmdd}?key=hush`, options));
}

describe('a source at a URL', () => {
  test('is asked for the day, with its headers', async () => {
    const received = await getFrom(
      (request, response) => {
        response.setHeader('content-type', 'text/csv');
        response.end(`${request.url} ${request.headers['user-agent']} ${String(request.headers['x-trace'])}`);
      },
      { headers: { 'user-agent': 'saring', 'x-trace': '1' } },
    );
    expect(received.bytes.toString()).toBe('/day/20240701?key=hush saring 1');
    expect(received.name).toBe('20240701.csv');
  });

  test('may compress its answer', async () => {
    const { bytes, name } = await getFrom((_, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync('{"data":[]}'));
    });
    expect([bytes.toString(), name]).toEqual(['{"data":[]}', '20240701.json']);
  });

  test.each([
    ['nothing at all', 200, '', {}, 'not_published'],
    ['no content', 204, '', {}, 'not_published'],
    ['not found', 404, 'no such day', {}, 'not_published'],
    ['a refusal', 403, '{"error":"no"}', {}, 'forbidden'],
    ['a question for a login', 401, '', {}, 'forbidden'],
    ['a refusal with a web page', 403, PAGE, { 'content-type': 'text/html' }, 'bot_wall'],
    ['a wall with status 403', 403, WALL, { 'content-type': 'text/html' }, 'bot_wall'],
    ['a wall with status 200', 200, WALL, { 'content-type': 'application/json' }, 'bot_wall'],
    ['a wall with status 503', 503, WALL, { 'content-type': 'text/html', 'retry-after': '5' }, 'bot_wall'],
    [
      'a challenge that only a header names',
      200,
      PAGE,
      { 'content-type': 'text/html', 'cf-mitigated': 'challenge' },
      'bot_wall',
    ],
    [
      'a captcha',
      200,
      '<html><body><div class="g-recaptcha"></div></body></html>',
      { 'content-type': 'text/html' },
      'bot_wall',
    ],
    ['another web page', 200, PAGE, { 'content-type': 'text/html' }, 'changed_shape'],
    ['too many requests', 429, 'slow down', {}, 'rate_limited'],
    ['a failure of its own', 500, 'oops', {}, 'unreachable'],
    ['a bad request', 400, 'what?', {}, 'unreachable'],
  ] as const)('that answers with %s is understood', async (_, status, body, headers, problem) => {
    const work = getFrom((_request, response) => {
      response.writeHead(status, headers);
      response.end(body);
    });
    const { message } = await failureOf(work, problem);
    expect(message).not.toContain('hush');
  });

  test('behind a wall is not worked around: the message says what an operator can do', async () => {
    let requests = 0;
    const work = getFrom((_, response) => {
      requests++;
      response.writeHead(403, { 'content-type': 'text/html' });
      response.end(WALL);
    });
    const { message } = await failureOf(work, 'bot_wall');
    expect(message).toMatch(
      /^127\.0\.0\.1:\d+ answered with a bot wall titled 'Just a moment\.\.\.' \(status 403\)\./,
    );
    expect(message).toContain(
      'an address or headers that the owner of the source permits, or a file or folder',
    );
    expect(requests).toBe(1);
  });

  test.each([
    [429, 'rate_limited'],
    [503, 'unreachable'],
  ] as const)('that asks for patience with status %i is left alone for so long', async (status, problem) => {
    const work = getFrom((_request, response) => {
      response.writeHead(status, { 'retry-after': 'Mon, 01 Jul 2024 12:01:30 GMT' });
      response.end();
    });
    expect((await failureOf(work, problem)).retryAfterMs).toBe(90_000);
  });

  test('that announces more than it sends has a truncated answer', async () => {
    const work = getFrom((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"recordsTotal":');
      setImmediate(() => response.destroy());
    });
    await failureOf(work, 'truncated');
  });

  test('that closes within a chunked answer has a truncated answer', async () => {
    const work = getFrom((_, response) => {
      response.write('{"recordsTotal":', () => response.destroy());
    });
    await failureOf(work, 'truncated');
  });

  test('is not read beyond the limit, also when it compresses', async () => {
    for (const isCompressed of [false, true]) {
      const bytes = Buffer.alloc(100_000, ' ');
      const work = getFrom(
        (_, response) => {
          if (isCompressed) response.setHeader('content-encoding', 'gzip');
          response.end(isCompressed ? gzipSync(bytes) : bytes);
        },
        { maxBytes: 1_000 },
      );
      expect((await failureOf(work, 'too_large')).message).toContain('has more than 1000 bytes');
    }
  });

  test.each([
    ['never answers', () => {}],
    ['stops within its answer', (_, response) => void response.write('{')],
  ] as [string, RequestListener][])('that %s is given up at its time limit', async (_, listener) => {
    const { message } = await failureOf(getFrom(listener, { timeoutMs: 200 }), 'timed_out');
    expect(message).toContain('did not answer whole within 0.2 s');
  });

  test('is left when the feed stops', async () => {
    const stopping = new AbortController();
    const server = await webServer(() => stopping.abort());
    await failureOf(get(originOf(`${server}/{yyyymmdd}`), stopping.signal), 'interrupted');
  });

  test('where nobody listens cannot be reached', async () => {
    const placeholder = createServer();
    await new Promise<void>((resolve) => placeholder.listen(0, '127.0.0.1', resolve));
    const { port } = placeholder.address() as { port: number };
    await new Promise((resolve) => placeholder.close(resolve));
    const { message } = await failureOf(
      get(originOf(`http://127.0.0.1:${port}/{yyyymmdd}?key=hush`)),
      'unreachable',
    );
    expect(message).toBe(`127.0.0.1:${port} cannot be reached: ECONNREFUSED.`);
  });
});

describe('redirects', () => {
  test('within the host are followed', async () => {
    const { bytes } = await getFrom((request, response) => {
      if (request.url === '/moved') return void response.end('[1]');
      response.writeHead(302, { location: '/moved' });
      response.end();
    });
    expect(bytes.toString()).toBe('[1]');
  });

  test('to another host are not followed, and no header reaches it', async () => {
    let strangers = 0;
    const elsewhere = await webServer((_, response) => {
      strangers++;
      response.end('[]');
    });
    const work = getFrom((_, response) => {
      response.writeHead(302, { location: `${elsewhere}/login?next=1` });
      response.end();
    });
    const { message } = await failureOf(work, 'forbidden');
    expect(message).toContain(`sends the request elsewhere, to ${elsewhere}.`);
    expect(strangers).toBe(0);
  });

  test('without end are given up', async () => {
    const work = getFrom((request, response) => {
      response.writeHead(302, { location: `${request.url}0` });
      response.end();
    });
    await failureOf(work, 'unreachable');
  });
});

describe('secrets of a source', () => {
  const echo: RequestListener = (request, response) =>
    response.end(`${request.headers.cookie} ${request.headers.authorization}`);

  test('come from files and the environment, and a rotated one applies to the next request', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feed-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'cookie');
    const server = await webServer(echo);
    const env = { IDX_TOKEN: 'Bearer one' };
    const origin = originOf(`${server}/{yyyymmdd}`, {
      env,
      headers: { cookie: { file }, authorization: { env: 'IDX_TOKEN' } },
    });
    await writeFile(file, 'session=1\n');
    expect((await get(origin)).bytes.toString()).toBe('session=1 Bearer one');
    await writeFile(file, 'session=2\n');
    env.IDX_TOKEN = 'Bearer two';
    expect((await get(origin)).bytes.toString()).toBe('session=2 Bearer two');
  });

  test.each([
    ['a missing file', { file: '/nowhere/cookie' }, 'the file /nowhere/cookie cannot be read: ENOENT'],
    ['a missing variable', { env: 'NO_SUCH' }, 'the variable NO_SUCH is not set'],
    ['an empty variable', { env: 'EMPTY' }, 'the variable EMPTY is empty'],
    [
      'a secret in several lines',
      { env: 'LINES' },
      'the variable LINES contains characters that no header may have',
    ],
  ])('%s is named, without a value', async (_, value, message) => {
    const env = { EMPTY: ' ', LINES: 'hush\nhush' };
    const failure = await failureOf(getFrom(echo, { env, headers: { cookie: value } }), 'forbidden');
    expect(failure.message).toBe(`The header cookie cannot be sent: ${message}.`);
  });

  test('never appear in what people read of a source', () => {
    expect(originOf('https://data.example/day/{yyyymmdd}?key=hush#more').description).toBe(
      'https://data.example/day/{yyyymmdd}',
    );
  });
});

test.each([
  ['120', 120_000],
  [' 7 ', 7_000],
  ['Wed, 03 Jul 2024 13:00:05 GMT', 5_000],
  ['Wednesday, 03-Jul-24 13:00:05 GMT', 5_000],
  ['9'.repeat(30), 86_400_000],
])('the header %s asks for a time to come', (header, ms) => {
  expect(retryAfterMs(header, new Date('2024-07-03T13:00:00Z'))).toBe(ms);
});

test.each([null, '', '0', '5.5', '-5', '1e3', 'soon', '2024-07-04', 'Wed, 03 Jul 2024 12:59:59 GMT'])(
  'the header %s asks for none, so that the usual pauses apply',
  (header) => {
    expect(retryAfterMs(header, new Date('2024-07-03T13:00:00Z'))).toBeUndefined();
  },
);
