/** A call to copy, which submits a run and waits for its result. The code names the key but does not contain it. */
export interface CallToCopy {
  baseUrl: string;
  model: string;
  endUser: string;
  params: Record<string, unknown>;
}

export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
export type CodeLanguage = (typeof LANGUAGES)[number];

export function callIn(language: CodeLanguage, call: CallToCopy): string {
  return { curl, TypeScript, Python }[language](call);
}

function curl({ baseUrl, model, endUser, params }: CallToCopy): string {
  const body = JSON.stringify({ params }).replaceAll("'", String.raw`'\''`);
  return [
    `curl -s -X POST '${baseUrl}/api/v1/models/${model}/runs?wait=60' \\`,
    `  -H "Authorization: Bearer $SARING_KEY" -H 'X-End-User: ${endUser}' \\`,
    `  -H 'Content-Type: application/json' -d '${body}'`,
  ].join('\n');
}

function TypeScript({ baseUrl, model, endUser, params }: CallToCopy): string {
  return [
    `import { SaringClient, resultOf } from './client/index.ts';`,
    ``,
    `const saring = new SaringClient({`,
    `  baseUrl: '${baseUrl}',`,
    `  apiKey: process.env.SARING_KEY!,`,
    `  endUser: '${endUser}',`,
    `});`,
    `const job = await saring.runAndWait('${model}', { params: ${JSON.stringify(params)} });`,
    `console.log(resultOf(job));`,
  ].join('\n');
}

/**
 * Parameters are embedded as a JSON string, which is also a Python string literal. A JSON object would not work:
 * Python writes true and null differently.
 */
function Python({ baseUrl, model, endUser, params }: CallToCopy): string {
  return [
    `import json, os, time, urllib.request`,
    ``,
    `def call(path, body=None):`,
    `    request = urllib.request.Request(`,
    `        "${baseUrl}" + path,`,
    `        data=None if body is None else json.dumps(body).encode(),`,
    `        headers={`,
    `            "Authorization": "Bearer " + os.environ["SARING_KEY"],`,
    `            "X-End-User": "${endUser}",`,
    `            "Content-Type": "application/json",`,
    `        },`,
    `    )`,
    `    return json.load(urllib.request.urlopen(request))`,
    ``,
    `params = json.loads(${JSON.stringify(JSON.stringify(params))})`,
    `job = call("/api/v1/models/${model}/runs?wait=60", {"params": params})`,
    `while job["status"] in ("queued", "running"):`,
    `    time.sleep(2)`,
    `    job = call(job["poll_url"])`,
    `print(job.get("result") or job.get("error"))`,
  ].join('\n');
}
