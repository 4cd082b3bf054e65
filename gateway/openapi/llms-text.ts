import { Router } from 'express';
import { MODELS } from '#models/registry.ts';
import { DOCUMENTS } from '../documents/documents.ts';
import { ERROR_PAGES } from '../responses/errors.ts';
import { AN_HOUR, atFirstRequest, sharedText } from '../responses/shared-content.ts';

const MODEL_LIST = MODELS.map(({ id, name }) => `- \`${id}\`: ${name}`).join('\n');

const REFERENCE_PAGE = '\n- [Reference](/api/docs): the same for people, who can try requests there';

/** What a program that reads texts needs before its first call. The OpenAPI document says everything else. */
const textWith = (referencePage: string, documents: string) => `# Saring

> REST API that screens the Indonesian equity market (IDX): models that pick stocks, run as asynchronous jobs; market data; screens by
> rules on fields; usage history. Nothing it returns is a recommendation to buy or sell.

- Every call but \`GET /api/health\` needs an API key, as \`Authorization: Bearer <API_KEY>\`. The operator issues keys.
- Calls that act for a user of yours need \`X-End-User\` too, an opaque id of that user.
- Data are as of the last trading day of the dataset, never live. \`GET /api/health\` says which day that is, and whether the market is
  real or generated for testing (\`synthetic\`). Say both to whoever reads the results.
- Tickers are written without a suffix, such as \`BBCA\`. Prices are in IDR, volumes in shares, dates as YYYY-MM-DD in Asia/Jakarta.
- A run answers 202: poll the path in \`Location\`, for the first time after \`Retry-After\` seconds, then every 2 to 5 seconds, until
  \`status\` is \`succeeded\`, \`failed\` or \`interrupted\`.
- Branch on \`error.code\`. \`error.docs_url\` is the path of a page with the cause and the cure.

## Documents

- [OpenAPI document](/api/openapi.json): every endpoint, parameter, response and error${referencePage}
- [Error codes](${ERROR_PAGES}.md): what each means; their pages say why it happens and what to do

## First calls

- \`GET /api/v1/models\`: the models and what they are for
- \`GET /api/v1/models/{model_id}\`: the parameters of a model
- \`POST /api/v1/models/{model_id}/runs\`: runs a model for an end user
- \`GET /api/v1/jobs/{job_id}\`: a job, with its result
- \`GET /api/v1/data/market-overview\`: the market on its last trading day
- \`GET /api/v1/data/stocks/{ticker}\`: bars and indicators of a stock
- \`GET /api/v1/fields\`: the fields on which screens have rules; \`/api/v1/fields/values\`: what they say of every stock
- \`POST /api/v1/screens/preview\`: evaluates rules for an end user without saving them

## Models

${MODEL_LIST}
${documents}`;

/** By readers. Programs may leave out what operators read. */
async function documentLists(): Promise<string> {
  const { linksTo } = await import('../documents/read-document.ts');
  const lists = DOCUMENTS.map(({ readers, documents }) => {
    const heading = readers === 'Operators' ? 'Optional' : `Documents for ${readers.toLowerCase()}`;
    return `\n## ${heading}\n\n${linksTo(documents)}\n`;
  });
  return `\nA search in all documents: \`/docs/search?q=\`, with \`Accept: application/json\` as JSON.\n${lists.join('')}`;
}

/** Serves `/llms.txt` (llmstxt.org), which needs no key. It names the reference page and the documents if they are served. */
export function llmsText(withDocuments: boolean): Router {
  const router = Router({ caseSensitive: true });
  router.get(
    '/llms.txt',
    atFirstRequest(async () => {
      const [page, documents] = withDocuments ? [REFERENCE_PAGE, await documentLists()] : ['', ''];
      return sharedText('text/plain', textWith(page, documents), AN_HOUR);
    }),
  );
  return router;
}
