import path from 'node:path';

/** A document that is served below `/docs`. */
export interface Listed {
  /** In the project. */
  file: string;
  about: string;
}

/**
 * The documents by their readers. All documents of the project are served, those of operators too: they hold no secret, and pages for
 * developers refer to them.
 */
export const DOCUMENTS: { readers: string; documents: Listed[] }[] = [
  {
    readers: 'Application developers',
    documents: [
      { file: 'docs/screening.md', about: 'rules on fields: conditions, examples, saved screens, limits' },
      { file: 'docs/events.md', about: 'what has happened to a key, as a list or as a stream' },
      {
        file: 'docs/webhooks.md',
        about: 'events that are sent to your application: receivers, signatures, retries',
      },
      {
        file: 'docs/test-keys.md',
        about: 'keys for the tests of an application, which see a market that never changes',
      },
      { file: 'docs/models.md', about: 'what each model learns, and how it performed on the real market' },
      { file: 'docs/api-decisions.md', about: 'how the API behaves where the contract leaves it open' },
      { file: 'clients/typescript/README.md', about: 'the client for TypeScript and JavaScript' },
      { file: 'clients/python/README.md', about: 'the client for Python' },
      { file: 'clients/mcp/README.md', about: 'by the Model Context Protocol' },
      { file: 'docs/console.md', about: 'the API in the browser' },
      { file: 'CHANGELOG.md', about: 'what changed in each release' },
    ],
  },
  {
    readers: 'Analysts',
    documents: [
      { file: 'docs/analysts.md', about: 'the usage ledger in SQL: access, views, limits, queries' },
      { file: 'docs/analysis-tools.md', about: 'how to connect each of them to the API and to the ledger' },
      { file: 'docs/data-format.md', about: 'every file, column and unit' },
    ],
  },
  {
    readers: 'Operators',
    documents: [
      {
        file: 'docs/architecture.md',
        about: 'the services, how they work together, which data each owns; a glossary',
      },
      { file: 'docs/operations.md', about: 'settings, health, failures, datasets, the command line' },
      { file: 'docs/deployment.md', about: 'containers, Kubernetes, plain machines, your own stores' },
      { file: 'docs/feeds.md', about: 'sources, formats, mapping files, problems' },
      { file: 'docs/grpc.md', about: 'for services of your own' },
      { file: 'docs/runbook.md', about: 'what to do when an alert fires' },
      { file: 'docs/security.md', about: 'who is trusted, which threats are covered, what is logged' },
      { file: 'docs/performance.md', about: 'measured figures, and how to reproduce them' },
      { file: 'docs/capacity.md', about: 'machines for a million runs a day' },
    ],
  },
];

export const PROJECT = path.join(import.meta.dirname, '../..');
export const DOCUMENTS_ROOT = '/docs';
export const IMAGES_FOLDER = 'docs/images';
export const IMAGES_ROOT = `${DOCUMENTS_ROOT}/images`;

const FILES = new Set(DOCUMENTS.flatMap(({ documents }) => documents.map(({ file }) => file)));

/** The path under which a file of the project is served as HTML, or undefined if it is not. `.md` after it gives the Markdown. */
export function pathOf(file: string): string | undefined {
  if (!FILES.has(file)) return undefined;
  const name = file.replace(/^docs\//, '').replace(/(\/README)?\.md$/, '');
  return `${DOCUMENTS_ROOT}/${name.toLowerCase()}`;
}
