const DEADLINE_MS = 70_000;

/** An answer that is no success. */
export class Refusal extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Calls the fleet's own REST API as the demo application. */
export class RestClient {
  readonly baseUrl: string;
  readonly #signal: AbortSignal;
  readonly #apiKey: string | undefined;

  constructor(baseUrl: string, signal: AbortSignal, apiKey?: string) {
    this.baseUrl = baseUrl;
    this.#signal = signal;
    this.#apiKey = apiKey;
  }

  withKey(apiKey: string): RestClient {
    return new RestClient(this.baseUrl, this.#signal, apiKey);
  }

  async status(path: string): Promise<number> {
    const response = await this.#fetch('GET', path);
    await response.body?.cancel();
    return response.status;
  }

  get<T>(path: string): Promise<T> {
    return this.#json<T>('GET', path);
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return this.#json<T>('POST', path, body);
  }

  async #json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.#fetch(method, path, body);
    if (!response.ok)
      throw new Refusal(
        `${method} ${path} answers ${response.status}: ${await response.text()}`,
        response.status,
      );
    return (await response.json()) as T;
  }

  #fetch(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(this.baseUrl + path, {
      method,
      headers: {
        'X-End-User': 'demo',
        'Accept-Language': 'en',
        ...(this.#apiKey ? { Authorization: `Bearer ${this.#apiKey}` } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(DEADLINE_MS)]),
    });
  }
}
