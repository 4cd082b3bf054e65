import { cleanEnv, makeValidator, type CleanedEnvAccessors, type ValidatorSpec } from 'envalid';

export type Settings = Record<string, ValidatorSpec<unknown>>;
export type Config<S extends Settings> = Omit<ReturnType<typeof cleanEnv<S>>, keyof CleanedEnvAccessors>;

/** Settings that are missing or wrong. The message names all of them. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads and parses the settings from the environment.
 * @throws ConfigError naming every missing or wrong setting, so that an operator can fix all of them in one go
 */
export function loadConfig<S extends Settings>(settings: S, env: NodeJS.ProcessEnv = process.env): Config<S> {
  return cleanEnv(env, settings, {
    reporter: ({ errors }) => {
      const mistakes = Object.entries(errors as Record<string, Error>);
      if (mistakes.length === 0) return;
      const lines = mistakes.map(([name, error]) => {
        const wanted = settings[name] as { desc?: string };
        const problem = env[name] === undefined ? 'is not set' : error.message;
        return `  ${name} ${problem}${wanted.desc ? ` (${wanted.desc})` : ''}`;
      });
      throw new ConfigError(`these settings are missing or wrong:\n${lines.join('\n')}`);
    },
  });
}

/**
 * The environment as one service reads it: `KEYS__NATS_URL` is the `NATS_URL` of the keys service alone. Services that share a
 * process need it for what differs between them; a name without a service's prefix is for all.
 */
export function environmentOf(service: string, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const prefix = ownSetting(service, '');
  const own = Object.entries(env).filter(([name]) => name.startsWith(prefix));
  return { ...env, ...Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value])) };
}

/** The name of a variable that only one service reads, for example `MARKET_DATA__GRPC_PORT`. */
export function ownSetting(service: string, name: string): string {
  return `${service.toUpperCase().replaceAll('-', '_')}__${name}`;
}

/** A whole number between bounds. */
export const integer = ({ min, max }: { min: number; max: number }) =>
  makeValidator<number>((text) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isInteger(value) || value < min || value > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  });

/** A URL with one of these schemes. Error messages leave out the value because it can contain a password. */
export const urlOf = (...schemes: string[]) => makeValidator<string>((text) => requireUrl(text, schemes));

/** The URLs of the nodes of one cluster, separated by commas. The login of the first URL is used for all. */
export const urlsOf = (...schemes: string[]) =>
  makeValidator<string>((text) => {
    for (const url of text.split(',')) requireUrl(url, schemes);
    return text;
  });

/** `host:port` of each node in a value of `urlsOf`. */
export function hostsOf(urls: string): string[] {
  return urls.split(',').map((url) => new URL(url).host);
}

/** An optional URL. */
export const urlOrEmpty = (...schemes: string[]) =>
  makeValidator<string>((text) => (text === '' ? text : requireUrl(text, schemes)));

/** URLs by name, as in `keys=http://10.0.0.1:9090,usage=http://10.0.0.2:9090`. May be empty. */
export const namedUrls = (...schemes: string[]) =>
  makeValidator<string>((text) => {
    for (const [name, url] of Object.entries(urlsByName(text))) {
      if (!/^[a-z][a-z0-9-]{0,62}$/.test(name)) throw new Error('must be name=url, separated by commas');
      requireUrl(url, schemes);
    }
    return text;
  });

/** Parses a value of `namedUrls`. */
export function urlsByName(text: string): Record<string, string> {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  return Object.fromEntries(
    entries.map((entry) => {
      const [name = '', ...url] = entry.split('=');
      return [name.trim(), url.join('=').trim()];
    }),
  );
}

/** Origins of web pages, such as `https://app.example.com`, separated by commas; `originsIn` splits them. May be empty. */
export const originsOrNone = makeValidator<string>((text) => {
  for (const origin of originsIn(text)) {
    const isExact =
      /^https?:[^*]+$/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
    if (!isExact)
      throw new Error(
        `must be origins such as https://app.example.com, each in lower case, without a path, a final slash or the usual port, ` +
          `separated by commas; “${origin}” is none`,
      );
  }
  return text;
});

/** Splits a value of `originsOrNone`. */
export function originsIn(text: string): string[] {
  return text.split(',').map((origin) => origin.trim()).filter((origin) => origin !== ''); // prettier-ignore
}

function requireUrl(text: string, schemes: string[]): string {
  const scheme = URL.canParse(text) ? new URL(text).protocol.replace(':', '') : undefined;
  if (!scheme || !schemes.includes(scheme)) throw new Error(`must be a ${schemes.join(':// or ')}:// URL`);
  return text;
}

/** `host:port` of a gRPC service. */
export const address = makeValidator<string>((text) => requireAddress(text));

function requireAddress(text: string): string {
  if (!/^[\w.-]+:\d{1,5}$/.test(text)) throw new Error('must be host:port');
  return text;
}

/** An optional `address`. */
export const addressOrEmpty = makeValidator<string>((text) => (text === '' ? text : requireAddress(text)));

/** A secret of at least 16 characters. Error messages leave out the value. */
export const secret = makeValidator<string>((text) => requireSecret(text));

/** An optional `secret`. */
export const secretOrEmpty = makeValidator<string>((text) => (text === '' ? text : requireSecret(text)));

/** A secret or, while it is being rotated, two of them separated by a comma; `secretsIn` splits them. */
export const rotatedSecret = makeValidator<string>((text) => {
  for (const one of secretsIn(text)) requireSecret(one);
  return text;
});

/** Splits a value of `rotatedSecret`. The first secret is used for new tokens and hashes; all of them are accepted. */
export function secretsIn(text: string): [string, ...string[]] {
  return text.split(',') as [string, ...string[]];
}

/** A SHA-256 in hex, or several separated by commas. May be empty. */
export const sha256OrEmpty = makeValidator<string>((text) => {
  if (!/^([0-9a-f]{64}(,[0-9a-f]{64})*)?$/.test(text))
    throw new Error('must be a SHA-256, 64 hex digits in lower case, or several separated by commas');
  return text;
});

function requireSecret(text: string): string {
  if (text.length < 16) throw new Error('must have at least 16 characters');
  return text;
}
