import { bool, str } from 'envalid';
import {
  addressOrEmpty,
  integer,
  namedUrls,
  originsOrNone,
  sha256OrEmpty,
  urlOrEmpty,
  type Config,
} from '#platform/configuration/config.ts';
import {
  grpcTlsSettings,
  processSettings,
  natsSettings,
  serviceAddress,
  serviceToken,
} from '#platform/configuration/settings.ts';

export const settings = {
  ...processSettings,
  ...natsSettings,
  ...grpcTlsSettings,
  HOST: str({ default: '127.0.0.1', desc: 'address the HTTP server listens on' }),
  PORT: integer({ min: 0, max: 65535 })({ default: 8080, desc: 'port the HTTP server listens on' }),
  CONSENT_ADDRESS: serviceAddress('consent'),
  CONSENT_TOKEN: serviceToken('consent'),
  KEYS_ADDRESS: serviceAddress('keys'),
  KEYS_TOKEN: serviceToken('keys'),
  MARKET_DATA_ADDRESS: serviceAddress('market-data'),
  MARKET_DATA_TOKEN: serviceToken('market-data'),
  MODELS_ADDRESS: serviceAddress('models'),
  MODELS_TOKEN: serviceToken('models'),
  SCREENS_ADDRESS: serviceAddress('screens'),
  SCREENS_TOKEN: serviceToken('screens'),
  SCHEDULER_ADDRESS: addressOrEmpty({
    default: '',
    desc: 'host:port of the scheduler, for health and the operator’s endpoints; when empty, health omits it and requests that need it answer 503',
  }),
  FEED_ADDRESS: addressOrEmpty({
    default: '',
    desc: 'host:port of the feed, for health and the operator’s endpoints; when empty, health omits it and requests that need it answer 503',
  }),
  USAGE_ADDRESS: serviceAddress('usage'),
  USAGE_TOKEN: serviceToken('usage'),
  WEBHOOKS_ADDRESS: serviceAddress('webhooks'),
  WEBHOOKS_TOKEN: serviceToken('webhooks'),
  ANSWER_CACHE_BYTES: integer({ min: 0, max: 4_294_967_296 })({
    default: 67_108_864,
    desc: 'bytes of memory for cached answers from the current dataset version; 0 turns the cache off',
  }),
  BODY_LIMIT: integer({ min: 1_024, max: 10_485_760 })({
    default: 131_072,
    desc: 'largest request body in bytes',
  }),
  DOWNSTREAM_TIMEOUT_MS: integer({ min: 100, max: 60_000 })({
    default: 5_000,
    desc: 'deadline of a call to a service, in milliseconds; six times that for evaluations, which may wait for their turn',
  }),
  FAILED_AUTH_LIMIT: integer({ min: 1, max: 1_000_000 })({
    default: 300,
    desc: 'requests without a valid key per minute and client address; further ones are refused as rate_limited',
  }),
  OPEN_LIMIT: integer({ min: 1, max: 1_000_000 })({
    default: 6_000,
    desc: 'requests per minute and client address to health, the OpenAPI document, the reference and error pages, the documents, llms.txt, the console and the operator’s endpoints, counted separately from other requests',
  }),
  COST_PER_REQUEST_MS: integer({ min: 1, max: 1_000_000 })({
    default: 1_000,
    desc: 'milliseconds of processor time that the requests of a key may cost on average: its budget in a minute is this times its requests per minute',
  }),
  MAX_CONNECTIONS: integer({ min: 1, max: 1_000_000 })({
    default: 10_000,
    desc: 'maximum number of open connections; further ones are closed immediately',
  }),
  MAX_CONNECTIONS_PER_ADDRESS: integer({ min: 1, max: 1_000_000 })({
    default: 1_000,
    desc: 'maximum number of open connections from one address; further ones are closed immediately; no limit behind TRUSTED_PROXIES, because all connections then share the address of a proxy',
  }),
  RATE_LIMIT_REDIS_URL: urlOrEmpty(
    'redis',
    'rediss',
  )({
    default: '',
    desc: 'Redis in which all gateways count requests together; when empty, each gateway counts its own',
  }),
  RATE_LIMIT_REDIS_TIMEOUT_MS: integer({ min: 10, max: 5_000 })({
    default: 100,
    desc: 'how many milliseconds a request waits for the Redis of RATE_LIMIT_REDIS_URL; then the gateway counts by itself',
  }),
  TRUSTED_PROXIES: integer({ min: 0, max: 10 })({
    default: 0,
    desc: 'number of reverse proxies in front of the gateway that append to X-Forwarded-For',
  }),
  OPERATOR_TOKEN_SHA256: sha256OrEmpty({
    default: '',
    desc: 'SHA-256 of OPERATOR_TOKEN in hex, with which the operator’s endpoints check the token; several, separated by commas, while a token is replaced; when empty, these endpoints are off',
  }),
  OPERATOR_API: str({
    choices: ['loopback', 'on', 'off'],
    default: 'loopback',
    desc: 'whether the operator’s endpoints are served; `loopback`: only where HOST is loopback and no proxy is trusted',
  }),
  OPERATIONS_URLS: namedUrls(
    'http',
    'https',
  )({
    default: '',
    desc: 'operations ports that the operator’s endpoints show, as `name=url` separated by commas',
  }),
  BARS_API: bool({
    default: true,
    desc: 'whether stocks, bars and values of fields can be listed over REST; `off` where the licence of the market’s data forbids redistribution',
  }),
  CORS_ORIGINS: originsOrNone({
    default: '',
    desc: 'origins of web pages that may call the API from a browser, such as `https://app.example.com`, separated by commas; none when empty',
  }),
  MCP: bool({
    default: true,
    desc: 'whether tools for agents are served at /mcp, by the Model Context Protocol',
  }),
  DOCS: bool({
    default: true,
    desc: 'whether the reference page is served at /api/docs, and the documents of the project at /docs',
  }),
  CONSOLE: bool({ default: true, desc: 'whether the console is served at /console' }),
  CONSOLE_SIGN_IN_FILE: str({
    default: '',
    desc: 'file that offers a one-time sign-in to the console; no such sign-in when empty',
  }),
};

export type GatewayConfig = Config<typeof settings>;
