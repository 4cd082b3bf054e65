import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { openApiDocument } from '#gateway/openapi/openapi.ts';
import { routes } from '#gateway/routes/index.ts';

/** Writes the types of the API to the given file. They come from the declared routes, so no server is needed. */
const [file] = process.argv.slice(2);
if (!file) throw new Error('Say which file the types go to.');

const types = await openapiTS(openApiDocument(routes) as unknown as OpenAPI3, {
  // A field with a default may be left out of a request.
  defaultNonNullable: false,
  emptyObjectsUnknown: true,
});
await mkdir(path.dirname(file), { recursive: true });
await writeFile(file, `// Generated from the OpenAPI document of the gateway.\n\n${astToString(types)}`);
