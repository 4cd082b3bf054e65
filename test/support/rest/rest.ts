/** A response of the REST API, its body parsed. */
export interface RestResponse<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
}

interface RestRequest {
  key?: string;
  endUser?: string;
  headers?: Record<string, string>;
  /** A string is sent unchanged, anything else as JSON. */
  body?: unknown;
  method?: string;
}

const REQUEST_DEADLINE_MS = 75_000;

/** Calls a gateway as an application does. */
export class Rest {
  readonly #baseUrl: string;
  readonly #key: string | undefined;

  constructor(baseUrl: string, key?: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  /** The same gateway with another key. */
  as(key: string): Rest {
    return new Rest(this.#baseUrl, key);
  }

  get<Body = Record<string, unknown>>(path: string, request: RestRequest = {}): Promise<RestResponse<Body>> {
    return this.send(path, { method: 'GET', ...request });
  }

  post<Body = Record<string, unknown>>(path: string, body: unknown, request: RestRequest = {}) {
    return this.send<Body>(path, { method: 'POST', body, ...request });
  }

  async send<Body = Record<string, unknown>>(
    path: string,
    request: RestRequest,
  ): Promise<RestResponse<Body>> {
    const { method = 'GET', body, endUser } = request;
    const key = request.key ?? this.#key;
    const response = await fetch(this.#baseUrl + path, {
      method,
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(endUser === undefined ? {} : { 'x-end-user': endUser }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      signal: AbortSignal.timeout(REQUEST_DEADLINE_MS),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text ? JSON.parse(text) : undefined) as Body,
    };
  }
}

/** The code of an error envelope. */
export function errorCode(response: RestResponse): string | undefined {
  return (response.body as { error?: { code?: string } }).error?.code;
}
