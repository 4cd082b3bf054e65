import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { SaringError, type SaringClient } from '#client/index.ts';
import type { Documents } from './documents.ts';

const JSON_TYPE = 'application/json';

/** What an agent may read whole before it asks: the fields of rules, the models and how each works, and the documents. */
export function addResources(server: McpServer, saring: SaringClient, documents: Documents): void {
  server.registerResource(
    'fields',
    'saring://fields',
    {
      title: 'Fields for rules',
      description: 'Every field that rules can name, with type, unit and meaning.',
      mimeType: JSON_TYPE,
    },
    async ({ href }, { signal }) =>
      read(href, async () =>
        (await saring.screens.fields({ signal })).map(
          ({ name, group, type, unit, label, formula, null_means }) => ({
            ...{ name, group, type, unit, label, formula, null_means },
          }),
        ),
      ),
  );
  server.registerResource(
    'models',
    'saring://models',
    {
      title: 'Screening models',
      description: 'Every model, and what has been shown of it.',
      mimeType: JSON_TYPE,
    },
    async ({ href }, { signal }) => read(href, () => saring.models.list({ signal })),
  );
  server.registerResource(
    'model',
    new ResourceTemplate('saring://models/{model_id}', { list: undefined }),
    {
      title: 'A screening model',
      description: 'What a model does, when it suits, and its parameters with bounds and defaults.',
      mimeType: JSON_TYPE,
    },
    async ({ href }, { model_id }, { signal }) =>
      read(href, () => saring.models.get(String(model_id), { signal })),
  );
  addDocuments(server, documents);
}

const MARKDOWN_TYPE = 'text/markdown';

function addDocuments(server: McpServer, documents: Documents): void {
  server.registerResource(
    'document',
    new ResourceTemplate('saring://documents/{page}', {
      list: async ({ signal }) => ({
        resources: (await documents.list(signal)).map(({ page, title, about }) => ({
          ...{ uri: `saring://documents/${page}`, name: page, title, description: about },
          mimeType: MARKDOWN_TYPE,
        })),
      }),
    }),
    { title: 'A document', description: 'A page of the documents of Saring.', mimeType: MARKDOWN_TYPE },
    async ({ href: uri }, { page }, { signal }) => {
      const text = await documents.read(String(page), signal);
      if (text === undefined)
        throw new McpError(ErrorCode.InvalidParams, `not_found: there is no document ${String(page)}.`);
      return { contents: [{ uri, mimeType: MARKDOWN_TYPE, text }] };
    },
  );
}

/** @throws McpError with the API's code and sentence for what the API refuses */
async function read(uri: string, content: () => Promise<unknown>) {
  try {
    return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(await content()) }] };
  } catch (failure) {
    if (!(failure instanceof SaringError)) throw failure;
    throw new McpError(ErrorCode.InvalidParams, `${failure.code}: ${failure.message}`);
  }
}
