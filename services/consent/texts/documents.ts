import { ServiceError } from '#shared/service-error.ts';
import type { DocumentText } from './document-text.ts';
import type { Document } from './document.ts';

interface LocalText extends DocumentText {
  locale: string;
}

/** The disclaimers as they read now; they change with a restart alone. */
export class Documents {
  readonly #documents: ReadonlyMap<string, Document>;

  constructor(documents: Document[]) {
    this.#documents = new Map(documents.map((document) => [document.id, document]));
  }

  /** @throws ServiceError not_found, naming the documents there are. */
  get(id: string): Document {
    const document = this.#documents.get(id);
    if (document) return document;
    throw new ServiceError(
      'not_found',
      `There is no such document; there are ${[...this.#documents.keys()].join(', ')}.`,
    );
  }
}

/** The document in this language, or in its first. @throws ServiceError not_found, naming the languages there are. */
export function localTextOf({ id, texts }: Document, locale?: string): LocalText {
  const [first] = texts.keys();
  const wanted = locale ?? first!;
  const text = texts.get(wanted);
  if (text) return { ...text, locale: wanted };
  throw new ServiceError(
    'not_found',
    `${id} is not there in this language; there are ${[...texts.keys()].join(', ')}.`,
  );
}
