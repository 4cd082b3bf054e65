import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { REPOSITORY } from '#support/repository.ts';
import { kubernetesManifests, validateManifest, type Manifest } from '#support/kubernetes-manifests.ts';

const kubernetes = await kubernetesManifests();
const ofGateway = (kind: string) =>
  kubernetes.find(({ manifest }) => manifest.kind === kind && manifest.metadata.name === 'gateway')!.manifest;
const read = async <T>(file: string) =>
  parse(await readFile(path.join(REPOSITORY, 'deploy/kubernetes-ingress', file), 'utf8')) as T;

type Fields = Record<string, unknown>;
type Named = Fields & { name: string };

/** What kustomize makes of a patch: objects are merged, and lists of named elements by name. Other lists are replaced. */
function patched(base: unknown, patch: unknown): unknown {
  if (isNamed(base) && isNamed(patch)) {
    const byName = new Map(base.map((element) => [element.name, element]));
    for (const element of patch)
      byName.set(element.name, patched(byName.get(element.name), element) as Named);
    return [...byName.values()];
  }
  if (!isFields(base) || !isFields(patch)) return patch;
  const changed = Object.entries(patch).map(([name, value]) => [name, patched(base[name], value)] as const);
  return { ...base, ...Object.fromEntries(changed) };
}

function isNamed(value: unknown): value is Named[] {
  return Array.isArray(value) && value.every((element) => isFields(element) && 'name' in element);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

test('behind the ingress example only its controller reaches the gateway, and only that proxy is trusted', async () => {
  const { resources, patches } = await read<{ resources: string[]; patches: { path: string }[] }>(
    'kustomization.yaml',
  );
  expect([resources, patches.map((patch) => patch.path)]).toEqual([
    ['../kubernetes', 'ingress.yaml'],
    ['gateway.yaml', 'gateway-policy.yaml'],
  ]);
  const gateway = patched(ofGateway('Deployment'), await read('gateway.yaml')) as Manifest;
  const policy = patched(ofGateway('NetworkPolicy'), await read('gateway-policy.yaml')) as Manifest;
  const ingress = await read<Manifest>('ingress.yaml');
  for (const manifest of [gateway, policy, ingress])
    await expect(validateManifest(manifest), manifest.kind).resolves.toBeUndefined();

  const { env } = gateway.spec!.template!.spec.containers[0]!;
  expect(env.filter(({ name }) => name === 'TRUSTED_PROXIES')).toEqual([
    { name: 'TRUSTED_PROXIES', value: '1' },
  ]);
  const controller = { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } };
  expect(policy.spec!.ingress).toEqual([
    { from: [{ namespaceSelector: controller }], ports: [{ port: 8080 }] },
  ]);
  const { metadata, spec } = ofGateway('Service');
  const service = { name: metadata.name, port: { name: spec!.ports![0]!.name } };
  expect(ingress.spec!.rules!.map(({ http }) => http.paths.map(({ backend }) => backend))).toEqual([
    [{ service }],
  ]);
});
