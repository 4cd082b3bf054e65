const FOLDER = '/docs/';
/** As `/llms.txt` lists documents. */
const LISTED = /^- \[(?<title>[^\]]+)\]\(\/docs\/(?<page>[\w-]+)\.md\)(?:: (?<about>.+))?$/gm;

interface ListedDocument {
  page: string;
  title: string;
  about: string;
}

/** The documents that the gateway serves. They need no key. */
export class Documents {
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Empty where the operator has turned documents off. */
  async list(signal: AbortSignal): Promise<ListedDocument[]> {
    const index = (await this.#text('/llms.txt', signal)) ?? '';
    return [...index.matchAll(LISTED)].map(({ groups = {} }) => ({
      page: groups['page']!,
      title: groups['title']!,
      about: groups['about'] ?? '',
    }));
  }

  /** A document as Markdown; undefined if there is none of this name. */
  read(page: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#text(`${FOLDER}${encodeURIComponent(page)}.md`, signal);
  }

  async #text(path: string, signal: AbortSignal): Promise<string | undefined> {
    const response = await fetch(new URL(path, this.#baseUrl), { signal });
    if (response.ok) return response.text();
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw new Error(`${path} answers ${response.status}`);
  }
}
