import { bool, str } from 'envalid';
import {
  addressOrEmpty,
  integer,
  namedUrls,
  sha256OrEmpty,
  urlOrEmpty,
  type Config,
} from '#shared/config/config.ts';
import {
  grpcTlsSettings,
  processSettings,
  natsSettings,
  serviceAddress,
  serviceToken,
} from '#shared/config/settings.ts';

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
  MODELS_ADDRESS: serviceAddress('models'),
  MODELS_TOKEN: serviceToken('models'),
  SCHEDULER_ADDRESS: addressOrEmpty({
    default: '',
    desc: 'host:port of the scheduler, for the health answer and the operator’s endpoints; neither has it when empty',
  }),
  USAGE_ADDRESS: serviceAddress('usage'),
  USAGE_TOKEN: serviceToken('usage'),
  ANSWER_CACHE_BYTES: integer({ min: 0, max: 4_294_967_296 })({
    default: 67_108_864,
    desc: 'memory for answers of the present dataset version that may be given again; none when 0',
  }),
  BODY_LIMIT: integer({ min: 1_024, max: 10_485_760 })({
    default: 131_072,
    desc: 'largest request body in bytes',
  }),
  DOWNSTREAM_TIMEOUT_MS: integer({ min: 100, max: 60_000 })({
    default: 5_000,
    desc: 'deadline of a call to a service',
  }),
  FAILED_AUTH_LIMIT: integer({ min: 1, max: 1_000_000 })({
    default: 300,
    desc: 'requests without a valid key per minute and client address, after which they are rate_limited',
  }),
  OPEN_LIMIT: integer({ min: 1, max: 1_000_000 })({
    default: 6_000,
    desc: 'requests per minute and client address to health, the OpenAPI document, the reference page, the console and the operator’s endpoints, which have a budget of their own',
  }),
  MAX_CONNECTIONS: integer({ min: 1, max: 1_000_000 })({
    default: 10_000,
    desc: 'open connections, beyond which new ones are closed at once',
  }),
  MAX_CONNECTIONS_PER_ADDRESS: integer({ min: 1, max: 1_000_000 })({
    default: 1_000,
    desc: 'open connections of one address, beyond which new ones are closed at once; not limited behind TRUSTED_PROXIES, whose address they all share',
  }),
  RATE_LIMIT_REDIS_URL: urlOrEmpty(
    'redis',
    'rediss',
  )({
    default: '',
    desc: 'Redis in which all gateways count requests together; each counts its own when empty',
  }),
  RATE_LIMIT_REDIS_TIMEOUT_MS: integer({ min: 10, max: 5_000 })({
    default: 100,
    desc: 'how long a request waits for the Redis of RATE_LIMIT_REDIS_URL, after which the gateway counts by itself',
  }),
  TRUSTED_PROXIES: integer({ min: 0, max: 10 })({
    default: 0,
    desc: 'how many reverse proxies stand in front and append to X-Forwarded-For',
  }),
  OPERATOR_TOKEN_SHA256: sha256OrEmpty({
    default: '',
    desc: 'SHA-256 of OPERATOR_TOKEN in hex, by which the operator’s endpoints know the operator; several while a token is replaced, separated by commas; there are none when empty',
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
  DOCS: bool({ default: true, desc: 'whether the reference page is served at /api/docs' }),
  CONSOLE: bool({ default: true, desc: 'whether the console is served at /console' }),
  CONSOLE_SIGN_IN_FILE: str({
    default: '',
    desc: 'file in which a one-time sign-in to the console is offered; there is none when empty',
  }),
};

export type GatewayConfig = Config<typeof settings>;
