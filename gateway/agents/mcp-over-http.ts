import { randomUUID } from 'node:crypto';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { ApiKey } from '#proto/saring/keys/v1/keys.ts';
import { SaringClient } from '#client/index.ts';
import { invalidRequest } from '#foundation/errors/invalid-request.ts';
import { marketOfKey } from '#foundation/test-market.ts';
import { packageVersion } from '#platform/process/package-version.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { secretOf } from '../request/credentials.ts';
import { endUserOf } from '../auth/end-user.ts';
import type { Counts } from '../auth/rate-limit-counts.ts';
import { limitPerKey, requireLeft } from '../auth/rate-limit.ts';
import { AGENTS_PATH, KEYED_PREFIX } from '../auth/unauthenticated-budget.ts';
import { refuseMethodsBut } from '../routing/mount-routes.ts';
import { SESSION_HEADER, type CrossOrigin } from '../server/cross-origin.ts';
import type { BodyReader } from '../validation/read-body.ts';

interface AgentToolsDependencies {
  /** Finds the key of a request, and refuses one that is unknown or disabled, and a session without its token. */
  authenticate: RequestHandler[];
  counts: Counts;
  crossOrigin: Pick<CrossOrigin, 'allows'>;
  readBody: BodyReader;
}

/** A message of an agent, as far as the gateway itself reads it. */
interface Message {
  id?: string | number;
  method?: string;
  params?: { requestId?: string | number };
}

/**
 * Serves tools for agents by the Model Context Protocol over HTTP. Tools call this gateway's REST API with the key of their
 * request, so that its scopes, limits and usage are those of the calls.
 *
 * Each request is answered alone, so that any of several gateways can answer it. A session is only a name, which tells the
 * requests of agents with the same key apart. The gateway that answers a call can cancel it; closing the connection cancels it too.
 */
export function agentTools({ authenticate, counts, crossOrigin, readBody }: AgentToolsDependencies): Router {
  const answers = new AgentAnswers(counts);
  const limit = limitPerKey(counts);
  const router = Router({ caseSensitive: true, strict: true });
  const receive: RequestHandler = async (req, res, next) => {
    req.context.route = { path: AGENTS_PATH };
    const message = messageOf(await readBody(req, res));
    res.locals['message'] = message;
    // A tool costs what its calls cost, and every other message one request.
    if (message.method !== 'tools/call') return limit(req, res, next);
    await requireLeft(counts, keyOf(req), res);
    return next();
  };
  router.use(AGENTS_PATH, refuseOtherOrigins(crossOrigin));
  router
    .route(AGENTS_PATH)
    .post(...authenticate, receive, (req, res) => answers.send(res.locals['message'] as Message, req, res))
    // There is nothing to read without a question, and no session to end.
    .all(refuseMethodsBut(['POST']));
  return router;
}

type HttpTransport = Transport & Pick<StreamableHTTPServerTransport, 'handleRequest'>;

class AgentAnswers {
  readonly #counts: Counts;
  readonly #underWay = new Map<string, Transport>();
  #loaded: ReturnType<typeof loadProtocol> | undefined;

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  async send(message: Message, req: Request, res: Response): Promise<void> {
    const { mcpServer, markets, newTransport, version, defaultEndUser } = await (this.#loaded ??=
      loadProtocol());
    const session = req.header(SESSION_HEADER) ?? '';
    const nameOf = (id: unknown) => JSON.stringify([keyOf(req).id, session, id]);
    if (message.method === 'initialize') res.setHeader(SESSION_HEADER, randomUUID());
    if (message.method === 'notifications/cancelled')
      this.#underWay.get(nameOf(message.params?.requestId))?.onmessage?.(message as never);

    let calls = 0;
    const baseUrl = addressOf(req);
    const saring = clientOf(req, { baseUrl, defaultEndUser, onCall: () => calls++ });
    const market = markets[marketOfKey(keyOf(req).id) ?? 'served'];
    const server = mcpServer({ saring, baseUrl, version, market });
    const transport = newTransport();
    await server.connect(transport);
    const name = nameOf(message.id);
    if (message.id !== undefined) this.#underWay.set(name, transport);
    res.once('close', () => {
      if (this.#underWay.get(name) === transport) this.#underWay.delete(name);
      // Whatever the tool has not answered by now, nobody waits for.
      void server.close();
      if (message.method === 'tools/call' && calls === 0) void this.#counts.increment(keyOf(req).id);
    });
    await transport.handleRequest(req, res, message);
  }
}

/** Loaded when the first agent asks: the protocol takes 50 MiB of memory, and most gateways have none. */
async function loadProtocol() {
  const [{ DEFAULT_END_USER, mcpServer }, { Market }, protocol] = await Promise.all([
    import('#mcp/server.ts'),
    import('#mcp/tools/market.ts'),
    import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
  ]);
  // Without a generator of sessions, the transport keeps nothing between requests.
  const newTransport = () => new protocol.StreamableHTTPServerTransport() as HttpTransport;
  return {
    mcpServer,
    newTransport,
    markets: { served: new Market(), test: new Market({ isTest: true }) },
    version: packageVersion(),
    defaultEndUser: DEFAULT_END_USER,
  };
}

/** Where the request itself has reached this gateway. */
function addressOf({ socket: { localAddress = '', localPort } }: Request): string {
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return `http://${host}:${localPort}`;
}

interface ClientFor {
  baseUrl: string;
  defaultEndUser: string;
  /** Called for each request that counts against the limit of the key. */
  onCall: () => void;
}

/** A client of the REST API with the key of the request and for its end user. */
function clientOf(req: Request, { baseUrl, defaultEndUser, onCall }: ClientFor): SaringClient {
  const { traceparent } = req.context;
  const endUser = req.header('x-end-user');
  return new SaringClient({
    baseUrl,
    apiKey: secretOf(req.headers),
    endUser: endUser === undefined ? defaultEndUser : endUserOf(endUser),
    language: 'en',
    // The agent decides whether to try again.
    retries: 0,
    fetch: (request) => {
      if (new URL(request.url).pathname.startsWith(KEYED_PREFIX)) onCall();
      if (traceparent !== undefined) request.headers.set('traceparent', traceparent);
      return fetch(request);
    },
  });
}

/** One message: later versions of the protocol have no lists of messages, whose calls would be hard to count. */
function messageOf(body: unknown): Message {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw invalidRequest([{ loc: ['body'], msg: 'must be one message of JSON-RPC', type: 'value_error' }]);
}

function keyOf(req: Request): ApiKey {
  if (!req.context.key) throw new Error('agents have keys: authentication comes first');
  return req.context.key;
}

/** Names that no foreign DNS server can give to this machine. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * As the protocol demands, so that no page can reach a gateway that its reader alone can reach. Pages of the gateway itself may,
 * where it is on loopback.
 */
function refuseOtherOrigins(crossOrigin: Pick<CrossOrigin, 'allows'>): RequestHandler {
  return (req, _res, next) => {
    const origin = req.header('origin');
    if (origin === undefined || crossOrigin.allows(origin) || isOwn(origin, req.header('host')))
      return next();
    throw new ServiceError(
      'origin_not_allowed',
      `Pages of ${origin.slice(0, 100)} may not call this endpoint.`,
    );
  };
}

function isOwn(origin: string, host: string | undefined): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  return url !== undefined && url.host === host && LOOPBACK.includes(url.hostname);
}
